import { type Acceptance, namesOf } from './accepted.js';
import {
  type ArtifactDisagreement,
  type ArtifactOutcome,
  evaluateJoined,
  evaluateStrictly,
  joinArtifacts,
  type ReconciledSpanResult,
  releasesToVerify,
  withoutDisputed,
} from './artifact/reconcile.js';
import { type KnownIssues, noKnownIssues, type ReleaseSafetyIndex } from './index/release-safety-index.js';
import { planRoute, type Route, type RouteHop, type RouteRequest } from './route/route.js';
import {
  evaluateSpan,
  isOntoStop,
  issuesOf,
  questionOf,
  releasesOfSpan,
  type Span,
  type SpanResult,
  verdictOf,
} from './span.js';
import type { Version } from './version.js';

/** What the checks say of an instance. */
export interface Findings {
  readonly findings: readonly {
    readonly status: 'stop' | 'not-checked' | 'warn' | 'ok';
    /** What settles the finding without further work: following the route, or a hop under Recreate. */
    readonly settledBy?: 'route' | 'recreate';
    /** Of a check that can stop: a fact that it needs was requested, and could not be read. */
    readonly unread?: true;
    readonly accepted?: Acceptance;
  }[];
}

/**
 * All that an answer may depend on. The index proves. A known issue, an artifact that was read and a fact that was seen
 * can take a yes away, and never give one. What was not read or seen changes nothing, and is counted; where it was
 * requested and could stop the upgrade, there is no yes. What is accepted takes nothing away, and proves nothing.
 */
export interface Evidence<Preflight extends Findings = Findings> {
  /** The index, with the known issues that apply to the described instance and are not accepted. */
  readonly index: ReleaseSafetyIndex;
  /** By version; undefined if none was looked for. */
  readonly artifacts?: ReadonlyMap<string, ArtifactOutcome> | undefined;
  /** Whether a yes needs every artifact. */
  readonly everyArtifact?: boolean | undefined;
  /** The acceptances whose last day is not over. */
  readonly accepted?: readonly Acceptance[] | undefined;
  /** The known issues of the releases that are accepted. */
  readonly acceptedIssues?: KnownIssues | undefined;
  /**
   * What the checks find in the facts of an instance for one span, with what is accepted of it marked; undefined if no
   * facts were seen.
   */
  readonly preflightOf?: ((span: Span) => Preflight) | undefined;
}

/** What takes a yes away besides the releases, and how much was known. */
interface JudgementBase<Preflight extends Findings> {
  readonly preflight: Preflight | undefined;
  /** The findings for which the answer is no. */
  readonly stops: readonly Preflight['findings'][number][];
  /**
   * The findings that leave the answer open: something that could stop the upgrade was requested, and could not be
   * looked at.
   */
  readonly unseen: readonly Preflight['findings'][number][];
  /** The acceptances that this answer rests on. */
  readonly accepted: readonly Acceptance[];
  /** How many artifacts were read, of how many releases that have one. */
  readonly artifacts: { readonly read: number; readonly of: number };
}

/** The answer for one direct upgrade. */
export interface SpanJudgement<Preflight extends Findings = Findings> extends JudgementBase<Preflight> {
  /** `safe` is false if anything takes the yes away; the other fields are those of index and artifacts. */
  readonly result: SpanResult | ReconciledSpanResult;
  /** The artifacts that were looked for and not read. */
  readonly unread: readonly ArtifactDisagreement[];
  /** Whether a yes lacks nothing but artifacts or facts that were requested. Then there is no answer. */
  readonly unconfirmed: boolean;
  /** Whether nothing but accepted verdicts keeps it from rolling: a Recreate that may roll, and is not proven to. */
  readonly acceptedToRoll: boolean;
}

/** The answer for a route. */
export interface RouteJudgement<Preflight extends Findings = Findings> extends JudgementBase<Preflight> {
  readonly route: Route;
}

