import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckId, checks } from '../../src/checks/checks.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { inputOf, type MigrationCase } from '../support/preflight.js';

/** What others have made of the tables, on a real server: what is found is what the server refuses. */

const ran = '20260801000000_ran';

describe.each([undefined, '12', '18'])('PostgreSQL %s', (major) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startPostgres({}, [], major);
    cluster.database('instance', instanceTables({ names: [`${ran}.js`] }));
    cluster.sql('instance', 'ALTER TABLE query_history ADD cache_key text; CREATE SCHEMA "B I"');
    cluster.sql('instance', grantsSql('looker'));
  });
  afterAll(() => cluster.stop());

  const sql = (text: string) => cluster.sql('instance', text, 'lightdash');
  const during = (breaks: string, mends: string) => cluster.during('instance', breaks, mends);

  async function found(migration: MigrationCase): Promise<string[]> {
    const { facts } = await collect(cluster.url('looker', 'instance'));
    const releases = [
      { version: '0.1000.0', migrations: [{ name: ran }] },
      { version: '0.3000.0', migrations: [migration] },
    ];
    const input = { ...inputOf({ releases }), facts };
    return runChecks(checks, input, new Set<CheckId>(['dependent-objects', 'replica-identity']))
      .findings.filter(({ status }) => status !== 'ok')
      .map(({ status, subject, evidence }) => `${status} ${evidence.kind} ${subject}`);
  }

  const backfill: MigrationCase = {
    name: '20250529000000_make_cache_key_non_nullable',
    tables: ['query_history'],
    does: ['locks', 'rewrites', 'scans'],
  };
  const addsColumn: MigrationCase = {
    name: '20260901000000_add_column',
    tables: ['query_history'],
    does: ['locks'],
  };
  const update: MigrationCase = {
    name: '20260901000000_fill',
    tables: ['analytics_chart_views'],
    does: ['rewrites', 'scans'],
  };

  it('finds nothing where nobody has made anything', async () => {
    expect(await found(backfill)).toEqual([]);
    expect(await found(update)).toEqual([]);
  });

  it.each([
    ['a view', 'CREATE VIEW "B I".history AS SELECT cache_key FROM query_history', 'DROP VIEW "B I".history'],
    [
      'a materialized view',
      'CREATE MATERIALIZED VIEW "B I".history AS SELECT cache_key FROM query_history',
      'DROP MATERIALIZED VIEW "B I".history',
    ],
    [
      'a view of all columns of a view',
      `CREATE VIEW "B I".history AS SELECT * FROM query_history;
      CREATE VIEW "B I".more AS SELECT * FROM "B I".history`,
      'DROP VIEW "B I".history CASCADE',
    ],
  ])('finds %s, where the server refuses to alter its column', async (_, breaks, mends) => {
    during(breaks, mends);
    const alter = 'ALTER TABLE query_history ALTER cache_key TYPE varchar(255)';
    expect(() => sql(alter)).toThrow(/used by a view or rule/);
    expect(await found(backfill)).toEqual(['stop column-in-use "B I".history']);
    // The artifact does not say that it only adds a column.
    expect(await found(addsColumn)).toEqual(['warn table-in-use "B I".history']);
    expect(await found(update)).toEqual([]);
  });

  it('finds no view of other columns, which the server does not mind', async () => {
    during('CREATE VIEW "B I".history AS SELECT status FROM query_history', 'DROP VIEW "B I".history');
    sql('ALTER TABLE query_history ALTER cache_key TYPE varchar(255)');
    expect(await found(backfill)).toEqual([]);
  });

  it('finds a rule, a policy and a trigger of the column', async () => {
    during(
      `CREATE RULE notice AS ON DELETE TO query_history DO ALSO SELECT old.cache_key;
      CREATE POLICY own ON query_history USING (cache_key IS NULL);
      CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
      CREATE TRIGGER tell BEFORE UPDATE OF cache_key ON query_history FOR EACH ROW EXECUTE FUNCTION tell()`,
      `DROP RULE notice ON query_history; DROP POLICY own ON query_history; DROP FUNCTION tell CASCADE`,
    );
    expect(await found(backfill)).toEqual([
      'stop column-in-use own',
      'stop column-in-use notice',
      'stop column-in-use tell',
      'warn trigger-runs tell',
    ]);
  });

  const publication = 'CREATE PUBLICATION everything FOR ALL TABLES';
  const changeRows = () => sql('UPDATE analytics_chart_views SET context = NULL');
  it('finds a table without a replica identity in a publication, where the server refuses to change it', async () => {
    during(publication, 'DROP PUBLICATION everything');
    expect(changeRows).toThrow(/does not have a replica identity/);
    expect(await found(update)).toEqual(['stop row-not-identified analytics_chart_views']);
    expect(await found(backfill)).toEqual([]);
  });

  it.each([
    ['all of its columns', publication, 'REPLICA IDENTITY FULL', 'REPLICA IDENTITY DEFAULT'],
    ['an index', publication, 'REPLICA IDENTITY USING INDEX one', 'REPLICA IDENTITY DEFAULT'],
    ['a primary key', publication, 'ADD PRIMARY KEY (id)', 'DROP CONSTRAINT analytics_chart_views_pkey'],
    ['nothing, while only new rows are published', `${publication} WITH (publish = 'insert')`, '', ''],
    ['nothing, while another table is published', 'CREATE PUBLICATION everything FOR TABLE users', '', ''],
  ])('finds no table that is identified by %s', async (_, published, identify, forget) => {
    const change = (what: string) => (what === '' ? '' : `; ALTER TABLE analytics_chart_views ${what}`);
    during(
      `${published}; ALTER TABLE analytics_chart_views ADD id serial;
      CREATE UNIQUE INDEX one ON analytics_chart_views (id)${change(identify)}`,
      `DROP PUBLICATION everything${change(forget)}; DROP INDEX one; ALTER TABLE analytics_chart_views DROP id`,
    );
    changeRows();
    expect(await found(update)).toEqual([]);
  });

  it('tells a partition that has no identity, as the server does', async () => {
    during(
      `CREATE TABLE parted (id int) PARTITION BY RANGE (id);
      CREATE TABLE "B I".part PARTITION OF parted FOR VALUES FROM (0) TO (10); INSERT INTO parted VALUES (1);
      ALTER TABLE "B I".part OWNER TO lightdash; ALTER TABLE parted OWNER TO lightdash;
      GRANT USAGE ON SCHEMA "B I" TO lightdash; ${publication}`,
      'DROP PUBLICATION everything; DROP TABLE parted',
    );
    expect(() => sql('UPDATE parted SET id = 2')).toThrow(/does not have a replica identity/);
    const { unidentified } = factIn(await collect(cluster.url('looker', 'instance')), 'dependents');
    expect(unidentified).toContainEqual(expect.objectContaining({ table: '"B I".part' }));
    expect(await found({ ...update, tables: ['parted'] })).toEqual(['stop row-not-identified "B I".part']);
  });

  it('sees the columns and the filter of a publication', async ({ skip }) => {
    skip(cluster.major < 15, 'a publication has neither');
    during(
      `CREATE PUBLICATION everything FOR TABLE query_history (query_uuid, cache_key),
        users WHERE (user_uuid IS NOT NULL), projects, sessions (sess)`,
      'DROP PUBLICATION everything',
    );
    const { unidentified, objects } = factIn(await collect(cluster.url('looker', 'instance')), 'dependents');
    expect(() => sql("UPDATE sessions SET sess = '{}'")).toThrow(/does not cover the replica identity/);
    expect(unidentified.map(({ table }) => table)).toEqual(['sessions']);
    expect(objects.filter(({ kind }) => kind === 'publication')).toEqual([
      expect.objectContaining({ name: 'everything', table: 'query_history' }),
      expect.objectContaining({ name: 'everything', table: 'sessions' }),
      expect.objectContaining({ name: 'everything', table: 'users' }),
    ]);
    expect(await found(backfill)).toEqual(['stop column-in-use everything']);
  });
});
