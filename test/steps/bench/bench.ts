import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import type { Strategy } from '../../../src/core/span.js';
import { type Deployment, deploymentOf } from '../../../src/instance/deployment.js';
import { planRoute } from '../../../src/library/library.js';
import { libraryFor, renderHop } from '../../../src/steps/hop-block.js';
import { type Cluster, startPostgres } from '../../support/postgres.js';
import { executeStandIn, findComposePlugin, findProgram } from '../../support/programs.js';
import { realIndex } from '../../support/real-index.js';
import { folderOfAll } from '../../support/temporary-folder.js';

/** What the bench is set up as; everything else of it is the same in every case. */
export interface BenchOf {
  readonly kind: 'compose' | 'helm';
  readonly strategy?: Strategy;
  readonly helm?: 3 | 4;
  readonly migrationJob?: boolean;
  /** Whether the migration lasts until `goOn`: however busy the machine, it is at work when something else happens. */
  readonly lasts?: boolean;
  readonly deployment?: Partial<Pick<Deployment, 'database'>>;
  readonly compose?: (tag: string, database: string) => string;
}

export interface Run {
  readonly status: number | null;
  readonly out: string;
}

export const spans = { Recreate: ['1.111.0', '1.115.0'], RollingUpdate: ['1.125.0', '1.140.0'] } as const;

const standIn = join(import.meta.dirname, 'stand-in.mjs');

export const composeFile = (tag: string, database: string, more = '') => `name: bi
services:
  lightdash:
    image: lightdash/lightdash:${tag}
    environment: {PGHOST: db, PGDATABASE: ${database}, LIGHTDASH_SECRET: secret}
  worker:
    image: lightdash/lightdash:${tag}
    profiles: [worker]
    environment: {PGHOST: db, PGDATABASE: ${database}, LIGHTDASH_SECRET: secret}
  db:
    image: pgvector/pgvector:pg15
${more}`;

const valuesFile = (tag: string, mode: string) => `image: {tag: ${tag}}\nupgrade: {mode: ${mode}}\n`;

/** A database with everything that a dump may lose: rows, a sequence, large objects, owners, grants, settings, policies. */
const contents = `
CREATE TABLE knex_migrations (id serial PRIMARY KEY, name varchar(255), batch int, migration_time timestamptz);
INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('20260101000000_first.js', 1, now());
CREATE TABLE projects (id serial PRIMARY KEY, name text NOT NULL);
INSERT INTO projects (name) SELECT 'project ' || i FROM generate_series(1, 20) AS i;
CREATE TABLE secrets (id int PRIMARY KEY, owner text);
ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secrets USING (owner = current_user);
INSERT INTO secrets VALUES (1, 'lightdash');
GRANT SELECT ON projects TO reader;
SELECT lo_from_bytea(4711, 'a large object');`;

export class Bench {
  readonly folder = folderOfAll();
  readonly home = join(this.folder, 'home');
  readonly backups = join(this.folder, 'backups');
  from: string;
  to: string;
  /** How the instance answers beside what runs: parked, from a cache, as another Lightdash. */
  answers: { parked?: boolean; age?: number; other?: string; alternate?: string } = {};
  url = '';
  readonly #of: BenchOf;
  readonly #cluster: Cluster;
  readonly #database: string;

  constructor(of: BenchOf, cluster: Cluster, number: number) {
    this.#of = of;
    this.#cluster = cluster;
    this.#database = `lightdash_${number}`;
    [this.from, this.to] = spans[of.strategy ?? 'Recreate'];
  }

  get database(): string {
    return this.#database;
  }

