import type { UpgradeReport } from '../release-safety/report.js';
import type { Decision } from './decision.js';

/**
 * The report, with the decision of a preflight applied: it can take the yes of the publisher away, and never gives one.
 */
export function heldTo(report: UpgradeReport, decision: Decision): UpgradeReport {
  if (decision === 'go' || decision === 'go-with-care') return report;
  return { ...report, safe: false, span: { ...report.span, safe: false } };
}
