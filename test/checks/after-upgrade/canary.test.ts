import { expect, it } from 'vitest';
import { type CanaryEvidence, judgeCanary } from '../../../src/checks/after-upgrade/canary.js';

const why = { message: 'no', hint: 'Fix it.' };

it.each<[CanaryEvidence, ofAnAnswer: string, ofNone: string]>([
  [{ kind: 'canary-rows', rows: 1 }, 'ok', 'ok'],
  [{ kind: 'canary-without-rows' }, 'stop', 'not-checked'],
  [{ kind: 'canary-from-cache' }, 'not-checked', 'not-checked'],
  [{ kind: 'canary-refused', errors: [] }, 'stop', 'not-checked'],
  [{ kind: 'canary-ended', status: 'expired', reason: null }, 'stop', 'not-checked'],
  [{ kind: 'canary-failed', ...why }, 'stop', 'not-checked'],
  [{ kind: 'canary-not-available', message: 'no' }, 'not-checked', 'not-checked'],
  [{ kind: 'canary-not-run', ...why }, 'stop', 'not-checked'],
])('%j is %s where that is an answer, else %s', (evidence, ...statuses) => {
  const findings = [true, false].map((isAnswer) => judgeCanary('merge.json', evidence, isAnswer));
  expect(findings).toEqual(
    statuses.map((status) => ({ check: 'canary', status, subject: 'merge.json', evidence })),
  );
});
