import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../support/postgres.js';
import {
  dumpOf,
  instance,
  type KnexImage,
  listenEverywhere,
  programsOfCopies as postgres,
  rehearse,
  rolesOf,
  startSource,
  writeMigrator,
  writeReleases,
} from '../support/rehearsal.js';
import { folderOfAll } from '../support/temporary-folder.js';

/** Real servers, real dumps and real knex. */

let source: Cluster;
let dump: string;
beforeAll(async () => {
  source = await startSource();
  source.database('bi', ...instance);
  dump = dumpOf(source, 'bi');
});
afterAll(() => source.stop());

const one = '20260901000000_one';
const two = '20260902000000_two';

/** An upgrade by one release, whose image has these migrations. */
async function upgrade(image: KnexImage, more: readonly string[] = [], before = '') {
  const index = await writeReleases({ '2.1.0': Object.keys(image) });
  const migrate = writeMigrator({ '2.1.0': image }, before);
  return [
    '--dump',
    dump,
    '--to',
    '2.1.0',
    '--index',
    index,
    '--postgres',
    postgres,
    '--migrate',
    migrate,
    ...more,
  ];
}

describe('a rehearsal without rows', () => {
  it('says that all migrations apply, and leaves nothing', async () => {
    const argv = await upgrade({ [one]: { up: 'alter table users add name text' } });
    const { code, answer, left, stdout, stderr } = await rehearse(argv);
    expect([stderr, answer]).toEqual(['', 'yes: the only migration of 1 hop applies (dry: no times)']);
    expect([code, left]).toEqual([0, []]);
    expect(stdout).toContain('1 migration has run, the last 20260801000000_old.js');
    expect(stdout).toContain('ACCESS EXCLUSIVE on public.users');
  });

  it.each<
    [
      title: string,
      image: KnexImage,
      answer: string,
      code?: number,
      more?: readonly string[],
      before?: string,
    ]
  >([
    [
      'a table that is not there',
      { [one]: { up: 'alter table ai_prompt add response_timing jsonb' } },
      `no: hop 1 fails in ${one}.js: relation "ai_prompt" does not exist (42P01)`,
      1,
    ],
    [
      'rows that a unique index refuses',
      {
        [one]: { up: 'create table x (a int); insert into x values (1), (1); create unique index on x (a)' },
      },
      `no: hop 1 fails in ${one}.js: could not create unique index "x_a_idx" (23505)`,
      1,
    ],
    [
      'the second of two, which takes back the first',
      { [one]: { up: 'alter table users add name text' }, [two]: { up: 'drop table user' } },
      `no: hop 1 fails in ${two}.js: an error whose text may hold a value (42601)`,
      1,
    ],
    [
      'a fault in the code of a migration',
      { [one]: { up: 'js:throw new Error("no such thing")' } },
      `no: hop 1 fails in ${one}.js: it fails, without an error of the database`,
      1,
    ],
    [
      'a loop without an end',
      { [one]: { up: 'js:for (;;) await knex.raw("update users set email = email")' } },
      'not known: hop 1: it was not done within the limit; it was at UPDATE users',
      3,
      ['--limit', '12s'],
    ],
    [
      'a migrator that ends with 0 and leaves a migration',
      { [one]: { up: 'select 1' } },
      `no: hop 1 fails: the migrator ended with 0, and ${one} of 2.1.0 has not run`,
      1,
      [],
      `images = () => ({ '20260801000000_old': { up: 'select 1' } });`,
    ],
    [
      'a migrator that applies more at each start',
      { [one]: { up: 'select 1' }, [two]: { up: 'select 1' } },
      `no: hop 1 fails in ${two}.js: the migrator ended with 0 and left 1 migration to a second start`,
      1,
      [],
      `const all = images; const file = process.env.HOME + '/starts'; const fs = require('node:fs');
       const again = fs.existsSync(file); fs.writeFileSync(file, ''); images = (v) => { const got = all(v); if (!again) delete got['${two}']; return got; };`,
    ],
    [
      'an image that lacks what has run',
      { [one]: { up: 'select 1' } },
      'no: hop 1 fails: the image lacks migrations that have run here: 20260801000000_old',
      1,
      [],
      `const all = images; images = (v) => { const got = all(v); delete got['20260801000000_old']; return got; };`,
    ],
    [
      'a migrator that is killed while it migrates',
      {
        [one]: {
          up: 'js:await knex.raw("select 1"); process.kill(process.pid, "SIGKILL"); await new Promise((r) => setTimeout(r, 9999))',
          transaction: false,
        },
      },
      'not known: hop 1: the migrator ended with 137 without an error of the database; knex_migrations_lock stays held',
      3,
    ],
    [
      'a migrator that never begins',
      { [one]: { up: 'select 1' } },
      'not known: hop 1: the migrator ended with 7 and never reached knex_migrations',
      3,
      [],
      `console.log('LIGHTDASH_SECRET is wrong'); process.exit(7);`,
    ],
    [
      'a migrator that does nothing and is content',
      { [one]: { up: 'select 1' } },
      'not known: hop 1: the migrator ended with 0 and never reached knex_migrations',
      3,
      [],
      `process.exit(0);`,
    ],
  ])('says what comes of %s', async (_, image, expected, exitCode, more = [], before = '') => {
    const { code, answer, left, stderr } = await rehearse(await upgrade(image, more, before));
    expect([answer, code, left, stderr]).toEqual([expected, exitCode, [], '']);
  });

  it('goes over several hops, and stops at the first that fails', async () => {
    const index = await writeReleases({ '2.1.0': [one], '2.2.0': [two] }, ['2.1.0']);
    const first = { [one]: { up: 'alter table users add name text' } };
    const second = { ...first, [two]: { up: 'update users set name = email' } };
    const argv = (migrate: string) => [
      ...['--dump', dump, '--to', '2.2.0', '--index', index, '--postgres', postgres, '--migrate', migrate],
    ];
    const passes = await rehearse(argv(writeMigrator({ '2.1.0': first, '2.2.0': second })));
    expect(passes.answer).toBe('yes: all 2 migrations of 2 hops apply (dry: no times)');
    const fails = { ...first, [one]: { up: 'alter table nothing add name text' } };
    const { answer, stdout } = await rehearse(argv(writeMigrator({ '2.1.0': fails, '2.2.0': second })));
    expect(answer).toBe(`no: hop 1 fails in ${one}.js: relation "nothing" does not exist (42P01)`);
    expect(stdout).toContain('2.2.0: not reached');
  });
});

