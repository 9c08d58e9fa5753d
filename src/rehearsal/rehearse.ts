import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LightspanError } from '../core/lightspan-error.js';
import type { Version } from '../core/version.js';
import { leaseRow } from '../gather/database/migration-look.js';
import { namesBy, quoteName } from '../gather/database/sql.js';
import { unreadable } from '../gather/files/read-file.js';
import { usualTimeoutMs } from '../gather/limits.js';
import type { CopyPlace, CopyQuestion } from '../question/rehearsal.js';
import { type Dump, findDump, readDump } from './dump.js';
import {
  type CopyLimits,
  type HopOutcome,
  type HopRun,
  outcomeOfRun,
  outcomeOfSecondRun,
  type RunSeen,
  watchRun,
} from './hop.js';
import { readLog } from './log.js';
import { type MigratorCommand, type MigratorRun, runMigrator } from './migrator.js';
import type { Place, PlaceRequest, RehearsalServer } from './place.js';
import { type Copy, prepareCopy } from './prepare.js';
import { nothingRestored, type Restored, restoreDump } from './restore.js';
import type { Row, Session } from './session.js';
import { sessionsOf } from './watch.js';

/** What a rehearsal needs of the process that it runs in. */
interface RehearsalWorld {
  readonly env: PlaceRequest['env'];
  /** The folder of temporary files. */
  readonly tmp: string;
  readonly show: (step: string) => void;
  readonly onRemoved: (path: string) => void;
}

/** A dump that was restored, as far as it could be, into a server of its own. */
export interface Rehearsing {
  readonly by: Place['by'];
  readonly dump: Dump;
  readonly major: number;
  readonly isIsolated: boolean;
  readonly restored: Restored;
  readonly restoreSeconds: number;
  /** Undefined if not all of the dump could be restored. */
  readonly copy: CopyAtWork | undefined;
  /** Ends and removes all of it. */
  readonly end: () => Promise<void>;
}

/** A copy, and what migrates it. */
export interface CopyAtWork {
  /** The names in the ledger as the dump has it, in the order in which they were applied. */
  readonly ledger: readonly string[];
  readonly migratingRole: string;
  /** That of the ledger. */
  readonly schema: string;
  readonly migrate: (version: Version) => Promise<HopRun>;
  /** Runs one query as the watching role, which reads the catalogue alone. */
  readonly ask: (sql: string) => Promise<readonly Row[]>;
  readonly sizes: () => Promise<{ readonly before: number; readonly after: number; readonly wal: number }>;
}

/**
 * Restores a dump into a server that is made for it and thrown away. What earlier rehearsals have left, and their
 * processes, go first.
 *
 * @throws {LightspanError} if there can be no rehearsal
 */
export async function beginRehearsal(question: CopyQuestion, world: RehearsalWorld): Promise<Rehearsing> {
  const roles = question.roles === undefined ? undefined : await readRoles(question.roles);
  const suffix = randomBytes(4).toString('hex');
  const { full, variables } = question;
  const place = await openPlace(question.where, { ...world, suffix, full, variables });
  for (const left of place.removeLeftovers()) world.onRemoved(left);
  const { by, restore } = place;
  const dump = await findDump(question.dump, restore);
  if (dump.fault !== undefined) {
    // A dump that is no backup needs no server to be found out.
    const restored = { ...nothingRestored, broken: [dump.fault] };
    const attempt = { by, dump, major: dump.fromMajor ?? 0, isIsolated: true, restored, restoreSeconds: 0 };
    return { ...attempt, copy: undefined, end: () => Promise.resolve() };
  }
  world.show('starting PostgreSQL');
  const server = await place.start(dump);
  const end = async () => server.remove();
  try {
    world.show('restoring the dump');
    const begun = performance.now();
    const parts = readDump(dump, restore);
    const restored = await restoreDump(server, { parts, full, roles, suffix });
    const restoreSeconds = (performance.now() - begun) / 1000;
    const { major, isIsolated } = server;
    const attempt = { by, dump, major, isIsolated, restored, restoreSeconds };
    if (restored.broken.length > 0 || restored.lacking.length > 0)
      return { ...attempt, copy: undefined, end };
    const copy = await prepareCopy(server, restored, { role: question.role, full, suffix });
    return { ...attempt, copy: await Migrations.open({ server, copy, restored, question, world }), end };
  } catch (error) {
    const cause = causeOf(error, server);
    await end();
    throw cause;
  }
}

