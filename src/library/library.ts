import * as z from 'zod/mini';
import { artifactSchema, type ConfigChange } from '../core/artifact/artifact.js';
import * as configChanges from '../core/artifact/changes.js';
import * as reconcile from '../core/artifact/reconcile.js';
import * as indexSummary from '../core/index/index-summary.js';
import * as parseIndex from '../core/index/parse-index.js';
import {
  withKnownIssues as holdAgainst,
  isParsedIndex,
  type ReleaseSafetyIndex,
} from '../core/index/release-safety-index.js';
import { requireShape } from '../core/json/json-text.js';
import { LightspanError } from '../core/lightspan-error.js';
import * as report from '../core/report.js';
import type { FoldedConfigChanges } from '../core/results.js';
import * as route from '../core/route/route.js';
import * as span from '../core/span.js';
import { describeValue, quote } from '../core/text/quote.js';
import * as version from '../core/version.js';
import { parseRouteTarget } from '../core/version.js';
import { type Facts, factNames, readFact } from '../instance/facts/fact-names.js';
import type { FactsFile } from '../instance/facts/facts-schema.js';
import { conditionFacts } from '../instance/facts/known-facts.js';
import { parseFactsFile } from '../instance/facts/read-facts.js';
import { builtInKnownIssues, timeForRecords } from '../known-issues/built-in.js';
import { knownIssuesOf } from '../known-issues/known-issues.js';
import { type KnownIssue, parseKnownIssues } from '../known-issues/records.js';

/**
 * The core as the library exports it. The core relies on its types; a program in JavaScript may pass anything, so
 * everything that decides is checked here, once. An index that `parseReleaseSafetyIndex` did not make is read like any
 * other, and versions are read as an operator writes them. Invalid input throws a `LightspanError`.
 */

/**
 * Reads the text of an index file, and applies the built-in known issues to its releases; `withKnownIssues` applies
 * others, or none.
 *
 * @throws {LightspanError} `invalid-json`, `unsupported-schema-version`, or `invalid-index` naming entry and field
 */
export function parseReleaseSafetyIndexText(text: string): ReleaseSafetyIndex {
  return withKnownIssues(parseIndex.parseReleaseSafetyIndexText(text));
}

/** As `parseReleaseSafetyIndexText`, for parsed JSON. */
export function parseReleaseSafetyIndex(json: unknown): ReleaseSafetyIndex {
  return withKnownIssues(parseIndex.parseReleaseSafetyIndex(json));
}

/** The two ends of a span, as `parseVersion` reads them. */
export type Span = Readonly<Record<'from' | 'to', string>>;

/** Where a route begins and what it should reach: a version, or a name that `parseRouteTarget` knows. */
export type RouteRequest = Span;

/** The input of `buildReport`: a route, and what is known of its artifacts and of the instance. */
export type ReportRequest = RouteRequest & Omit<report.ReportRequest, keyof RouteRequest>;

/** One change of an environment variable, and the release that makes it, as `X.Y.Z`. */
export interface ReleasedConfigChange {
  readonly version: string;
  readonly change: ConfigChange;
}

/**
 * Whether a span is proven safe to roll, by span rules 1 to 7.
 *
 * @throws {LightspanError} what `parseSpan` throws
 */
export function evaluateSpan(index: ReleaseSafetyIndex, ends: Span): span.SpanResult {
  return span.evaluateSpan(readIndex(index), span.parseSpan(ends));
}

/**
 * The route with the fewest hops, and among those the one whose landings are furthest. It avoids known issues where it
 * can, however many hops that takes. A hop may not pass over a required stop or over the index floor, and may not begin
 * below the minimum of a release it crosses.
 *
 * @throws {LightspanError} `invalid-version`; `downgrade` for a version older than `from`
 */
export function planRoute(index: ReleaseSafetyIndex, request: RouteRequest): route.Route {
  return route.planRoute(readIndex(index), readRequest(request));
}

/**
 * How many releases an index has, from which to which, and how many of each verdict.
 *
 * @throws {LightspanError} what `parseReleaseSafetyIndex` throws
 */
export function summarizeIndex(index: ReleaseSafetyIndex): indexSummary.IndexSummary {
  return indexSummary.summarizeIndex(readIndex(index));
}

/**
 * The releases of a span whose artifacts must confirm the index. Backfilled releases have no artifact.
 *
 * @throws {LightspanError} what `parseSpan` throws
 */
export function releasesToVerify(index: ReleaseSafetyIndex, ends: Span): version.Version[] {
  return reconcile.releasesToVerify(readIndex(index), span.parseSpan(ends));
}