it('does not blame an image that has no licence key for enterprise migrations', async () => {
  source.database(
    'licensed',
    ...instance,
    "insert into knex_migrations (name, batch) values ('20260801000001_ee.js', 1)",
  );
  const argv = (await upgrade({ [one]: { up: 'select 1' } })).slice(2);
  const { answer, code } = await rehearse([...argv, '--dump', dumpOf(source, 'licensed')]);
  expect([code, answer]).toEqual([
    3,
    'not known: hop 1: the image lacks migrations that have run here: 20260801000001_ee; they may be of the enterprise edition: hand on its key with --env LIGHTDASH_LICENSE_KEY',
  ]);
});

it('names the command that dumps the rows of the few tables which the migrations touch', async () => {
  const parts = ['create table orders (id serial primary key, owner int references users (id))'];
  const others = Array.from({ length: 6 }, (_, i) => `create table other${i} (a int)`);
  const rows = 'insert into orders (owner) select id from users';
  source.database('large', ...instance, ...parts, rows, ...others);
  const argv = (
    await upgrade({ [one]: { up: 'update orders set owner = owner; alter table orders add note text' } })
  ).slice(2);
  const { stdout } = await rehearse([...argv, '--dump', dumpOf(source, 'large')]);
  const [command = ''] = stdout.split('\n').filter((line) => line.includes('--section=pre-data'));
  expect(command).toContain(`--table='"public"."orders"'`);
  const file = join(folderOfAll(), 'rows.sql');
  const url = `postgresql://postgres@/large?host=${source.socketDir}&port=${source.port}`;
  const env = { PATH: `${postgres}:${process.env.PATH}`, DATABASE_URL: url };
  execFileSync('sh', ['-c', command.replace(/^ *- /, '').replace(/rows\.sql$/, `'${file}'`)], { env });
  expect(readFileSync(file, 'utf8')).not.toContain('user1@example.com');
  const full = await rehearse([...argv, '--dump', file, '--full']);
  expect([full.answer, full.stderr]).toEqual([
    expect.stringMatching(/^yes: .* of migrations on this machine/),
    '',
  ]);
  expect(full.stdout).toContain('rows of public.users');
});