/** Prefers the reason why the server ended to the error of whatever failed because of that. */
function causeOf(error: unknown, { failure }: RehearsalServer): unknown {
  const why = failure();
  return why === undefined ? error : new LightspanError('unreadable-source', why, { cause: error });
}

async function readRoles(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable('the roles', error);
  }
}

/** How often the copy is looked at. */
const lookMs = 50;

interface Opened {
  readonly server: RehearsalServer;
  readonly copy: Copy;
  readonly restored: Restored;
  readonly question: CopyQuestion;
  readonly world: RehearsalWorld;
}

/** The migrations of a copy, hop by hop. */
class Migrations implements CopyAtWork {
  ledger: readonly string[] = [];
  /** As it is by now. */
  #applied: readonly string[] = [];
  readonly migratingRole: string;
  readonly schema: string;
  readonly #opened: Opened;
  readonly #watcher: Session;
  #wasLocked = false;
  #begun = { bytes: 0, wal: 0 };

  private constructor(opened: Opened, watcher: Session) {
    this.#opened = opened;
    this.#watcher = watcher;
    this.migratingRole = opened.copy.migratingRole;
    this.schema = opened.copy.schema;
  }

  static async open(opened: Opened): Promise<Migrations> {
    const { server, copy } = opened;
    const watcher = await server.connect(copy.watcher, copy.database);
    const migrations = new Migrations(opened, watcher);
    await watcher.query("SELECT pg_catalog.set_config('search_path', 'pg_catalog', false)");
    migrations.#wasLocked = await migrations.#isLocked();
    migrations.ledger = await migrations.#readLedger();
    migrations.#applied = migrations.ledger;
    migrations.#begun = await migrations.#measure();
    return migrations;
  }

  async ask(sql: string): Promise<readonly Row[]> {
    try {
      return await this.#watcher.query(sql);
    } catch (error) {
      throw causeOf(error, this.#opened.server);
    }
  }

  async #isLocked(): Promise<boolean> {
    const [row] = await this.ask(
      `SELECT count(*)::int AS locked FROM ${quoteName(this.schema).identifier}.knex_migrations_lock WHERE is_locked = 1`,
    );
    return row?.locked !== 0;
  }