/**
 * Joins the artifacts of a span to the index by AND. `safe` needs both to agree on every release. An artifact can take
 * safety away and never give it: what the index says against a release stays.
 *
 * @param outcomes by version; a release that must be verified and is missing here counts as missing
 * @throws {LightspanError} what `parseSpan` throws; `invalid-artifact`
 */
export function reconcileSpan(
  index: ReleaseSafetyIndex,
  ends: Span,
  outcomes: ReadonlyMap<string, reconcile.ArtifactOutcome>,
): reconcile.ReconciledSpanResult {
  requireArtifacts(outcomes);
  return reconcile.reconcileSpan(readIndex(index), span.parseSpan(ends), outcomes);
}

/**
 * Joins index and artifacts of a span into one report.
 *
 * @throws {LightspanError} what `planRoute` throws; `invalid-artifact`
 */
export function buildReport(index: ReleaseSafetyIndex, request: ReportRequest): report.UpgradeReport {
  requireArtifacts(request.outcomes);
  return report.buildReport(readIndex(index), { ...request, ...readRequest(request) });
}

/**
 * Folds the changes of a span into their net effect.
 *
 * @param released oldest first
 * @throws {LightspanError} `invalid-version`
 */
export function foldConfigChanges(released: readonly ReleasedConfigChange[]): FoldedConfigChanges {
  return configChanges.foldConfigChanges(
    released.map(({ version: text, change }) => ({ version: version.parseVersion(text), change })),
  );
}

/**
 * Orders two release versions by number: negative if `a` is older, positive if it is newer, 0 if they are the same.
 *
 * @throws {LightspanError} `invalid-version` if either is not exactly `X.Y.Z`
 */
export function compareVersions(a: string, b: string): number {
  return version.compareVersions(version.requireVersion(a), version.requireVersion(b));
}

/** Which records count, for which instance and at what time. */
export interface KnownIssueRequest {
  readonly records?: readonly KnownIssue[];
  /**
   * What is known of the instance, by the names of `--fact`, such as `{ edition: 'community', 'rows.sessions': 12 }`.
   */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** The text of a facts file. What it states and shows counts in place of `facts`. */
  readonly factsFile?: string;
  /** What time it is: a record counts until it is withdrawn. If absent, it is the time at which the index was made. */
  readonly now?: Date;
}

/**
 * The index with what is known against its releases. `evaluateSpan`, `planRoute` and every other function that receives
 * an index take it into account. A condition whose fact is not known counts as met.
 *
 * @throws {LightspanError} `invalid-known-issue`; `invalid-facts`; what `parseReleaseSafetyIndex` throws
 */
export function withKnownIssues(
  index: ReleaseSafetyIndex,
  { records = builtInKnownIssues.records, facts = {}, factsFile, now }: KnownIssueRequest = {},
): ReleaseSafetyIndex {
  const read = records.flatMap((record) => parseKnownIssues(record));
  const parsed = isParsedIndex(index) ? index : parseIndex.parseReleaseSafetyIndex(index);
  const time = timeForRecords(now ?? new Date(parsed.generatedAt));
  const knownFacts =
    factsFile === undefined ? readFacts(facts) : conditionFacts(readFactsText(factsFile).facts);
  return holdAgainst(parsed, knownIssuesOf(read, knownFacts, time));
}

function readFacts(facts: Readonly<Record<string, string | number>>): Facts {
  const statedFacts = Object.entries(facts).map(([name, written]) => {
    const fact = readFact(name, written);
    if (fact.ok) return [fact.name, fact.value] as const;
    throw new LightspanError(
      'invalid-facts',
      fact.expected === undefined
        ? `there is no fact ${quote(name)}; the facts are ${factNames.join(', ')}`
        : `${name} is ${fact.expected}, not ${describeValue(written)}`,
    );
  });
  return new Map(statedFacts);
}

export function readFactsText(text: unknown): FactsFile {
  if (typeof text === 'string') return parseFactsFile(text);
  throw new LightspanError('invalid-facts', `the facts are not text, but ${describeValue(text)}`);
}

export function readIndex(index: unknown): ReleaseSafetyIndex {
  return isParsedIndex(index) ? index : parseReleaseSafetyIndex(index);
}

export function readRequest({ from, to }: RouteRequest): route.RouteRequest {
  return { from: version.parseVersion(from), to: parseRouteTarget(to) };
}

const decisiveSchema = z.pick(artifactSchema, {
  version: true,
  previousVersion: true,
  compatibility: true,
  upgrade: true,
  declaredBreaks: true,
});

export function requireArtifacts(outcomes: ReportRequest['outcomes']): void {
  for (const outcome of outcomes.values()) {
    if (outcome.kind === 'artifact') requireShape(decisiveSchema, outcome.artifact, 'invalid-artifact');
  }
}
