import { describe, expect, it } from 'vitest';
import type { ContainerFact, WorkloadFact } from '../../src/facts/deployment-facts.js';
import { factsFileSchema, type ObservedFacts } from '../../src/facts/facts-schema.js';
import { factsOfDeployment, factsOfFile } from '../../src/facts/known-facts.js';
import { readObjects } from '../../src/sources/deployment/kubernetes-object.js';
import { manifestFacts } from '../../src/sources/deployment/manifest-facts.js';
import { asYaml, type ChartOf, chartObjects, inCluster, withoutHooks } from '../support/manifests.js';

const seenAt = '2026-09-06T18:00:00Z';
const chart: ChartOf = { chart: '2.16.101', app: '1.237.0' };

function factsOf(objects: Parameters<typeof asYaml>[0]): ObservedFacts {
  const read = readObjects(asYaml(objects), 'x');
  return { ...manifestFacts({ objects: read, sources: ['x'], lookedAt: null, seenAt }) };
}

const seen = <T>(value: T) => ({ status: 'seen' as const, value, seenAt, source: 'deployment' as const });
const told = (facts: ObservedFacts) => Object.fromEntries(factsOfDeployment(facts));

describe('the chart', () => {
  it('tells itself, and its job where hooks were seen', () => {
    expect(told(factsOf(chartObjects({ ...chart, job: true })))).toMatchObject({
      'deployed-by': 'helm',
      'chart-version': '2.16.101',
      'migration-job': 'on',
    });
    expect(told(factsOf(chartObjects(chart)))).toMatchObject({ 'migration-job': 'off' });
    const hidden = told(factsOf(withoutHooks(chartObjects({ ...chart, job: true }))));
    expect(hidden).toMatchObject({ 'deployed-by': 'helm' });
    expect(hidden).not.toHaveProperty('migration-job');
    expect(told(factsOf(inCluster(chartObjects(chart))))).not.toHaveProperty('migration-job');
  });

  it.each<[boolean | null, boolean, string | undefined]>([
    [true, true, 'on'],
    [false, false, 'off'],
    [true, false, undefined],
    [false, true, undefined],
    [null, true, 'on'],
  ])('with values that say %s, and a job that is seen %s: %s', (enabled, job, expected) => {
    const chartValues = seen({ migrationJobEnabled: enabled }) as unknown as ObservedFacts['chartValues'];
    const facts = { ...factsOf(chartObjects({ ...chart, job })), chartValues };
    expect(told(facts)['migration-job']).toBe(expected);
  });

  it('does not tell of its job where jobs may not be read', () => {
    const facts = factsOf(chartObjects(chart));
    if (facts.deployment?.status !== 'seen') throw new Error('not seen');
    const deployment = seen({ ...facts.deployment.value, unseenKinds: ['Job'] });
    expect(told({ ...facts, deployment })).not.toHaveProperty('migration-job');
  });

  it('goes with a job that is no hook of it', () => {
    const facts = factsOf(chartObjects({ ...chart, job: true }));
    if (facts.workloads?.status !== 'seen') throw new Error('not seen');
    const own = facts.workloads.value.map((one) => ({ ...one, hook: null }));
    expect(told({ ...facts, workloads: seen(own) })['migration-job']).toBe('on');
    const nightly = own.map((one) => (one.kind === 'Job' ? { ...one, kind: 'CronJob' as const } : one));
    expect(told({ ...facts, workloads: seen(nightly) })['migration-job']).toBe('off');
  });

  it('is told by values where hooks are hidden', () => {
    const chartValues = seen({ migrationJobEnabled: false }) as unknown as ObservedFacts['chartValues'];
    expect(told({ ...factsOf(withoutHooks(chartObjects(chart))), chartValues })['migration-job']).toBe('off');
  });

  it('is no other chart, and none without workloads', () => {
    const facts = factsOf(chartObjects(chart));
    const helm = seen({ release: 'a', namespace: null, chart: 'other', chartVersion: '1.0.0' });
    expect(told({ ...facts, helm })).not.toHaveProperty('deployed-by');
    expect(told({ ...facts, helm })).not.toHaveProperty('chart-version');
    expect(told({ ...facts, workloads: { status: 'absent', source: 'deployment' } })).toEqual({});
    const odd = seen({ release: 'a', namespace: null, chart: 'lightdash', chartVersion: '1.0.0+build' });
    expect(told({ ...facts, helm: odd })).not.toHaveProperty('chart-version');
  });

  it('stands behind what a person states', () => {
    const facts = {
      ...factsOf(chartObjects(chart)),
      stated: { ...seen({ 'deployed-by': 'compose' }), source: 'stated' as const },
    };
    const file = { schemaVersion: '1' as const, collectedAt: seenAt, facts };
    expect(factsFileSchema.safeParse(file).success).toBe(true);
    expect(factsOfFile(file).valueOf('deployed-by')).toBe('compose');
    expect(factsOfFile(file).valueOf('chart-version')).toBe('2.16.101');
  });
});

