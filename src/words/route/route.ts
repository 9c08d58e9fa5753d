import type { AppliedIssue } from '../../core/results.js';
import type { Route, RouteBlock, RouteHop } from '../../core/route/route.js';
import type { HopWithWayBack } from '../../core/route/way-back.js';
import type { Strategy } from '../../core/span.js';
import { isMajorWithoutNote, majorOf } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import type { Version } from '../../core/version.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { TimeRange } from '../../instance/forecast/work-time.js';
import type { MeasuredHop } from '../../instance/rehearsed.js';
import { countOf, listNames } from '../phrase.js';
import { deployWords } from './deploy-words.js';
import { describeMeasured, describeMigrationTime, describeRestore } from './downtime.js';
import { describeBlock, describeHole, describeOneIssue, describeUnproven } from './reasons.js';
import { describeAllWaysBack, describeWayBack } from './way-back.js';

export interface ShownHop extends HopWithWayBack {
  /** How long its migrations take, without waits for locks; undefined without facts of a database. */
  readonly time?: TimeRange | undefined;
  /** As a rehearsal with rows has measured it. */
  readonly measured?: MeasuredHop | undefined;
}

export interface ShownRoute extends Omit<Route, 'hops'> {
  readonly hops: readonly ShownHop[];
}

export type HopDetails = Partial<Pick<ShownHop, 'time' | 'wayBack' | 'measured'>>;

/**
 * How long the migrations of a hop take, and the cost of going back from it, where that is known: one sentence each.
 */
export function hopDetails({ time, wayBack, measured }: HopDetails, number: number): string[] {
  const restore = measured && describeRestore(measured);
  return compact(
    time && `Hop ${number}: ${describeMigrationTime(time)}.`,
    measured && `Hop ${number}: ${describeMeasured(measured)}.`,
    wayBack && `Hop ${number}: ${describeWayBack(wayBack)}.`,
    restore && `Hop ${number}: going back, ${restore}.`,
  );
}

/** The same for all hops; without the cost of going back if `describeAllWaysBack` covers it. */
export function describeHopDetails(hops: readonly ShownHop[]): string[] {
  const isCovered = describeAllWaysBack(hops.map(({ wayBack }) => wayBack)) !== undefined;
  return hops.flatMap((hop, i) => {
    const { wayBack: _, ...others } = hop;
    return hopDetails(isCovered ? others : hop, i + 1);
  });
}

/** The version that a target resolves to, with the requested name; the name alone if no step leads to it. */
type Targeted = Pick<Route, 'fromVersion' | 'toVersion' | 'requestedTarget' | 'blockedBy'>;

export function describeTarget(route: Targeted): string {
  const { fromVersion, toVersion, requestedTarget, blockedBy } = route;
  if (requestedTarget === toVersion) return toVersion;
  const noStep = toVersion === fromVersion && blockedBy !== null;
  return noStep ? requestedTarget : `${toVersion} (${requestedTarget})`;
}

/** The words for what blocks the route, why a hop is not certified or is a Recreate, and why it lands where it does. */
export function wordsOfRoute({ hops, blockedBy }: Route, deploy: DeployKind): string[] {
  const { canRoll } = deployWords[deploy];
  return compact<string>(
    blockedBy?.kind,
    hops.map((hop) => [
      hop.belowIndexFloor && 'below-index-floor',
      !hop.belowIndexFloor && hop.missingRanges.length > 0 && 'missing-coverage',
      hop.knownIssues.length > 0 && 'known-issue',
      canRoll && hop.unsafeVersions.length > 0 && 'unsafe-release',
      canRoll && hop.unknownVersions.length > 0 && 'unknown-release',
      hop.reason !== 'target' && hop.reason,
    ]),
  );
}

/**
 * What must be known of the hops besides their rows: all reasons why one is not proven, is a Recreate or ends where
 * it does, what blocks first at the beginning; then each known issue once, with its hops.
 */
export function remarksOfRoute(
  hops: readonly RouteHop[],
  { first = 1, ...options }: RemarkOptions & { readonly first?: number },
): RouteRemark[] {
  const counted = new Map<string, HopRemark & { readonly numbers: number[] }>();
  for (const [i, hop] of hops.entries()) {
    for (const remark of remarksOfHop(hop, options)) {
      const key = `${remark.singular}: ${remark.why.join('; ')}`;
      const before = counted.get(key);
      if (before === undefined) counted.set(key, { ...remark, numbers: [i + first] });
      else before.numbers.push(i + first);
    }
  }
  const remarks = [...counted.values()].map(({ singular, plural, why, bad, numbers }) => ({
    text: `${describeNumbers(numbers)} ${numbers.length === 1 ? singular : plural}: ${why.join('; ')}.`,
    bad,
  }));
  const issues = hops.flatMap((hop, i) =>
    [...hop.knownIssues, ...hop.landingIssues].map((issue) => ({ issue, hop: i + first })),
  );
  return [...remarks, ...describeIssues(issues).map((text) => ({ text, bad: false }))];
}

interface HopRemark {
  readonly singular: string;
  readonly plural: string;
  readonly why: readonly string[];
  readonly bad: boolean;
}

interface RouteRemark {
  readonly text: string;
  readonly bad: boolean;
}

