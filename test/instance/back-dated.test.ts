import { describe, expect, it } from 'vitest';
import { backDatedOf } from '../../src/instance/ledger.js';
import { inputOf, ledgerOf, type ReleaseCase } from '../support/preflight.js';

const ran = '20260820120000_ran';
const late = '20260819120000_late';

/** From a release that has run its migration to one that brings these. */
function upgrade(from: string, names: readonly string[], target: Partial<ReleaseCase> = {}) {
  return inputOf({
    releases: [
      { version: from, migrations: [{ name: ran }] },
      { version: '1.300.0', migrations: names.map((name) => ({ name })), ...target },
    ],
    facts: { ledger: ledgerOf(ran) },
  });
}

describe('a back-dated migration', () => {
  it.each<[string, string, string, boolean]>([
    ['the first release with the start check', '1.125.0', late, true],
    ['the last one that calls it diverged', '1.259.0', late, true],
    ['a release before the start check', '1.124.0', late, false],
    ['a release that starts anyway', '1.259.1', late, false],
    ['one that is dated later', '1.200.0', '20260821120000_next', false],
    ['one of the same date', '1.200.0', '20260820120000_too', true],
  ])('%s', (_, from, name, found) => {
    expect(backDatedOf(upgrade(from, [name]))).toEqual(found ? { newest: ran, names: [name] } : undefined);
  });

  it('matters only where the upgrade rolls', () => {
    expect(backDatedOf(upgrade('1.200.0', [late], { entry: { rollingUpdateSafe: false } }))).toBeUndefined();
  });

  it('is not known without a ledger, or without an artifact', () => {
    expect(backDatedOf({ ...upgrade('1.200.0', [late]), facts: {} })).toBe('ledger');
    const unlisted = {
      artifact: { migrations: { present: 'unknown', count: 0, coreCount: 0, eeCount: 0, files: [] } },
    };
    expect(backDatedOf(upgrade('1.200.0', [], unlisted))).toBe('artifacts');
  });
});
