import { describe, expect, it } from 'vitest';
import { readObjects } from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { manifestFacts } from '../../../src/gather/deployment/manifest-facts.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import type { FactName, FactValue } from '../../../src/instance/facts/fact-names.js';
import type { ObservedFacts } from '../../../src/instance/facts/facts-schema.js';
import { conditionFacts } from '../../../src/instance/facts/known-facts.js';
import { migratorFact, serverFact, tableFact } from '../../support/facts.js';
import { asYaml, type ChartOf, chartObjects, inCluster, withoutHooks } from '../../support/manifests.js';

const seenAt = '2026-09-06T18:00:00Z';
const seen = <T>(value: T) => ({ status: 'seen' as const, value, seenAt, source: 'deployment' as const });

describe('of a database', () => {
  const row = (name: string) => ({ name, batch: 1, migratedAt: null });
  const tables = seen([
    tableFact({ name: 'users', estimatedRows: 12, heapBytes: 100, toastBytes: 20, indexBytes: 7 }),
    tableFact({ name: 'no_heap', estimatedRows: null, heapBytes: null, toastBytes: 1 }),
    tableFact({ name: 'no_toast', heapBytes: 100, toastBytes: null }),
    // It is locked, and statistics saw it once.
    tableFact({ name: 'locked', sizedBy: 'statistics' }),
    // The rows are in partitions, or in a table that inherits from it.
    tableFact({ name: 'parted', kind: 'partitioned' }),
    tableFact({ name: 'parent' }),
    tableFact({ name: 'child', partitionOf: 'parent' }),
  ]);
  const ledger = seen([row('20260101000000_a.js'), row('20260102000000_b.ts'), row('20260103000000_c')]);

  const shared = seen([row('20260903120000_one.js')]);
  const both = seen([row('20260903120000_one.js'), row('20260903120000_two.js')]);

  it.each<[facts: object, name: FactName, value: FactValue | undefined]>([
    [{}, 'postgres-major', undefined],
    [{ server: seen(serverFact) }, 'postgres-major', 15],
    [{ server: seen({ ...serverFact, versionNum: 90_624 }) }, 'postgres-major', 9],
    [{ tables }, 'table.users', 'present'],
    [{ tables }, 'table.ai_prompt', 'absent'],
    [{ tables }, 'migration.x', undefined],
    [{ tables }, 'edition', undefined],
    [{ tables: { status: 'not-permitted', source: 'database' } }, 'table.ai_prompt', undefined],
    [{ tables }, 'rows.users', 12],
    [{ tables }, 'bytes.users', 120],
    [{ tables }, 'rows.ai_prompt', undefined],
    [{ tables }, 'rows.no_heap', undefined],
    [{ tables }, 'bytes.no_heap', undefined],
    [{ tables }, 'bytes.no_toast', undefined],
    ...['locked', 'parted', 'parent'].flatMap((name): [object, FactName, FactValue | undefined][] => [
      [{ tables }, `table.${name}`, 'present'],
      [{ tables }, `rows.${name}`, undefined],
      [{ tables }, `bytes.${name}`, undefined],
    ]),
    ...(['20260101000000_a', '20260102000000_b', '20260103000000_c', '20260101000000'] as const).map(
      (name): [object, FactName, FactValue] => [{ ledger }, `migration.${name}`, 'applied'],
    ),
    [{ ledger }, 'migration.20260104000000_d', 'pending'],
    // Two files begin with that time: one of them is not the other.
    [{ ledger }, 'migration.20260903120000', 'pending'],
    [{ ledger: shared }, 'migration.20260903120000', undefined],
    [{ ledger: shared }, 'migration.20260903120000_one', 'applied'],
    [{ ledger: shared }, 'migration.20260903120000_two', 'pending'],
    [{ ledger: both }, 'migration.20260903120000', 'applied'],
    [{ ledger: both }, 'migration.20260903120000_two', 'applied'],
    [{ ledger }, 'table.users', undefined],
    [{ ledger: { status: 'timeout', source: 'database' } }, 'migration.x', undefined],
    // What a person states counts before what was seen, and a number is one however it is written.
    [{ server: seen(serverFact), stated: seen({ 'postgres-major': '14' }) }, 'postgres-major', 14],
    [{ tables, stated: seen({ 'rows.users': 7 }) }, 'rows.users', 7],
    [{ tables, stated: seen({ 'table.users': 'absent' }) }, 'table.users', 'absent'],
    [{ stated: seen({ edition: 'free' }) }, 'edition', undefined],
  ])('%.80j tell of %s: %s', (facts, name, value) => {
    expect(conditionFacts(facts).get(name)).toBe(value);
  });

  it.each([
    [0, 0, 'none'],
    [500, 0, 'set'],
    // Each statement that runs on its own is a transaction.
    [0, 500, 'set'],
    [500, null, 'set'],
    [null, 0, undefined],
    [0, null, undefined],
  ])('a statement_timeout of %s and a transaction_timeout of %s: %s', (...limits) => {
    const [statementTimeoutMs, transactionTimeoutMs, expected] = limits;
    const migrator = seen({ ...migratorFact, statementTimeoutMs, transactionTimeoutMs });
    expect(conditionFacts({ migrator }).get('statement-timeout')).toBe(expected);
    expect(conditionFacts({}).get('statement-timeout')).toBeUndefined();
  });
});

