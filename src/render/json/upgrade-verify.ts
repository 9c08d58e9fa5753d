import { describeVerifyFinding } from '../../verify/describe.js';
import type { VerifyDocument } from '../verify/document.js';
import { renderDocument } from './document.js';
import type { UpgradeVerifyResult } from './result-schemas.js';

/** One line with its own schemaVersion. */
export function renderUpgradeVerifyJson(document: VerifyDocument): string {
  const { safe, outcome, instance, version, polls, pollsInRow, elapsedMs, lastState } = document;
  const { facts, findings } = document;
  return renderDocument<UpgradeVerifyResult>({
    safe,
    instance,
    version,
    verified: outcome === 'verified',
    outcome,
    polls,
    pollsInRow,
    elapsedMs,
    lastState,
    facts: facts && { source: facts.source, collectedAt: facts.collectedAt },
    findings: findings.map((finding) => {
      const { check, status, subject, evidence } = finding;
      return { check, status, subject, ...describeVerifyFinding(finding), evidence: { ...evidence } };
    }),
  });
}
