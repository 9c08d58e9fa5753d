import { describe, expect, it } from 'vitest';
import { type CheckEvidence, checks } from '../../src/checks/checks.js';
import { describeFinding, findingWords, notCheckedWords } from '../../src/checks/describe.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { noTime } from '../../src/instance/forecast/work.js';
import { scenarios } from '../checks/scenarios.js';
import { inputOf } from '../support/preflight.js';

describe('the words of checks', () => {
  it('are of each kind of finding once', () => {
    const kinds = [notCheckedWords, ...checks.map(({ finds }) => finds)].flatMap((finds) =>
      Object.keys(finds),
    );
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.sort()).toEqual(Object.keys(findingWords).sort());
  });

  const found = Object.values(scenarios).flatMap(({ broken }) => runChecks(checks, inputOf(broken)).findings);

  it('say of all that stands in the way what to do', () => {
    const mute = found.filter(
      (finding) => finding.status !== 'ok' && describeFinding(finding).remedy === null,
    );
    expect(mute).toEqual([]);
  });

  it('say of what is in order nothing to do', () => {
    const busy = found.filter(
      (finding) => finding.status === 'ok' && describeFinding(finding).remedy !== null,
    );
    expect(busy).toEqual([]);
  });
});

/** But for the line that begins every one to be pasted in psql. */
function commandsOf(check: string, evidence: CheckEvidence): readonly string[] | undefined {
  const { remedy } = describeFinding({ check, status: 'stop', subject: null, evidence });
  return remedy?.commands.filter((command) => !command.startsWith('SET search_path = '));
}

describe('a lock that is held', () => {
  const commandsFor = (migrator: 'maybe' | 'none' | 'hidden') => {
    const evidence: CheckEvidence = {
      kind: 'knex-lock-held',
      to: '1.122.0',
      migrator,
      schema: 'public',
      role: "o'leary",
      pids: [],
    };
    return commandsOf('lock-and-lease', evidence);
  };

  it.each(['maybe', 'hidden'] as const)('is not freed where its migrator lives: %s', (migrator) => {
    expect(commandsFor(migrator)?.join()).toMatch(/^SELECT /);
    expect(commandsFor(migrator)?.join()).not.toMatch(/UPDATE|unlock/i);
  });

  it('is freed only while no other session of its role, or of one that acts as it, is there', () => {
    expect(commandsFor('none')).toEqual([
      expect.stringMatching(
        /^UPDATE .* AND NOT EXISTS \(SELECT FROM pg_stat_activity .* \(usename = 'o''leary' OR .*'o''leary', 'MEMBER'\)\)\);$/,
      ),
    ]);
  });
});

