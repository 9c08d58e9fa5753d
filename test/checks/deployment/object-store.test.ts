import { describe, expect, it } from 'vitest';
import { objectStore } from '../../../src/checks/deployment/object-store.js';
import { composeWorkloads } from '../../../src/gather/deployment/compose/compose.js';
import { conditionFacts } from '../../../src/instance/facts/known-facts.js';
import { backendOf, composedAt, deployedAt } from '../../support/deployment.js';
import { factsOf, foundBy } from '../../support/preflight.js';

/** Projects as docker compose prints them, before, in and after the move from MinIO to RustFS. */

type Project = Parameters<typeof composeWorkloads>[0];
type Service = Project['services'][string];

const volume = (source: string) => [{ type: 'volume', source, target: '/data' }];
const minio: Service = {
  image: 'minio/minio:RELEASE.2025-04-22T22-12-26Z',
  command: ['server', '/data', '--console-address', ':9001'],
  environment: { MINIO_ROOT_USER: 'minioadmin', MINIO_ROOT_PASSWORD: 'secret-of-minio' },
  volumes: volume('minio_data'),
};
const rustfs: Service = {
  image: 'rustfs/rustfs:1.0.0',
  environment: { RUSTFS_ACCESS_KEY: 'rustfsadmin', RUSTFS_SECRET_KEY: 'secret-of-rustfs' },
  volumes: volume('rustfs_data'),
};
const lightdash = (environment: Record<string, string>): Service => ({
  image: 'lightdash/lightdash:2.134.2',
  environment: { S3_BUCKET: 'default', S3_REGION: 'us-east-1', ...environment },
});
const byMinio = {
  S3_ENDPOINT: 'http://minio:9000',
  S3_ACCESS_KEY: 'minioadmin',
  S3_SECRET_KEY: 'secret-of-minio',
};
const byRustfs = {
  S3_ENDPOINT: 'http://rustfs:9000',
  S3_ACCESS_KEY: 'rustfsadmin',
  S3_SECRET_KEY: 'secret-of-rustfs',
};

const situationOf = (services: Project['services'], more: Partial<Project> = {}) => ({
  facts: { ...composedAt('2.134.2'), workloads: composeWorkloads({ services, ...more }) },
});
const found = (services: Project['services'], more?: Partial<Project>) =>
  foundBy(objectStore, situationOf(services, more)).filter((line) => !line.startsWith('ok'));

describe('a project in order', () => {
  it.each<[string, Project['services']]>([
    ['with MinIO', { lightdash: lightdash(byMinio), minio }],
    ['with RustFS beside it', { lightdash: lightdash(byMinio), minio, rustfs }],
    ['with RustFS in its place', { lightdash: lightdash(byRustfs), rustfs }],
    [
      'with neither, and a bucket elsewhere',
      { lightdash: lightdash({ S3_ENDPOINT: 'https://s3.example.com' }) },
    ],
    [
      'with a key that the store made',
      { lightdash: lightdash({ ...byMinio, S3_ACCESS_KEY: 'lightdash' }), minio },
    ],
    [
      'with another name for MinIO',
      { lightdash: lightdash(byMinio), s3: { ...minio, container_name: 'minio' } },
    ],
    [
      'with an alias in a network',
      { lightdash: lightdash(byMinio), s3: { ...minio, networks: { default: { aliases: ['minio'] } } } },
    ],
    ['with a host of its own', { lightdash: { ...lightdash(byMinio), extra_hosts: ['minio=10.0.0.7'] } }],
    [
      'with another port',
      {
        lightdash: lightdash({ ...byMinio, S3_ENDPOINT: 'http://minio:9100' }),
        minio: { ...minio, command: ['server', '/data', '--address', ':9100'] },
      },
    ],
    [
      'with the client of RustFS on no volume',
      { lightdash: lightdash(byRustfs), rustfs, init: { image: 'rustfs/rc:0.1.35' } },
    ],
  ])('%s', (_, services) => {
    expect(found(services)).toEqual([]);
  });

  it('with a network that others share, where minio may be another project', () => {
    expect(found({ lightdash: lightdash(byMinio) }, { networks: { shared: { external: true } } })).toEqual(
      [],
    );
  });
});

