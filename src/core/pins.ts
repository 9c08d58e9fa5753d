import {
  type Evidence,
  type Findings,
  judgeSpan,
  mayRecreate,
  provenIndex,
  rollsOntoStop,
  type SpanJudgement,
} from './judge.js';
import type { AppliedIssue } from './results.js';
import type { NoRelease } from './route/no-release.js';
import { planRoute, type RouteBlock, type RouteHop } from './route/route.js';
import { isOntoStop } from './span.js';
import { compareVersions, isVersion, type RouteTarget, type Version } from './version.js';

export interface PinnedRelease {
  readonly version: Version;
  /** The digest of the image behind the tag, such as `sha256:9f86…`. */
  readonly digest: string | undefined;
  readonly registry: string | undefined;
  readonly repository: string | undefined;
}

export type PinSide =
  | { readonly state: 'pinned'; readonly release: PinnedRelease }
  | { readonly state: 'unreadable'; readonly why: string; readonly hint: string | undefined }
  | { readonly state: 'absent' };

/** What changes of an image besides its release, or instead of it: its repository, or its digest. */
type ImageChange =
  | ({ readonly kind: 'image-changed' } & Sides<string | undefined>)
  | ({ readonly kind: 'digest-changed'; readonly version: Version } & Sides<string | undefined>)
  | ({ readonly kind: 'digest-kept'; readonly digest: string } & Sides<Version>);

interface Sides<T> {
  readonly from: T;
  readonly to: T;
}

type Check = SpanJudgement['result'];

/** What happened to a pin between the two sides of a change. The renderers make words for it. */
export type PinFinding =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'untouched'; readonly why: string }
  /**
   * The whole span is proven safe to roll in one step; with `accepted`, but for what is accepted. Its release may itself be
   * a required stop: then `check.safe` is false, as a check is strict about that.
   */
  | { readonly kind: 'proven'; readonly check: Check; readonly accepted?: true }
  /** One direct upgrade, which needs a downtime, unless it is accepted to roll. */
  | { readonly kind: 'recreate'; readonly check: Check; readonly accepted?: true }
  | { readonly kind: 'not-proven'; readonly check: Check }
  | ({ readonly kind: 'downgrade' } & Sides<Version>)
  /** `check` says whether the index contains it; `issues`, why nobody should install it. */
  | {
      readonly kind: 'added';
      readonly check: Check;
      readonly issues: readonly AppliedIssue[];
    }
  | { readonly kind: 'removed' }
  | { readonly kind: 'renamed'; readonly renamedFrom: string }
  | { readonly kind: 'renamed-away'; readonly renamedTo: string }
  | {
      readonly kind: 'unreadable';
      readonly side: 'after';
      readonly why: string;
      readonly hint: string | undefined;
    }
  /** What ran before is in no file, and so the step to the release that is now pinned cannot be judged. */
  | { readonly kind: 'unreadable'; readonly side: 'before'; readonly why: string; readonly to: Version }
  | ImageChange;

/** What the index says of the releases of a pin; undefined where the pin needs no index. */
export function checkOfFinding(finding: PinFinding): Check | undefined {
  switch (finding.kind) {
    case 'proven':
    case 'recreate':
    case 'not-proven':
    case 'added':
      return finding.check;
    default:
      return undefined;
  }
}

/** Findings that the operator may accept by name, although the index does not prove them. */
export const acceptableFindings = ['recreate', 'added', 'removed', 'renamed'] as const;
export type AcceptableFinding = (typeof acceptableFindings)[number];

export interface PinFacts {
  readonly untouched: boolean;
  readonly renamedTo: string | undefined;
}

/** A question for the index. For a release that appears: whether the index contains it. */
export type PinQuestion =
  | ({ readonly kind: 'moved' } & Sides<Version>)
  | { readonly kind: 'appeared'; readonly version: Version };

