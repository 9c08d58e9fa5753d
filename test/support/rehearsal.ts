import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { fetchPackage, fetchPostgres } from '../../scripts/fetch-package.js';
import { type CliWorld, type Outcome, runCli } from './cli.js';
import { graphileWorkerTables, knexTables } from './lightdash-tables.js';
import { type Cluster, startPostgres } from './postgres.js';
import { type MigrationCase, type ReleaseCase, writeSituation } from './preflight.js';
import { findProgram } from './programs.js';
import { folderOfAll } from './temporary-folder.js';

/** What a migration of knex does: the SQL of it, or JavaScript with `knex` in it. */
export interface KnexMigration {
  readonly up: string;
  /** `false` for one outside of a transaction. */
  readonly transaction?: false;
}

/** Migrations by name, as the image of a release has them: all that it ever had. */
export type KnexImage = Readonly<Record<string, KnexMigration>>;

const oldMigration = '20260801000000_old';

/** A migrator of real knex, and the images that it runs. */
export function writeMigrator(images: Readonly<Record<string, KnexImage>>, before = ''): string {
  const folder = folderOfAll();
  for (const [version, image] of Object.entries(images)) {
    const all = { [oldMigration]: { up: 'select 1' }, ...image };
    writeFileSync(join(folder, `${version}.json`), JSON.stringify(all));
  }
  writeFileSync(
    join(folder, 'migrate.cjs'),
    `let images = (version) => JSON.parse(require('node:fs').readFileSync(__dirname + '/' + version + '.json', 'utf8'));
const version = process.argv[2];
(async () => {
  ${before}
  const image = images(version);
  const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: database } = process.env;
  const knex = require(${JSON.stringify(resolve(fetchPackage('knex', '3.3.0')))})({ client: 'pg', connection: { host, port, user, password, database } });
  const migrationSource = {
    getMigrations: async () => Object.keys(image).sort(),
    getMigrationName: (name) => name + '.js',
    getMigration: async (name) => ({
      up: (trx) => image[name].up.startsWith('js:') ? new Function('knex', 'return (async () => {' + image[name].up.slice(3) + '})()')(trx) : trx.raw(image[name].up),
      down() {},
      ...(image[name].transaction === false ? { config: { transaction: false } } : {}),
    }),
  };
  await knex.migrate.latest({ migrationSource });
  await knex.destroy();
})().catch((error) => { console.error(error); process.exit(1); });
`,
  );
  return `${process.execPath} ${join(folder, 'migrate.cjs')} {version}`;
}

/** The publisher's index of an upgrade from 2.0.0, by releases that each bring migrations. */
export async function writeReleases(
  releases: Readonly<Record<string, readonly string[]>>,
  stops: readonly string[] = [],
): Promise<string> {
  const folder = folderOfAll();
  const cases: ReleaseCase[] = Object.entries(releases).map(([version, names]) => ({
    version,
    migrations: names.map((name): MigrationCase => ({ name: name })),
    entry: { requiredStops: stops.filter((stop) => stop < version) },
  }));
  await writeSituation(folder, {
    releases: [{ version: '2.0.0', migrations: [{ name: oldMigration }] }, ...cases],
  });
  return folder;
}

/** The database of an instance at 2.0.0. */
export const instance = [
  knexTables({ names: [`${oldMigration}.js`] }),
  graphileWorkerTables,
  'CREATE TABLE users (id serial PRIMARY KEY, email text UNIQUE)',
  "INSERT INTO users (email) SELECT 'user' || i || '@example.com' FROM generate_series(1, 500) i",
];

/** The major version of the copies of this run; undefined: that of the installed server. */
const majorOfCopies = process.env.LIGHTSPAN_TEST_POSTGRES;

/** The folder of the server of the copies. */
export const programsOfCopies =
  majorOfCopies === undefined
    ? (findProgram('initdb') ?? '').replace(/\/initdb$/, '')
    : fetchPostgres(majorOfCopies);

/** A server of the version of the copies; where the installed `pg_dump` refuses a server so new, the installed one. */
export function startSource(): Promise<Cluster> {
  const client = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const isTooNew = Number(majorOfCopies) > Number(/\d+/.exec(client));
  return startPostgres({}, [], isTooNew ? null : majorOfCopies);
}

/** Dumps a database of a cluster with `pg_dump`, as its superuser. */
export function dumpOf(
  cluster: Cluster,
  database: string,
  options: readonly string[] = ['--format=custom'],
): string {
  const file = join(folderOfAll(), 'dump');
  execFileSync(findProgram('pg_dump') ?? 'pg_dump', [
    ...['-h', cluster.socketDir, '-p', String(cluster.port), '-U', 'postgres', '-d', database],
    ...['--file', file, ...options],
  ]);
  return file;
}

/** Takes connections on the loopback of this machine, and on its address on a network, until the test has ended. */
export async function listenEverywhere() {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has a port');
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const foreign = own.filter(({ family, internal }) => family === 'IPv4' && !internal);
  const hosts = ['127.0.0.1', ...foreign.map((one) => one.address)];
  return { port: address.port, hosts, connections: () => count };
}

/** What `pg_dumpall` tells of the roles of a cluster. */
export function rolesOf(cluster: Cluster): string {
  const file = join(folderOfAll(), 'roles.sql');
  const server = ['-h', cluster.socketDir, '-p', String(cluster.port), '-U', 'postgres'];
  const roles = ['--roles-only', '--no-role-passwords', '--file', file];
  execFileSync(findProgram('pg_dumpall') ?? 'pg_dumpall', [...server, ...roles]);
  return file;
}

export interface RehearsalOutcome extends Outcome {
  /** The line of the answer. */
  readonly answer: string;
  /** What stays of it in the folder of temporary files. */
  readonly left: readonly string[];
}

/** Rehearses in a folder of temporary files of its own. */
export async function rehearse(
  argv: readonly string[],
  world: CliWorld = {},
  tmp = folderOfAll(),
): Promise<RehearsalOutcome> {
  const env = { PATH: process.env.PATH ?? '', NO_COLOR: '1', TMPDIR: tmp, ...world.env };
  const outcome = await runCli(['upgrade-rehearse', ...argv], { ...world, env });
  const [, answer = ''] = /^Answer: (.*)$/m.exec(outcome.stdout) ?? [];
  return { ...outcome, answer, left: readdirSync(tmp) };
}
