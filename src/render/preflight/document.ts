import type { CheckEvidence, CheckId } from '../../checks/checks.js';
import type { Decision, FailOn } from '../../checks/decision.js';
import type { PreflightResult } from '../../checks/run-checks.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { UpgradeReportResult } from '../json/upgrade-schemas.js';
import type { JudgedBy } from '../words/judged-by.js';

/** A preflight in the form that every format uses. */
export interface PreflightDocument {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly decision: Decision;
  readonly failOn: FailOn;
  /** How many hops the index requires for the route; 0 if there is no route. */
  readonly hops: number;
  /** Where the running version was found. */
  readonly fromSource: string;
  readonly index: DeepReadonly<UpgradeReportResult['index']>;
  readonly facts: UsedFacts;
  readonly judgedBy: JudgedBy;
}

/** Which facts were judged. */
export interface UsedFacts {
  /** A file, or the database, without a password. */
  readonly source: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly ageMs: number;
}

/** The part of it that a report contains, too. */
export type PreflightOfReport = Pick<PreflightDocument, 'result' | 'decision' | 'facts'>;