/** Whether a span is proven safe to roll in one step. */
export function judgeSpan<Preflight extends Findings>(
  evidence: Evidence<Preflight>,
  span: Span,
): SpanJudgement<Preflight> {
  const { result, unread, unconfirmed } = judgeReleases(evidence, span);
  const preflight = evidence.preflightOf?.(span);
  const stops = stopsOf(preflight);
  const unseen = unseenOf(preflight);
  const mayBeSafe = stops.length === 0 && unseen.length === 0;
  return {
    result: mayBeSafe ? result : { ...result, safe: false },
    unread,
    unconfirmed: stops.length === 0 && (unconfirmed || (result.safe && unseen.length > 0)),
    acceptedToRoll: mayBeSafe && isAcceptedToRoll(evidence, result),
    preflight,
    stops,
    unseen,
    accepted: foundOf(evidence, [span], preflight),
    artifacts: countArtifacts(evidence, span),
  };
}

/** The newest release that is proven to roll from there in one step; undefined if there is none. */
export function rollsInOneStep<Preflight extends Findings>(
  evidence: Evidence<Preflight>,
  from: Version,
): Version | undefined {
  const [hop] = judgeRoute(evidence, { from, to: 'latest-rolling' }).route.hops;
  return hop?.strategy === 'RollingUpdate' && hop.certified ? hop.toVersion : undefined;
}

/**
 * The route, and the findings of the instance that stop it. Findings that following the route settles do not stop it.
 */
export function judgeRoute<Preflight extends Findings>(
  evidence: Evidence<Preflight>,
  request: RouteRequest,
): RouteJudgement<Preflight> {
  const { index, disputed } = withArtifacts(evidence, request);
  const planned = planRoute(index, request);
  const releases = namesOf('release', evidence.accepted);
  for (const version of disputed) releases.delete(version);
  const hops = planned.hops.map((hop) => withAccepted(hop, releases));
  const route = { ...planned, hops };
  const { fromVersion: from, toVersion: to } = route;
  const preflight = evidence.preflightOf?.({ from, to });
  return {
    route,
    preflight,
    stops: hops.length === 0 ? [] : stopsOf(preflight).filter((finding) => !isSettledBy(route, finding)),
    unseen: hops.length === 0 ? [] : unseenOf(preflight),
    accepted: foundOf(
      evidence,
      [route, ...hops].map(({ fromVersion, toVersion }) => ({ from: fromVersion, to: toVersion })),
      preflight,
    ),
    artifacts: countArtifacts(evidence, { from, to }),
  };
}

/**
 * Whether the judged step is one hop that the index certifies, with a downtime, and nothing stops it, as far as was
 * looked. If a yes needs every artifact, all must have been read, and agree.
 */
export function mayRecreate(evidence: Evidence, { result, stops, unseen }: SpanJudgement): boolean {
  if (!isOneStep(result) || stops.length > 0 || unseen.length > 0) return false;
  if (evidence.everyArtifact && isDisputed(result)) return false;
  const span = { from: result.fromVersion, to: result.toVersion };
  const { hops, certified } = planRoute(provenIndex(evidence, span), span);
  return certified && hops.length === 1;
}

/** Whether the step that was judged is a hop of a plan that rolls: safe, but that its target is itself a required stop. */
export function rollsOntoStop({ result, stops, unseen }: SpanJudgement): boolean {
  return isOntoStop(result) && result.rolling && !isDisputed(result) && stops.length + unseen.length === 0;
}

function isOneStep(result: SpanResult): boolean {
  return result.jump === true || isOntoStop(result);
}

/** The index of a route, in which no verdict counts that an artifact contradicts. */
export function provenIndex(evidence: Pick<Evidence, 'index' | 'artifacts'>, ends: Ends): ReleaseSafetyIndex {
  return withArtifacts(evidence, ends).index;
}

type Ends = Pick<RouteRequest, 'from' | 'to'>;

function withArtifacts({ index, artifacts }: Pick<Evidence, 'index' | 'artifacts'>, { from, to }: Ends) {
  if (artifacts === undefined) return { index, disputed: [] };
  const { toVersion } = planRoute(index, { from, to });
  const { index: joined, disagreements } = joinArtifacts(index, { from, to: toVersion }, artifacts);
  const disputed = disagreements.map(({ version }) => version);
  return { index: withoutDisputed(joined, disagreements), disputed };
}

