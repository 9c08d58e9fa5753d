import { describe, expect, it } from 'vitest';
import { newestMigrationOf } from '../../src/instance/ledger.js';
import { inputOf, ledgerOf, type ReleaseCase, type Situation } from '../support/preflight.js';

const old = '20260801000000_old';
const core = '20260810000000_core';
const ee = '20260812000000_ee';

const first: ReleaseCase = { version: '2.0.0', migrations: [{ name: old }] };
const second: ReleaseCase = { version: '2.1.0', migrations: [{ name: core }] };
const third: ReleaseCase = { version: '2.2.0', migrations: [{ name: ee, edition: 'ee' }] };
const target: ReleaseCase = { version: '2.3.0' };
const line = [first, second, third, target];

function newestOf(situation: Situation): string | undefined {
  const { line, facts, from } = inputOf({ from: '2.2.0', ...situation });
  return newestMigrationOf(line, facts, from);
}

describe('the newest migration that the release which runs holds', () => {
  it.each<[string, Situation, string | undefined]>([
    ['by the ledger', { releases: line, facts: { ledger: ledgerOf(old, core, ee) } }, ee],
    [
      'by the artifacts, where an enterprise one has not run',
      { releases: line, facts: { ledger: ledgerOf(old, core) } },
      ee,
    ],
    [
      'by the ledger, where an older release brought a newer one',
      { releases: line, facts: { ledger: ledgerOf('20260901000000_x', core) } },
      '20260901000000_x',
    ],
    ['no ledger', { releases: line, facts: {} }, undefined],
    ['a ledger that may not be seen', { releases: line, facts: { ledger: 'not-permitted' } }, undefined],
    ['a ledger of an earlier release', { releases: line, facts: { ledger: ledgerOf(old) } }, undefined],
    [
      'no artifact of the release that runs',
      {
        releases: [first, second, { ...third, artifact: 'missing' }, target],
        facts: { ledger: ledgerOf(core) },
      },
      undefined,
    ],
    [
      'an artifact that was compared with another release',
      {
        releases: [first, second, { ...third, artifact: { previousVersion: '2.0.0' } }, target],
        facts: { ledger: ledgerOf(core) },
      },
      undefined,
    ],
    [
      'no release that brings a core migration',
      {
        releases: [{ version: '2.0.0' }, { version: '2.1.0' }, third, target],
        facts: { ledger: ledgerOf(old) },
      },
      undefined,
    ],
    [
      'a release that the index lacks',
      { from: '2.1.5', releases: line, facts: { ledger: ledgerOf(old, core, ee) } },
      undefined,
    ],
  ])('%s', (_, situation, newest) => {
    expect(newestOf(situation)).toBe(newest);
  });
});