  async #readLedger(): Promise<readonly string[]> {
    const rows = await this.ask(
      `SELECT name FROM ${quoteName(this.schema).identifier}.knex_migrations ORDER BY id`,
    );
    return rows.map(({ name }) => String(name));
  }

  async #measure() {
    const [row] = await this.ask(
      "SELECT pg_database_size(current_database())::float8 AS bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal",
    );
    return { bytes: Number(row?.bytes), wal: Number(row?.wal) };
  }

  async sizes() {
    const { bytes, wal } = await this.#measure();
    return { before: this.#begun.bytes, after: bytes, wal: wal - this.#begun.wal };
  }

  /** A second run must apply nothing: it finds what the first has left, and proves a restart harmless. */
  async migrate(version: Version): Promise<HopRun> {
    const first = await this.#run(version);
    const outcome = outcomeOfRun(first.run, first.seen, this.#limits());
    const ended = { migrations: first.migrations, image: this.#opened.server.imageOf(version) };
    if (outcome.kind !== 'applied') {
      return { ...ended, outcome: await this.#withState(outcome), ledger: this.#applied };
    }
    const second = await this.#run(version);
    const proven = outcomeOfSecondRun(second.run, second.seen, this.#limits());
    return { ...ended, outcome: proven, ledger: this.#applied };
  }

  #limits(): CopyLimits {
    const { restored, copy, server } = this.#opened;
    return {
      rightsAreSure: restored.rightsAreSure,
      migratesAsSuperuserAtHome: restored.superusers.has(copy.migratingRole),
      missingExtensions: restored.missingExtensions,
      wasLocked: this.#wasLocked,
      serverFailure: server.failure(),
    };
  }

  /** What the tables of the migrator say of a run that did not go through. */
  async #withState(outcome: HopOutcome): Promise<HopOutcome> {
    if (outcome.kind === 'applied' || this.#opened.server.failure() !== undefined) return outcome;
    if (outcome.kind === 'not-known') {
      const leavesLock = !this.#wasLocked && (await this.#isLocked());
      return leavesLock ? { ...outcome, why: `${outcome.why}; knex_migrations_lock stays held` } : outcome;
    }
    // Where knex does not name the migration that failed, the lease may.
    if (outcome.migration !== undefined) return outcome;
    const [lease] = await this.ask(leaseRow(namesBy(() => quoteName(this.schema)))).catch(() => []);
    const named = lease?.current_migration ?? lease?.parked_migration;
    return { ...outcome, migration: typeof named === 'string' ? named : undefined };
  }

  async #run(version: Version) {
    const { server, copy, world } = this.#opened;
    const [backend] = await this.ask('SELECT pg_backend_pid() AS pid');
    const watched = watchRun();
    const read = readLog({ mark: copy.mark, isOurs: (pid) => pid === backend?.pid }, watched.onEvent);
    const stop = server.onLog(read);
    const looking = this.#look(watched.onLook);
    world.show(`migrating to ${version}`);
    const run: MigratorRun = await runMigrator(this.#commandFor(version), this.#secrets());
    await looking();
    // A server that has ended writes no more to its log.
    await this.#logIsRead().catch(() => undefined);
    stop();
    const seen: RunSeen = watched.seen();
    if (server.failure() === undefined) this.#applied = await this.#readLedger();
    // What a failed transaction took back was applied for a while only.
    const migrations = seen.applied.filter(({ name }) => this.#applied.includes(name));
    return { run, seen, migrations };
  }

  /** Waits until the log has been read up to now: a marked statement is run, and its line comes after all before it. */
  async #logIsRead(): Promise<void> {
    const mark = randomBytes(8).toString('hex');
    const markRead = new Promise<void>((done) => {
      const stop = this.#opened.server.onLog((line) => {
        if (!line.includes(mark)) return;
        stop();
        done();
      });
    });
    await this.ask(`SELECT '${mark}' AS mark`);
    await Promise.race([markRead, sleep(usualTimeoutMs, undefined, { ref: false })]);
  }

  /**
   * Reads the sessions of the copy again and again until the result is called. A read that fails ends it: the outcome of
   * the run then says why.
   */
  #look(onLook: ReturnType<typeof watchRun>['onLook']): () => Promise<void> {
    let isOver = false;
    const watch = async () => {
      let before = performance.now();
      while (!isOver) {
        const sessions = await sessionsOf(this.#watcher);
        const now = performance.now();
        onLook(sessions, (now - before) / 1000);
        before = now;
        await sleep(lookMs);
      }
    };
    const ended = watch().catch(() => undefined);
    return () => {
      isOver = true;
      return ended;
    };
  }

  #secrets(): readonly string[] {
    const { question, world } = this.#opened;
    return question.variables.flatMap((name) => world.env[name] || []);
  }

  #commandFor(version: Version): MigratorCommand {
    const { server, copy, question } = this.#opened;
    return { ...server.migrator(copy, version), limitMs: question.limitMs };
  }
}

async function openPlace(where: CopyPlace, request: PlaceRequest): Promise<Place> {
  if (where.by === 'programs') return (await import('./server.js')).openPrograms(where, request);
  return (await import('./containers.js')).openContainers(where, request);
}
