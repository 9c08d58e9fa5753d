import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { chartValuesOf } from '../../../src/gather/deployment/chart-values.js';
import { deploymentFacts } from '../../../src/instance/facts/deployment-facts.js';
import { canary } from '../../support/manifests.js';

const read = (...texts: (object | string)[]) => {
  const files = texts.map((text, i) => ({
    name: `${i}.yaml`,
    text: typeof text === 'string' ? text : stringify(text),
  }));
  const values = chartValuesOf(files);
  const seen = { status: 'seen', value: values, seenAt: '2026-09-06T18:00:00Z', source: 'deployment' };
  if (values !== undefined) expect(deploymentFacts.chartValues.safeParse(seen).success).toBe(true);
  expect(JSON.stringify(values) ?? '').not.toContain(canary);
  return values;
};

const full = {
  image: { repository: 'acme/lightdash', tag: '2.100.0', command: ['node', canary] },
  upgrade: { mode: 'Recreate' },
  lightdashBackend: {
    strategy: { type: 'Recreate' },
    readinessProbe: { path: '/api/v1/readyz' },
    startupProbe: { failureThreshold: 200 },
  },
  migrationJob: {
    enabled: true,
    inheritGlobalEnv: false,
    existingSecret: 'job-secret',
    extraEnv: [{ name: 'LIGHTDASH_LICENSE_KEY', value: canary }],
  },
  existingSecret: 'all-secret',
  extraEnv: [{ name: 'SITE_URL', value: canary }, { name: 'TWICE' }],
  configMap: { PGHOST: canary, TWICE: '' },
  secrets: { LIGHTDASH_SECRET: canary },
  postgresql: { enabled: true },
};

const told = {
  imageTag: '2.100.0',
  upgradeMode: 'Recreate',
  backendStrategy: 'Recreate',
  migrationJobEnabled: true,
  migrationJobInheritsGlobalEnv: false,
  migrationJobExistingSecret: 'job-secret',
  migrationJobVariables: ['LIGHTDASH_LICENSE_KEY'],
  existingSecret: 'all-secret',
  variables: ['SITE_URL', 'TWICE', 'PGHOST', 'LIGHTDASH_SECRET'],
  postgresqlEnabled: true,
  readinessPath: '/api/v1/readyz',
  startupProbe: { initialDelaySeconds: null, periodSeconds: null, failureThreshold: 200 },
};

