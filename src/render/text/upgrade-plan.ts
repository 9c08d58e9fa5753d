import type { Route, RouteHop } from '../../release-safety/route.js';
import { questionOf } from '../../release-safety/span.js';
import type { RenderedHop } from '../deployment/hop-block.js';
import { beforeYouBegin, type RenderedStep } from '../deployment-steps.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import { shellWord } from '../shell-word.js';
import { renderCurrentVersion } from './current-version.js';
import { describeHole, pointToExplain } from './reasons.js';
import { describeBlock, describeLanding } from './route-reasons.js';
import { renderTable } from './table.js';
import { renderVersionList } from './version-list.js';

export interface UpgradePlanTextOptions {
  readonly palette: Palette;
  /** Under each hop list every release that is not proven, and every one that demands the landing. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined where the output is none. */
  readonly width: number | undefined;
  /** Where the current version was found; undefined where it was given. */
  readonly fromSource: string | undefined;
  /** The version that runs is none of the index, which ought to hold it. */
  readonly startIsNoRelease: boolean;
  /** What to do for each hop; undefined where it was not asked for. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files that hold the scripts, a hop each. */
  readonly scripts: readonly string[] | undefined;
}

/** The plan for a person: the hops as a table, what stands in the way, then hop by hop what to do. */
export function renderUpgradePlanText(route: Route, options: UpgradePlanTextOptions): string {
  const { palette, verbose, width, fromSource, startIsNoRelease, renderedHops, scripts } = options;
  const { fromVersion, hops, blockedBy } = route;
  const lines = [`Upgrade plan: ${fromVersion} -> ${describeTarget(route)}`];
  if (fromSource !== undefined) {
    lines.push(renderCurrentVersion({ version: fromVersion, source: fromSource }).trimEnd());
  }
  lines.push(`Route: ${palette.strong(describeRoute(route, palette))}`);
  if (blockedBy !== null) {
    lines.push(`Blocked by: ${describeBlock(blockedBy)}`);
  }
  if (startIsNoRelease) lines.push(palette.bad(`! ${describeNoRelease(fromVersion)}.`));
  if (hops.length > 0) {
    lines.push('', renderHopTable(hops, palette, width).trimEnd());
    const uncertified = hops.flatMap((hop, i) => (hop.certified ? [] : describeUncertified(hop, i + 1)));
    if (uncertified.length > 0) lines.push('', ...uncertified.map((line) => palette.bad(line)));
  }
  for (const [i, hop] of hops.entries()) {
    const rendered = renderedHops?.[i];
    if (rendered === undefined && !verbose) break;
    const mark = hop.certified ? '' : ', NOT CERTIFIED';
    lines.push(
      '',
      palette.strong(`Hop ${i + 1}: ${hop.fromVersion} -> ${hop.toVersion} (${hop.strategy}${mark})`),
    );
    if (verbose) lines.push(...describeHop(hop));
    if (rendered !== undefined) lines.push(...describeCommands(rendered, scripts?.[i], palette));
  }
  const next =
    startIsNoRelease && hops.length > 0
      ? `check the version that runs; ${describeNoRelease(fromVersion)}.`
      : describeNextStep(route, renderedHops !== undefined);
  return `${[...lines, '', ...pointToExplain(wordsOfRoute(route)), `Next: ${next}`].join('\n')}\n`;
}

function describeTarget({ fromVersion, toVersion, requestedTarget, certified }: Route): string {
  if (requestedTarget === toVersion) return toVersion;
  return toVersion === fromVersion && !certified ? requestedTarget : `${toVersion} (${requestedTarget})`;
}

/** What stands in the way, why a hop is not certified or is a Recreate, and why it lands where it lands. */
export function wordsOfRoute({ hops, blockedBy }: Route): string[] {
  return [
    ...(blockedBy === null ? [] : [blockedBy.kind]),
    ...hops.flatMap((hop) => [
      ...(hop.certified ? [] : [beginsBelowFloor(hop) ? 'below-index-floor' : 'missing-coverage']),
      ...(hop.unsafeVersions.length === 0 ? [] : ['unsafe-release']),
      ...(hop.unknownVersions.length === 0 ? [] : ['unknown-release']),
      ...(hop.reason === 'target' ? [] : [hop.reason]),
    ]),
  ];
}

