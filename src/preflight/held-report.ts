import type { UpgradeReport } from '../release-safety/report.js';
import type { Decision } from './decision.js';

/** A report beside which a preflight counts: it can take the yes of the publisher away, and never gives one. */
export function heldTo(report: UpgradeReport, decision: Decision): UpgradeReport {
  if (decision === 'go' || decision === 'go-with-care') return report;
  return { ...report, safe: false, span: { ...report.span, safe: false } };
}
