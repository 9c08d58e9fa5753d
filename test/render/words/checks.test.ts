import { describe, expect, it } from 'vitest';
import type { LockAndLeaseEvidence } from '../../../src/preflight/checks/lock-and-lease.js';
import { checks } from '../../../src/preflight/checks.js';
import { runChecks } from '../../../src/preflight/run-checks.js';
import { checkWords, findingWords, notCheckedWords, tellFinding } from '../../../src/render/words/checks.js';
import { scenarios } from '../../preflight/scenarios.js';
import { inputOf } from '../../support/preflight.js';

describe('the words of checks', () => {
  it('are of every check, and of each kind of finding once', () => {
    expect(Object.keys(checkWords)).toEqual(checks.map(({ id }) => id));
    const kinds = [notCheckedWords, ...Object.values(checkWords).map(({ finds }) => finds)].flatMap((finds) =>
      Object.keys(finds),
    );
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.sort()).toEqual(Object.keys(findingWords).sort());
  });

  const found = Object.values(scenarios).flatMap(({ broken }) => runChecks(checks, inputOf(broken)).findings);

  it('say of all that stands in the way what to do', () => {
    const mute = found.filter((finding) => finding.status !== 'ok' && tellFinding(finding).remedy === null);
    expect(mute).toEqual([]);
  });

  it('say of what is in order nothing to do', () => {
    const busy = found.filter((finding) => finding.status === 'ok' && tellFinding(finding).remedy !== null);
    expect(busy).toEqual([]);
  });
});

describe('a lock that is held', () => {
  const commandsFor = (migrator: 'maybe' | 'none' | 'hidden') => {
    const evidence: LockAndLeaseEvidence = {
      kind: 'knex-lock-held',
      to: '1.122.0',
      migrator,
      schema: 'public',
      role: "o'leary",
      pids: [],
    };
    return tellFinding({ check: 'lock-and-lease', status: 'stop', subject: null, evidence }).remedy?.commands;
  };

  it.each(['maybe', 'hidden'] as const)('is not freed where its migrator lives: %s', (migrator) => {
    expect(commandsFor(migrator)?.join()).toMatch(/^SELECT /);
    expect(commandsFor(migrator)?.join()).not.toMatch(/UPDATE|unlock/i);
  });

  it('is freed only while no other session of its role is there', () => {
    expect(commandsFor('none')).toEqual([
      expect.stringMatching(
        /^UPDATE .* AND NOT EXISTS \(SELECT FROM pg_stat_activity .* usename = 'o''leary'\);$/,
      ),
    ]);
  });
});
