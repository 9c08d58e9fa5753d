import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPackage, fetchPostgres } from '../../scripts/fetch-package.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import {
  dumpOf,
  instance,
  listenEverywhere,
  programsOfCopies as postgres,
  rehearse,
  startSource,
  writeMigrator,
  writeReleases,
} from '../support/rehearsal.js';
import { folderOfAll } from '../support/temporary-folder.js';

/** Dumps of every form and of several servers, cut ones, and those that would do harm. */

const name = '20260901000000_one';
const yes = 'yes: the only migration of 1 hop applies (dry: no times)';

let source: Cluster;
let argv: readonly string[];
beforeAll(async () => {
  source = await startSource();
  source.sql('postgres', 'create role "odd; name"');
  source.database('lightdash-prod', ...instance, ...oddities);
  source.sql(
    'lightdash-prod',
    'create extension citext; create extension "uuid-ossp"; comment on table users is \'a;b\'',
  );
  const image = { [name]: { up: 'alter table users add name text' } };
  const index = await writeReleases({ '2.1.0': [name] });
  argv = ['--to', '2.1.0', '--index', index, '--migrate', writeMigrator({ '2.1.0': image })];
});
afterAll(() => source.stop());

/** What a reader of SQL may trip over. */
const oddities = [
  `create function texts() returns text language sql as $f$ select 'a;b' || E'it\\'s; ' || $q$ ; COPY x FROM stdin;
\\! echo $q$ $f$`,
  'create function atomic(x int) returns int language sql begin atomic select case when x > 1 then 2 else 3 end; select 4; end',
  'create rule r as on update to users where old.id < 0 do also (delete from users where id < -5; delete from users where id < -6)',
  `create view v as select email, 'a''b;' as "odd;""col" from users /* ; /* ' */ */`,
  `create table texts (t text); insert into texts values (E'\\\\.'), (E'a\\tb\\\\'), ('--;'), (null)`,
];

const rehearsed = (dump: string, ...more: readonly string[]) =>
  rehearse([
    ...argv,
    '--dump',
    dump,
    ...(more.includes('--postgres') ? [] : ['--postgres', postgres]),
    ...more,
  ]);

const plain = () => readFileSync(dumpOf(source, 'lightdash-prod', ['--format=plain']), 'utf8');
function fileOf(content: string | Uint8Array): string {
  const file = join(folderOfAll(), 'dump');
  writeFileSync(file, content);
  return file;
}