/** The finding for a pin where it needs no index, or else the question for the index. Everything else is a no. */
export function comparePin(
  before: PinSide,
  after: PinSide,
  { untouched, renamedTo }: PinFacts,
): PinFinding | PinQuestion {
  if (after.state === 'unreadable') {
    const { why, hint } = after;
    return untouched ? { kind: 'untouched', why } : { kind: 'unreadable', side: 'after', why, hint };
  }
  if (after.state === 'absent') {
    return renamedTo === undefined ? { kind: 'removed' } : { kind: 'renamed-away', renamedTo };
  }
  if (before.state === 'absent') return { kind: 'appeared', version: after.release.version };
  if (before.state === 'unreadable') {
    return { kind: 'unreadable', side: 'before', why: before.why, to: after.release.version };
  }
  const { release: from } = before;
  const { release: to } = after;
  const change = imageChange(from, to);
  if (change !== undefined) return change;
  const order = compareVersions(from.version, to.version);
  if (order === 0) return { kind: 'unchanged' };
  const ends = { from: from.version, to: to.version };
  return order > 0 ? { kind: 'downgrade', ...ends } : { kind: 'moved', ...ends };
}

/**
 * What changes of an image besides its release. The index describes one image, and a digest decides what runs, whatever
 * the tag next to it says.
 */
export function imageChange(from: PinnedRelease, to: PinnedRelease): ImageChange | undefined {
  const names = { from: nameOfImage(from), to: nameOfImage(to) };
  if (names.from !== names.to) return { kind: 'image-changed', ...names };
  const sameRelease = from.version === to.version;
  if (sameRelease && from.digest !== to.digest) {
    return { kind: 'digest-changed', version: to.version, from: from.digest, to: to.digest };
  }
  if (!sameRelease && to.digest !== undefined && from.digest === to.digest) {
    return { kind: 'digest-kept', from: from.version, to: to.version, digest: to.digest };
  }
  return undefined;
}

export function judgeMove(evidence: Evidence, judgement: SpanJudgement): PinFinding {
  const { result: check, accepted, acceptedToRoll } = judgement;
  const isAccepted = (yes: boolean) => (yes ? { accepted: true as const } : {});
  if (check.safe === true || rollsOntoStop(judgement))
    return { kind: 'proven', check, ...isAccepted(accepted.length > 0) };
  if (!mayRecreate(evidence, judgement)) return { kind: 'not-proven', check };
  return { kind: 'recreate', check, ...isAccepted(acceptedToRoll) };
}

/**
 * The finding for a pin whose file may have had another name. No file says whether it is still the same deployment, and
 * two such changes in a row could bring any release to any place.
 */
export function judgeRename(
  finding: PinFinding,
  renamedFrom: string | undefined,
  accepted: ReadonlySet<AcceptableFinding>,
): PinFinding {
  // A pin that keeps its version in a renamed file moves nothing.
  if (finding.kind === 'unchanged') return finding;
  return renamedFrom !== undefined && passes(finding, accepted) && !accepted.has('renamed')
    ? { kind: 'renamed', renamedFrom }
    : finding;
}

/** Whether a finding is a yes: proven, no change at all, or accepted by name. */
export function passes(finding: PinFinding, accepted: ReadonlySet<AcceptableFinding>): boolean {
  switch (finding.kind) {
    case 'unchanged':
    case 'untouched':
      return true;
    case 'proven':
      return finding.check.safe === true || (isOntoStop(finding.check) && finding.check.rolling === true);
    case 'recreate':
      return accepted.has('recreate') || finding.accepted === true;
    case 'removed':
      return accepted.has('removed');
    case 'added':
      return accepted.has('added') && finding.check.safe === true && finding.issues.length === 0;
    default:
      return false;
  }
}

function nameOfImage({ registry, repository }: PinnedRelease): string | undefined {
  return registry === undefined ? repository : [registry, repository].filter(Boolean).join('/');
}

export interface JudgedPin<Stop = unknown> {
  /** The file after the change; if the pin is gone, the file before it. */
  readonly file: string;
  readonly path: readonly string[];
  /** From 1; undefined if the file cannot be read up to the pin. */
  readonly line: number | undefined;
  readonly previousFile: string | undefined;
  /** Whether docker compose deploys it. */
  readonly isOfCompose: boolean;
  readonly from: Version | undefined;
  readonly to: Version | undefined;
  readonly finding: PinFinding;
  readonly stops: readonly Stop[];
  /** That an end of the move is no release of the index, and what is near; undefined if both are. */
  readonly noRelease?: () => NoRelease | undefined;
  /** Of the route of a move. */
  readonly firstHop?: () => RouteHop | undefined;
  /** The newest release to which one rolling step is proven; undefined if there is none. */
  readonly rollsTo?: () => Version | undefined;
  readonly passes: boolean;
}

