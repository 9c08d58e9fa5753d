import type { BumpRequest } from '../../core/pins.js';
import type { UpgradeReport } from '../../core/report.js';
import type { Route, RouteBlock, RouteHop } from '../../core/route/route.js';
import { isOntoStop, questionOf, type SpanResult } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { commandWith, optionsNamed } from '../../core/text/quoted-words.js';
import { compareVersions, type Version } from '../../core/version.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { TimeRange } from '../../instance/forecast/work-time.js';
import { capitalize } from '../phrase.js';
import { deployWords } from './deploy-words.js';
import { describeDowntime } from './downtime.js';
import { describeBlock, describeLanding, firstIssue, firstStop, reasonsOfKind } from './reasons.js';
import { describeNoRelease, rollsWith } from './route.js';

/** The command that explains the reasons of a no, for readers who meet them for the first time. */
export function pointToExplain(words: readonly string[]): string[] {
  const once = [...new Set(words)];
  return once.length === 0 ? [] : [`Why: lightspan explain ${once.join(' ')}`];
}

/** What else the index offers; computed only where it is the next thing to try. */
interface Ahead {
  /** Of the route. */
  readonly firstHop?: (() => RouteHop | undefined) | undefined;
  /** The newest release that is proven to roll in one step. */
  readonly rollsTo?: (() => Version | undefined) | undefined;
  /** The options of the request that say what it is judged by: the commands that come next get them too. */
  readonly evidence?: readonly string[] | undefined;
  /** Undefined where nothing says so: then the command offers both. */
  readonly deploy: DeployKind | undefined;
}

/** A command that an answer proposes, judged by the same. */
export function commandOf(words: readonly string[], evidence: readonly string[]): string {
  return commandWith([...words, ...evidence], []) ?? `lightspan ${words.join(' ')}`;
}

/**
 * If several rules forbid the span, the one that must be met first.
 *
 * @param disagree whether artifacts do not confirm the index
 */
export function nextOfCheck(
  result: SpanResult,
  latestVersion: Version,
  disagree: boolean,
  { firstHop, rollsTo, evidence = [], deploy: known }: Ahead,
): string {
  const deploy = known ?? 'helm';
  const { fromVersion, toVersion, reasons, missingRanges } = result;
  const plan = commandOf(['upgrade-plan', '--from', fromVersion, '--to', toVersion], evidence);
  const hops = `the hops: ${plan}`;
  const withDowntime = nextWithDowntime(plan, deploy, known === undefined);
  if (result.safe) return nextOfSafe(result, withDowntime, deploy);
  const [belowFloor] = reasonsOfKind(reasons, 'below-index-floor');
  if (belowFloor !== undefined) {
    return (
      `upgrade to ${landing(firstHop?.(), belowFloor.floor)} with Recreate; no index covers that step, so test ` +
      `it on a copy first; ${hops}`
    );
  }
  const absent = absentEnd(result);
  if (absent !== undefined) {
    return compareVersions(absent, latestVersion) > 0
      ? `wait until the index lists ${absent} (it ends at ${latestVersion}), or choose a release that it lists.`
      : `check the version: ${absent} is not a release in this index.`;
  }
  // What forbids the direct upgrade comes before what only forbids to roll, and a rule before a known issue.
  const stop = firstStop(reasons);
  if (stop !== undefined && isOntoStop(result) && !disagree) {
    return (
      `${toVersion} is itself a required stop, which no check calls safe; a plan takes it as a hop` +
      `${result.rolling ? ' that rolls' : ' with downtime'}; ${migrate}; ${hops}`
    );
  }
  if (stop !== undefined) {
    return `upgrade to ${landing(firstHop?.(), stop)}, and ${migrate}; ${hops}`;
  }
  const [minimum] = reasonsOfKind(reasons, 'below-minimum-version');
  if (minimum !== undefined) {
    const { version, orLater } = firstBeforeMinimum(minimum.minimum, firstHop?.());
    return `upgrade to ${version}${orLater ? ' or a later release' : ''} first; ${hops}`;
  }
  const issue = firstIssue(reasons);
  if (issue !== undefined) {
    const settle = issue.notKnown.length === 0 ? '' : '; or say with --fact that it does not apply';
    const sources = optionsNamed(evidence, '--index', '--known-issues');
    const show = commandOf(['known-issues', 'show', issue.id], sources);
    return `do what the known issue says: ${show}${settle}; ${hops}`;
  }
  if (missingRanges.length > 0) {
    return `get a complete index: this one does not cover the step from ${fromVersion} to ${toVersion}.`;
  }
  const rolling = deployWords[deploy].canRoll ? rollsTo?.() : undefined;
  if (!disagree && rolling !== undefined && compareVersions(rolling, fromVersion) > 0) {
    const check = commandOf(['upgrade-check', '--from', fromVersion, '--to', rolling], evidence);
    return `${rolling} is proven to roll in one step: ${check}; or, for ${toVersion}, ${withDowntime}`;
  }
  const otherwise = disagree ? 'check again later, when index and artifacts may agree; or ' : '';
  return `${otherwise}${withDowntime}`;
}

