import { describe, expect, it } from 'vitest';
import {
  exitCodeOfAnswer,
  exitCodeOfError,
  exitCodeOfOutcome,
  exitCodeOfPlan,
  exitCodeOfReport,
} from '../src/exit-codes.js';

describe('an exit code', () => {
  it('is 0 for true, and for nothing else', () => {
    expect([true, false, 'true', 1, undefined].map((yes) => exitCodeOfAnswer(yes as boolean))).toEqual([
      ...[0, 1, 1, 1, 1],
    ]);
  });

  it.each<[Parameters<typeof exitCodeOfOutcome>[0], number]>([
    ['rolling', 0],
    ['recreate', 0],
    ['at-target', 0],
    ['refused', 1],
    ['go', 0],
    ['go-with-care', 0],
    ['stop', 1],
    ['not-known', 3],
    ['verified', 0],
    ['not-verified', 1],
    ['valid', 0],
    ['breaks-rules', 1],
    ['no-merge-request', 2],
    ['started', 0],
    ['ready', 0],
    ['error', 1],
    ['cancelled', 1],
    ['expired', 1],
    // Whatever else may come is no yes.
    ['of-a-later-version' as 'ready', 3],
  ])('of the outcome %s is %d', (outcome, code) => {
    expect(exitCodeOfOutcome(outcome)).toBe(code);
  });

  it.each([
    [true, true, false, false, false, 0],
    [true, false, false, false, false, 0],
    [true, false, true, false, false, 1],
    [true, true, true, false, false, 0],
    [true, true, false, true, false, 1],
    [true, true, false, false, true, 1],
    [false, true, false, false, false, 1],
  ])(
    'of a plan: certified %s, rolling %s; asked for rolling: %s, too many hops: %s, stopped: %s',
    (...plan) => {
      const [certified, rolling, requireRolling, tooManyHops, stopped, code] = plan;
      expect(exitCodeOfPlan({ certified, rolling }, { requireRolling, tooManyHops, stopped })).toBe(code);
    },
  );

  it.each([
    [true, undefined, 0],
    [true, 'go', 0],
    [true, 'go-with-care', 0],
    [true, 'stop', 1],
    [true, 'not-known', 3],
    [false, undefined, 1],
    [false, 'go', 1],
    [false, 'not-known', 1],
  ] as const)('of a report: proven %s, with a preflight that says %s', (proven, decision, code) => {
    expect(exitCodeOfReport(proven, decision)).toBe(code);
  });

  it.each([
    ['usage', 2],
    ['invalid-pin', 2],
    ['timeout', 3],
    ['network', 3],
    ['unreadable-source', 3],
    ['too-old', 3],
    ['invalid-index', 4],
    ['untrusted-mirror', 4],
    ['invalid-response', 4],
    ['internal', 3],
  ] as const)('of the error %s is %d', (error, code) => {
    expect(exitCodeOfError(error)).toBe(code);
  });
});