/** A hop that only accepted verdicts keep from rolling stays a Recreate, and names them. */
function withAccepted(hop: RouteHop, accepted: ReadonlySet<string>): RouteHop {
  const { strategy, certified, knownIssues, unsafeVersions, unknownVersions } = hop;
  const unproven = [...unsafeVersions, ...unknownVersions];
  const isOnlyUnproven = strategy === 'Recreate' && certified && knownIssues.length === 0;
  return isOnlyUnproven && unproven.every((version) => accepted.has(version))
    ? { ...hop, accepted: unproven }
    : hop;
}

/** What the index does not cover, an artifact contradicts or a known issue takes back, no accepted verdict gives. */
function isAcceptedToRoll({ accepted }: Evidence, result: SpanJudgement['result']): boolean {
  if (!isOneStep(result) || result.rolling || isDisputed(result)) return false;
  const releases = namesOf('release', accepted);
  if (releases.size === 0) return false;
  return result.reasons
    .filter((reason) => questionOf(reason) === 'rolling')
    .every((reason) => reason.kind !== 'known-issue' && 'version' in reason && releases.has(reason.version));
}

/** Whether an artifact that was read contradicts the index. */
export function isDisputed(result: SpanJudgement['result']): boolean {
  return isReconciled(result) && result.disagreements.length > 0;
}

/** Whether artifacts were read beside the index. */
export function isReconciled(result: SpanJudgement['result']): result is ReconciledSpanResult {
  return 'disagreements' in result;
}

/** The acceptances of known issues, findings and verdicts that are there. */
function foundOf(
  { index, accepted = [], acceptedIssues = noKnownIssues }: Evidence,
  spans: readonly Span[],
  preflight: Findings | undefined,
): readonly Acceptance[] {
  if (accepted.length === 0) return [];
  const issues = spans.flatMap((span) => issuesOf({ knownIssues: acceptedIssues }, span));
  const releases = spans.flatMap((span) => releasesOfSpan(index, span));
  return accepted.filter((acceptance) => {
    if (acceptance.kind === 'issue') return issues.some(({ id }) => id === acceptance.name);
    if (acceptance.kind === 'check')
      return preflight?.findings.some((finding) => finding.accepted === acceptance) === true;
    return releases.some((entry) => entry.version === acceptance.name && verdictOf(entry) !== true);
  });
}

function judgeReleases(
  { index, artifacts, everyArtifact = false }: Evidence,
  span: Span,
): Pick<SpanJudgement, 'result' | 'unread' | 'unconfirmed'> {
  if (artifacts === undefined) return { result: evaluateSpan(index, span), unread: [], unconfirmed: false };
  const joined = joinArtifacts(index, span, artifacts);
  const { unread } = joined;
  const result = evaluateJoined(joined, span);
  if (!everyArtifact || unread.length === 0) return { result, unread, unconfirmed: false };
  return { result: evaluateStrictly(joined, span), unread, unconfirmed: result.safe };
}

function stopsOf<Preflight extends Findings>(
  preflight: Preflight | undefined,
): readonly Preflight['findings'][number][] {
  return (preflight?.findings ?? []).filter(({ status }) => status === 'stop');
}

function unseenOf<Preflight extends Findings>(
  preflight: Preflight | undefined,
): readonly Preflight['findings'][number][] {
  return (preflight?.findings ?? []).filter(({ unread }) => unread === true);
}

/**
 * Whether following a route does what a finding asks for: it lands on every required stop, has a known issue of a hop
 * in its answer, and stops the pods in each hop that does not roll. If all of its hops roll, a finding against that
 * stays.
 */
function isSettledBy({ rolling }: Route, { settledBy }: Findings['findings'][number]): boolean {
  return settledBy === 'route' || (settledBy === 'recreate' && !rolling);
}

function countArtifacts({ index, artifacts }: Evidence, span: Span): JudgementBase<Findings>['artifacts'] {
  const versions = releasesToVerify(index, span);
  const read =
    artifacts === undefined
      ? 0
      : versions.filter((version) => artifacts.get(version)?.kind === 'artifact').length;
  return { read, of: versions.length };
}
