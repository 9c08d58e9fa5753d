import { describe, expect, it } from 'vitest';
import {
  exitCodeOfAnswer,
  exitCodeOfError,
  exitCodeOfOutcome,
  exitCodeOfPlan,
  exitCodeOfReport,
} from '../src/door/exit-codes.js';

describe('an exit code', () => {
  it('is 0 for true, and for nothing else', () => {
    expect([true, false, 'true', 1, undefined].map((yes) => exitCodeOfAnswer(yes as boolean))).toEqual([
      ...[0, 1, 1, 1, 1],
    ]);
  });

  // Whatever else may come is no yes.
  it.each<[code: number, outcomes: string]>([
    [0, 'rolling recreate at-target go go-with-care verified valid started ready'],
    [1, 'refused stop not-verified breaks-rules error cancelled expired'],
    [2, 'no-merge-request'],
    [3, 'not-known of-a-later-version'],
  ])('is %d of %s', (code, outcomes) => {
    const ofEach = outcomes.split(' ').map((outcome) => exitCodeOfOutcome(outcome as 'ready'));
    expect(new Set(ofEach)).toEqual(new Set([code]));
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

  it.each<[code: number, errors: string]>([
    [2, 'usage invalid-pin'],
    [3, 'timeout network unreadable-source too-old internal'],
    [4, 'invalid-index untrusted-mirror invalid-response'],
  ])('is %d of the errors %s', (code, errors) => {
    const ofEach = errors.split(' ').map((error) => exitCodeOfError(error as 'internal'));
    expect(new Set(ofEach)).toEqual(new Set([code]));
  });
});
