import type { Version } from '../core/version.js';
import type { EvidenceQuestion } from './evidence.js';
import type { StatedVersionQuestion } from './running-version.js';
import type { TargetQuestion } from './target.js';

/** May one direct upgrade be made, and does it roll? */
export interface SpanQuestion {
  readonly running: StatedVersionQuestion;
  readonly target: SpanTarget;
  readonly evidence: EvidenceQuestion;
}

/** Where a span ends: at a version, at the newest of the index or the recommended one, or at what a file pins. */
export type SpanTarget =
  | ({
      readonly by: 'version';
      readonly version: Version | 'latest' | 'recommended';
    } & Omit<TargetQuestion, 'to'>)
  | ({ readonly by: 'pin'; readonly file: string } & Omit<TargetQuestion, 'to'>);