const migrate = 'let its migrations run before a later release';

/** A minimum may itself be out of reach in one step. */
export function firstBeforeMinimum(minimum: Version, hop: RouteHop | undefined) {
  return hop !== undefined && compareVersions(hop.toVersion, minimum) < 0
    ? { version: hop.toVersion, orLater: false }
    : { version: minimum, orLater: true };
}

function nextWithDowntime(plan: string, deploy: DeployKind, offersBoth = false): string {
  return `${deployWords[deploy].restart}; the steps${offersBoth ? ' (or --deploy compose)' : ''}: ${plan} --deploy ${deploy}`;
}

/** Another stop may come first: below the floor, or required by a known issue of this one. */
function landing(hop: RouteHop | undefined, stop: Version): string {
  return hop === undefined || hop.toVersion === stop ? stop : `${hop.toVersion} (${describeLanding(hop)})`;
}

function nextOfSafe({ direction, toVersion }: SpanResult, withDowntime: string, deploy: DeployKind): string {
  if (direction === 'same-version') return nothingToDo(toVersion);
  return deployWords[deploy].canRoll
    ? `upgrade to ${toVersion} in one step, old and new pods may overlap (Helm: upgrade.mode=RollingUpdate).`
    : `upgrade to ${toVersion} in one step: ${withDowntime}`;
}

function nothingToDo(version: string): string {
  return `nothing; ${version} is already running.`;
}

/** The end of the span that is not in the index; the start, if neither is. */
function absentEnd(span: SpanResult): Version | undefined {
  const { fromVersion, toVersion, coveredVersions, missingRanges } = span;
  if (missingRanges.some((range) => range.afterVersion === range.beforeVersion)) return fromVersion;
  const reached = coveredVersions.at(-1) ?? fromVersion;
  return reached === toVersion ? undefined : toVersion;
}

interface ShownPlan {
  /** Whether the running version is not in the index, which should contain it. */
  readonly startIsNoRelease: boolean;
  readonly tooManyHops: boolean;
  readonly steps: 'of-first-hop' | 'of-each-hop' | undefined;
  /** The command that asks for the steps, or writes them as scripts; undefined where it is not known or not needed. */
  readonly withSteps?: string | undefined;
  /** Whether something of which no steps are known applies it. */
  readonly appliedByOther?: boolean | undefined;
  /** Whether what deploys it is known, so that `withSteps` is for it. */
  readonly knowsDeploy?: boolean | undefined;
  /** For a reader of the page, which has fields in place of options. */
  readonly onPage?: boolean | undefined;
  /** The command that moves the pin by the first hop, where neither Helm nor compose reads it. */
  readonly byPin?: string | undefined;
  /** The command that plans to the newest release. */
  readonly toLatest?: string | undefined;
}