export function describeRoute(
  { hops, certified, recreateHops }: Route,
  { good, bad, doubtful }: Palette,
): string {
  if (hops.length === 0) return certified ? good('nothing to do') : bad('none');
  const number = `${hops.length} ${hops.length === 1 ? 'hop' : 'hops'}`;
  if (!certified) return bad(`${number}, NOT CERTIFIED`);
  if (recreateHops === 0) return good(`${number}, rolling all the way`);
  return doubtful(
    `${number}, ${recreateHops} Recreate (a short downtime${recreateHops === 1 ? '' : ' each'})`,
  );
}

function renderHopTable(hops: readonly RouteHop[], palette: Palette, width: number | undefined): string {
  return renderTable(
    ['HOP', 'FROM', 'TO', 'STRATEGY', 'RELEASES', 'LANDS THERE AS'],
    hops.map((hop, i) => [
      `${i + 1}${hop.certified ? '' : ' !'}`,
      hop.fromVersion,
      hop.toVersion,
      hop.strategy,
      String(hop.releases.length),
      describeLanding(hop),
    ]),
    palette,
    width,
  );
}

function describeUncertified(hop: RouteHop, number: number): string {
  return `! Hop ${number} is not certified: ${whyUncertified(hop)}.`;
}

function beginsBelowFloor({ reason, missingRanges }: RouteHop): boolean {
  return reason === 'index-floor' || missingRanges.length === 0;
}

function whyUncertified(hop: RouteHop): string {
  const { fromVersion, toVersion, reason, missingRanges } = hop;
  if (beginsBelowFloor(hop)) {
    const floor = reason === 'index-floor' ? ` ${toVersion}` : '';
    return `${fromVersion} is older than the index floor${floor} (span rule 5)`;
  }
  return `${missingRanges.map(describeHole).join('; ')} (span rule 7)`;
}

function describeHop(hop: RouteHop): string[] {
  const list = (versions: readonly string[]) => renderVersionList(versions, { whole: true });
  return [
    `  Demanded by: ${list(hop.demandedBy)}`,
    `  Unsafe rolling-update safety: ${list(hop.unsafeVersions)}`,
    `  Unknown rolling-update safety: ${list(hop.unknownVersions)}`,
  ];
}

/** Of a version that the index would hold if it were one; without a full stop. */
export function describeNoRelease(version: string): string {
  return `${version} is not a release of this index, and no commands are given for it`;
}

function describeCommands(
  { steps, block }: RenderedHop,
  script: string | undefined,
  palette: Palette,
): string[] {
  return [
    ...steps.flatMap((step, i) => describeStep(step, i + 1, palette)),
    '',
    ...(script === undefined
      ? ['Paste this as one block (bash, zsh or dash):', '', block.trimEnd()]
      : [`Run: sh ${shellWord(printable(script))}`]),
  ];
}

function describeStep({ title, values, notes }: RenderedStep, number: number, palette: Palette): string[] {
  const indent = (text: string, by: string) => text.trimEnd().replaceAll(/^/gm, by);
  return [
    `  ${number}. ${printable(title)}`,
    ...(values === undefined
      ? []
      : [`     ${printable(beforeYouBegin(values))}`, indent(values.yaml, '       ')]),
    ...notes.map((note) => palette.faint(indent(note, '     '))),
  ];
}

function describeNextStep(
  { hops, blockedBy, certified, fromVersion, toVersion }: Route,
  hasSteps: boolean,
): string {
  if (hops.length === 0 && certified) return `nothing; ${toVersion} is what runs.`;
  if (hops.length === 0 && blockedBy !== null) {
    const { reachableVersion } = blockedBy;
    if (reachableVersion === fromVersion) {
      return questionOf[blockedBy.kind] === 'rolling'
        ? 'plan with --to latest: a Recreate hop goes further.'
        : 'check the version and the index; with this index nothing leads on from here.';
    }
    return `plan as far as the index leads, with --to ${reachableVersion}.`;
  }
  if (!certified)
    return 'decide about the hops marked "!" by hand: read the release notes and test on a copy first.';
  if (hasSteps) return 'begin with hop 1, and begin no hop before the one before it is confirmed.';
  return 'add --deploy helm or --deploy compose for the steps of every hop.';
}