const chart: ChartOf = { chart: '2.16.101', app: '1.237.0' };
const chartValuesWith = (migrationJobEnabled: boolean | null) =>
  seen({ migrationJobEnabled }) as unknown as ObservedFacts['chartValues'];

function factsOf(objects: Parameters<typeof asYaml>[0]): ObservedFacts {
  const read = readObjects(asYaml(objects), 'x');
  return { ...manifestFacts({ objects: read, sources: ['x'], namespace: null, seenAt }) };
}

/** What a deployment tells; what it does not is left out. */
function told(facts: ObservedFacts): Readonly<Partial<Record<FactName, FactValue>>> {
  const names = ['deployed-by', 'chart-version', 'migration-job', 'edition', 'object-storage'] as const;
  const known = conditionFacts(facts);
  return Object.fromEntries(
    names.map((name) => [name, known.get(name)]).filter(([, value]) => value !== undefined),
  );
}

/** The facts of the chart whose workloads are changed. */
function changed(
  change: (workload: WorkloadFact) => Partial<WorkloadFact>,
  of: ChartOf = chart,
  unseenKinds: string[] = [],
): ObservedFacts {
  const facts = factsOf(chartObjects(of));
  if (facts.workloads?.status !== 'seen' || facts.deployment?.status !== 'seen') throw new Error('not seen');
  return {
    ...facts,
    deployment: seen({ ...facts.deployment.value, unseenKinds }),
    workloads: seen(facts.workloads.value.map((one) => ({ ...one, ...change(one) }))),
  };
}