/** One side of a change, as the user named it; without a commit for files and for the staged state. */
export interface ChangeSide {
  readonly name: string;
  readonly commit: string | undefined;
}

/** How many files of a change were looked at, and which were not, for a reason that the settings give. */
interface LookedAt {
  readonly files: number;
  /** Whether the files of the change were left out that no named pin is in. */
  readonly isOfNamedPins: boolean;
  readonly ignored: readonly { readonly file: string; readonly reason: string }[];
}

export interface PinCheck<Stop = unknown> {
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly lookedAt: LookedAt;
  readonly accepted: readonly AcceptableFinding[];
  readonly pins: readonly JudgedPin<Stop>[];
  readonly passes: boolean;
  /** Nothing changes, or the change is proven safe to roll. What is accepted by name can pass but is not safe. */
  readonly safe: boolean;
}

export function isChange({ finding: { kind }, previousFile }: JudgedPin): boolean {
  return kind !== 'unchanged' && (previousFile !== undefined || kind !== 'untouched');
}

export function pinCheckOf<Stop>(
  pins: readonly JudgedPin<Stop>[],
  change: Pick<PinCheck, 'before' | 'after' | 'accepted' | 'lookedAt'>,
): PinCheck<Stop> {
  return {
    ...change,
    pins,
    passes: pins.every((pin) => pin.passes === true),
    safe: pins.every((pin) => !isChange(pin) || (pin.finding.kind === 'proven' && !pin.previousFile)),
  };
}

export function versionOf(side: PinSide): Version | undefined {
  return side.state === 'pinned' ? side.release.version : undefined;
}

export interface BumpRequest {
  readonly pinnedVersion: Version;
  /** A version is pinned itself; of a name, the next landing on the route to what it stands for. */
  readonly to: RouteTarget | { readonly onTheWayTo: Version };
  readonly allowRecreate: boolean;
}

export interface Bump<Preflight extends Findings = Findings>
/** For the hop to the release to pin; if there is none, for the span to the release that blocks. */
  extends Pick<SpanJudgement<Preflight>, 'result' | 'preflight' | 'stops' | 'unseen' | 'accepted'> {
  readonly decision: 'rolling' | 'recreate' | 'at-target' | 'refused';
  readonly blockedBy: RouteBlock | null;
}

/** A pin moves by one hop only, because the release of a landing must run before the next hop. */
export function planBump<Preflight extends Findings>(
  evidence: Evidence<Preflight>,
  request: BumpRequest,
): Bump<Preflight> {
  const { pinnedVersion: from, allowRecreate } = request;
  const { toVersion: to, blockedBy } = findLanding(evidence, request);
  const judgement = judgeSpan(evidence, { from, to });
  const { result, preflight, stops, unseen, accepted } = judgement;
  const isAllowed = allowRecreate || judgement.acceptedToRoll;
  const ifNotSafe = isAllowed && mayRecreate(evidence, judgement) ? 'recreate' : 'refused';
  const mayRoll = result.safe || rollsOntoStop(judgement);
  const decision = mayRoll ? (from === to ? 'at-target' : 'rolling') : ifNotSafe;
  return { result, preflight, stops, unseen, accepted, decision, blockedBy };
}

function findLanding(
  evidence: Evidence,
  { pinnedVersion: from, to, allowRecreate }: BumpRequest,
): { readonly toVersion: Version; readonly blockedBy: RouteBlock | null } {
  if (typeof to === 'string' && isVersion(to)) return { toVersion: to, blockedBy: null };
  const end = typeof to === 'string' ? 'latest' : to.onTheWayTo;
  const index = provenIndex(evidence, { from, to: end });
  if (to === 'latest-rolling') {
    const { hops, blockedBy } = planRoute(index, { from, to });
    const [hop] = hops;
    if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
    if (blockedBy !== null && !allowRecreate) return { toVersion: blockedBy.version, blockedBy };
  }
  const fullRoute = planRoute(index, { from, to: end });
  const { blockedBy } = fullRoute;
  // Only as far as the index leads: a block further on does not forbid the first hop.
  const route = blockedBy === null ? fullRoute : planRoute(index, { from, to: blockedBy.reachableVersion });
  const [hop] = route.hops;
  if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
  return { toVersion: blockedBy?.version ?? from, blockedBy };
}