interface RemarkOptions {
  readonly verbose?: boolean;
  /** Where nothing ever rolls, every hop has its downtime: what may not roll is no reason for one. */
  readonly deploy: DeployKind;
}

function remarksOfHop(hop: RouteHop, { verbose = false, deploy }: RemarkOptions): HopRemark[] {
  const { landingIssues, demandedBy, accepted = [] } = hop;
  const say = (singular: string, plural: string, why: readonly string[], bad = false) =>
    why.length > 0 && { singular, plural, why, bad };
  return compact<HopRemark>(
    say('is unproven', 'are unproven', whyUncertified(hop), true),
    deployWords[deploy].canRoll &&
      say('needs downtime (Recreate)', 'need downtime (Recreate)', whyRecreate(hop, verbose)),
    say(
      'is accepted to roll, but not proven to',
      'are accepted to roll, but not proven to',
      accepted.length > 0 ? [listNames(accepted, verbose ? accepted.length : 3)] : [],
    ),
    say(
      'stops there because of a later problem',
      'stop there because of a later problem',
      namesOf(landingIssues),
    ),
    say('is required by', 'are required by', verbose && demandedBy.length > 0 ? [demandedBy.join(', ')] : []),
  );
}

/** Why a hop is not certified, one clause each: what no index covers, and the known issues that apply to it. */
export function whyUncertified(hop: RouteHop): string[] {
  const { fromVersion, toVersion, reason, missingRanges, belowIndexFloor } = hop;
  const floor = reason === 'index-floor' ? ` ${toVersion}` : '';
  return compact(
    belowIndexFloor
      ? `${fromVersion} is older than the index floor${floor} (span rule 5)`
      : missingRanges.length > 0 && `${missingRanges.map(describeHole).join('; ')} (span rule 7)`,
    namesOf(hop.knownIssues.filter(({ effect }) => effect.kind !== 'recreate')),
  );
}

export function whyRecreate(
  { unsafeVersions, unknownVersions, knownIssues }: RouteHop,
  verbose = false,
): string[] {
  return [
    ...describeUnproven(unsafeVersions, unknownVersions, { verbose }),
    ...namesOf(knownIssues.filter(({ effect }) => effect.kind === 'recreate')),
  ];
}

function namesOf(issues: readonly AppliedIssue[]): string[] {
  return [...new Set(issues.map(({ id }) => `known issue ${id}`))];
}

/** Each known issue once, with the hops and the releases that it is about. */
export function describeIssues(
  met: readonly { readonly issue: AppliedIssue; readonly hop?: number }[],
): string[] {
  return [...new Set(met.map(({ issue }) => issue.id))].map((id) => {
    const cases = met.filter(({ issue }) => issue.id === id);
    const versions = [...new Set(cases.map(({ issue }) => issue.version))];
    const notKnown = [...new Set(cases.flatMap(({ issue }) => issue.notKnown))];
    const hops = [...new Set(cases.flatMap(({ hop }) => hop ?? []))];
    const known = cases.slice(0, 1).map(({ issue }) => describeOneIssue({ ...issue, notKnown }));
    const where = compact(hops.length > 0 && describeNumbers(hops), listNames(versions));
    return printable(`${[...where, ...known].join(': ')}.`);
  });
}

/** `Hop 2`, `Hops 1 to 3, 5`. */
function describeNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const names = runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return `Hop${numbers.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

export function titleOfHop(hop: RouteHop, number: number, deploy: DeployKind): string {
  const { fromVersion, toVersion, strategy, certified } = hop;
  const how = `${strategyWith(strategy, deploy)}${certified ? '' : ', UNPROVEN'}`;
  return `Hop ${number}: ${fromVersion} -> ${toVersion} (${how})`;
}

/** Whether old and new run side by side at a hop. */
export function rollsWith(strategy: Strategy, deploy: DeployKind): boolean {
  return strategy === 'RollingUpdate' && deployWords[deploy].canRoll;
}

/** How a hop is deployed. */
export function strategyWith(strategy: Strategy, deploy: DeployKind): string {
  return deployWords[deploy].canRoll ? strategy : 'with downtime';
}

/** Where a route stops right before a major, so that what it asks for can be done between two hops. */
export function whyBeforeMajor(hops: readonly RouteHop[], majors: readonly Version[]): string[] {
  return hops.flatMap(({ toVersion }, i) => {
    const [next] = hops[i + 1]?.releases ?? [];
    return next !== undefined &&
      majorOf(next) > majorOf(toVersion) &&
      majors.some((major) => !isMajorWithoutNote(major))
      ? [
          `Hop ${i + 1} ends at ${toVersion}, the last release before ${next}: do there what the major asks for.`,
        ]
      : [];
  });
}

/** What keeps a named target from going further, shown below the hops; without a full stop. */
export function describeFurthest(blockedBy: RouteBlock | null): string[] {
  return blockedBy === null ? [] : [`The route ends there: ${describeBlock(blockedBy)}`];
}

/** For a version that the index would contain if it existed; without a full stop. */
export function describeNoRelease(version: string): string {
  return `${version} is not a release in this index, so no commands are given for it`;
}

export function describeTooManyHops({ hops }: Pick<Route, 'hops'>, maxHops: number | undefined): string {
  return `${countOf(hops.length, 'hop')}, but --max-hops allows ${maxHops}`;
}
