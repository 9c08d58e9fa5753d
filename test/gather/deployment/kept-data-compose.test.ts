import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { DeploymentFacts } from '../../../src/gather/deployment/manifest-facts.js';
import { read, workloadsIn } from '../../support/compose-facts.js';

type Json = Record<string, unknown>;

const dataOf = (facts: DeploymentFacts, name: string) => {
  const found = workloadsIn(facts).find((workload) => workload.name === name);
  return found?.data && `${found.data.keptIn} ${found.data.folder}`;
};

/** Services beside Lightdash, by the docker compose of this machine. */
const compose = async (name: string, service: Json, more: Json = {}, env: Json = {}) => {
  const { services = {}, ...top } = more;
  const project = {
    services: {
      lightdash: {
        image: 'lightdash/lightdash:2.0.0',
        environment: { PGHOST: 'db', S3_ENDPOINT: 'http://minio:9000', ...env },
      },
      [name]: service,
      ...(services as Json),
    },
    volumes: { kept: {} },
    ...top,
  };
  const facts = await read({ files: { 'compose.yaml': stringify(project) }, compose: ['compose.yaml'] });
  return dataOf(facts, name);
};

const pg16 = 'pgvector/pgvector:pg16';
const below18 = '/var/lib/postgresql/data';

describe('what keeps the data of a database of compose', () => {
  it.each<[string, string, Json, Json?]>([
    ['a named volume', `volume ${below18}`, { image: pg16, volumes: [`kept:${below18}`] }],
    ['a volume with a slash at the end', `volume ${below18}`, { image: pg16, volumes: [`kept:${below18}/`] }],
    [
      'a volume in the long form',
      `volume ${below18}`,
      {
        image: pg16,
        volumes: [{ type: 'volume', source: 'kept', target: below18, volume: { nocopy: true } }],
      },
    ],
    // From the root: the files of a run, and what they name from there, may be in memory.
    [
      'a folder of the host',
      `volume ${below18}`,
      { image: 'postgres:15.4', volumes: [`/srv/pg:${below18}`] },
    ],
    [
      'an external volume',
      `volume ${below18}`,
      { image: pg16, volumes: [`other:${below18}`] },
      { volumes: { other: { external: true, name: 'prod_pg' } } },
    ],
    [
      'a volume of a driver',
      `volume ${below18}`,
      { image: pg16, volumes: [`nfs:${below18}`] },
      { volumes: { nfs: { driver_opts: { type: 'nfs', o: 'addr=10.0.0.1,rw', device: ':/pg' } } } },
    ],
    [
      'a volume in memory',
      `memory ${below18}`,
      { image: pg16, volumes: [`fast:${below18}`] },
      { volumes: { fast: { driver: 'local', driver_opts: { type: 'tmpfs', device: 'tmpfs' } } } },
    ],
    ['nothing', `container-volume ${below18}`, { image: pg16 }],
    ['an anonymous volume', `container-volume ${below18}`, { image: pg16, volumes: [below18] }],
    ['tmpfs', `memory ${below18}`, { image: pg16, tmpfs: [below18] }],
    ['tmpfs with options', `memory ${below18}`, { image: pg16, tmpfs: `${below18}:size=1g` }],
    [
      'tmpfs in the long form',
      `memory ${below18}`,
      { image: pg16, volumes: [{ type: 'tmpfs', target: below18 }] },
    ],
    ['memory of the host', `memory ${below18}`, { image: pg16, volumes: [`/dev/shm/pg:${below18}`] }],
    [
      'a volume above the one of the image',
      `container-volume ${below18}`,
      { image: pg16, volumes: ['kept:/var/lib/postgresql'] },
    ],
    [
      'a volume for 18',
      'volume /var/lib/postgresql/18/docker',
      { image: 'postgres:18', volumes: ['kept:/var/lib/postgresql'] },
    ],
    [
      'a volume for pgvector of 18',
      'volume /var/lib/postgresql/18/docker',
      { image: 'pgvector/pgvector:0.8.1-pg18', volumes: ['kept:/var/lib/postgresql'] },
    ],
    [
      'a volume below 18 with 18',
      'container-volume /var/lib/postgresql/18/docker',
      { image: 'postgres:18', volumes: [`kept:${below18}`] },
    ],
    [
      'a volume for a tag that floats',
      `volume ${below18}`,
      { image: 'postgres', volumes: [`kept:${below18}`] },
    ],
    [
      'PGDATA below the volume',
      `volume ${below18}/pgdata`,
      { image: pg16, environment: { PGDATA: `${below18}/pgdata` }, volumes: [`kept:${below18}`] },
    ],
    [
      'PGDATA beside the volume of the image',
      'volume /var/lib/postgresql/pgdata',
      {
        ...{ image: pg16, environment: { PGDATA: '/var/lib/postgresql/pgdata' } },
        volumes: ['kept:/var/lib/postgresql'],
      },
    ],
    [
      'PGDATA outside the volume',
      'container /pgdata',
      { image: pg16, environment: { PGDATA: '/pgdata' }, volumes: [`kept:${below18}`] },
    ],
    [
      'a folder that the command names',
      'volume /srv/pg',
      { image: pg16, command: ['postgres', '-D', '/srv/pg'], volumes: ['kept:/srv'] },
    ],
    [
      'a folder that a setting names',
      'container /srv/pg',
      { image: pg16, command: 'postgres -c data_directory=/srv/pg', volumes: [`kept:${below18}`] },
    ],
    [
      'the folder of Bitnami',
      'volume /bitnami/postgresql/data',
      {
        image: 'bitnami/postgresql:16',
        volumes: ['kept:/bitnami/postgresql'],
      },
    ],
    [
      'no folder of Bitnami',
      'container-volume /bitnami/postgresql/data',
      {
        image: 'bitnamilegacy/postgresql:16',
        volumes: [`kept:${below18}`],
      },
    ],
    [
      'a mount that is read only',
      `container-volume ${below18}`,
      { image: pg16, volumes: [`./dump:${below18}:ro`] },
    ],
    [
      'scripts that fill it, in an image of its own',
      `container ${below18}`,
      { image: 'corp/postgres-plus:16', volumes: ['./init.sql:/docker-entrypoint-initdb.d/init.sql'] },
    ],
    [
      'a volume for an image that is named as that of Bitnami',
      'not-told /bitnami/postgresql/data',
      { image: 'corp/postgresql:16', volumes: [`kept:${below18}`] },
    ],
    [
      'the folder of sclorg',
      'volume /var/lib/pgsql/data/userdata',
      { image: 'quay.io/sclorg/postgresql-16-c9s', volumes: ['kept:/var/lib/pgsql/data'] },
    ],
    [
      'no folder of sclorg',
      'container-volume /var/lib/pgsql/data/userdata',
      { image: 'registry.redhat.io/rhel9/postgresql-15:latest', volumes: [`kept:${below18}`] },
    ],
    [
      'a volume for a mirror of that of Bitnami',
      'volume /bitnami/postgresql/data',
      { image: 'corp/postgresql:16', volumes: ['kept:/bitnami/postgresql'] },
    ],
    [
      'a volume for an image with folders of its own',
      `volume ${below18}`,
      { image: 'kartoza/postgis:16-3.4', volumes: ['kept:/var/lib/postgresql'] },
    ],
    [
      'a volume in an image of its own',
      `volume ${below18}`,
      { image: 'corp/pg:16', volumes: [`kept:${below18}`] },
    ],
    [
      'a volume at a place that only the image knows',
      `not-told ${below18}`,
      { image: 'corp/pg:16', volumes: ['kept:/database'] },
    ],
    [
      'the volumes of another service',
      `volume ${below18}`,
      { image: pg16, volumes_from: ['data'] },
      { services: { data: { image: 'busybox', volumes: [`kept:${below18}`] } } },
    ],
    [
      'the volumes of a container',
      `not-told ${below18}`,
      { image: pg16, volumes_from: ['container:pg-data'] },
    ],
  ])('%s', async (_, expected, service, more = {}) => {
    expect(await compose('db', service, more)).toBe(expected);
  });
});

