import { describe, expect, it } from 'vitest';
import type { LockAndLeaseEvidence } from '../../../src/preflight/checks/lock-and-lease.js';
import { type CheckEvidence, checks } from '../../../src/preflight/checks.js';
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

describe('what is to be pasted', () => {
  const commandsOf = (check: string, evidence: CheckEvidence) =>
    tellFinding({ check, status: 'stop', subject: null, evidence }).remedy?.commands;

  it('drops a replication slot only while nobody reads it', () => {
    const evidence = { kind: 'slot-inactive', name: 's', keptBytes: 1, logical: true } as const;
    expect(commandsOf('replication-slots', evidence)?.at(-1)).toMatch(
      /^-- to drop it: .* WHERE slot_name = 's' AND NOT active;$/,
    );
  });

  it('drops an index only while it is not being built', () => {
    const evidence = { kind: 'index-invalid', index: 'i', table: 't', schema: 'public' } as const;
    expect(commandsOf('invalid-indexes', { ...evidence, migration: null })).toEqual([
      expect.stringMatching(/DROP INDEX CONCURRENTLY .* WHERE NOT EXISTS \(SELECT FROM pg_stat_progress/),
    ]);
  });

  const held = { budget: 'b', workloads: ['w'], replicas: 1, namespace: 'bi' };
  const remove = '{"op":"remove","path":"/spec/minAvailable"}';
  const of = (op: string) => `{"op":"${op}","path":"/spec/maxUnavailable","value":1}`;
  const patch = (operations: string) =>
    `kubectl --namespace bi patch poddisruptionbudget b --type=json --patch '[${operations}]'`;
  it.each<[CheckEvidence, string]>([
    [{ kind: 'budget-keeps-all-pods', minAvailable: '1', ...held }, patch(`${remove},${of('add')}`)],
    [{ kind: 'budget-lets-none-go', maxUnavailable: '0', ...held }, patch(of('replace'))],
  ])('lets one pod go: %o', (evidence, command) => {
    expect(commandsOf('disruption-budget', evidence)).toEqual([command]);
  });

  const migration = { kind: 'ServiceAccount', name: 'a-migration' };
  const backend = { kind: 'Deployment', name: 'backend' };
  it.each<[string, CheckEvidence, string]>([
    [
      'hook-leftovers',
      { kind: 'hooks-left-over', objects: [{ ...migration, namespace: 'bi' }], chart: null },
      'kubectl --namespace bi delete serviceaccount a-migration',
    ],
    [
      'chart-version',
      {
        kind: 'pods-not-stopped-for-job',
        chart: '2.8.0',
        since: '2.16.284',
        workloads: [{ ...backend, namespace: 'bi' }],
      },
      'kubectl --namespace bi scale deployment/backend --replicas 0',
    ],
  ])('names the namespace of what it is about, for %s', (check, evidence, command) => {
    expect(commandsOf(check, evidence)).toEqual([command]);
  });

  it('stands under the keys of the values of Lightdash', () => {
    const evidence = { kind: 'chart-would-roll', workloads: ['w'], chart: null, path: ['a', 'b'] } as const;
    expect(commandsOf('rollout-strategy', { ...evidence, setBy: 'strategies' })).toEqual([
      'a:',
      '  b:',
      '    lightdashBackend:',
      '      strategy:',
      '        type: Recreate',
    ]);
  });
});

it('says of connections that fewer are left than are in use', () => {
  const evidence = { kind: 'few-connections-left', left: 10, used: 45, max: 60 } as const;
  const { description } = tellFinding({ check: 'connections', status: 'warn', subject: null, evidence });
  expect(description).toBe('10 left (45 of 60 in use): fewer than are in use');
});
