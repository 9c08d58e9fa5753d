import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { PreflightDocument, PreflightOfReport } from '../preflight/document.js';
import type { LeftOut } from '../words/left-out.js';
import { renderDocument } from './document.js';
import { findingFields } from './finding.js';
import type { PreflightPart, UpgradePreflightResult } from './upgrade-preflight-schema.js';

/** `upgrade-preflight --json`: one line. */
export function renderUpgradePreflightJson(document: PreflightDocument, leftOut: LeftOut): string {
  const { result, failOn, fromSource, index, hops, judgedBy } = document;
  const { decision, ...part } = preflightPart(document);
  const { from, to } = result;
  return renderDocument<UpgradePreflightResult>({
    safe: decision === 'go' || decision === 'go-with-care',
    decision,
    failOn,
    fromVersion: from,
    fromSource,
    toVersion: to,
    hops,
    index,
    ...leftOut,
    judgedBy,
    ...part,
  });
}

/** The part of a preflight that a report contains, too. */
export function preflightPart({ result, decision, facts }: PreflightOfReport): DeepReadonly<PreflightPart> {
  const { counts, checks, notAsked, findings } = result;
  return {
    decision,
    facts: { source: facts.source, collectedAt: facts.collectedAt },
    counts,
    checks,
    notAsked,
    findings: findings.map(findingFields),
  };
}
