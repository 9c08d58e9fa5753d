import type { UpgradeReport } from '../../release-safety/report.js';
import { countOf } from '../phrase.js';
import { nextOfReport } from '../words/next.js';
import { type Answer, answersOfReport, describeVerdict } from '../words/questions.js';
import { describeTarget } from '../words/route.js';

/** What stands above the sections of a report, in every format. */
export interface Head {
  readonly target: string;
  readonly verdict: 'SAFE' | 'UNSAFE';
  /** To stand above everything, a line each. */
  readonly warnings: readonly string[];
  readonly answers: readonly Answer[];
  /** The one thing to do now. */
  readonly next: string;
}

export function headOf(report: UpgradeReport): Head {
  return {
    target: describeTarget(report),
    verdict: describeVerdict(report),
    warnings: describeNothingRead(report),
    answers: answersOfReport(report),
    next: nextOfReport(report),
  };
}

/**
 * Where no artifact was read, that of what they would tell nothing is known, and how to have them read. Empty where one
 * was read, or where there is no release to read one of.
 */
function describeNothingRead({ artifacts, releases, fromVersion, toVersion }: UpgradeReport): string[] {
  if (artifacts.read > 0 || releases.length === 0) return [];
  const none = `No artifact was read of the ${countOf(releases.length, 'release')}`;
  const unknown = 'What they break, migrate and change is not known.';
  if (artifacts.notRead === 0) {
    return [`${none}: they are backfilled, and none was published. ${unknown}`];
  }
  return [
    `${none}. ${unknown}`,
    `To have them read: run this without --offline where there is a network. Or write a mirror there, with lightspan index mirror --out ./mirror --from ${fromVersion} --to ${toVersion}, and run this here with --index ./mirror.`,
  ];
}
