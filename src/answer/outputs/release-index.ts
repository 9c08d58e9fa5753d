import type { IndexAudit } from '../../release-safety/index-faults.js';
import type { Version } from '../../release-safety/version.js';
import { compact } from '../../shared/compact.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { describeIndexFault } from '../../words/index-faults.js';
import { describeAge } from '../../words/measures.js';
import { pointToExplain } from '../../words/next.js';
import { countOf, number } from '../../words/phrase.js';
import { printable } from '../../words/printable.js';
import type { IndexMirrorResult, IndexStatusResult } from '../json/index-schemas.js';
import type { Palette } from '../palette.js';
import { renderLines } from './messages.js';

export function renderIndexStatusText(
  status: DeepReadonly<Omit<IndexStatusResult, 'schemaVersion'>>,
  palette: Palette,
): string {
  const { verdicts, newestGreenSpan: span } = status;
  const rows = {
    Index: printable(status.source),
    Generated: `${status.generatedAt} (${describeAge(status.ageMs)})`,
    'SHA-256': status.sha256,
    Releases: `${status.releases}, ${status.firstVersion} to ${status.latestVersion}`,
    Floor: status.floorVersion ?? 'none',
    Verdicts: `${palette.good(`${verdicts.true} true`)}, ${palette.bad(`${verdicts.false} false`)}, ${palette.warn(`${verdicts.unknown} unknown`)}`,
    Backfilled: String(status.backfilled),
    'Newest green span':
      span === null
        ? 'none'
        : `${span.fromVersion} -> ${span.toVersion} (${countOf(span.releases, 'release')})`,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${palette.bold(`${name}:`)} ${value}\n`)
    .join('');
}

/**
 * Further faults are counted but not shown: nobody reads on, and a hostile index has a quarter of a million of them.
 */
export const mostShown = 1000;

export function renderIndexVerifyText(
  { entries, faults, faultCount }: IndexAudit,
  { source, palette }: { readonly source: string; readonly palette: Palette },
): string {
  const verdict = faults.length === 0 ? palette.good('none') : palette.bad(String(faultCount));
  const shown = faults.slice(0, mostShown);
  const lines = compact(
    `Index: ${printable(source)}`,
    `Releases: ${entries}`,
    `Faults: ${verdict}`,
    shown.map((fault) => `  - ${palette.bold(fault.kind)}: ${describeIndexFault(fault)}`),
    faultCount > shown.length && `  and ${number(faultCount - shown.length)} more`,
    pointToExplain(shown.map(({ kind }) => kind)),
  );
  return `${lines.join('\n')}\n`;
}

export function renderMirrorText(
  mirror: Omit<DeepReadonly<IndexMirrorResult>, 'schemaVersion' | 'complete' | 'missing'>,
): string {
  const { folder, generatedAt, releases, knownIssues, artifacts, fetched } = mirror;
  return renderLines([
    `Mirror: ${folder}`,
    `Index: ${countOf(releases, 'release')}, generated ${generatedAt}`,
    `Known issues: ${knownIssues}`,
    `Artifacts: ${artifacts}, ${fetched} of them new`,
  ]);
}

export function renderProvenTargets({
  from,
  targets,
  file,
}: {
  readonly from: Version;
  readonly targets: readonly { readonly version: Version }[];
  readonly file: string | undefined;
}): string {
  const newest = targets.at(-1)?.version;
  const found =
    newest === undefined
      ? `Nothing is proven from ${from}: lightspan upgrade-plan --from ${from} --to latest shows what blocks it.`
      : `From ${from}: ${countOf(targets.length, 'proven target')}, the newest ${newest}.`;
  return `${found}${file === undefined ? '' : ` Written to ${printable(file)}.`}\n`;
}