describe('chartValuesOf', () => {
  it.each([
    [{ enabled: true }, false],
    [{ enabled: true, migration: { name: '' } }, false],
    [{ enabled: true, migration: { name: 'migration-env' } }, true],
    [{ enabled: false, migration: { name: '' } }, undefined],
    [{}, undefined],
  ])('of secretRefs %j, tells whether the job has one: %s', (secretRefs, isNamed) => {
    expect(read({ ...full, secretRefs })?.migrationJobSecretNamed).toBe(isNamed);
  });

  it.each([
    [{ primary: { persistence: { enabled: false } } }, false],
    [{ primary: { persistence: { enabled: null } } }, false],
    [{ primary: { persistence: { enabled: true } } }, true],
    [{ primary: { persistence: { size: '8Gi' } } }, undefined],
    [{}, undefined],
  ])('of postgresql %j, tells whether it has a claim: %s', (postgresql, isPersistent) => {
    expect(read({ ...full, postgresql })?.postgresqlPersistent).toBe(isPersistent);
  });

  it('tells what matters, and of variables the names', () => {
    expect(read(full)).toEqual({ files: ['0.yaml'], path: [], ...told });
  });

  it.each([
    ['its name', { lightdash: full, postgresql: { enabled: false } }, ['lightdash']],
    ['another name', { bi: full, global: { a: 1 } }, ['bi']],
  ])('finds them under %s where Lightdash is a dependency', (_, values, path) => {
    expect(read(values)).toEqual({ files: ['0.yaml'], path, ...told });
  });

  it.each(['', '# nothing\n', '{}', 'null', '---\n'])('takes %j for no value at all', (text) => {
    expect(read(text)).toMatchObject({ path: [], imageTag: null, migrationJobEnabled: null, variables: [] });
  });

  it.each([
    ...['image', 'autoscaling', 'upgrade', 'lightdashBackend', 'migrationJob', 'existingSecret'],
    ...['extraEnv', 'configMap', 'secrets', 'secretRefs', 'postgresql', 'podDisruptionBudget'],
    ...['scheduler', 'appBuildWorker', 'warehouseNatsWorker', 'preAggregateNatsWorker'],
  ])('knows the values of the chart by %s alone', (key) => {
    expect(read({ [key]: null })).toMatchObject({ path: [] });
  });

  it.each(['lightdashBackend', 'migrationJob', 'appBuildWorker', 'preAggregateNatsWorker'])(
    'finds them under another name by %s, which no other chart has',
    (key) => expect(read({ bi: { [key]: {} } })).toMatchObject({ path: ['bi'] }),
  );

  it.each(
    Object.entries({
      'text, in quotes if it is a number':
        'image.tag upgrade.mode lightdashBackend.strategy.type migrationJob.existingSecret existingSecret lightdashBackend.readinessProbe.path',
      'true or false': 'migrationJob.enabled migrationJob.inheritGlobalEnv postgresql.enabled',
      'a whole number':
        'lightdashBackend.startupProbe.initialDelaySeconds lightdashBackend.startupProbe.periodSeconds lightdashBackend.startupProbe.failureThreshold',
      'variables with their names: a list, or a map': 'migrationJob.extraEnv extraEnv configMap secrets',
    }).flatMap(([expected, paths]) => paths.split(' ').map((path) => [path, expected] as const)),
  )('refuses %s that is not %s', (path, expected) => {
    const values = path.split('.').reduceRight<object>((value, key) => ({ [key]: value }), [canary]);
    expect(() => read(values)).toThrow(new RegExp(`^0.yaml: ${path}(\\[0])?: expected ${expected}`));
  });

  const nats = 'NATS_ENABLED';
  it.each<[object, boolean | undefined]>([
    [{ configMap: { [nats]: 'false' } }, false],
    [{ configMap: { [nats]: true } }, true],
    [{ extraEnv: [{ name: nats, value: 'true' }] }, true],
    [{ migrationJob: { extraEnv: [{ name: nats, value: 'true' }] } }, true],
    [{ extraEnv: [{ name: nats, value: 'true' }], configMap: { [nats]: 'true' } }, true],
    [{ extraEnv: [{ name: nats, value: 'true' }], configMap: { [nats]: 'false' } }, undefined],
    [{ extraEnv: [{ name: nats, valueFrom: { secretKeyRef: { name: canary } } }] }, undefined],
    [{ extraEnv: [{ name: nats, value: canary }] }, undefined],
    [{ secrets: { [nats]: 'true' } }, undefined],
    [{ secrets: { [nats]: 'true' }, configMap: { [nats]: 'true' } }, undefined],
    [{ configMap: { OTHER: 'true' } }, undefined],
  ])('reads a switch as on or off where all that sets it agrees: %j', (values, on) => {
    const found = read(values);
    expect(found?.switches).toEqual(on === undefined ? undefined : { [nats]: on });
    expect('switches' in (found ?? {})).toBe(on !== undefined);
  });

  it('finds none where none is', () => {
    expect(read({ other: { image: { tag: '1' } } })).toBeUndefined();
    expect(read({ a: { migrationJob: {} }, b: { migrationJob: {} } })).toBeUndefined();
  });

  it('joins files as Helm does: maps in maps, and else the later one', () => {
    const strategy = { type: 'Recreate' };
    const values = read(
      {
        ...{ image: { tag: '1.0.0' }, extraEnv: [{ name: 'A' }], postgresql: { enabled: true } },
        lightdashBackend: { strategy, startupProbe: { failureThreshold: 18 } },
      },
      {
        ...{ image: { tag: '2.0.0' }, extraEnv: [{ name: 'B' }], postgresql: { enabled: null } },
        lightdashBackend: { startupProbe: { periodSeconds: 5 } },
      },
    );
    expect(values).toMatchObject({
      ...{ files: ['0.yaml', '1.yaml'], imageTag: '2.0.0', variables: ['B'], postgresqlEnabled: true },
      ...{ backendStrategy: 'Recreate', startupProbe: { failureThreshold: 18, periodSeconds: 5 } },
    });
  });

  it('reads the values of Lightdash as a dependency, and not those of the chart around it', () => {
    const around = { postgresql: { enabled: true }, autoscaling: { enabled: false } };
    expect(read({ ...around, bi: { migrationJob: { enabled: true } } })).toMatchObject({
      path: ['bi'],
      migrationJobEnabled: true,
      postgresqlEnabled: null,
    });
    const two = { a: { lightdashBackend: {} }, b: { lightdashBackend: {} } };
    expect(read({ ...around, ...two })).toBeUndefined();
    expect(read({ ...around, ...two, migrationJob: {} })).toMatchObject({ path: [] });
  });

  it.each<[object, boolean | null, boolean | null]>([
    [{}, null, null],
    [{ postgresql: {}, migrationJob: {} }, null, null],
    [{ postgresql: { enabled: false }, migrationJob: { enabled: false } }, false, false],
    [{ postgresql: { enabled: null }, migrationJob: { enabled: null } }, true, false],
    [{ postgresql: null, migrationJob: null }, true, false],
  ])('takes what %j removes as Helm does: a template is off, a dependency is deployed', (values, ...on) => {
    const { postgresqlEnabled, migrationJobEnabled } = read({ extraEnv: [], ...values }) ?? {};
    expect([postgresqlEnabled, migrationJobEnabled]).toEqual(on);
  });

  const noProbe = { initialDelaySeconds: null, periodSeconds: null, failureThreshold: null };
  it.each<[object, object]>([
    [{ lightdashBackend: {}, readinessProbe: { path: '/a' } }, { readinessPath: '/a' }],
    [
      { lightdashBackend: { readinessProbe: { path: '/b' } }, readinessProbe: { path: '/a' } },
      { readinessPath: '/b' },
    ],
    [
      { lightdashBackend: { startupProbe: { initialDelaySeconds: 7 } } },
      { startupProbe: { ...noProbe, initialDelaySeconds: 7 } },
    ],
    [{ lightdashBackend: { startupProbe: {} } }, { startupProbe: noProbe }],
    [{ lightdashBackend: { startupProbe: null } }, { startupProbe: null }],
    [
      { image: { tag: '' }, existingSecret: '' },
      { imageTag: null, existingSecret: null },
    ],
    [
      { image: null, extraEnv: null },
      { imageTag: null, variables: [] },
    ],
    [{ migrationJob: null }, { migrationJobEnabled: false, migrationJobInheritsGlobalEnv: false }],
    [
      { migrationJob: { enabled: null } },
      { migrationJobEnabled: false, migrationJobInheritsGlobalEnv: null },
    ],
  ])('reads %j', (values, expected) => {
    expect(read(values)).toMatchObject(expected);
  });

  it.each<[string, object | string, string]>([
    ['a number for a tag', { image: { tag: 1.2 } }, '0.yaml: image.tag: expected text'],
    ['a word for a switch', 'migrationJob: {enabled: yes}', 'migrationJob.enabled: expected true or false'],
    ['a word for a map', { lightdash: { image: canary } }, '0.yaml: lightdash: image: expected a map'],
    ['below 0', { lightdashBackend: { startupProbe: { failureThreshold: -1 } } }, 'a whole number from 0'],
    ['0.5 s', { lightdashBackend: { startupProbe: { periodSeconds: 0.5 } } }, 'expected a whole number'],
    ['variables without a name', { extraEnv: [{ name: 'A' }, canary] }, 'extraEnv[1]: expected variables'],
    ['a list', '- a', '0.yaml is not a map of values'],
    ['a manifest', 'kind: Secret\napiVersion: v1\n', '0.yaml is a Kubernetes object'],
    [
      'a key twice',
      'image: {}\nimage: {}\n',
      'in line 2: the key image appears twice: some programs take the last',
    ],
    ['broken', `a: "${canary}`, 'is not valid YAML or JSON in line 1'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'in line 2: a second document begins here, and Helm 4 merges all'],
    ['an empty document before another', '---\n---\na: 1\n', 'Helm 3 takes the first'],
  ])('refuses %s', (_, values, message) => {
    expect(() => read(values)).toThrow(message);
    expect(() => read(values)).not.toThrow(canary);
  });

  it('names all files where what they make together is at fault', () => {
    expect(() => read({ lightdash: { image: { tag: 'a' } } }, { lightdash: { image: { tag: 1 } } })).toThrow(
      '0.yaml, 1.yaml: lightdash: image.tag: expected text',
    );
  });
});

