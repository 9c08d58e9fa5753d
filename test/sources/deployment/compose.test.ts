import { describe, expect, it } from 'vitest';
import { type ComposeService, composeWorkloads } from '../../../src/sources/deployment/compose.js';

const image = 'lightdash/lightdash:1.0.0';
const factOf = (told: ComposeService, name = 'bi') => composeWorkloads({ services: { [name]: told } })[0];
const container = (told: object) => ({ containers: [told] });
const imageOf = (told: object) => container({ image: told });

describe('a service of compose', () => {
  it.each<[string, ComposeService, object]>([
    ['its image', { image }, imageOf({ reference: image, tag: '1.0.0', pullPolicy: null })],
    ['when it is pulled', { image, pull_policy: 'always' }, imageOf({ pullPolicy: 'always' })],
    ['no image that it builds', { image: null }, imageOf({ reference: '', tag: null })],
    ['a tag of nothing', { image: 'lightdash/lightdash:' }, imageOf({ tag: null })],
    [
      'the entrypoint of its image',
      { image, entrypoint: null },
      container({ starts: 'entrypoint', entrypointReplaced: false }),
    ],
    [
      'an entrypoint of its own',
      { image, entrypoint: ['node', 'dist/index.js'] },
      container({ starts: 'server', entrypointReplaced: true }),
    ],
    [
      'an entrypoint of nothing',
      { image, entrypoint: [] },
      container({ starts: 'other', entrypointReplaced: true }),
    ],
    ['how much memory', { image, mem_limit: '512' }, container({ memoryLimitBytes: 512 })],
    [
      'how much memory, deployed',
      { image, mem_limit: '512', deploy: { resources: { limits: { memory: '1024' } } } },
      container({ memoryLimitBytes: 1024 }),
    ],
    ['how many', { image, scale: 0 }, { replicas: 0 }],
    ['how many, deployed', { image, scale: 2, deploy: { replicas: 0 } }, { replicas: 0 }],
    [
      'that Swarm would start it first',
      { image, deploy: { update_config: { order: 'start-first' } } },
      { strategy: 'start-first' },
    ],
    ['that Swarm would stop it first', { image, deploy: { update_config: {} } }, { strategy: 'stop-first' }],
    ['that Swarm would go back', { image, deploy: { rollback_config: {} } }, { strategy: 'stop-first' }],
    ['that Swarm runs it everywhere', { image, deploy: { mode: 'global' } }, { strategy: 'global' }],
    ['nothing more', { image, deploy: {} }, { replicas: null, strategy: null, suspended: null }],
    [
      'its variables, without values',
      { image, environment: { A: '1', EMPTY: '', UNSET: null } },
      container({
        variables: [
          { name: 'A', origin: 'literal', object: null, empty: false },
          { name: 'EMPTY', origin: 'literal', object: null, empty: true },
        ],
      }),
    ],
    ['another program', { image: 'nginx' }, { role: 'other' }],
    ['a worker', { image, command: ['node', 'dist/scheduler.js'] }, { role: 'worker' }],
    [
      'a worker behind an entrypoint',
      { image, entrypoint: ['dumb-init', '--'], command: ['node', 'dist/scheduler.js'] },
      { role: 'worker', containers: [{ starts: 'worker' }] },
    ],
    ['a migration', { image, entrypoint: ['npx', 'knex', 'migrate:latest'] }, { role: 'migration' }],
    [
      'a server that migrates first',
      { image, command: ['sh', '-c', 'pnpm migrate-production && node dist/index.js'] },
      { role: 'backend' },
    ],
    [
      'that it is started by yarn',
      { image, command: ['yarn', 'workspace', 'backend', 'start'] },
      container({ byYarn: true }),
    ],
    [
      'that a shell starts it by yarn',
      { image, entrypoint: ['sh', '-c', 'sleep 1; yarn workspace backend start'] },
      container({ byYarn: true }),
    ],
  ])('tells %s', (_, told, fact) => {
    expect(factOf(told)).toMatchObject(fact);
  });

  it.each<[string, ComposeService]>([
    ['pnpm', { image, command: ['pnpm', '-F', 'backend', 'start'] }],
    ['nothing', { image }],
    ['another program', { image: 'acme/web', command: ['yarn', 'workspace', 'web', 'start'] }],
  ])('is not started by yarn: %s', (_, told) => {
    expect(factOf(told)?.containers[0]).not.toHaveProperty('byYarn');
  });

  it('does not tell which variables a command of Lightdash reads', () => {
    const entrypoint = ['sh', '-c', '. /run/secrets/env && node dist/index.js'];
    expect(factOf({ image: 'postgres:16', entrypoint })?.containers[0]?.variablesFrom).toEqual([]);
    expect(factOf({ image, entrypoint })?.containers[0]?.variablesFrom).toEqual([
      { origin: 'env-file', object: 'that the command of service bi may read', prefix: '', keys: null },
    ]);
  });

  it.each<[string, string | undefined, string]>([
    ['lightdash', undefined, 'backend'],
    ['lightdash', 'our/own', 'backend'],
    ['db', undefined, 'other'],
    ['app', 'registry:5000/mirror/lightdash:1.0.0', 'backend'],
    ['app', 'ours/our-lightdash:1.0.0', 'backend'],
    ['our-lightdash', undefined, 'backend'],
    ['lightdash-db', undefined, 'other'],
    ['lightdash-db', 'postgres:15.4', 'database'],
    ['db', 'bitnami/postgresql:15', 'database'],
    ['db', 'example.com/pg:16', 'database'],
    ['lightdash-browser', 'browserless/chrome', 'other'],
    ['x', 'ours/lightdash-headless-browser:2', 'other'],
  ])('of the name %s and the image %s has the role %s', (name, reference, role) => {
    expect(factOf({ image: reference }, name)?.role).toBe(role);
  });
});