describe('the chart', () => {
  it('tells itself, and its job where hooks were seen', () => {
    expect(told(factsOf(chartObjects({ ...chart, job: true })))).toMatchObject({
      'deployed-by': 'helm',
      'chart-version': '2.16.101',
      'migration-job': 'on',
    });
    expect(told(factsOf(chartObjects(chart)))['migration-job']).toBe('off');
    const hidden = told(factsOf(withoutHooks(chartObjects({ ...chart, job: true }))));
    expect([hidden['deployed-by'], hidden['migration-job']]).toEqual(['helm', undefined]);
    expect(told(factsOf(inCluster(chartObjects(chart))))).not.toHaveProperty('migration-job');
    expect(told(changed(() => ({}), chart, ['Job']))).not.toHaveProperty('migration-job');
  });

  it.each<[boolean | null, boolean, string | undefined]>([
    [true, true, 'on'],
    [false, false, 'off'],
    [true, false, undefined],
    [false, true, undefined],
    [null, true, 'on'],
  ])('with values that say %s, and a job that is seen %s: %s', (enabled, job, expected) => {
    const facts = { ...factsOf(chartObjects({ ...chart, job })), chartValues: chartValuesWith(enabled) };
    expect(told(facts)['migration-job']).toBe(expected);
  });

  it('goes with a job that is no hook of it, and is told by values where hooks are hidden', () => {
    const job = { ...chart, job: true };
    expect(told(changed(() => ({ hook: null }), job))['migration-job']).toBe('on');
    const nightly = ({ kind }: WorkloadFact) => ({
      hook: null,
      kind: kind === 'Job' ? ('CronJob' as const) : kind,
    });
    expect(told(changed(nightly, job))['migration-job']).toBe('off');
    const hidden = factsOf(withoutHooks(chartObjects(chart)));
    expect(told({ ...hidden, chartValues: chartValuesWith(false) })['migration-job']).toBe('off');
  });

  it('is no other chart, and none without workloads', () => {
    const facts = factsOf(chartObjects(chart));
    const helm = seen({ release: 'a', namespace: null, chart: 'other', chartVersion: '1.0.0' });
    const foreign = told({ ...facts, helm, chartValues: chartValuesWith(true) });
    expect(Object.keys(foreign)).toEqual(['edition', 'object-storage']);
    expect(told({ ...facts, workloads: { status: 'absent', source: 'deployment' } })).toEqual({});
    const odd = seen({ release: 'a', namespace: null, chart: 'lightdash', chartVersion: '1.0.0+build' });
    expect(told({ ...facts, helm: odd })).not.toHaveProperty('chart-version');
    const { helm: _, ...without } = facts;
    expect(told(without)).not.toHaveProperty('deployed-by');
  });

  it('stands behind what a person states, and is none in compose', () => {
    const facts = factsOf(chartObjects(chart));
    const stated = { ...seen({ 'deployed-by': 'compose' }), source: 'stated' as const };
    const known = { 'deployed-by': 'compose', 'chart-version': '2.16.101' };
    expect(told({ ...facts, stated })).toMatchObject(known);
    if (facts.deployment?.status !== 'seen') throw new Error('not seen');
    const deployment = seen({ ...facts.deployment.value, kind: 'compose' as const, hooksSeen: null });
    expect(told({ ...facts, deployment })).toMatchObject({ 'deployed-by': 'compose', edition: 'community' });
  });
});

const name = 'LIGHTDASH_LICENSE_KEY';
const literal = (value: string) => ({ name, value });
const fromSecret = { name, valueFrom: { secretKeyRef: { name: 'elsewhere', key: 'k' } } };

const storage = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: 'x' }));

function backendIn({ workloads }: ObservedFacts): WorkloadFact {
  if (workloads?.status !== 'seen' || workloads.value[0] === undefined) throw new Error('not seen');
  return workloads.value[0];
}

describe('the object storage', () => {
  const inSecret = storage.map(({ name }) => ({ ...fromSecret, name }));

  it.each<[string, Parameters<typeof chartObjects>[0], string | undefined]>([
    ['set', { ...chart, env: storage }, 'configured'],
    ['set by keys of a Secret that was not seen', { ...chart, env: inSecret }, 'configured'],
    ['not set', chart, 'missing'],
    ['set in part', { ...chart, env: storage.slice(1) }, 'missing'],
    ['empty', { ...chart, env: [...storage.slice(1), { name: 'S3_ENDPOINT', value: '' }] }, 'missing'],
    ['set in the pods, and not in the job', { ...chart, job: true, env: storage }, 'missing'],
  ])('%s', (_, of, expected) => {
    expect(told(factsOf(chartObjects(of)))['object-storage']).toBe(expected);
  });

  it('is not known to be there where a job may be hidden, or nothing runs Lightdash', () => {
    const hidden = withoutHooks(chartObjects({ ...chart, env: storage }));
    expect(told(factsOf(hidden))).not.toHaveProperty('object-storage');
    const facts = factsOf(chartObjects({ ...chart, env: storage }));
    expect(told({ ...facts, workloads: seen([]) })).not.toHaveProperty('object-storage');
  });

  it('is not known where an object was not seen', () => {
    const variablesFrom = [{ origin: 'secret' as const, object: 'o', prefix: '', keys: null }];
    const unseen = changed(({ containers }) => ({
      containers: containers.map((one) => ({ ...one, variablesFrom })),
    }));
    expect(told(unseen)).not.toHaveProperty('object-storage');
  });
});

