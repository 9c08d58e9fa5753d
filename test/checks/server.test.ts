import { describe, expect, it } from 'vitest';
import { connections } from '../../src/checks/database/connections.js';
import { extensions, needsVector } from '../../src/checks/database/extensions.js';
import { postgresVersion } from '../../src/checks/database/postgres-version.js';
import { primary } from '../../src/checks/database/primary.js';
import type { FactOf } from '../../src/instance/facts/needs.js';
import { backendOf, containerOf } from '../support/deployment.js';
import { migratorFact, serverFact } from '../support/facts.js';
import { foundBy, healthyFacts, itFinds, type Situation, upgradeTo } from '../support/preflight.js';

const server = (
  told: object,
  ofMigrator: object = {},
  subscriptions: string[] = [],
  synchronous: FactOf<'replication'>['synchronous'] = null,
) => ({
  facts: {
    replication: { slots: [], subscriptions, synchronous },
    server: { ...serverFact, ...told },
    migrator: { ...migratorFact, ...ofMigrator },
  },
});

describe('the server', () => {
  it.each([
    ['is new enough', { versionNum: 120_000 }, ['ok postgres-new-enough PostgreSQL 12']],
    ['is too old', { versionNum: 110_022 }, ['stop postgres-too-old PostgreSQL 11']],
  ])('%s', (_, told, found) => {
    expect(foundBy(postgresVersion, server(told))).toEqual(found);
  });

  it.each([
    ['is the primary', {}, {}, [], ['ok is-primary']],
    ['is a replica', { inRecovery: true }, {}, [], ['stop in-recovery']],
    ['takes no writes of the role', {}, { readOnly: true }, [], ['stop begins-read-only lightdash']],
    ['is given the ledger of another', {}, {}, ['copy'], ['stop ledger-subscribed copy']],
    [
      'is all of it',
      { inRecovery: true },
      { readOnly: true },
      ['copy', 'other'],
      [
        'stop in-recovery',
        'stop begins-read-only lightdash',
        'stop ledger-subscribed copy',
        'stop ledger-subscribed other',
      ],
    ],
  ])('%s', (_, told, ofMigrator, subscriptions, found) => {
    expect(foundBy(primary, server(told, ofMigrator, subscriptions))).toEqual(found);
  });

  it.each([
    ['has room for as many again', { usedConnections: 48 }, ['ok connections-left max_connections']],
    [
      'has room for just as many',
      { usedConnections: 48, reservedConnections: 4, maxConnections: 100 },
      ['ok connections-left max_connections'],
    ],
    [
      'has room for fewer than are in use',
      { usedConnections: 49 },
      ['warn few-connections-left max_connections'],
    ],
    ['has just room for a migrator', { usedConnections: 95 }, ['warn few-connections-left max_connections']],
    ['has none', { usedConnections: 96 }, ['stop no-connections-left max_connections']],
    ['has less than none', { usedConnections: 120 }, ['stop no-connections-left max_connections']],
    [
      'has none, or has some if what may not be seen are no clients',
      { usedConnections: 97, hiddenConnections: 2 },
      ['not-checked facts-not-seen'],
    ],
    [
      'has none, whatever may not be seen',
      { usedConnections: 120, hiddenConnections: 20 },
      ['stop no-connections-left max_connections'],
    ],
  ])('%s', (_, told, found) => {
    expect(foundBy(connections, server(told))).toEqual(found);
  });

  it('needs no room for new pods beside the old ones where the upgrade does not roll', () => {
    const facts = { server: { ...serverFact, usedConnections: 90 } };
    const recreate = upgradeTo([], facts);
    const releases = recreate.releases?.map((release) => ({
      ...release,
      entry: { rollingUpdateSafe: false },
    }));
    expect(foundBy(connections, upgradeTo([], facts))).toEqual(['warn few-connections-left max_connections']);
    expect(foundBy(connections, { ...recreate, releases: releases ?? [] })).toEqual([
      'ok connections-left max_connections',
    ]);
  });

  const pooled = (replicas: number, poolSize?: number, told: object = {}): Situation => {
    const container = containerOf('2.0.0', poolSize === undefined ? {} : { poolSize });
    return upgradeTo([], { workloads: [backendOf('2.0.0', { replicas, containers: [container], ...told })] });
  };
  const rolls = { strategy: 'RollingUpdate' as const };
  itFinds(connections, (situation: Situation) => situation, {
    'ok connections-left max_connections': {
      'has room for full pools and a migrator': pooled(19, 5),
      'has room for pools of which the size is not known': pooled(50),
      'has room for new pods beside the old ones': pooled(10, 7, rolls),
    },
    'warn pools-exceed-limit max_connections': {
      'has no room for full pools and a migrator': pooled(12, 8),
      'has no room for new pods beside the old ones': pooled(10, 8, rolls),
    },
  });

  const one = { needed: 1, connected: 0, hidden: 0 };
  it.each([
    ['are connected', {}, { ...one, connected: 1 }, ['ok is-primary']],
    ['are not connected', {}, one, ['stop commits-wait']],
    ['are too few', {}, { needed: 2, connected: 1, hidden: 0 }, ['stop commits-wait']],
    ['may be among those that may not be seen', {}, { ...one, hidden: 1 }, ['not-checked facts-not-seen']],
    [
      'are too few, whatever may not be seen',
      {},
      { needed: 3, connected: 1, hidden: 1 },
      ['stop commits-wait'],
    ],
    ['are not waited for by the role', { synchronousCommit: 'local' }, one, ['ok is-primary']],
    ['are waited for by the role', { synchronousCommit: 'remote_apply' }, one, ['stop commits-wait']],
  ])('of which synchronous standbys %s', (_, ofMigrator, synchronous, found) => {
    expect(foundBy(primary, server({}, ofMigrator, [], synchronous))).toEqual(found);
  });

  it.each([
    ['young', { oldestTransactionAge: 200_000_000, oldestMultixactAge: 1_599_999_999 }, ['ok is-primary']],
    ['old', { oldestTransactionAge: 1_600_000_000 }, ['warn few-transaction-ids-left']],
    ['old by its multixacts', { oldestMultixactAge: 2_000_000_000 }, ['warn few-transaction-ids-left']],
    ['too old', { oldestTransactionAge: 2 ** 31 - 3_000_000 }, ['stop out-of-transaction-ids']],
  ])('whose oldest transaction is %s', (_, told, found) => {
    expect(foundBy(primary, server(told))).toEqual(found);
  });

  const ofRole = (used: number) => ({ of: 'role', max: 20, used });
  const ofDatabase = (used: number) => ({ of: 'database', max: 20, used });
  it.each([
    ['has room for as many again', [ofRole(10)], ['ok connections-left CONNECTION LIMIT of the role']],
    [
      'has less room than the database',
      [ofRole(9), ofDatabase(10)],
      ['ok connections-left CONNECTION LIMIT of the database'],
    ],
    ['has room for fewer', [ofRole(11)], ['warn few-connections-left CONNECTION LIMIT of the role']],
    [
      'has none, and the database has',
      [ofDatabase(11), ofRole(19)],
      [
        'stop no-connections-left CONNECTION LIMIT of the role',
        'warn few-connections-left CONNECTION LIMIT of the database',
      ],
    ],
    ['has more than the server', [{ ...ofRole(0), max: 1000 }], ['ok connections-left max_connections']],
  ])('of which the role %s', (_, connectionLimits, found) => {
    expect(foundBy(connections, server({}, { connectionLimits }))).toEqual(found);
  });
});

