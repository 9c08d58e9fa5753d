import type { PreflightDocument } from '../preflight/document.js';
import { tellFinding } from '../words/checks.js';
import { renderDocument } from './document.js';
import type { UpgradePreflightResult } from './upgrade-preflight-schema.js';

/** `upgrade-preflight --json`: one line. */
export function renderUpgradePreflightJson(document: PreflightDocument): string {
  const { result, decision, failOn, fromSource, index, facts } = document;
  const { from, to, counts, checks, notAsked, findings } = result;
  return renderDocument<UpgradePreflightResult>({
    safe: decision === 'go' || decision === 'go-with-care',
    decision,
    failOn,
    fromVersion: from,
    fromSource,
    toVersion: to,
    index,
    facts: { source: facts.source, collectedAt: facts.collectedAt },
    counts,
    checks,
    notAsked,
    findings: findings.map((finding) => {
      const { check, status, subject, evidence } = finding;
      return { check, status, subject, ...tellFinding(finding), evidence: { ...evidence } };
    }),
  });
}
