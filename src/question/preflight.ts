import type { EvidenceQuestion } from './evidence.js';
import type { FactsQuestion } from './facts.js';
import type { RunningVersionQuestion } from './running-version.js';
import type { TargetQuestion } from './target.js';

/** Will an upgrade go well on this very database and deployment? */
export interface PreflightQuestion {
  readonly running: RunningVersionQuestion;
  readonly target: TargetQuestion;
  readonly facts: FactsQuestion;
  /** The lowest level that is a no. */
  readonly failOn: 'stop' | 'warn';
  readonly evidence: EvidenceQuestion;
}