describe('a dump', () => {
  it.each([
    ['custom', () => dumpOf(source, 'lightdash-prod')],
    ['directory', () => dumpOf(source, 'lightdash-prod', ['--format=directory'])],
    ['tar', () => dumpOf(source, 'lightdash-prod', ['--format=tar'])],
    ['plain', () => dumpOf(source, 'lightdash-prod', ['--format=plain'])],
    [
      'plain, with --create',
      () => dumpOf(source, 'lightdash-prod', ['--format=plain', '--create', '--clean']),
    ],
    ['plain, with --inserts', () => dumpOf(source, 'lightdash-prod', ['--format=plain', '--inserts'])],
    ['plain, packed by gzip', () => fileOf(gzipSync(plain()))],
    ['two plain ones, one behind the other', () => fileOf(twoParts())],
    [
      'plain, of a newer pg_dump',
      () => fileOf(plain().replace('SET lock_timeout', 'SET not_yet_known = 0;\nSET lock_timeout')),
    ],
  ])('in %s form is restored, with rows or without', async (_, dump) => {
    const { answer, stderr } = await rehearsed(dump());
    expect([answer, stderr]).toEqual([yes, '']);
    const full = await rehearsed(dump(), '--full');
    expect([full.answer, full.stderr]).toEqual([
      expect.stringMatching(/^yes: .* of migrations on this machine/),
      '',
    ]);
  });

  /** As `--print-dump` has them made. */
  function twoParts(): string {
    const ledger = ['--data-only', '--table=*.knex_migrations', '--table=*.knex_migrations_lock'];
    const parts = [['--schema-only', '--no-comments'], ledger];
    return parts
      .map((options) =>
        readFileSync(dumpOf(source, 'lightdash-prod', ['--format=plain', ...options]), 'utf8'),
      )
      .join('');
  }

  it.each([
    ['an archive, in its rows', () => cut(readFileSync(dumpOf(source, 'lightdash-prod')), 0.95)],
    ['an archive, in its contents', () => cut(readFileSync(dumpOf(source, 'lightdash-prod')), 0.3)],
    ['a plain one, in its rows', () => cut(plain(), 0.5)],
    [
      'a plain one, before its last line',
      () => plain().replace(/-- PostgreSQL database dump complete[\s\S]*/, ''),
    ],
    ['a packed one', () => cut(gzipSync(plain()), 0.6)],
  ])('that was cut is no backup: %s', async (_, content) => {
    const { answer, code, left } = await rehearsed(fileOf(content()));
    expect([code, answer]).toEqual([1, expect.stringMatching(/^no: the dump is no backup: /)]);
    expect(left).toEqual([]);
  });

  it('of PostgreSQL 12 is restored into 18, and no newer one into an older', async () => {
    const old = await startPostgres({}, [], '12');
    old.database('lightdash-prod', ...instance);
    const into18 = await rehearsed(dumpOf(old, 'lightdash-prod'), '--postgres', fetchPostgres('18'));
    expect([into18.answer, into18.stdout]).toEqual([
      yes,
      expect.stringContaining('the copy is PostgreSQL 18, the dump of PostgreSQL 12'),
    ]);
    const into12 = await rehearsed(dumpOf(source, 'lightdash-prod'), '--postgres', fetchPostgres('12'));
    expect([into12.code, into12.stderr]).toEqual([
      3,
      expect.stringContaining('the dump is of PostgreSQL 15, and the programs are of 12'),
    ]);
    const same = await rehearsed(dumpOf(old, 'lightdash-prod'), '--postgres', fetchPostgres('12'));
    expect(same.answer).toBe(yes);
  });

  it('of pg_dump 18 is restored into 18, and, of a server of 15, into 15', async () => {
    const text = newest();
    const into18 = await rehearsed(fileOf(text), '--postgres', fetchPostgres('18'));
    expect([into18.answer, into18.stderr]).toEqual([yes, '']);
    const into15 = await rehearsed(fileOf(text.replace('database version 18', 'database version 15')));
    expect([into15.answer, into15.stdout, into15.stderr]).toEqual([
      yes,
      expect.stringContaining('unrecognized configuration parameter "transaction_timeout" (42704)'),
      '',
    ]);
  });

  /** By the real pg_dump of PostgreSQL 18, which npm has as WebAssembly, with a server of its own. */
  function newest(): string {
    const from = (name: string) => resolve(fetchPackage('@electric-sql/pglite-tools', '0.4.8'), name);
    const script = `
      import { PGlite } from ${JSON.stringify(from('../pglite/dist/index.js'))};
      import { pgDump } from ${JSON.stringify(from('dist/pg_dump.js'))};
      const pg = await PGlite.create();
      for (const sql of ${JSON.stringify(instance)}) await pg.exec(sql);
      process.stdout.write(await (await pgDump({ pg })).text());`;
    const options = { encoding: 'utf8', maxBuffer: 64e6 } as const;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
  }

  it('of a newer pg_dump than pg_restore is not read', async () => {
    const bytes = readFileSync(dumpOf(source, 'lightdash-prod'));
    bytes[6] = 99;
    const { code, stderr } = await rehearsed(fileOf(bytes));
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/unsupported version \(1\.99\).*newer pg_dump/s),
    ]);
  });

  it.each([
    ['no dump', 'select 1;\n', 'is no dump of pg_dump'],
    [
      'another database',
      () => readFileSync(dumpOf(source, 'postgres', ['--format=plain'])),
      'has no table knex_migrations',
    ],
  ])('that is %s is not rehearsed', async (_, content, why) => {
    const { code, stderr } = await rehearsed(fileOf(typeof content === 'string' ? content : content()));
    expect([code, stderr]).toEqual([3, expect.stringContaining(why)]);
  });

  it('that breaks a rule of its own is no backup', async () => {
    const broken = plain().replace('user2@example.com', 'user1@example.com');
    const { code, answer } = await rehearsed(fileOf(broken), '--full');
    expect([code, answer]).toEqual([
      1,
      'no: the dump is no backup: ALTER TABLE ONLY public.users ADD CONSTRAINT users_email_key UNIQUE: could not create unique index "users_email_key" (23505)',
    ]);
  });
});

const cut = <T extends string | Buffer>(content: T, share: number) =>
  content.slice(0, content.length * share);

