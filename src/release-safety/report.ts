import { collectApiChanges, type SpanApiChanges } from './api-changes.js';
import type { DeclaredAdvisory, DeclaredBreak, ReleaseArtifact } from './artifact-schema.js';
import {
  type FoldedConfigChanges,
  foldConfigChanges,
  type NetConfigChange,
  splitByNames,
} from './config-changes.js';
import type { IndexEntry, Verdict } from './index-schema.js';
import { noKnownIssues } from './known-issues.js';
import { type ReleaseSafetyIndex, withClaims } from './parse-index.js';
import {
  type ArtifactDisagreement,
  type ArtifactFault,
  type ArtifactOutcome,
  artifactOf,
  evaluateJoined,
  type JoinedIndex,
  joinArtifacts,
  type ReconciledSpanResult,
} from './reconcile.js';
import { type LandingReason, planRoute, type Route, type RouteBlock, type RouteRequest } from './route.js';
import type { RouteTarget } from './route-target.js';
import { evaluateSpan, releasesOfSpan } from './span.js';
import {
  collectMigrations,
  type SpanMigration,
  type SpanMigrations,
  type TellsNothing,
} from './span-migrations.js';
import type { Version } from './version.js';

/**
 * How a release stands, by index and artifact together. Only `proven` is safe to roll; the two kinds of unknown are
 * told apart because one will never be known and the other may be soon.
 */
export type ReleaseStatus =
  | 'proven'
  | 'unsafe'
  /** Generated retroactively; its verdict will stay unknown (span rule 6). */
  | 'unknown-backfilled'
  /** Published with an unknown verdict. */
  | 'unknown-recent'
  /** True in the index, which its artifact does not confirm. */
  | 'not-borne-out';

export const releaseStatuses: readonly ReleaseStatus[] = [
  'proven',
  'unsafe',
  'unknown-recent',
  'unknown-backfilled',
  'not-borne-out',
];

/** What came of the artifact of a release: it was read, or why not. A backfilled release has none. */
export type ArtifactStatus = 'read' | 'backfilled' | 'other-release' | ArtifactFault['kind'];

/** One release of a span, with what its artifact says of it. */
export interface ReportedRelease {
  readonly version: Version;
  /** ISO 8601. */
  readonly releaseDate: string;
  readonly standing: ReleaseStatus;
  /** The hop of the route that crosses it, from 1; null where there is no route. */
  readonly hop: number | null;
  /** Why a hop lands on it; null where none does. */
  readonly landing: LandingReason | null;
  readonly requiredStop: boolean;
  readonly artifact: ArtifactStatus;
  readonly declaredBreaks: readonly DeclaredBreak[];
  readonly declaredAdvisories: readonly DeclaredAdvisory[];
  readonly migrations: readonly SpanMigration[];
  readonly disagreements: readonly ArtifactDisagreement[];
}

/** What a span does to environment variables. */
export interface ReportedConfig extends FoldedConfigChanges {
  /** How many variables the operator sets; null where that is not known. */
  readonly variablesSet: number | null;
  /** Those of `changes` that concern variables the operator sets. */
  readonly ofVariablesSet: readonly NetConfigChange[];
  /** Releases that may change more: without an artifact, or with one that did not compare them. */
  readonly notReported: readonly Version[];
}

