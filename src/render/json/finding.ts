import { describeFinding } from '../../checks/describe.js';
import type { Preflight } from '../../checks/preflight-of.js';
import type { FindingFields } from './answer-schemas.js';

/** One finding of a check, with its words. */
export function findingFields(finding: Preflight['findings'][number]): FindingFields {
  const { check, status, subject, evidence, accepted } = finding;
  return {
    ...{ check, status, subject, ...describeFinding(finding), evidence: { ...evidence } },
    ...(accepted === undefined ? {} : { accepted: true }),
  };
}
