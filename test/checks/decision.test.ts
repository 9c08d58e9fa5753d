import { describe, expect, it } from 'vitest';
import type { FindingStatus } from '../../src/checks/check.js';
import { decide } from '../../src/checks/decision.js';

describe('the decision', () => {
  const asked = (canStop: boolean, ...statuses: FindingStatus[]) => ({
    checks: [{ canStop, whole: !statuses.includes('not-checked') }],
    findings: statuses.map((status) => ({ status })),
  });
  it.each([
    [asked(true, 'ok'), 'go', 'go'],
    [asked(true, 'warn'), 'go-with-care', 'stop'],
    [asked(true, 'stop', 'warn'), 'stop', 'stop'],
    [asked(true, 'stop', 'not-checked'), 'stop', 'stop'],
    [asked(true, 'not-checked'), 'not-known', 'not-known'],
    [asked(true, 'not-checked', 'warn'), 'not-known', 'stop'],
    [asked(false, 'not-checked'), 'go-with-care', 'not-known'],
    [{ checks: [], findings: [] }, 'not-known', 'not-known'],
  ] as const)('of %j is %s, and %s with --fail-on warn', (result, onStop, onWarn) => {
    expect(decide(result, 'stop')).toBe(onStop);
    expect(decide(result, 'warn')).toBe(onWarn);
  });
});
