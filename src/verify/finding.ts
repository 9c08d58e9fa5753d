import type { CheckEvidence } from '../preflight/checks.js';
import type { Finding, NotChecked } from '../preflight/finding.js';
import type { CanaryEvidence } from './canary.js';
import type { ChangeEvidence } from './changes.js';
import type { PodsEvidence } from './pods.js';

/** The findings of upgrade-verify besides readiness, each a kind and what it is about. */
export type VerifyEvidence = CheckEvidence | ChangeEvidence | PodsEvidence | CanaryEvidence;

export type VerifyFinding = Finding<string, VerifyEvidence | NotChecked>;
