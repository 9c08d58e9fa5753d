import { describe, expect, it } from 'vitest';
import { type Decision, decisions, withDecision } from '../../src/checks/decision.js';
import { parseReleaseArtifact } from '../../src/core/artifact/artifact.js';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import { buildReport } from '../../src/core/report.js';
import { requireVersion } from '../../src/core/version.js';
import { exitCodeOfReport } from '../../src/door/exit-codes.js';
import { inventedArtifact } from '../support/artifacts.js';
import { indexOf } from '../support/real-index.js';

function reportOf(rollingUpdateSafe: boolean) {
  const index = parseReleaseSafetyIndexText(
    JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.1.0', rollingUpdateSafe })),
  );
  const outcomes = new Map(
    index.entries.map((entry) => [
      entry.version as string,
      { kind: 'artifact' as const, artifact: parseReleaseArtifact(inventedArtifact(entry)) },
    ]),
  );
  return buildReport(index, { from: requireVersion('1.0.0'), to: requireVersion('1.1.0'), outcomes });
}

const answers: Record<Decision, readonly [safe: boolean, exitCode: number]> = {
  go: [true, 0],
  'go-with-care': [true, 0],
  stop: [false, 1],
  'not-known': [false, 3],
};

describe('a report beside which a preflight counts', () => {
  it.each(decisions)('of a proven span: %s', (decision) => {
    const report = reportOf(true);
    expect(report.safe).toBe(true);
    const held = withDecision(report, decision);
    const [safe, exitCode] = answers[decision];
    expect([held.safe, held.span.safe, exitCodeOfReport(report.safe, decision)]).toEqual([
      safe,
      safe,
      exitCode,
    ]);
    // What the publisher says of the span stays.
    expect([held.span.jump, held.span.rolling]).toEqual([true, true]);
  });

  it.each(decisions)('of one that is not proven, it gives no yes: %s', (decision) => {
    const report = reportOf(false);
    expect(withDecision(report, decision).safe).toBe(false);
    expect(exitCodeOfReport(report.safe, decision)).toBe(1);
  });

  it('without one the publisher alone decides', () => {
    expect([exitCodeOfReport(true, undefined), exitCodeOfReport(false, undefined)]).toEqual([0, 1]);
  });

  it('a decision that is none is no yes', () => {
    expect(exitCodeOfReport(true, 'maybe' as Decision)).toBe(3);
    expect(withDecision(reportOf(true), 'maybe' as Decision).safe).toBe(false);
  });
});