describe('pre-aggregates', () => {
  const name = 'PRE_AGGREGATES_ENABLED';
  it.each<[string, ChartOf, FactValue | undefined]>([
    ['switched on', { ...chart, env: [{ name, value: 'true' }] }, 'on'],
    ['switched off', { ...chart, env: [{ name, value: 'false' }] }, 'off'],
    ['empty', { ...chart, env: [{ name, value: '' }] }, 'off'],
    ['not set', chart, 'off'],
    ['in a Secret that was not seen', { ...chart, env: [{ ...fromSecret, name }] }, undefined],
    ['with another value', { ...chart, env: [{ name, value: 'yes' }] }, undefined],
    ['on in the backend alone', { ...chart, worker: true, env: [{ name, value: 'true' }] }, 'on'],
  ])('%s', (_, of, expected) => {
    expect(conditionFacts(factsOf(chartObjects(of))).get('pre-aggregates')).toBe(expected);
  });

  it('are not known where objects were not seen, unless another workload has them on', () => {
    const variablesFrom = [{ origin: 'secret' as const, object: 'o', prefix: '', keys: null }];
    const hidden = changed(({ containers, role }) => ({
      containers: containers.map((one) => (role === 'backend' ? { ...one, variablesFrom } : one)),
    }));
    expect(conditionFacts(hidden).get('pre-aggregates')).toBeUndefined();
    expect(conditionFacts({ ...hidden, workloads: seen([]) }).get('pre-aggregates')).toBeUndefined();
  });
});

describe('a variable', () => {
  const name = 'HEADLESS_BROWSER_HOST';
  it.each<[string, ChartOf, FactValue | undefined]>([
    ['set', { ...chart, env: [{ name, value: 'browser' }] }, 'set'],
    ['empty', { ...chart, env: [{ name, value: '' }] }, 'empty'],
    ['not set', { ...chart, env: [{ name: 'OTHER', value: 'x' }] }, 'absent'],
    ['in a Secret that was not seen', { ...chart, env: [{ ...fromSecret, name }] }, undefined],
    ['set in the backend alone', { ...chart, worker: true, env: [{ name, value: 'browser' }] }, 'set'],
  ])('%s', (_, of, expected) => {
    const known = conditionFacts(factsOf(chartObjects(of)));
    expect(known.get(`variable.${name}`)).toBe(expected);
  });

  it('is not known where nothing of a deployment was seen, or an object may set it', () => {
    const variablesFrom = [{ origin: 'secret' as const, object: 'o', prefix: '', keys: null }];
    const hidden = changed(({ containers }) => ({
      containers: containers.map((one) => ({ ...one, variablesFrom })),
    }));
    expect(conditionFacts(hidden).get(`variable.${name}`)).toBeUndefined();
    expect(conditionFacts({ ...hidden, workloads: seen([]) }).get(`variable.${name}`)).toBeUndefined();
    expect(conditionFacts({}).get(`variable.${name}`)).toBeUndefined();
  });

  it('is stated by a person, who is believed', () => {
    const stated = { [`variable.${name}`]: 'set' };
    const facts = { ...factsOf(chartObjects(chart)), stated: seen(stated) };
    expect(conditionFacts(facts).get(`variable.${name}`)).toBe('set');
  });
});