describe('a store whose data is in no volume', () => {
  const lost = { ...minio, volumes: [] };
  it.each<[string, Project['services'], string[]]>([
    ['stops', { lightdash: lightdash(byMinio), minio: lost }, ['stop store-not-kept']],
    [
      'stops with an anonymous volume',
      { lightdash: lightdash(byMinio), minio: { ...minio, volumes: [{ type: 'volume', target: '/data' }] } },
      ['stop store-not-kept'],
    ],
    [
      'stops if it is RustFS',
      { lightdash: lightdash(byRustfs), rustfs: { ...rustfs, volumes: [] } },
      ['stop store-not-kept'],
    ],
    ['does not if Lightdash names another one', { lightdash: lightdash(byRustfs), rustfs, minio: lost }, []],
    [
      'does not if Lightdash uses one elsewhere',
      { lightdash: lightdash({ S3_ENDPOINT: 'https://s3.eu-west-1.amazonaws.com' }), minio: lost },
      [],
    ],
    [
      'stops if the endpoint was not seen',
      { lightdash: lightdash({}), minio: lost },
      ['stop store-not-kept'],
    ],
  ])('%s', (_, services, expected) => {
    expect(found(services).map((line) => line.replace(/ \S+$/, ''))).toEqual(expected);
  });

  it('is not checked if nobody looked', () => {
    const store = { kind: 'minio' as const, volumes: ['data'] };
    const facts = deployedAt('2.134.2', backendOf('2.134.2', { name: 'minio', role: 'other', store }));
    expect(foundBy(objectStore, { facts })).toEqual(['not-checked facts-not-seen']);
  });
});

describe('a project that breaks on the way', () => {
  it.each<[string, string, Project['services']]>([
    [
      'RustFS on the volume of MinIO',
      'stop rustfs-on-volume-of-minio',
      { lightdash: lightdash(byRustfs), rustfs: { ...rustfs, volumes: volume('minio_data') } },
    ],
    [
      'both on one volume',
      'stop rustfs-on-volume-of-minio',
      {
        lightdash: lightdash(byMinio),
        minio: { ...minio, volumes: volume('objects') },
        rustfs: { ...rustfs, volumes: volume('objects') },
      },
    ],
    [
      'RustFS on a folder of MinIO',
      'stop rustfs-on-volume-of-minio',
      {
        lightdash: lightdash(byRustfs),
        rustfs: { ...rustfs, volumes: [{ type: 'bind', source: '/srv/minio', target: '/data' }] },
      },
    ],
    ['MinIO gone', 'warn store-gone', { lightdash: lightdash(byMinio), rustfs }],
    [
      'the port of the console',
      'warn store-on-other-port',
      { lightdash: lightdash({ ...byRustfs, S3_ENDPOINT: 'http://rustfs:9001' }), rustfs },
    ],
    [
      'the port that is published',
      'warn store-on-other-port',
      { lightdash: lightdash({ ...byRustfs, S3_ENDPOINT: 'http://rustfs:9010' }), rustfs },
    ],
    [
      'the credentials of MinIO',
      'warn store-credentials-swapped',
      { lightdash: lightdash({ ...byMinio, S3_ENDPOINT: 'http://rustfs:9000' }), rustfs },
    ],
    [
      'half of the credentials',
      'warn store-credentials-swapped',
      { lightdash: lightdash({ ...byRustfs, S3_SECRET_KEY: 'secret-of-minio' }), rustfs },
    ],
    [
      'the variables of MinIO',
      'warn store-has-variables-of-minio',
      {
        lightdash: lightdash({ S3_ENDPOINT: 'http://rustfs:9000' }),
        rustfs: { ...rustfs, environment: minio.environment },
      },
    ],
  ])('%s: %s', (_, finding, services) => {
    expect(found(services).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([finding]);
  });
});

it('keeps no value but the name inside the project', () => {
  const facts = composeWorkloads({ services: { lightdash: lightdash(byRustfs), minio, rustfs } });
  expect(JSON.stringify(facts)).not.toMatch(/secret-of|minioadmin|rustfsadmin|us-east-1/);
  const elsewhere = composeWorkloads({
    services: { lightdash: lightdash({ S3_ENDPOINT: 'https://s3.example.com' }) },
  });
  expect(JSON.stringify(elsewhere)).not.toContain('s3.example.com');
});

it('tells conditions which store there is', () => {
  const projects: readonly Project['services'][] = [{ minio, rustfs }, { rustfs }, {}];
  const stores = projects.map((services) =>
    conditionFacts(factsOf({ ...situationOf({ lightdash: lightdash({}), ...services }).facts })).get(
      'object-store',
    ),
  );
  expect(stores).toEqual(['minio', 'rustfs', 'other']);
});

it('a claim of MinIO in a cluster', () => {
  const store = { kind: 'rustfs' as const, volumes: ['data-minio'] };
  const data = { folder: '/data', keptIn: 'volume' as const };
  const facts = deployedAt('2.134.2', backendOf('2.134.2', { name: 'rustfs', role: 'other', store, data }));
  expect(foundBy(objectStore, { facts }).map((line) => line.split(' ')[0])).toEqual(['stop']);
});