it('a dry copy has no secret of the dump', async () => {
  source.database(
    'secrets',
    ...instance,
    "create table t as select i, 'canary of a row' as t from generate_series(1, 9) i",
    'create materialized view m as select * from t',
    "select lo_from_bytea(0, 'canary of a large object')",
    "create table migration_lease (lease_key text primary key, claim_token uuid, app_version text, current_migration text, last_heartbeat timestamptz, parked_error text, holder_hostname text); insert into migration_lease values ('global', null, null, null, null, 'canary of an error', 'canary of a host')",
    "create table migration_run_ledger (failure_detail text); insert into migration_run_ledger values ('canary of a run')",
    "comment on table t is 'canary of a comment'",
  );
  source.sql(
    'secrets',
    `create extension postgres_fdw; create server s foreign data wrapper postgres_fdw options (host 'canary.host');
    create user mapping for lightdash server s options (user 'x', password 'canary of a mapping'); create foreign table f (a int) server s;
    create subscription sub connection 'host=/canary password=canary' publication p with (connect = false)`,
  );
  const canaries = folderOfAll();
  for (const form of ['custom', 'plain', 'directory']) {
    const dump = dumpOf(source, 'secrets', [`--format=${form}`]);
    const migrate = `grep -rl canary "$PGHOST" > ${canaries}/${form}; ${argv.at(-1)}`;
    const out = join(canaries, `${form}.json`);
    const { answer, stdout, stderr } = await rehearse([
      ...argv.slice(0, -2),
      '--dump',
      dump,
      '--postgres',
      postgres,
      '--migrate',
      migrate,
      '--out',
      out,
    ]);
    expect([answer, stderr.replace(/^Rehearsal written.*\n/, '')]).toEqual([yes, '']);
    expect(readFileSync(join(canaries, form), 'utf8')).toBe('');
    expect(stdout + stderr + readFileSync(out, 'utf8')).not.toContain('canary of');
  }
  source.sql('secrets', 'alter subscription sub set (slot_name = none); drop subscription sub');
});