describe('what keeps the data of an object store of compose', () => {
  const sh = { entrypoint: 'sh', command: '-c "mkdir -p /data/default && minio server /data"' };
  const image = 'minio/minio:RELEASE.2025-04-22T22-12-26Z';
  it.each<[string, string, Json]>([
    ['a named volume', 'volume /data', { image, command: 'server /data', volumes: ['kept:/data'] }],
    ['a volume below a shell', 'volume /data', { image, ...sh, volumes: ['kept:/data'] }],
    ['nothing', 'container /data', { image, ...sh, volumes: [] }],
    [
      'a folder of certificates',
      'container /data',
      {
        image,
        command: 'server --certs-dir /certs /data',
        volumes: ['./certs:/certs'],
      },
    ],
    [
      'several folders',
      'volume /data{1...2}',
      {
        image,
        command: 'server /data{1...2}',
        volumes: ['kept:/data1', '/srv/two:/data2'],
      },
    ],
    ['memory', 'memory /data', { image, command: 'server /data', tmpfs: '/data' }],
    [
      'the folder of a variable',
      'volume /objects',
      {
        image,
        environment: { MINIO_VOLUMES: '/objects' },
        command: 'server',
        volumes: ['kept:/objects'],
      },
    ],
    [
      'the folder of Bitnami',
      'volume /bitnami/minio/data',
      {
        image: 'bitnami/minio:2025',
        volumes: ['kept:/bitnami/minio/data'],
      },
    ],
    ['a volume of RustFS', 'volume /data', { image: 'rustfs/rustfs:1.0.0', volumes: ['kept:/data'] }],
    [
      'a volume for the logs of RustFS alone',
      'container /data',
      {
        image: 'rustfs/rustfs:1.0.0',
        volumes: ['./logs:/logs'],
      },
    ],
    [
      'the folder of RustFS',
      'volume /srv/objects',
      {
        image: 'rustfs/rustfs:1.0.0',
        environment: { RUSTFS_VOLUMES: '/srv/objects' },
        volumes: ['kept:/srv/objects'],
      },
    ],
  ])('%s', async (_, expected, service) => {
    expect(await compose('minio', service)).toBe(expected);
  });
});