describe('what is to be pasted', () => {
  it('drops a replication slot only while nobody reads it', () => {
    const evidence = { kind: 'slot-inactive', name: 's', keptBytes: 1, logical: true } as const;
    expect(commandsOf('replication-slots', evidence)?.at(-1)).toMatch(
      /^-- to drop it: .* WHERE slot_name = 's' AND NOT active;$/,
    );
  });

  it.each([
    ['spaces', '"public"."spaces"'],
    ['parts.a', '"parts"."a"'],
    ['"Old ""Parts".a.b', '"Old ""Parts"."a.b"'],
    ['x; DROP TABLE y.z', '"x; DROP TABLE y"."z"'],
  ])('gives away a table where it lies: %s', (table, named) => {
    const evidence = { kind: 'table-not-owned', schema: 'public', owner: 'o', role: 'r' } as const;
    expect(commandsOf('migration-rights', { ...evidence, table, migration: 'm' })).toEqual([
      `ALTER TABLE ${named} OWNER TO "r";`,
    ]);
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
    `kubectl --namespace bi patch poddisruptionbudget b --type json --patch '[${operations}]'`;
  it.each<[CheckEvidence, string]>([
    [{ kind: 'budget-keeps-all-pods', minAvailable: '1', ...held }, patch(`${remove},${of('add')}`)],
    [{ kind: 'budget-lets-none-go', maxUnavailable: '0', ...held }, patch(of('replace'))],
  ])('lets one pod go: %o', (evidence, command) => {
    expect(commandsOf('disruption-budget', evidence)).toEqual([command]);
  });

  const migration = { kind: 'ServiceAccount', name: 'a-migration' };
  const backend = { kind: 'Deployment', name: 'backend' } as const;
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

  it.each<[string, CheckEvidence, string]>([
    [
      'hook-leftovers',
      { kind: 'hooks-left-over', objects: [{ kind: 'Secret', name: 'a;b', namespace: 'c d' }], chart: null },
      "kubectl --namespace 'c d' delete secret 'a;b'",
    ],
    [
      'disruption-budget',
      { kind: 'budget-lets-none-go', maxUnavailable: '0', ...held, budget: 'a;b', namespace: 'c d' },
      `kubectl --namespace 'c d' patch poddisruptionbudget 'a;b' --type json --patch '[${of('replace')}]'`,
    ],
  ])('takes a name for one word, for %s', (check, evidence, command) => {
    expect(commandsOf(check, evidence)).toEqual([command]);
  });

  it('lets a probe ask what does not fail while a migration is parked', () => {
    const asked = { workload: 'w', probe: 'readiness', path: [], version: '1.150.0' } as const;
    expect(commandsOf('readiness-path', { kind: 'readyz-fails-on-parked', ...asked })).toEqual([
      'lightdashBackend:',
      '  readinessProbe:',
      '    path: /api/v1/health',
    ]);
  });

  it('gives what migrates a day', () => {
    const limit = {
      migrator: 'm',
      limit: 'startup-probe',
      seconds: 185,
      periodSeconds: 10,
      path: [],
    } as const;
    const found = { kind: 'migrations-may-outlast-limit', total: noTime, migrations: 1, ...limit } as const;
    expect(commandsOf('startup-time', found)?.at(-1)).toBe('    failureThreshold: 8640');
  });

  it('scales down what can be scaled, which a DaemonSet cannot', () => {
    const [daemon, set] = (['DaemonSet', 'StatefulSet'] as const).map((kind) => ({
      ...{ kind, name: 'bi', namespace: null },
    }));
    const scaled = ['kubectl scale statefulset/bi --replicas 0'];
    const workloads = [daemon, set] as { kind: 'DaemonSet'; name: string; namespace: null }[];
    const beside = { kind: 'pods-live-while-job-migrates', job: 'j', workloads } as const;
    expect(commandsOf('rollout-strategy', beside)).toEqual(scaled);
    const notStopped = { kind: 'pods-not-stopped-for-job', chart: 'c', since: 's', workloads } as const;
    expect(commandsOf('chart-version', notStopped)).toEqual(scaled);
    const rolls = (workload: typeof daemon) =>
      commandsOf('rollout-strategy', { kind: 'workload-would-roll', workload, replicas: 1 } as CheckEvidence);
    expect(rolls(set)).toEqual(scaled);
    expect(rolls(daemon)).toEqual([]);
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
    expect(commandsOf('rollout-strategy', { ...evidence, setBy: 'nothing' })).toEqual([]);
  });
});

/** Those in which one thing could be told for another, or the opposite of it. */
describe('the sentence of a finding', () => {
  const interval = { oldest: '2.2.0', newest: '2.3.0' };
  const b = '20260802000000_b';
  it.each<[CheckEvidence, string]>([
    [
      { kind: 'ledger-ahead', from: '2.1.0', ...interval },
      'the database is at 2.2.0 to 2.3.0, which is newer than 2.1.0',
    ],
    [
      { kind: 'ledger-behind', from: '2.4.0', lacking: [b], ...interval },
      `the database is at 2.2.0 to 2.3.0; of 2.4.0 or before it lacks ${b}`,
    ],
    [
      { kind: 'ledger-half-applied', version: '2.2.0', lacking: [b] },
      `migrations of 2.2.0 have run, and these up to it have not: ${b}`,
    ],
    [
      { kind: 'ledger-back-dated', newest: '20260803000000_c', names: [b] },
      `pending, and dated no later than 20260803000000_c, which has run: ${b}`,
    ],
    [
      { kind: 'knex-lock-held', to: '1.122.0', migrator: 'hidden', schema: 's', role: 'r', pids: [] },
      'the lock is held, and there is no right to see whether a migrator is alive; 1.122.0 does not free it',
    ],
    [
      { kind: 'knex-lock-freed-by-target', to: '2.1.0', migrator: 'maybe', pids: [7] },
      'the lock is held, and what may be its migrator is alive (pid 7); 2.1.0 frees it when it begins',
    ],
    [
      { kind: 'start-privileges', to: '2.1.0', schema: 'public', tables: ['t'] },
      '2.1.0 will abort: the migrating role lacks USAGE or CREATE on schema public; the migrating role does not own t',
    ],
    [
      { kind: 'start-privileges', to: '2.1.0', schema: '', tables: ['t'] },
      '2.1.0 will abort: the migrating role does not own t',
    ],
    [
      { kind: 'table-not-owned', schema: 's', table: 't', owner: 'o', role: 'r', migration: b },
      `${b} changes t, which o owns and r does not`,
    ],
    [
      { kind: 'no-connections-left', of: 'server', needed: 2, left: 1, used: 45, max: 60 },
      '1 left (45 of 60 in use), and a migrator needs 2',
    ],
    [
      { kind: 'few-connections-left', of: 'server', left: 10, used: 45, max: 60 },
      '10 left (45 of 60 in use): fewer than are in use',
    ],
    [
      { kind: 'extension-not-permitted', extension: 'e', schema: 'public', role: 'r', database: 'd' },
      'e is not installed in d, and r may not create it',
    ],
    [{ kind: 'postgres-too-old', major: 11, minimum: 12 }, 'PostgreSQL 11 runs, and 12 or later is needed'],
    [
      { kind: 'disk-too-small', free: 2 ** 30, tables: ['t'], bytes: 2 ** 31, migration: b },
      `${b} may rewrite t, 2 GiB with its indexes, and 1 GiB are free`,
    ],
    [
      { kind: 'disk-too-small', free: 2 ** 30, tables: ['t', 'u'], bytes: 2 ** 31, migration: b },
      `${b} may rewrite t, u, 2 GiB with their indexes, and 1 GiB are free`,
    ],
    [
      { kind: 'disk-too-small', free: 2 ** 33 - 2 ** 25, tables: ['t'], bytes: 2 ** 33, migration: b },
      `${b} may rewrite t, 8 GiB with its indexes, and 7.97 GiB are free`,
    ],
    [
      { kind: 'disk-too-small', free: 2 ** 33 - 1, tables: ['t'], bytes: 2 ** 33, migration: b },
      `${b} may rewrite t, 8,589,934,592 bytes with its indexes, and 8,589,934,591 bytes are free`,
    ],
    [
      { kind: 'disk-too-small', free: 2 ** 30 - 1024, tables: ['t'], bytes: 2 ** 30, migration: b },
      `${b} may rewrite t, 1 GiB with its indexes, and 1023.999 MiB are free`,
    ],
    [
      { kind: 'disk-enough', free: 2 ** 30, largest: 2 ** 30 },
      '1 GiB are free; what one migration may rewrite takes up to 1 GiB',
    ],
    [
      { kind: 'disk-headroom', free: 2 ** 30, minimum: 2 ** 31, largest: 0 },
      '1 GiB are free, and 2 GiB are required',
    ],
    [
      { kind: 'slot-inactive', name: 's', keptBytes: 2 ** 30, logical: false },
      'nobody reads the physical slot s, for which 1 GiB are kept',
    ],
    [{ kind: 'jobs-running', locked: 1, onLastAttempt: 0 }, '1 job runs, not on its last attempt'],
    [{ kind: 'jobs-running', locked: 3, onLastAttempt: 1 }, '3 jobs run, 1 of them on the last attempt'],
    [
      { kind: 'jobs-not-worked', due: 5, seconds: 600 },
      '5 jobs are due, the oldest for 10 minutes, and none is worked on',
    ],
    [
      { kind: 'images-of-the-target', from: '2.0.0', to: '2.1.0' },
      'the cluster has 2.1.0 already, not 2.0.0',
    ],
    [
      { kind: 'images-of-another-release', found: '1.9.0', from: '2.0.0', to: '2.1.0' },
      'the images are of 1.9.0, not of 2.0.0 or 2.1.0',
    ],
    [{ kind: 'pods-migrate', pods: ['p'] }, 'p migrates at its start, and no job does'],
    [{ kind: 'job-migrates' }, 'the migration job migrates, and nothing else'],
    [
      { kind: 'database-major-changes', workload: 'w', image: 'i', imageMajor: 16, serverMajor: 15 },
      'w runs i, which is PostgreSQL 16, and the data is of 15',
    ],
    [
      { kind: 'chart-value-ignored', value: 'v', chart: '2.8.0', since: '2.13.0' },
      'v is set, and chart 2.8.0 does not know it; charts from 2.13.0 on do',
    ],
    [
      { kind: 'licence-not-in-migrator', variable: 'V', migrator: 'Job j', serving: ['Deployment d'] },
      'Deployment d has V, and Job j, which migrates, does not',
    ],
    [
      { kind: 'job-has-other-secret', variable: 'V', job: 'a', pods: 'b' },
      'the migration job has V from a, and the pods from b',
    ],
  ])('%o', (evidence, sentence) => {
    const { description } = describeFinding({ check: 'any', status: 'stop', subject: null, evidence });
    expect(description).toBe(sentence);
  });
});