/** Everything an operator must know about a span. */
export interface UpgradeReport {
  /** Jump and rolling are both proven, by the index and by every artifact. */
  readonly safe: boolean;
  readonly fromVersion: Version;
  readonly toVersion: Version;
  /** What was asked for: a version, or a name that the index resolved to `toVersion`. */
  readonly requestedTarget: RouteTarget;
  /** Why a named target goes no further than `toVersion`. */
  readonly blockedBy: RouteBlock | null;
  /** No known issues were held against the span: what came to light since its releases counts for nothing. */
  readonly publisherOnly: boolean;
  /** By index and artifacts. */
  readonly span: ReconciledSpanResult;
  /** The same questions answered by the index alone. */
  readonly indexAlone: { readonly jump: Verdict; readonly rolling: boolean };
  /** Laid over what index and artifacts prove together. */
  readonly route: Route;
  /** How many releases stand how; they add up to `releases.length`. */
  readonly counts: Readonly<Record<ReleaseStatus, number>>;
  /** Every release of the span that the index holds, oldest first. */
  readonly releases: readonly ReportedRelease[];
  /** How many artifacts of these releases were read, were never published, or should be there and were not read. */
  readonly artifacts: { readonly read: number; readonly backfilled: number; readonly notRead: number };
  readonly migrations: SpanMigrations;
  readonly api: { readonly rest: SpanApiChanges; readonly mcp: SpanApiChanges };
  readonly config: ReportedConfig;
}

export interface ReportRequest extends RouteRequest {
  readonly outcomes: ReadonlyMap<string, ArtifactOutcome>;
  /** Names of the environment variables that the operator sets, where that is known. */
  readonly variablesSet?: ReadonlySet<string> | undefined;
}

/**
 * Folds index and artifacts of a span into one report.
 *
 * @throws {ReleaseSafetyError} what `planRoute` throws
 */
export function buildReport(index: ReleaseSafetyIndex, request: ReportRequest): UpgradeReport {
  const { outcomes, variablesSet } = request;
  const { fromVersion, toVersion, requestedTarget, blockedBy } = planRoute(index, request);
  const ends = { from: fromVersion, to: toVersion };

  const joined = joinArtifacts(index, ends, outcomes);
  // A name that stands for no step asks for a step all the same, and there is none to prove.
  const noStep = requestedTarget !== toVersion && blockedBy !== null && toVersion === fromVersion;
  const span: ReconciledSpanResult = {
    ...evaluateJoined(joined, ends),
    ...(noStep ? { safe: false, jump: 'unknown', rolling: false } : {}),
  };
  const { jump, rolling } = evaluateSpan(index, ends);
  const route = planRoute(withoutDisputed(joined), ends);

  const entries = releasesOfSpan(index, ends).map((entry) => ({
    entry,
    version: entry.version,
    artifact: artifactOf(entry, outcomes.get(entry.version)),
  }));
  const releases = reportReleases(entries, { span, route, outcomes });
  const counts = { proven: 0, unsafe: 0, 'unknown-backfilled': 0, 'unknown-recent': 0, 'not-borne-out': 0 };
  for (const { standing } of releases) counts[standing]++;
  const nothing: TellsNothing = (notReported, found) => tellsNothing({ releases, span }, notReported, found);

  return {
    safe: span.safe,
    fromVersion,
    toVersion,
    requestedTarget,
    blockedBy: requestedTarget === toVersion ? null : blockedBy,
    publisherOnly: index.knownIssues === noKnownIssues,
    span,
    indexAlone: { jump, rolling },
    route,
    counts,
    releases,
    artifacts: countArtifacts(releases),
    migrations: collectMigrations(entries, nothing),
    api: {
      rest: collectApiChanges(entries, 'rest', nothing),
      mcp: collectApiChanges(entries, 'mcp', nothing),
    },
    config: reportConfig(entries, variablesSet),
  };
}

/**
 * Whether nothing is known of a matter of which artifacts tell `found` in all, and `notReported` releases nothing: then
 * there is no number, not even 0.
 */
export function tellsNothing(
  { releases, span }: Pick<UpgradeReport, 'releases' | 'span'>,
  notReported: readonly Version[],
  found: number,
): boolean {
  if (found > 0 || notReported.length < releases.length) return false;
  return releases.length > 0 || span.missingRanges.length > 0;
}

function countArtifacts(releases: readonly ReportedRelease[]): UpgradeReport['artifacts'] {
  const countOf = (status: ArtifactStatus) => releases.filter(({ artifact }) => artifact === status).length;
  const [read, backfilled] = [countOf('read'), countOf('backfilled')];
  return { read, backfilled, notRead: releases.length - read - backfilled };
}