export function nextOfPlan(
  { hops, blockedBy, certified, fromVersion, toVersion }: Route,
  {
    startIsNoRelease,
    tooManyHops,
    steps,
    withSteps,
    appliedByOther = false,
    knowsDeploy = false,
    byPin,
    toLatest,
    onPage = false,
  }: ShownPlan,
): string {
  if (hops.length === 0) {
    if (certified) return nothingToDo(toVersion);
    if (blockedBy !== null) return nextOfBlocked(blockedBy, fromVersion, { onPage, toLatest });
  } else if (startIsNoRelease) {
    return `check the running version; ${describeNoRelease(fromVersion)}.`;
  }
  if (!certified)
    return 'decide yourself about the unproven hops: read the release notes, and test on a copy first.';
  if (tooManyHops) return `go to ${hops[0]?.toVersion} first, and plan again from there.`;
  if (steps === 'of-each-hop') return 'start with hop 1; confirm each hop before the next.';
  if (steps === undefined && byPin !== undefined) return `move the pin, and have it applied: ${byPin}`;
  if (steps === undefined && appliedByOther)
    return 'apply hop 1 with the tool that applies these objects; confirm each hop before the next.';
  if (steps === undefined && withSteps !== undefined)
    return `for the steps of each hop${knowsDeploy ? '' : ' (--deploy helm or compose)'}: ${withSteps}`;
  if (steps === undefined && onPage) return 'choose above how it is deployed, for the steps of each hop.';
  if (steps === undefined) return 'add --deploy helm or --deploy compose for the steps of each hop.';
  if (withSteps !== undefined) return `write a script for each hop, and run that of hop 1: ${withSteps}`;
  if (hops.length === 1) return 'run the steps of hop 1.';
  const scripts = onPage ? '' : ' (--out writes a script for every hop)';
  return `run the steps of hop 1, then plan again from ${hops[0]?.toVersion}, which runs by then${scripts}.`;
}

/**
 * What comes next in a plan where nothing of the instance was seen: first whether its first hop goes well.
 *
 * @param preflight the command that looks at that hop
 */
export function nextAfterPreflight(
  next: string | undefined,
  preflight: string,
  {
    hops,
    hasScripts,
    about,
  }: {
    readonly hops: number;
    readonly hasScripts: boolean;
    /** What that command does, where it does not say it itself. */
    readonly about?: string | undefined;
  },
): string {
  const how = about === undefined ? '' : ` (${about})`;
  return hasScripts
    ? `start with hop 1, once this says that it goes well on your database${how}: ${preflight}`
    : `see whether ${hops === 1 ? 'it' : 'hop 1'} goes well on your database${how}: ${preflight}; then ${next}`;
}

/** What known issues keep a route from being proven, and what settles them. */
interface OpenIssues {
  readonly ids: readonly string[];
  /** The commands that read what may settle them from the instance, and plan with it; undefined if nothing would. */
  readonly settle: { readonly look: string; readonly plan: string } | undefined;
}

/** Where nothing but known issues is between a route and its proof. */
export function nextOfOpenIssues({ ids, settle }: OpenIssues): string {
  const accept = `accept by name what you have looked into yourself (${ids.map((id) => `--accept ${id}`).join(' ')})`;
  return settle === undefined
    ? `do what the known issues say, and ${accept}.`
    : `read from your instance what may settle the known issues: ${settle.look}; then plan with it: ${settle.plan}; ` +
        `and ${accept}.`;
}

function nextOfBlocked(
  block: RouteBlock,
  fromVersion: string,
  { onPage, toLatest }: { readonly onPage: boolean; readonly toLatest: string | undefined },
): string {
  if (block.reachableVersion !== fromVersion)
    return `plan as far as the index goes, ${onPage ? 'to' : 'with --to'} ${block.reachableVersion}.`;
  if (block.kind === 'below-index-floor' && block.version === fromVersion)
    return `upgrade to ${block.floor} first, with Recreate (no index covers that step), and plan again from there.`;
  if (block.kind !== 'known-issue' && questionOf(block) !== 'rolling')
    return 'check version and index: this one has no route from here.';
  return toLatest === undefined
    ? `plan ${onPage ? 'to' : 'with --to'} latest: a hop with downtime goes further.`
    : `a hop with downtime goes further: ${toLatest}`;
}

