import type { RouteTarget } from '../core/version.js';
import type { EvidenceQuestion } from './evidence.js';
import type { FactsQuestion } from './facts.js';
import type { RunningVersionQuestion } from './running-version.js';

/** Will an upgrade go well on this very database and deployment? */
export interface PreflightQuestion {
  readonly running: RunningVersionQuestion;
  readonly to: RouteTarget;
  readonly facts: FactsQuestion;
  /** The lowest level that is a no. */
  readonly failOn: 'stop' | 'warn';
  readonly evidence: EvidenceQuestion;
}