describe('what a database refuses', () => {
  it.for([
    ['all tables', 'for all tables', 10],
    ['a schema', 'for tables in schema public', 15],
  ] as const)('is seen for a publication of %s', async ([of, tables, sinceMajor], { skip }) => {
    skip(source.major < sinceMajor, `a publication of ${of} came with PostgreSQL ${sinceMajor}`);
    const database = `published_${sinceMajor}`;
    source.database(database, ...instance, 'create table bare (a int)', 'insert into bare values (1)');
    source.sql(database, `create publication everything ${tables}`);
    const argv = await upgrade({ [one]: { up: 'update bare set a = 2' } });
    const { answer } = await rehearse([...argv.slice(2), '--dump', dumpOf(source, database)]);
    expect(answer).toBe(
      `no: hop 1 fails in ${one}.js: cannot update table "bare" because it does not have a replica identity and publishes updates (55000)`,
    );
  });

  it('is seen for a view on a column that goes', async () => {
    source.database('viewed', ...instance, 'create view emails as select email from users');
    const argv = await upgrade({ [one]: { up: 'alter table users drop column email' } });
    const { answer } = await rehearse([...argv.slice(2), '--dump', dumpOf(source, 'viewed')]);
    expect(answer).toBe(
      `no: hop 1 fails in ${one}.js: cannot drop column email of table users because other objects depend on it (2BP01)`,
    );
  });

  it('is no answer for a missing right without the roles, and one with them', async () => {
    source.sql('postgres', 'create role other');
    source.database('foreign', ...instance, 'create table theirs (a int)');
    source.sql('foreign', 'alter table theirs owner to other');
    const foreign = dumpOf(source, 'foreign');
    const argv = (await upgrade({ [one]: { up: 'alter table theirs add b int' } })).slice(2);
    const refused = 'must be owner of table theirs (42501)';
    const without = await rehearse([...argv, '--dump', foreign]);
    expect([without.answer, without.code]).toEqual([
      `not known: hop 1: ${refused}: a dump holds no memberships; --roles gives them`,
      3,
    ]);
    const file = rolesOf(source);
    const withRoles = await rehearse([...argv, '--dump', foreign, '--roles', file]);
    expect(withRoles.answer).toBe(`no: hop 1 fails in ${one}.js: ${refused}`);
    source.sql('postgres', 'grant other to lightdash');
    const member = await rehearse([...argv, '--dump', foreign, '--roles', rolesOf(source)]);
    expect(member.answer).toBe('yes: the only migration of 1 hop applies (dry: no times)');
    source.sql('postgres', 'revoke other from lightdash');
  });
});

describe('the migrator', () => {
  it('gets nothing of the caller that names a database, and no network', async () => {
    const listener = await listenEverywhere();
    const argv = await upgrade(
      { [one]: { up: 'select 1' } },
      [],
      `
      const told = JSON.stringify(process.env);
      if (/canary/.test(told)) throw new Error('the environment has ' + told);
      const net = require('node:net');
      for (const host of ${JSON.stringify(listener.hosts)})
        await new Promise((done, fail) => net.connect(${listener.port}, host).once('error', done).once('connect', () => fail(new Error('a network'))));
    `,
    );
    const canaries = [
      'PGHOST',
      'PGSERVICE',
      'PGPASSWORD',
      'PGOPTIONS',
      'DATABASE_URL',
      'PGCONNECTIONURI',
      'LIGHTDASH_SECRET',
      'HOME',
      'PROD_DB',
    ];
    const env = Object.fromEntries(canaries.map((name) => [name, 'postgresql://canary@prod/canary']));
    const { answer, stdout } = await rehearse(argv, { env });
    expect([answer, stdout]).toEqual([
      'yes: the only migration of 1 hop applies (dry: no times)',
      expect.not.stringContaining('canary'),
    ]);
    expect(listener.connections()).toBe(0);
  });

  it('gets a variable that is named, whose value is shown nowhere', async () => {
    const argv = await upgrade(
      { [one]: { up: 'select 1' } },
      ['--env', 'LICENCE'],
      'console.log(process.env.LICENCE); process.exit(1);',
    );
    const { answer, stdout } = await rehearse(argv, { env: { LICENCE: 'canary of the licence' } });
    expect(answer).toBe('not known: hop 1: the migrator ended with 1 and never reached knex_migrations');
    expect(stdout).toContain('The migrator printed last');
    expect(stdout).not.toContain('canary');
  });
});