interface ReportAhead {
  readonly timeOfFirstHop?: TimeRange | undefined;
  readonly deploy: DeployKind;
}

/** @param details.timeOfFirstHop undefined without facts of a database */
export function nextOfReport(
  { safe, span, route, fromVersion, toVersion, blockedBy }: UpgradeReport,
  { timeOfFirstHop, deploy }: ReportAhead,
): string {
  const plan = commandOf(['upgrade-plan', '--from', fromVersion, '--to', toVersion], []);
  if (safe) return nextOfSafe(span, nextWithDowntime(plan, deploy), deploy);
  const blocked = route.blockedBy ?? (toVersion === fromVersion ? blockedBy : null);
  if (blocked !== null) return `there is no route. ${capitalize(describeBlock(blocked))}.`;
  const [first] = route.hops;
  if (first === undefined) return 'check the version and the index; nothing proves this step.';
  const rolls = rollsWith(first.strategy, deploy);
  const how = rolls
    ? 'old and new pods may overlap'
    : `downtime: ${describeDowntime([{ ...first, time: timeOfFirstHop }])}`;
  const stop = rolls ? '' : 'stop Lightdash, ';
  const by = deployWords[deploy].canRoll ? `with ${first.strategy}` : 'with downtime';
  const hop = `${stop}back up the database, then upgrade to ${first.toVersion} ${by} (${how})`;
  const onwards = route.hops.length === 1 ? '' : ', let its migrations run, and continue hop by hop';
  const certified = first.certified ? '' : ' Nothing proves this hop: test it on a copy.';
  const issues = first.knownIssues.map(({ id, remedy }) => ` Known issue ${id}: ${printable(remedy)}`);
  return `${hop}${onwards}.${certified}${issues.join('')}`;
}

interface BumpAhead {
  /** The hop that was judged. */
  readonly fromVersion: Version;
  readonly toVersion: Version;
  /** The target as the user wrote it. */
  readonly target: string;
  /** Whether this was a dry run (`--check`). */
  readonly check: boolean;
  readonly deploy: DeployKind;
  readonly evidence: readonly string[];
}

/** No option that was given is offered once more, and none that would be refused as well. */
export function nextOfRefusedBump(
  { to, allowRecreate }: Pick<BumpRequest, 'to' | 'allowRecreate'>,
  {
    fromVersion,
    target,
    evidence,
    deploy,
    rollsOn,
  }: Pick<BumpAhead, 'fromVersion' | 'target' | 'evidence' | 'deploy'> & {
    /** Whether a rolling hop leaves the pinned release. */
    readonly rollsOn: boolean;
  },
): string {
  const end = target === 'latest-rolling' && !rollsOn ? 'latest' : target;
  const ways = compact(
    to !== 'latest-rolling' && rollsOn && '--to latest-rolling goes as far as hops roll',
    !allowRecreate && `--allow-recreate pins a hop that needs ${deployWords[deploy].needed}`,
    `the route: ${commandOf(['upgrade-plan', '--from', fromVersion, '--to', end], evidence)}`,
  );
  return ways.join('; ');
}

/** The pin was moved, or would be. */
export function nextOfBump({ fromVersion, toVersion, check, deploy, evidence }: BumpAhead): string {
  const plan = commandOf(['upgrade-plan', '--from', fromVersion, '--to', toVersion], evidence);
  const steps = `${plan} --deploy ${deploy}`;
  return `${check ? 'move it without --check, and commit it' : 'commit it'}; the steps of the hop: ${steps}`;
}
