import { expect } from 'vitest';
import { describeVerifyFinding } from '../../src/checks/after-upgrade/describe.js';

/**
 * What is found after an upgrade, a line each: `stop table-gone things`. Each of them is told, and what is not in order with
 * its remedy.
 */
export function verifyLines(findings: readonly Parameters<typeof describeVerifyFinding>[0][]): string[] {
  return findings.map((finding) => {
    const { status, evidence, subject } = finding;
    const { description, remedy } = describeVerifyFinding(finding);
    for (const text of [description, remedy?.text ?? 'x', ...(remedy?.commands ?? [])]) {
      expect(text).not.toMatch(/^$|undefined|\bnull\b|NaN|\[object/);
    }
    expect(remedy === null, description).toBe(status === 'ok');
    return [status, evidence.kind, ...(subject === null ? [] : [subject])].join(' ');
  });
}
