import type { UsedFacts } from '../preflight/document.js';
import type { VerifyDocument } from '../verify/document.js';
import { describeVerifyFinding } from '../words/verify.js';
import { renderDocument } from './document.js';
import type { UpgradeVerifyResult } from './result-schemas.js';

/** One line with its own schemaVersion. */
export function renderUpgradeVerifyJson(document: VerifyDocument): string {
  const { safe, outcome, instance, version, polls, pollsInRow, elapsedMs, lastState } = document;
  const { facts, before, findings } = document;
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
    facts: named(facts),
    before: named(before),
    findings: findings.map((finding) => {
      const { check, status, subject, evidence } = finding;
      return { check, status, subject, ...describeVerifyFinding(finding), evidence: { ...evidence } };
    }),
  });
}

function named(facts: UsedFacts | null): UpgradeVerifyResult['facts'] {
  return facts && { source: facts.source, collectedAt: facts.collectedAt };
}