/** For a route: no hop over a release on which index and artifact disagree is a rolling update. */
function withoutDisputed({ index, disagreements }: JoinedIndex): ReleaseSafetyIndex {
  const disputed = new Set(disagreements.map(({ version }) => version));
  return withClaims(index, ({ version, rollingUpdateSafe }) =>
    rollingUpdateSafe === true && disputed.has(version) ? { rollingUpdateSafe: 'unknown' } : undefined,
  );
}

interface ReleaseFacts {
  readonly entry: IndexEntry;
  readonly version: Version;
  readonly artifact: ReleaseArtifact | undefined;
}

function reportReleases(
  facts: readonly ReleaseFacts[],
  { span, route, outcomes }: Pick<UpgradeReport, 'span' | 'route'> & Pick<ReportRequest, 'outcomes'>,
): ReportedRelease[] {
  const disagreements = new Map<string, ArtifactDisagreement[]>();
  for (const disagreement of span.disagreements) {
    const { version } = disagreement;
    disagreements.set(version, [...(disagreements.get(version) ?? []), disagreement]);
  }
  const unsafe = new Set(
    span.reasons.filter((reason) => reason.kind === 'unsafe-release').map(({ version }) => version),
  );
  const stops = new Set(span.requiredStops);
  const hops = new Map(route.hops.flatMap(({ releases }, i) => releases.map((version) => [version, i + 1])));
  const landings = new Map(route.hops.map(({ toVersion, reason }) => [toVersion, reason]));
  return facts.map(({ entry, version, artifact }) => {
    const disputed = disagreements.get(version) ?? [];
    return {
      version,
      releaseDate: entry.releaseDate,
      standing: statusOf(entry, { unsafe: unsafe.has(version), disputed: disputed.length > 0 }),
      hop: hops.get(version) ?? null,
      landing: landings.get(version) ?? null,
      requiredStop: stops.has(version),
      artifact: artifactStatus(entry, outcomes.get(version)),
      declaredBreaks: artifact?.declaredBreaks ?? [],
      declaredAdvisories: artifact?.declaredAdvisories ?? [],
      migrations: (artifact?.migrations?.files ?? []).map((file) => ({ version, ...file })),
      disagreements: disputed,
    };
  });
}

function statusOf(
  { rollingUpdateSafe, backfilled }: IndexEntry,
  { unsafe, disputed }: { readonly unsafe: boolean; readonly disputed: boolean },
): ReleaseStatus {
  if (unsafe) return 'unsafe';
  if (rollingUpdateSafe === true) return disputed ? 'not-borne-out' : 'proven';
  return backfilled ? 'unknown-backfilled' : 'unknown-recent';
}

function artifactStatus(
  { version, backfilled }: IndexEntry,
  outcome: ArtifactOutcome | undefined,
): ArtifactStatus {
  if (backfilled) return 'backfilled';
  if (outcome === undefined) return 'missing-artifact';
  if (outcome.kind !== 'artifact') return outcome.kind;
  return outcome.artifact.version === version ? 'read' : 'other-release';
}

function reportConfig(
  facts: readonly ReleaseFacts[],
  variablesSet: ReadonlySet<string> | undefined,
): ReportedConfig {
  const released = facts.flatMap(({ version, artifact }) =>
    (artifact?.config?.changes ?? []).map((change) => ({ version, change })),
  );
  const notReported = facts
    .filter(({ artifact }) => artifact?.config?.checked !== true || artifact.config.breaking === 'unknown')
    .map(({ version }) => version);
  const folded = foldConfigChanges(released);
  return {
    ...folded,
    variablesSet: variablesSet?.size ?? null,
    ofVariablesSet: variablesSet === undefined ? [] : splitByNames(folded.changes, variablesSet).set,
    notReported,
  };
}