const name = 'LIGHTDASH_LICENSE_KEY';
const literal = (value: string) => ({ name, value });
const fromSecret = { name, valueFrom: { secretKeyRef: { name: 'elsewhere', key: 'k' } } };

describe('the object storage', () => {
  const storage = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'].map((name) => ({ name, value: 'x' }));
  const inSecret = storage.map(({ name }) => ({
    name,
    valueFrom: { secretKeyRef: { name: 'elsewhere', key: 'k' } },
  }));

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
    const facts = factsOf(chartObjects(chart));
    if (facts.workloads?.status !== 'seen') throw new Error('not seen');
    const variablesFrom = [{ origin: 'secret' as const, object: 'o', prefix: '', keys: null }];
    const own = facts.workloads.value.map((one) => ({
      ...one,
      containers: one.containers.map((container) => ({ ...container, variablesFrom })),
    }));
    expect(told({ ...facts, workloads: seen(own) })).not.toHaveProperty('object-storage');
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

  it('is not known where hooks are hidden, unless it is enterprise', () => {
    expect(told(factsOf(withoutHooks(chartObjects(chart)))).edition).toBeUndefined();
    const withKey = chartObjects({ ...chart, env: [literal('x')] });
    expect(told(factsOf(withoutHooks(withKey))).edition).toBe('enterprise');
    const server = withoutHooks(chartObjects({ ...chart, job: true }));
    expect(told(factsOf(server)).edition).toBeUndefined();
  });

  it('is told by values that switch the job off', () => {
    const chartValues = seen({ migrationJobEnabled: false }) as unknown as ObservedFacts['chartValues'];
    const facts = { ...factsOf(withoutHooks(chartObjects(chart))), chartValues };
    expect(told(facts).edition).toBe('community');
    const helm = seen({ release: 'a', namespace: null, chart: 'other', chartVersion: '1.0.0' });
    expect(told({ ...facts, helm }).edition).toBeUndefined();
  });

  const withFrom = (variablesFrom: ContainerFact['variablesFrom'], unseenKinds: string[] = []) => {
    const facts = factsOf(chartObjects(chart));
    if (facts.workloads?.status !== 'seen' || facts.deployment?.status !== 'seen')
      throw new Error('not seen');
    const [backend] = facts.workloads.value as [WorkloadFact];
    const containers = backend.containers.slice(1).map((one) => ({ ...one, variablesFrom }));
    const deployment = seen({ ...facts.deployment.value, unseenKinds });
    return told({ ...facts, deployment, workloads: seen([{ ...backend, containers }]) }).edition;
  };
  const object = { origin: 'secret' as const, object: 'o', prefix: '' };

  it('is not enterprise where one of two that migrate has the key', () => {
    const facts = factsOf(chartObjects(chart));
    if (facts.workloads?.status !== 'seen') throw new Error('not seen');
    const [backend] = facts.workloads.value as [WorkloadFact];
    const containers = backend.containers.map((one) => ({
      ...one,
      variablesFrom: [{ ...object, keys: [name], emptyKeys: [] }],
    }));
    const editionOf = (other: WorkloadFact) =>
      told({ ...facts, workloads: seen([{ ...backend, containers }, other]) }).edition;
    expect(editionOf({ ...backend, name: 'other', containers })).toBe('enterprise');
    expect(editionOf({ ...backend, name: 'other' })).toBeUndefined();
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