  sql(text: string, database = this.#database): string {
    return this.#cluster.sql(database, text);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  world() {
    return JSON.parse(readFileSync(join(this.folder, 'world.json'), 'utf8'));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the state of the stand-ins is what each of them makes of it
  change(make: (world: any) => void): void {
    const world = this.world();
    make(world);
    // Whoever reads it meanwhile reads all of it.
    this.write('world.json.new', JSON.stringify(world));
    renameSync(join(this.folder, 'world.json.new'), join(this.folder, 'world.json'));
  }

  calls(): string[] {
    return readFileSync(join(this.folder, 'calls'), 'utf8').trimEnd().split('\n');
  }

  /** The tag in the file that the operator keeps. */
  setTag(tag: string): void {
    if (this.#of.kind === 'compose')
      this.write('docker-compose.yml', (this.#of.compose ?? composeFile)(tag, this.#database));
    else this.write('values.yaml', valuesFile(tag, this.#of.strategy ?? 'Recreate'));
  }

  async open(): Promise<this> {
    const { kind, helm = 3, migrationJob = true, lasts = false } = this.#of;
    const db = this.#database;
    this.#cluster.sql(
      'postgres',
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN CREATE ROLE reader; END IF; END $$`,
    );
    this.#cluster.database(db, contents);
    this.sql(
      `ALTER DATABASE "${db}" SET work_mem = '7MB'; REVOKE CONNECT ON DATABASE "${db}" FROM PUBLIC; CREATE PUBLICATION changes FOR TABLE projects`,
    );
    for (const name of ['bin', 'home', 'backups']) mkdirSync(join(this.folder, name));
    spawnSync('mkfifo', [join(this.folder, 'endless')]);
    chmodSync(this.folder, 0o777);
    const bin = (name: string, text: string) =>
      writeFileSync(join(this.folder, 'bin', name), text, { mode: 0o755 });
    for (const name of ['docker', 'kubectl', 'helm']) bin(name, this.#wrapper(name));
    bin('sleep', '#!/bin/sh\nexec /bin/sleep 0.1\n');
    // What is in the ledger is not run again.
    const migration = `SELECT count(*) > 0 AS ran FROM knex_migrations WHERE name LIKE '%second%' \\gset
\\if :ran
  \\q
\\endif
BEGIN;
ALTER TABLE projects ADD COLUMN slug text;
${lasts ? this.untilToldToGoOn : ''}
UPDATE projects SET slug = 'slug';
INSERT INTO projects (name, slug) SELECT 'new ' || i, 'new' FROM generate_series(1, 20) AS i;
INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('20260201000000_second.js', 2, now());
COMMIT;`;
    this.write('calls', '');
    this.write(
      'world.json',
      JSON.stringify({
        realCompose: findComposePlugin(),
        ...{ database: db, socket: this.#cluster.socketDir, port: this.#cluster.port, role: 'lightdash' },
        ...{ helm, migrationJob, killedMigrations: 0, containers: {}, context: 'prod' },
        migrations: {},
        clusters: { prod: cluster(this.from, db), staging: cluster(this.from, db) },
      }),
    );
    if (kind === 'compose') {
      this.setTag(this.from);
      this.#must('docker compose up --detach lightdash worker db');
    } else {
      for (const name of ['bi-backend', 'bi-worker'])
        this.shell(
          `kubectl scale deployment ${name} --replicas=${name === 'bi-backend' ? 2 : 1} --namespace data`,
        );
    }
    this.change((world) => {
      world.migrations = { [this.to]: migration };
    });
    this.setTag(this.to);
    await this.#listen();
    mkdirSync(join(this.folder, 'hops'));
    this.#scripts();
    this.write('calls', '');
    return this;
  }

  /** SQL that ends after `goOn`. What tells of it is in no database: none of them changes by it. */
  get untilToldToGoOn(): string {
    const isTold = `EXISTS (SELECT FROM pg_roles WHERE rolname = '${this.#database} goes on')`;
    return `DO $$ BEGIN WHILE NOT ${isTold} LOOP PERFORM pg_sleep(0.05); END LOOP; END $$;`;
  }

  /** Tells the migration to do so. */
  goOn(): void {
    this.sql(`CREATE ROLE "${this.#database} goes on"`, 'postgres');
  }

  /** The hop after this one, in the same folder: where it is run, the target of the first is what is left. */
  next(to: string): void {
    this.from = this.to;
    this.to = to;
    this.setTag(to);
    this.#scripts();
    this.write('calls', '');
  }

  /** Most calls are queries, or read a compose file: a shell passes these on, in a tenth of the time that a runtime takes to start. */
  #wrapper(name: string): string {
    const { socketDir, port } = this.#cluster;
    return `#!/bin/sh
case "$*" in
  'compose exec -T db '* | 'exec --stdin statefulset/'*' -- '*)
    if ! grep -q '"fault"' "$WORLD/world.json"; then
      printf '%s\\n' "${name} $(printf '%s' "$*" | tr '\\n' ' ')" >> "$WORLD/calls"
      if [ "$1" = compose ]; then shift 4; else until [ "$1" = -- ]; do shift; done; shift; fi
      export PGHOST='${socketDir}' PGPORT=${port} POSTGRES_USER=postgres POSTGRES_DB=lightdash
      exec "$@"
    fi ;;
  'compose config'* | 'compose version'*)
    if ! grep -q '"fault"' "$WORLD/world.json"; then
      printf '%s\\n' "${name} $*" >> "$WORLD/calls"
      shift
      exec '${findComposePlugin()}' "$@"
    fi ;;
esac
${executeStandIn(standIn)} ${name} "$@"
`;
  }

  /** The files of `--out`. */
  #scripts(): void {
    const { kind, strategy = 'Recreate' } = this.#of;
    const [hop] = planRoute(realIndex(), { from: this.from, to: this.to }).hops;
    if (hop?.strategy !== strategy) throw new Error(`${this.from} -> ${this.to} is no ${strategy}`);
    const deployment = { ...deploymentFor(kind), ...this.#of.deployment };
    const rendered = renderHop(hop, { at: 1, of: 1 }, deployment, { url: this.url, allowHttp: true });
    this.write('hops/hop.sh', rendered.script.text);
    this.write('hops/hop-1-back.sh', rendered.back.script.text);
    const library = libraryFor(deployment);
    this.write(`hops/${library.name}`, library.text);
    this.write('block.sh', rendered.block.replace('yes=no', 'yes=yes'));
    this.write('back-block.sh', rendered.back.block.replace('yes=no', 'yes=yes'));
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      // Debian's own psql is a script of Perl that looks for this one.
      PATH: `${join(this.folder, 'bin')}:${dirname(findProgram('initdb') ?? '')}:${process.env.PATH}`,
      ...{ HOME: this.home, LIGHTSPAN_BACKUPS: this.backups, WORLD: this.folder, LIGHTSPAN_WAIT: '6000' },
      ...more,
    };
  }

  #must(command: string): void {
    const { status, out } = this.shell(command);
    if (status !== 0) throw new Error(`${command}: ${out}`);
  }

  shell(command: string, more: Readonly<Record<string, string>> = {}): Run {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: this.folder,
      env: this.env(more),
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, out: stdout + stderr };
  }

  /** Beside the instance, which answers from this process. */
  run(command: string, more: Readonly<Record<string, string>> = {}): Promise<Run> & { readonly pid: number } {
    const child = spawn('sh', ['-c', `exec ${command}`], {
      cwd: this.folder,
      env: this.env(more),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        out += data;
      });
    }
    const ended = new Promise<Run>((resolve) =>
      child.on('exit', (status) => setTimeout(() => resolve({ status, out }), 50)),
    );
    return Object.assign(ended, { pid: child.pid ?? 0 });
  }

  hop(words = '', more: Readonly<Record<string, string>> = {}, shell = 'sh') {
    return this.run(`${shell} hops/hop.sh ${words}`, more);
  }

  back(words = '', more: Readonly<Record<string, string>> = {}, shell = 'sh') {
    return this.run(`${shell} hops/hop-1-back.sh ${words}`, more);
  }

  /** The release that runs, by what runs it; undefined for none, or for several. */
  running(): string | undefined {
    const { containers, clusters, context } = this.world();
    const images: string[] =
      this.#of.kind === 'compose'
        ? Object.values<{ service: string; running: boolean; image: string }>(containers)
            .filter(({ service, running }) => running && service !== 'db')
            .map(({ image }) => image)
        : Object.values<{ replicas: number; image: string }>(clusters[context ?? 'prod'].deployments)
            .filter(({ replicas }) => replicas > 0)
            .map(({ image }) => image);
    const [version, second] = new Set(images.map((image) => /:v?(\d+\.\d+\.\d+)/.exec(image)?.[1]));
    return second === undefined && images.length > 1 ? version : undefined;
  }

  isMigrated(): boolean {
    return this.sql("SELECT count(*) FROM knex_migrations WHERE name LIKE '%second%'") === '1';
  }

  /** Everything in the database that counts, as text. */
  fingerprint(database = this.#database): string {
    return this.sql(
      `SELECT 'rows', id, name FROM projects ORDER BY id;
SELECT 'columns', attname FROM pg_attribute WHERE attrelid = 'projects'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum;
SELECT 'secret', id, owner FROM secrets; SELECT 'ledger', id, name, batch FROM knex_migrations ORDER BY id;
SELECT 'sequence', last_value, is_called FROM projects_id_seq; SELECT 'object', oid, convert_from(lo_get(oid), 'UTF8') FROM pg_largeobject_metadata;
SELECT 'owner', relname, relowner::regrole, ARRAY(SELECT unnest(relacl)::text ORDER BY 1), relrowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname;
SELECT 'database', datdba::regrole, ARRAY(SELECT unnest(datacl)::text ORDER BY 1) FROM pg_database WHERE datname = current_database();
SELECT 'setting', setconfig FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE datname = current_database();
SELECT 'policy', polname, pg_get_expr(polqual, polrelid) FROM pg_policy;
SELECT 'publication', pubname, tablename FROM pg_publication_tables`,
      database,
    );
  }

  #version(): string | undefined {
    const { containers, clusters, context } = this.world();
    const image =
      this.#of.kind === 'compose'
        ? containers['bi-lightdash-1']?.running && containers['bi-lightdash-1'].image
        : clusters[context ?? 'prod'].deployments['bi-backend'].replicas > 0 &&
          clusters[context ?? 'prod'].deployments['bi-backend'].image;
    return image ? /:v?(\d+\.\d+\.\d+)/.exec(image)?.[1] : undefined;
  }

  async #listen(): Promise<void> {
    let asked = 0;
    const server: Server = createServer((request, response) => {
      const { parked, age, other, alternate } = this.answers;
      if (request.url === '/api/v1/health') asked += 1;
      const running = this.#version();
      const version =
        other ?? (alternate !== undefined && asked % 2 === 0 && running === this.to ? alternate : running);
      const send = (status: number, body: unknown) => {
        response.writeHead(status, { ...(age !== undefined && running === this.to && { Age: String(age) }) });
        response.end(JSON.stringify(body));
      };
      if (version === undefined) return send(503, {});
      if (other === undefined && running === this.to && !this.isMigrated())
        return send(503, { status: 'not_ready' });
      if (request.url === '/api/v1/readyz')
        return parked
          ? send(200, { status: 'ready', warnings: ['migration_parked'] })
          : send(200, { status: 'ready' });
      if (request.url !== '/api/v1/health') return send(404, {});
      return send(200, { status: 'ok', results: { healthy: true, version, latest: { version: '9.9.9' } } });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => {
      server.close();
      const { containers, clusters } = this.world();
      const clients = [...Object.values(containers), ...Object.values(clusters.prod.deployments)] as {
        client?: number;
        migration?: number;
      }[];
      for (const { client } of clients) {
        try {
          if (client !== undefined) process.kill(client, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
    });
  }
}

function cluster(from: string, database: string) {
  const deployment = {
    replicas: 0,
    image: `lightdash/lightdash:${from}`,
    owner: 'helm',
    env: { PGDATABASE: database },
  };
  return {
    deployments: { 'bi-backend': { ...deployment }, 'bi-worker': { ...deployment } },
    ...{ jobs: {}, autoscalers: {}, release: { status: 'deployed' } },
  };
}

function deploymentFor(kind: 'compose' | 'helm'): Deployment {
  const nothing = deploymentOf({});
  const image = { registry: null, repository: 'lightdash/lightdash', tag: '1.111.0', digest: null };
  const file = kind === 'compose' ? 'docker-compose.yml' : 'values.yaml';
  const both = { image, file, files: [file] };
  if (kind === 'compose')
    return { ...nothing.compose, ...both, folder: '.', services: ['lightdash', 'worker'], database: 'db' };
  return {
    ...nothing.helm,
    ...both,
    ...{ release: 'bi', namespace: 'data', chart: 'lightdash', chartVersion: '2.16.361', context: 'prod' },
    ...{
      deployments: ['bi-backend', 'bi-worker'],
      backend: 'bi-backend',
      database: 'statefulset/bi-postgresql',
    },
    ...{ migrationJob: true, migrationJobName: 'bi-migrate' },
  };
}

/** The server of a file of tests, and its benches, each with a database of its own. */
export class Benches {
  #cluster: Cluster | undefined;
  /** How many have been opened. */
  count = 0;

  constructor() {
    beforeAll(async () => {
      this.#cluster = await startPostgres();
    });
  }

  get server(): Cluster {
    if (this.#cluster === undefined) throw new Error('the server has not started yet');
    return this.#cluster;
  }

  open(of: BenchOf): Promise<Bench> {
    this.count += 1;
    return new Bench(of, this.server, this.count).open();
  }
}