describe('a dump that is a program', () => {
  const code = (what: string) => `
CREATE FUNCTION public.evil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${what}; RETURN NULL; END $$;
CREATE FUNCTION public.evil_event() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${what}; END $$;
CREATE FUNCTION public.evil_value() RETURNS int LANGUAGE plpgsql AS $$ BEGIN ${what}; RETURN 1; END $$;`;

  /** Whether anything ran outside of the server, by a file that it would have left. */
  async function runs(what: (file: string) => string) {
    const file = join(folderOfAll(), 'ran');
    const text = plain().replace(/-- PostgreSQL database dump complete/, (end) => `${what(file)}\n\n${end}`);
    const { code, answer, stderr } = await rehearsed(fileOf(text));
    return { hasRun: existsSync(file), code, answer: answer || stderr };
  }

  it.each<[string, (file: string) => string, string]>([
    ['a command of psql', (file) => `\\! touch ${file}`, 'not known'],
    ['a command of psql behind a statement', (file) => `SET lock_timeout = 0 \\! touch ${file}\n;`, 'no'],
    ['COPY to a program', (file) => `COPY (SELECT 1) TO PROGRAM 'touch ${file}';`, 'not known'],
    ['ALTER SYSTEM', (file) => `ALTER SYSTEM SET archive_command = 'touch ${file}';`, 'not known'],
    ['a file of the server', (file) => `COPY (SELECT 1) TO '${file}';`, 'not known'],
    [
      'an untrusted language',
      (file) => `CREATE FUNCTION public.c() RETURNS int LANGUAGE c AS '${file}', 'f';`,
      'not known',
    ],
    [
      'a setting that loads a library',
      (file) => `ALTER DATABASE "lightdash-prod" SET session_preload_libraries TO '${file}';`,
      'yes',
    ],
    ['a role that may run programs', () => 'GRANT pg_execute_server_program TO lightdash;', 'yes'],
    [
      'a function in an owner that is given',
      (file) => `${code(`COPY (SELECT 1) TO PROGRAM 'touch ${file}'`)}
CREATE TABLE public.bait AS SELECT 1 AS a;
ALTER TABLE public.bait ALTER COLUMN a TYPE bigint USING public.evil_value(), OWNER TO lightdash;`,
      'not known',
    ],
    [
      'triggers on what a rehearsal touches',
      (file) => `${code(`COPY (SELECT 1) TO PROGRAM 'touch ${file}'`)}
CREATE TRIGGER evil AFTER INSERT OR UPDATE ON public.knex_migrations_lock FOR EACH ROW EXECUTE FUNCTION public.evil();
CREATE EVENT TRIGGER evil ON ddl_command_end
   EXECUTE FUNCTION public.evil_event();`,
      'not known',
    ],
    [
      'a function that is given to whoever restores',
      (
        file,
      ) => `CREATE FUNCTION public.evil() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN COPY (SELECT 1) TO PROGRAM 'touch ${file}'; RETURN NULL; END $$;
ALTER FUNCTION public.evil() OWNER TO current_user;
CREATE TRIGGER evil AFTER INSERT OR UPDATE ON public.knex_migrations_lock FOR EACH ROW EXECUTE FUNCTION public.evil();`,
      'not known',
    ],
    [
      'the ledger itself, given to whoever restores',
      (file) => `${code(`COPY (SELECT 1) TO PROGRAM 'touch ${file}'`)}
CREATE TRIGGER evil AFTER INSERT OR UPDATE ON public.knex_migrations FOR EACH ROW EXECUTE FUNCTION public.evil();
ALTER TABLE public.knex_migrations OWNER TO session_user;`,
      'not known',
    ],
    [
      'a program of file_fdw',
      (file) => `CREATE EXTENSION IF NOT EXISTS file_fdw WITH SCHEMA public;
CREATE SERVER s FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE public.f (a text) SERVER s OPTIONS (program 'touch ${file}');
CREATE MATERIALIZED VIEW public.m AS SELECT * FROM public.f;`,
      'not known',
    ],
    [
      'names in place of those of PostgreSQL',
      (file) => `${code(`COPY (SELECT 1) TO PROGRAM 'touch ${file}'`)}
CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM public.evil_value(); RETURN ''; END $$;
CREATE FUNCTION public.json_agg(json) RETURNS json LANGUAGE plpgsql AS $$ BEGIN PERFORM public.evil_value(); RETURN '[]'; END $$;
CREATE FUNCTION public.count() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN public.evil_value(); END $$;
CREATE VIEW public.pg_class AS SELECT public.evil_value() AS oid;
CREATE VIEW public.pg_stat_activity AS SELECT public.evil_value() AS pid;
ALTER DATABASE "lightdash-prod" SET search_path TO public, pg_catalog;`,
      'yes',
    ],
    ['\\g into a program', (file) => `SELECT 1 \\g |touch ${file}`, 'no'],
    ['\\o into a program', (file) => `\\o |touch ${file}`, 'not known'],
    ['\\copy from a program', (file) => `\\copy public.users from program 'touch ${file}'`, 'not known'],
    ['COPY from a program', (file) => `COPY public.users FROM PROGRAM 'touch ${file}';`, 'not known'],
    [
      'COPY from a program, with rows behind it',
      (file) => `COPY public.users (email) FROM PROGRAM 'touch ${file}' \n-- FROM stdin;\n;`,
      'not known',
    ],
    ['another database', (file) => `\\connect "dbname=x sslcert=${file}"`, 'yes'],
    [
      'a function that is written as pg_dump writes none, before an extension',
      (
        file,
      ) => `CREATE/**/FUNCTION public.evil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN COPY (SELECT 1) TO PROGRAM 'touch ${file}'; RETURN 1; END $$;
CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;`,
      'yes',
    ],
    [
      'operators before an extension',
      (file) => `${code(`COPY (SELECT 1) TO PROGRAM 'touch ${file}'`)}
CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public;`,
      'yes',
    ],
  ])('reaches nothing beyond its server: %s', async (_, what, begins) => {
    const { hasRun, answer } = await runs(what);
    expect([hasRun, answer]).toEqual([false, expect.stringMatching(new RegExp(`^${begins}\\b`))]);
  });

  it.each(['dry', 'full'])('reaches no host, neither this one nor a foreign one: %s', async (mode) => {
    const { hosts, port, connections } = await listenEverywhere();
    const tries = hosts.map(
      (
        host,
      ) => `BEGIN PERFORM public.dblink_connect('host=${host} port=${port} password=x connect_timeout=2');
EXCEPTION WHEN sqlclient_unable_to_establish_sqlconnection THEN NULL; END`,
    );
    const begin = 'CREATE EXTENSION IF NOT EXISTS dblink WITH SCHEMA public;\n';
    const text = plain()
      .replace(/^CREATE EXTENSION /m, (first) => `${begin}${first}`)
      .replace(
        /-- PostgreSQL database dump complete/,
        (end) => `${code(tries.join('; '))}
CREATE TRIGGER evil AFTER INSERT OR UPDATE ON public.knex_migrations FOR EACH ROW EXECUTE FUNCTION public.evil();
CREATE TRIGGER evil BEFORE UPDATE ON public.knex_migrations_lock FOR EACH STATEMENT EXECUTE FUNCTION public.evil();
CREATE MATERIALIZED VIEW public.told AS SELECT public.evil_value() AS one WITH NO DATA;
REFRESH MATERIALIZED VIEW public.told;
CREATE EVENT TRIGGER evil ON ddl_command_end
   EXECUTE FUNCTION public.evil_event();

${end}`,
      );
    const { answer, stderr } = await rehearsed(fileOf(text), ...(mode === 'full' ? ['--full'] : []));
    expect([answer, stderr, connections()]).toEqual([expect.stringMatching(/^yes: /), '', 0]);
  });
});