describe('extensions', () => {
  const vector = { name: 'vector', available: '0.7.4', installed: null, trusted: false };
  const uuid = { name: 'uuid-ossp', available: '1.1', installed: '1.1', trusted: true };
  const facing = (
    list: Situation['facts'] & object,
    to = '2.1.0',
    releaseDate = '2026-09-01T00:00:00Z',
  ): Situation => ({
    releases: [{ version: '1.0.0' }, { version: to, entry: { releaseDate } }],
    edition: 'enterprise',
    facts: { ...healthyFacts(), ...list },
  });
  const superuser = { ...migratorFact, superuser: true };
  const noCreate = { ...migratorFact, databaseCreate: false };

  itFinds(extensions, (situation: Situation) => situation, {
    'ok extensions-there': {
      'are there': facing({}),
      'lack one that the migrator may create': facing({ extensions: [uuid, { ...vector, trusted: true }] }),
      'lack one, and a superuser migrates': facing({ extensions: [uuid, vector], migrator: superuser }),
      'are not needed before': facing({ extensions: [] }, '1.122.0', '2025-02-28T00:00:00Z'),
      'are not needed by the release that runs, to which nothing leads': {
        ...facing({ extensions: [] }, '1.122.0', '2025-02-28T00:00:00Z'),
        from: '1.122.0',
      },
      'are not needed without a licence key': { ...facing({ extensions: [uuid] }), edition: 'community' },
    },
    'stop extension-not-available vector': {
      'lack one that the server has not': facing({ extensions: [uuid] }),
    },
    'stop extension-not-permitted vector': {
      'lack one that only a superuser may create': facing({ extensions: [uuid, vector] }),
      'lack one that may be created, but not by it': facing({
        extensions: [uuid, { ...vector, trusted: true }],
        migrator: noCreate,
      }),
      'lack one of which it is not known who may create it': facing({
        extensions: [uuid, { ...vector, trusted: null }],
      }),
    },
    'not-checked facts-not-seen': {
      'may be needed from now on, although the release that runs did without': {
        ...facing({ extensions: [uuid] }),
        edition: undefined,
      },
      'are needed if there is a licence key, which is not stated': {
        releases: [
          { version: '0.1700.0', entry: { releaseDate: '2025-02-01T00:00:00Z' } },
          { version: '0.1800.0', entry: { releaseDate: '2025-06-01T00:00:00Z' } },
        ],
        facts: { ...healthyFacts(), extensions: [uuid] },
      },
    },
    'stop extension-not-available ltree': {
      'are needed by a core migration': {
        releases: [
          { version: '0.1568.9', entry: { releaseDate: '2025-01-01T00:00:00Z' } },
          { version: '0.1569.0', entry: { releaseDate: '2025-02-01T00:00:00Z' } },
        ],
        facts: { ...healthyFacts(), extensions: [] },
      },
    },
    'stop extension-not-available uuid-ossp': {
      'are needed by the lease': facing({ extensions: [] }, '1.123.0', '2025-02-28T00:00:00Z'),
    },
  });
});

it.each([
  [undefined, true],
  ['2025-03-01T00:00:00Z', true],
  ['2025-02-28T23:59:59Z', false],
])('a release of %s needs vector, or may: %s', (released, needs) => {
  expect(needsVector(released)).toBe(needs);
});