describe('the edition', () => {
  it.each<[string, Parameters<typeof chartObjects>[0], string | undefined]>([
    ['none of the variables is a key', chart, 'community'],
    ['a key', { ...chart, env: [literal('x')] }, 'enterprise'],
    ['an empty key', { ...chart, env: [literal('')] }, 'community'],
    ['a key of a Secret that was not seen', { ...chart, env: [fromSecret] }, undefined],
    ['a key that the job is not given', { ...chart, job: true, env: [literal('x')] }, undefined],
  ])('%s', (_, of, expected) => {
    expect(told(factsOf(chartObjects(of))).edition).toBe(expected);
  });

  it('is not known where a command may read a key from a file', () => {
    const command = ['sh', '-c', '. /vault/secrets/config && exec /usr/bin/prod-entrypoint.sh node'];
    const reading = JSON.stringify(chartObjects(chart)).replace(
      '"name":"lightdash","image"',
      `"name":"lightdash","command":${JSON.stringify(command)},"image"`,
    );
    expect(told(factsOf(JSON.parse(reading))).edition).toBeUndefined();
  });

  it('is not known where hooks are hidden, unless it is enterprise, or values switch the job off', () => {
    const hidden = (of: Partial<ChartOf> = {}) => factsOf(withoutHooks(chartObjects({ ...chart, ...of })));
    expect(told(hidden()).edition).toBeUndefined();
    expect(told(hidden({ env: [literal('x')] })).edition).toBe('enterprise');
    expect(told(hidden({ job: true })).edition).toBeUndefined();
    const facts = { ...hidden(), chartValues: chartValuesWith(false) };
    expect(told(facts).edition).toBe('community');
    const helm = seen({ release: 'a', namespace: null, chart: 'other', chartVersion: '1.0.0' });
    expect(told({ ...facts, helm }).edition).toBeUndefined();
  });

  const withFrom = (variablesFrom: ContainerFact['variablesFrom'], unseenKinds: string[] = []) =>
    told(
      changed(
        ({ containers }) => ({ containers: containers.slice(1).map((one) => ({ ...one, variablesFrom })) }),
        chart,
        unseenKinds,
      ),
    ).edition;
  const object = { origin: 'secret' as const, object: 'o', prefix: '' };

  /** The facts of these workloads besides the backend of the chart, which has the key. */
  const besideKey = (...others: Partial<WorkloadFact>[]): ObservedFacts => {
    const facts = factsOf(chartObjects({ ...chart, env: [literal('x'), ...storage] }));
    const backend = backendIn(facts);
    return { ...facts, workloads: seen([backend, ...others.map((one) => ({ ...backend, ...one }))]) };
  };
  const withoutKey = (told: Partial<ContainerFact>, more: Partial<WorkloadFact> = {}) => {
    const own = backendIn(besideKey()).containers.filter(({ starts }) => starts === 'entrypoint');
    return { ...more, containers: own.map((one) => ({ ...one, variables: [], variablesFrom: [], ...told })) };
  };

  it.each<[string, string | undefined, string | undefined, Partial<WorkloadFact>]>([
    ['another with the key', 'enterprise', 'configured', {}],
    ['another that starts', undefined, 'missing', withoutKey({})],
    ['a job that migrates', undefined, 'missing', withoutKey({ starts: 'migration' })],
    ['a worker', 'enterprise', 'missing', withoutKey({ starts: 'worker' })],
    ['something else', 'enterprise', 'configured', withoutKey({}, { role: 'other' })],
    ['what else runs before', 'enterprise', 'configured', withoutKey({ init: true, starts: 'other' })],
    ['what migrates before', undefined, 'missing', withoutKey({ init: true, starts: 'migration' })],
  ])(
    'of a backend with the key, and beside it %s: %s, with an object storage %s',
    (_, edition, found, other) => {
      const known = told(besideKey(other));
      expect([known.edition, known['object-storage']]).toEqual([edition, found]);
    },
  );

  it('and whether there is a storage is not known where nothing says how it is deployed', () => {
    const { deployment, helm, ...others } = besideKey();
    const absent = { status: 'absent', source: 'deployment' } as const;
    const of = (facts: ObservedFacts) => told(facts)['object-storage'];
    expect(of({ ...others, helm })).toBeUndefined();
    if (deployment?.status !== 'seen') throw new Error('not seen');
    const hidden = { ...others, deployment: seen({ ...deployment.value, hooksSeen: null }) };
    expect([of({ ...hidden, helm }), of(hidden), of({ ...hidden, helm: absent })]).toEqual([
      undefined,
      undefined,
      'configured',
    ]);
  });

  it.each<[string, ContainerFact['variablesFrom'], string | undefined]>([
    ['none', [], 'community'],
    ['keys that were not seen', [{ ...object, keys: null }], undefined],
    ['a key', [{ ...object, keys: [name], emptyKeys: [] }], 'enterprise'],
    ['an empty one', [{ ...object, keys: [name], emptyKeys: [name] }], 'community'],
    ['one that may be empty', [{ ...object, keys: [name] }], undefined],
    ['a prefix', [{ ...object, prefix: 'LIGHTDASH_', keys: ['LICENSE_KEY'], emptyKeys: [] }], 'enterprise'],
    ['a prefix that leads elsewhere', [{ ...object, prefix: 'X_', keys: null }], 'community'],
    [
      'the last',
      [
        { ...object, keys: null },
        { ...object, keys: [name], emptyKeys: [] },
      ],
      'enterprise',
    ],
  ])('is told by all keys of an object: %s', (_, variablesFrom, expected) => {
    expect(withFrom(variablesFrom)).toBe(expected);
  });

  it('is not known where a kind was not given', () => {
    expect(withFrom([], ['Job'])).toBeUndefined();
  });
});
