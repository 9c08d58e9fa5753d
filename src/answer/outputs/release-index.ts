import type { IndexAudit } from '../../release-safety/index-faults.js';
import type { Version } from '../../release-safety/version.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { describeIndexFault } from '../../words/index-faults.js';
import { describeAge } from '../../words/measures.js';
import { countOf, number } from '../../words/phrase.js';
import type { Fact } from '../answer.js';
import type { IndexMirrorResult, IndexStatusResult } from '../json/index-schemas.js';
import { renderLines } from './messages.js';

export function factsOfIndex(status: DeepReadonly<Omit<IndexStatusResult, 'schemaVersion'>>): Fact[] {
  const { verdicts, newestGreenSpan: span } = status;
  const green = span && `${span.fromVersion} -> ${span.toVersion} (${countOf(span.releases, 'release')})`;
  return [
    { label: 'Index', text: status.source },
    { label: 'Generated', text: `${status.generatedAt} (${describeAge(status.ageMs)})` },
    { label: 'SHA-256', text: status.sha256 },
    { label: 'Releases', text: `${status.releases}, ${status.firstVersion} to ${status.latestVersion}` },
    { label: 'Floor', text: status.floorVersion ?? 'none' },
    {
      label: 'Verdicts',
      text: `${verdicts.true} true, ${verdicts.false} false, ${verdicts.unknown} unknown`,
    },
    { label: 'Backfilled', text: String(status.backfilled) },
    { label: 'Newest green span', text: green ?? 'none', tone: span === null ? 'warn' : 'good' },
  ];
}

/**
 * Further faults are counted but not shown: nobody reads on, and a hostile index has a quarter of a million of them.
 */
export const mostShown = 1000;

export function factsOfAudit({ entries, faults, faultCount }: IndexAudit, source: string): Fact[] {
  const shown = faults.slice(0, mostShown);
  const items = shown.map((fault) => `${fault.kind}: ${describeIndexFault(fault)}`);
  const kinds = new Set(shown.map(({ kind }) => kind));
  const more = faultCount - shown.length;
  return [
    { label: 'Index', text: source },
    { label: 'Releases', text: String(entries) },
    {
      label: 'Faults',
      text: String(faultCount || 'none'),
      tone: faultCount === 0 ? 'good' : 'bad',
      items: more > 0 ? [...items, `and ${number(more)} more`] : items,
    },
    ...(kinds.size === 0 ? [] : [{ label: 'Why', text: `lightspan explain ${[...kinds].join(' ')}` }]),
  ];
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

export function renderProvenTargets(
  from: Version,
  targets: readonly { readonly version: Version }[],
  file: string | undefined,
): string {
  const newest = targets.at(-1)?.version;
  const found =
    newest === undefined
      ? `Nothing is proven from ${from}: lightspan upgrade-plan --from ${from} --to latest shows what blocks it.`
      : `From ${from}: ${countOf(targets.length, 'proven target')}, the newest ${newest}.`;
  return renderLines([`${found}${file === undefined ? '' : ` Written to ${file}.`}`]);
}