const tag = 'x: &x {tag: 2.134.2}\n';
it.each([
  ['before it', `${tag}image: {<<: *x, tag: 1.121.0}`, 2],
  ['behind it', `${tag}image: {tag: 1.121.0, <<: *x}`, 2],
  ['in a list', `${tag}image:\n  tag: 1.121.0\n  <<: [{a: 1}, *x]`, 3],
  ['in what it merges', `${tag}y: &y {tag: 1.121.0, <<: *x}\nimage: {<<: *y}`, 2],
  ['above it', 'x: &x {image: {}}\n<<: *x\nimage: {tag: 1.121.0}', 3],
])('refuses a merge key beside a key that it brings too, %s', (_, text, line) => {
  expect(() => read(text)).toThrow(`in line ${line}: a merge key (<<) brings this key too`);
});

it('reads what only a merge key brings', () => {
  expect(read(`${tag}image: {<<: *x, repository: a/b}`)).toMatchObject({ imageTag: '2.134.2' });
});

it.each([
  ['a comment', 'image: # a\u2028  tag: 2.134.2\n', 'in line 1: the character U+2028'],
  ['nothing but comments', '# a\n# b\u0085image: {tag: 2.134.2}\n', 'in line 2: the character U+0085'],
  ['a block', 'a: |\n  b\rimage: {tag: 2.134.2}\n', 'in line 2: the character U+000D'],
])('refuses a line break of YAML 1.1 in %s', (_, text, fault) => {
  expect(() => read(text)).toThrow(`0.yaml is not valid YAML or JSON ${fault}`);
});

it('reads lines that end as on Windows', () => {
  expect(read('image: {tag: "2.134.2"}\r\n')).toMatchObject({ imageTag: '2.134.2' });
});
