import type { ObservedFacts } from '../facts/facts-schema.js';
import { knownEdition } from '../instance/ledger.js';
import { layLine } from '../instance/release-line.js';
import type { Acceptance } from '../release-safety/accepted.js';
import { noKnownIssues, type ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import type { ArtifactOutcome } from '../release-safety/reconcile.js';
import { issuesOf, type Span } from '../release-safety/span.js';
import type { Version } from '../release-safety/version.js';
import { type CheckEvidence, type CheckId, checks } from './checks.js';
import { type PreflightResult, runChecks } from './run-checks.js';

/** What every check of the table says of one instance. */
export type Preflight = PreflightResult<CheckId, CheckEvidence>;

/** One instance, and what was read of the releases that it may run. */
export interface Instance {
  readonly index: ReleaseSafetyIndex;
  readonly facts: ObservedFacts;
  /** By version. */
  readonly artifacts: ReadonlyMap<string, ArtifactOutcome>;
  /** The oldest release that was read to find what the instance has migrated. */
  readonly begin: Version;
  /** Bytes, as the operator states them. */
  readonly diskFree?: number | undefined;
  /** Undefined: every check. */
  readonly only?: ReadonlySet<CheckId> | undefined;
  readonly accepted?: readonly Acceptance[] | undefined;
}

/** What the checks say to an upgrade of an instance. */
export function preflightOf(
  { index, facts, artifacts, begin, diskFree, only, accepted }: Instance,
  span: Span,
): Preflight {
  const line = layLine(index, span, begin, artifacts);
  const issues = index.knownIssues === noKnownIssues ? undefined : issuesOf(index, span);
  const edition = knownEdition(facts);
  return runChecks(checks, { ...span, line, issues, diskFree, edition, facts, accepted }, only);
}