describe('the database of a project', () => {
  const bi = (environment?: Record<string, string>): ComposeService => ({ image, environment });
  const pg: ComposeService = { image: 'postgres:15' };

  it.each<[string, Record<string, ComposeService>, string[]]>([
    ['the one that PGHOST names', { bi: bi({ PGHOST: 'own' }), own: pg, theirs: pg }, ['own']],
    [
      'the one that PGHOST of a worker names',
      {
        bi: bi(),
        jobs: { ...bi({ PGHOST: 'own' }), command: ['node', 'dist/scheduler.js'] },
        own: pg,
        theirs: pg,
      },
      ['own'],
    ],
    [
      'by the name of its container',
      { bi: bi({ PGHOST: 'pg1' }), own: { ...pg, container_name: 'pg1' }, theirs: pg },
      ['own'],
    ],
    [
      'by another name in a network',
      {
        bi: bi({ PGHOST: 'pg1' }),
        own: { ...pg, networks: { default: { aliases: ['pg1'] }, x: null } },
        theirs: pg,
      },
      ['own'],
    ],
    [
      'the one of PGCONNECTIONURI',
      { bi: bi({ PGHOST: 'theirs', PGCONNECTIONURI: 'postgresql://u:p@own:5432/d' }), own: pg, theirs: pg },
      ['own'],
    ],
    [
      'any image that PGHOST names',
      { bi: bi({ PGHOST: 'own' }), own: { image: 'acme/pg15:1' }, theirs: pg },
      ['own'],
    ],
    ['one that is built', { bi: bi({ PGHOST: 'own' }), own: {}, theirs: pg }, ['own']],
    [
      'PGHOST of another program says nothing',
      { bi: bi(), etl: { image: 'etl', environment: { PGHOST: 'own' } }, own: pg, more: pg },
      ['own', 'more'],
    ],
    [
      'PGHOST names a pool',
      { bi: bi({ PGHOST: 'pool' }), pool: { image: 'edoburu/pgbouncer' }, own: pg },
      ['own'],
    ],
    [
      'PGHOST names a proxy',
      { bi: bi({ PGHOST: 'db-proxy' }), 'db-proxy': { image: 'haproxy' }, own: pg },
      ['own'],
    ],
    [
      'PGHOST names nothing here',
      { bi: bi({ PGHOST: 'example.com' }), one: pg, other: pg },
      ['one', 'other'],
    ],
    ['PGHOST is empty', { bi: bi({ PGHOST: '' }), own: pg }, ['own']],
    [
      'PGCONNECTIONURI is no URL',
      { bi: bi({ PGCONNECTIONURI: 'own', PGHOST: 'own' }), own: pg, more: pg },
      ['own'],
    ],
    ['none', { bi: bi({ PGHOST: 'example.com' }) }, []],
    [
      'all that may be one where nothing names one',
      { bi: bi(), db: { image: 'x' }, a: pg, b: {} },
      ['db', 'a'],
    ],
  ])('is %s', (_, services, databases) => {
    const found = composeWorkloads({ services }).filter(({ role }) => role === 'database');
    expect(found.map(({ name }) => name)).toEqual(databases);
  });
});
