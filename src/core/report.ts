import type { ReleaseArtifact } from './artifact/artifact.js';
import {
  collectApiChanges,
  collectMigrations,
  concernsVariables,
  configChangesOf,
  foldConfigChanges,
} from './artifact/changes.js';
import {
  type ArtifactDisagreement,
  type ArtifactOutcome,
  artifactOf,
  isUnread,
  type ReconciledSpanResult,
} from './artifact/reconcile.js';
import type { IndexEntry } from './index/index-schema.js';
import { noKnownIssues, type ReleaseSafetyIndex } from './index/release-safety-index.js';
import { judgeSpan, provenIndex } from './judge.js';
import type { ReleaseStatus } from './kinds.js';
import type { ArtifactStatus, ReportedConfig, ReportedRelease, UpgradeReport } from './results.js';
import { planRoute, type Route, type RouteRequest } from './route/route.js';
import { withWaysBack } from './route/way-back.js';
import { evaluateSpan, releasesOfSpan, type SpanResult } from './span.js';
import type { Version } from './version.js';

export type { ReportedRelease, UpgradeReport };

export interface ReportRequest extends Omit<RouteRequest, 'workOf'> {
  readonly outcomes: ReadonlyMap<string, ArtifactOutcome>;
  /** Names of the environment variables that the operator sets, if known. */
  readonly variablesSet?: ReadonlySet<string> | undefined;
  /** The newest migration in the running release, without extension, if known. */
  readonly newestMigration?: string | undefined;
}

/** Joins index and artifacts of a span into one report. It throws what `planRoute` throws. */
export function buildReport(index: ReleaseSafetyIndex, request: ReportRequest): UpgradeReport {
  const { from, to, outcomes, variablesSet, newestMigration } = request;
  const evidence = { index, artifacts: outcomes };
  const planned = planRoute(provenIndex(evidence, { from, to }), { from, to });
  const { fromVersion, toVersion, requestedTarget, blockedBy } = planned;
  const ends = { from: fromVersion, to: toVersion };

  const { result, unread } = judgeSpan(evidence, ends);
  // A named target that resolves to no step still asks for a step, and there is none to prove.
  const noStep = requestedTarget !== toVersion && blockedBy !== null && toVersion === fromVersion;
  const span: ReconciledSpanResult = {
    ...{ disagreements: [], strategyContradictions: [] },
    ...result,
    ...(noStep ? { safe: false, jump: 'unknown', rolling: false } : {}),
  };
  const { jump, rolling } = evaluateSpan(index, ends);
  const entries = releasesOfSpan(index, ends).map((entry) => ({
    entry,
    version: entry.version,
    artifact: artifactOf(entry, outcomes.get(entry.version)),
  }));
  // No hop over a release on which index and artifact disagree is a rolling update.
  const route = withWaysBack(planRoute(provenIndex(evidence, ends), ends), {
    artifacts: new Map(entries.flatMap(({ version, artifact }) => (artifact ? [[version, artifact]] : []))),
    newestMigration,
  });
  const releases = reportReleases(entries, { span, unread, route, outcomes });
  const nothing = reportsNothing.bind(undefined, { releases, span });

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
    counts: countStatuses(releases),
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

/** Whether there is no number, not even 0: nothing was found, and the releases `notReported` are all there are. */
export function reportsNothing(
  { releases, span }: Pick<UpgradeReport, 'releases' | 'span'>,
  notReported: readonly Version[],
  found: number,
): boolean {
  if (found > 0 || notReported.length < releases.length) return false;
  return releases.length > 0 || span.missingRanges.length > 0;
}

/** What a picture of a route shows. */
export type DrawnRoute = Pick<UpgradeReport, 'releases' | 'counts'> & {
  readonly span: Pick<SpanResult, 'fromVersion' | 'toVersion' | 'missingRanges'>;
  readonly route: Pick<Route, 'hops'>;
};

export function drawnRoute(index: ReleaseSafetyIndex, route: Route): DrawnRoute {
  const ends = { from: route.fromVersion, to: route.toVersion };
  const span = { ...evaluateSpan(index, ends), disagreements: [] };
  const entries = releasesOfSpan(index, ends).map((entry) => ({ entry, version: entry.version }));
  const releases = reportReleases(entries, { span, unread: [], route, outcomes: new Map() });
  return { span, route, releases, counts: countStatuses(releases) };
}

function countStatuses(releases: readonly ReportedRelease[]): UpgradeReport['counts'] {
  const counts = { proven: 0, unsafe: 0, 'unknown-backfilled': 0, 'unknown-recent': 0, 'not-borne-out': 0 };
  for (const { standing } of releases) counts[standing]++;
  return counts;
}

function countArtifacts(releases: readonly ReportedRelease[]): UpgradeReport['artifacts'] {
  const countOf = (status: ArtifactStatus) => releases.filter(({ artifact }) => artifact === status).length;
  const [read, backfilled] = [countOf('read'), countOf('backfilled')];
  return { read, backfilled, notRead: releases.length - read - backfilled };
}

interface ReleaseFacts {
  readonly entry: IndexEntry;
  readonly version: Version;
  readonly artifact?: ReleaseArtifact | undefined;
}

function reportReleases(
  facts: readonly ReleaseFacts[],
  by: Pick<ReportRequest, 'outcomes'> & {
    readonly span: Pick<ReconciledSpanResult, 'disagreements' | 'reasons' | 'requiredStops'>;
    readonly route: Pick<Route, 'hops'>;
    readonly unread: readonly ArtifactDisagreement[];
  },
): ReportedRelease[] {
  const { span, route, outcomes } = by;
  const disagreements = [...span.disagreements, ...by.unread];
  const unsafe = new Set(
    span.reasons.filter((reason) => reason.kind === 'unsafe-release').map(({ version }) => version),
  );
  const stops = new Set(span.requiredStops);
  const hops = new Map(route.hops.flatMap(({ releases }, i) => releases.map((version) => [version, i + 1])));
  const landings = new Map(route.hops.map(({ toVersion, reason }) => [toVersion, reason]));
  return facts.map(({ entry, version, artifact }) => {
    const disputed = disagreements.filter((disagreement) => disagreement.version === version);
    const landing = landings.get(version) ?? null;
    return {
      version,
      releaseDate: entry.releaseDate,
      standing: statusOf(entry, unsafe.has(version), !disputed.every(isUnread)),
      hop: hops.get(version) ?? null,
      // The route of a report has the fewest hops.
      landing: landing === 'least-downtime' ? null : landing,
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
  unsafe: boolean,
  disputed: boolean,
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
  const folded = foldConfigChanges(configChangesOf(facts));
  return {
    ...folded,
    variablesSet: variablesSet?.size ?? null,
    ofVariablesSet: folded.changes.filter(
      (change) => variablesSet && concernsVariables(variablesSet, change),
    ),
    notReported: facts
      .filter(({ artifact }) => artifact?.config?.checked !== true || artifact.config.breaking === 'unknown')
      .map(({ version }) => version),
  };
}
