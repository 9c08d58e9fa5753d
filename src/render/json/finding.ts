import type { Preflight } from '../../preflight/preflight-of.js';
import { describeFinding } from '../words/checks.js';
import type { FindingFields } from './answer-schemas.js';

/** One finding of a check, with its words. */
export function findingFields(finding: Preflight['findings'][number]): FindingFields {
  const { check, status, subject, evidence } = finding;
  return { check, status, subject, ...describeFinding(finding), evidence: { ...evidence } };
}
