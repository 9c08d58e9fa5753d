import { Buffer } from 'node:buffer';
import { LightspanError } from '../core/lightspan-error.js';
import { isRefusedStatement } from '../core/refused-statement.js';
import { quoteName } from '../gather/database/sql.js';
import { messageWithoutValues, type Session } from './session.js';
import { type DumpPart, isBrokenDump } from './statements.js';

/** What a restore needs of the server of a copy. */
export interface CopyServer {
  /** The superuser of the server: only statements that are written here run as it, none of the dump. */
  readonly superuser: string;
  readonly connect: (user: string, database: string) => Promise<Session>;
}

/** What became of a dump. */
export interface Restored {
  readonly database: string;
  /** The role that restored it: a member of all roles of the dump, and no superuser. */
  readonly restorer: string;
  /** What is no fault of the dump and changes nothing for the migrations. */
  readonly remarks: readonly string[];
  /** What could not be made here, though the dump may be good. */
  readonly lacking: readonly string[];
  /** What no server would take: this dump is no backup. */
  readonly broken: readonly string[];
  /** Extensions that this server does not have. */
  readonly missingExtensions: readonly string[];
  /** Whether a right that is missing here is missing there too. */
  readonly rightsAreSure: boolean;
  /** Roles that are superusers where the dump comes from. */
  readonly superusers: ReadonlySet<string>;
  /** The owner of the database there, as SQL writes it. */
  readonly owner: string | undefined;
  /** `SET …` of the database. */
  readonly settings: readonly { readonly name: string; readonly statement: string }[];
  /** The statements that make its event triggers: they were not run. */
  readonly eventTriggers: readonly string[];
  readonly tables: number;
  /** Tables that others refer to, and whose rows the dump leaves out. */
  readonly withoutRows: readonly string[];
}

export const nothingRestored: Restored = {
  ...{ database: '', restorer: '', owner: undefined, rightsAreSure: false, superusers: new Set(), tables: 0 },
  ...{
    remarks: [],
    lacking: [],
    broken: [],
    missingExtensions: [],
    settings: [],
    eventTriggers: [],
    withoutRows: [],
  },
};

interface RestoreRequest {
  readonly parts: AsyncIterable<DumpPart>;
  /** With the rows; else only those that tell which migrations have run. */
  readonly full: boolean;
  /** The text of `pg_dumpall --roles-only`; undefined if it was not given. */
  readonly roles: string | undefined;
  /** Part of every name that is created here, so that none belongs to anything else. */
  readonly suffix: string;
}

const identifier = '(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)';
const qualified = `${identifier}(?:\\.${identifier})?`;
/** No name that means the current user: that is the superuser here. */
const role = `(?!(?:current_user|current_role|session_user)\\b)${identifier}`;

/**
 * The statements of a dump that need a superuser. What runs as one has to look exactly like this, so that nothing else
 * of the dump does: names alone, no expression and no call.
 */
const asSuperuser: readonly RegExp[] = [
  `ALTER (?:TABLE|SEQUENCE|VIEW|MATERIALIZED VIEW|FOREIGN TABLE|SCHEMA|TYPE|DOMAIN|PUBLICATION|STATISTICS) ${qualified} OWNER TO ${role};`,
  `ALTER (?:FUNCTION|PROCEDURE|AGGREGATE) ${qualified}\\([^();]*\\) OWNER TO ${role};`,
  `ALTER LARGE OBJECT \\d+ OWNER TO ${role};`,
  `ALTER (?:SERVER|FOREIGN DATA WRAPPER|EVENT TRIGGER) ${identifier} OWNER TO ${role};`,
  `CREATE PUBLICATION ${identifier} FOR ALL TABLES WITH \\(publish = '[a-z, ]*'(?:, publish_via_partition_root = true)?(?:, publish_generated_columns = \\w+)?\\);`,
  `ALTER PUBLICATION ${identifier} ADD TABLES IN SCHEMA ${identifier};`,
  `CREATE SERVER ${identifier} FOREIGN DATA WRAPPER ${identifier};`,
].map((pattern) => new RegExp(`^${pattern}$`));

const extension = new RegExp(
  `^CREATE EXTENSION (?:IF NOT EXISTS )?(${identifier}) WITH SCHEMA (${identifier});$`,
);

/** A server of another database: neither its address nor a secret of it is needed for what depends on it. */
const foreignServer = new RegExp(
  `^(CREATE SERVER ${identifier})(?: TYPE '[^']*')?(?: VERSION '[^']*')? (FOREIGN DATA WRAPPER ${identifier})[\\s;][\\s\\S]*$`,
);

/** They are made last: from then on, nothing but a look at the catalogue runs as the superuser. */
const eventTriggers: readonly RegExp[] = [
  `CREATE EVENT TRIGGER ${identifier} ON (?:ddl_command_start|ddl_command_end|sql_drop|table_rewrite)(?:\\s+WHEN TAG IN \\([A-Z', ]*\\))?\\s+EXECUTE FUNCTION ${qualified}\\(\\);`,
  `ALTER EVENT TRIGGER ${identifier} (?:DISABLE|ENABLE REPLICA|ENABLE ALWAYS);`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** The part of a dump before its extensions: it has no code that the script of an extension could call. */
const beforeCode = new RegExp(
  `^(?:SET |SELECT pg_catalog\\.set_config\\(|GRANT |REVOKE |CREATE SCHEMA ${identifier};$|ALTER SCHEMA ${identifier} OWNER )`,
);

/** What is never restored: secrets of other servers, and words that no migration reads. */
const never =
  /^(?:(?:CREATE|ALTER) (?:USER MAPPING|SUBSCRIPTION)|COMMENT ON|SECURITY LABEL|DROP |ALTER EVENT TRIGGER \S+ OWNER|SELECT \* FROM pg_catalog\.pg_restore_)/;

/** Rows of any kind, which a dry copy has not. */
const ofRows =
  /^(?:INSERT INTO|REFRESH MATERIALIZED VIEW|ALTER LARGE OBJECT|(?:GRANT|REVOKE) .* ON LARGE OBJECT|SELECT pg_catalog\.(?:setval|lo|lowrite)|BEGIN;|COMMIT;)/;

/** What a dump consists of besides rows. */
const ofSchema = /^(?:CREATE|ALTER|GRANT|REVOKE|SET|SELECT pg_catalog\.set_config\()/;

/** The tables whose rows tell which migrations have run. */
const ledgers = new RegExp(
  `^(?:COPY|INSERT INTO) (?:(?:${identifier}\\.)?(?:knex_migrations|knex_migrations_lock|migration_lease)|graphile_worker\\.migrations)(?=[ (])`,
);

/**
 * Restores a dump into a new database as a role that is no superuser, so that the server refuses what would reach
 * beyond it: programs, files, untrusted languages. Roles that the dump names are made as the server asks for them.
 *
 * @throws {LightspanError} if the server cannot be used, or the dump cannot be read; that it is broken is an answer, and stands in `broken`
 */
export async function restoreDump(server: CopyServer, request: RestoreRequest): Promise<Restored> {
  const restore = await Restore.begin(server, request);
  try {
    for await (const part of request.parts) await restore.take(part);
  } catch (error) {
    if (!isBrokenDump(error)) throw error;
    restore.broken.push(error.message);
  } finally {
    await restore.end();
  }
  return restore;
}

class Restore implements Restored {
  readonly database = 'lightdash';
  readonly restorer: string;
  readonly remarks: string[] = [];
  readonly lacking: string[] = [];
  readonly broken: string[] = [];
  readonly missingExtensions: string[] = [];
  readonly superusers = new Set<string>();
  readonly settings: { readonly name: string; readonly statement: string }[] = [];
  readonly eventTriggers: string[] = [];
  readonly withoutRows: string[] = [];
  rightsAreSure: boolean;
  owner: string | undefined;
  tables = 0;
  readonly #server: CopyServer;
  readonly #request: RestoreRequest;
  /** In the database `postgres`. */
  readonly #superuser: Session;
  /** In the database of the copy. */
  #sessions: { readonly asRestorer: Session; readonly superuser: Session } | undefined;
  readonly #knownRoles = new Set<string>();
  #locale: string | undefined;
  #connected: string | undefined;
  #hasCode = false;

  private constructor(server: CopyServer, request: RestoreRequest, superuser: Session) {
    this.#server = server;
    this.#request = request;
    this.#superuser = superuser;
    this.restorer = `lightspan_restore_${request.suffix}`;
    // A dump holds no memberships.
    this.rightsAreSure = request.roles !== undefined;
  }

  static async begin(server: CopyServer, request: RestoreRequest): Promise<Restore> {
    const restore = new Restore(server, request, await server.connect(server.superuser, 'postgres'));
    await restore.#superuser.query(`CREATE ROLE ${restore.restorer} LOGIN`);
    for (const line of request.roles?.split('\n') ?? []) await restore.#takeRole(line);
    return restore;
  }

  /** Roles, who is a member of which, and their settings. None becomes a superuser, or reaches files of the server. */
  async #takeRole(line: string): Promise<void> {
    const [, created] = new RegExp(`^CREATE ROLE (${role});$`).exec(line) ?? [];
    if (created !== undefined) await this.#addRole(plainName(created));
    const [, name, attributes = ''] = new RegExp(`^ALTER ROLE (${role}) WITH (.*);$`).exec(line) ?? [];
    if (name !== undefined && /\bSUPERUSER\b/.test(attributes)) this.superusers.add(plainName(name));
    const [, of = '', member, more] = new RegExp(`^GRANT (${role}) TO (${role})([^;]*);$`).exec(line) ?? [];
    const [, setting] = new RegExp(`^ALTER ROLE ${role} SET (${qualified}) TO [^;]*;$`).exec(line) ?? [];
    const isSafe = !/^"?pg_/.test(of) || safeRoles.test(of);
    if (member !== undefined && (!isSafe || /(?:INHERIT|SET) FALSE/.test(more ?? '')))
      this.rightsAreSure = false;
    else if (setting !== undefined && !(await isOfUsers(this.#superuser, setting))) {
      this.remarks.push(`${headOf(line)}: not taken over, since only a superuser may set it`);
    } else if (setting !== undefined || member !== undefined) {
      const statement = setting === undefined ? `GRANT ${of} TO ${member}` : line;
      await this.#superuser.query(statement).catch((error: unknown) => {
        if (!isRefusedStatement(error)) throw error;
        this.rightsAreSure = false;
        this.remarks.push(`${headOf(line)}: ${error.message}`);
      });
    }
  }

  async #addRole(name: string): Promise<void> {
    // Those are the server's own, and some of them reach its files.
    if (this.#knownRoles.has(name) || name.startsWith('pg_')) return;
    this.#knownRoles.add(name);
    const { identifier } = quoteName(name);
    await this.#superuser.query(`CREATE ROLE ${identifier}`);
    await this.#superuser.query(`GRANT ${identifier} TO ${this.restorer}`);
  }

  /** Makes the database on the first use, when the collation that the dump names is known. */
  async #open() {
    if (this.#sessions !== undefined) return this.#sessions;
    const { connect, superuser } = this.#server;
    const create = (locale: string) =>
      this.#superuser.query(
        `CREATE DATABASE ${this.database} OWNER ${this.restorer} TEMPLATE template0 ENCODING 'UTF8'${locale}`,
      );
    const locale = this.#locale;
    if (locale === undefined) await create('');
    else {
      await create(` LC_COLLATE '${locale}' LC_CTYPE '${locale}'`).catch(async (error: unknown) => {
        if (!isRefusedStatement(error)) throw error;
        await create('');
        this.remarks.push(
          `the collation ${locale} is not on this machine: indexes on texts are built faster`,
        );
      });
    }
    const sessions = {
      asRestorer: await connect(this.restorer, this.database),
      superuser: await connect(superuser, this.database),
    };
    this.#sessions = sessions;
    await sessions.superuser.query("SELECT pg_catalog.set_config('search_path', 'pg_catalog', false)");
    // Up to PostgreSQL 14 it is the superuser's, and the dump may grant rights on it.
    await sessions.superuser.query(publicSchema(this.restorer));
    return sessions;
  }

  async take(part: DumpPart): Promise<void> {
    if (part.kind === 'complete') return;
    if (part.kind === 'psql') return this.#takeCommand(part.text);
    if (part.kind === 'rows') return this.#takeRows(part.text, part.rows);
    const { text } = part;
    if (/^SET client_encoding = '(?!UTF8')/.test(text)) {
      throw new LightspanError('unreadable-source', 'the dump is not in UTF-8', {
        hint: 'Make it with pg_dump --encoding=UTF8.',
      });
    }
    if (this.#takeDatabase(text) || never.test(text)) return;
    if (eventTriggers.some((pattern) => pattern.test(text))) {
      this.eventTriggers.push(text);
      return;
    }
    const isRows = ofRows.test(text);
    if (isRows && !this.#request.full && (!ledgers.test(text) || lease.test(text))) return;
    if (isRows || ofSchema.test(text)) await this.#run(text);
    else this.lacking.push(`${headOf(text)}: not run, since pg_dump does not write that`);
  }

  async #takeRows(text: string, rows: AsyncIterable<Buffer>): Promise<void> {
    const { full } = this.#request;
    if (!full && !ledgers.test(text)) return;
    const { asRestorer } = await this.#open();
    const kept = !full && lease.test(text) ? withoutTexts(text, rows) : rows;
    await asRestorer.copy(text, kept).catch((error: unknown) => this.#sort(error, text));
  }

  /** What `pg_dump --create` says of the database itself. */
  #takeDatabase(text: string): boolean {
    const [, locale] = /^CREATE DATABASE .* (?:LOCALE|LC_COLLATE) = '([\w.@-]+)'/.exec(text) ?? [];
    this.#locale ??= locale;
    const [, owner] = new RegExp(`^ALTER DATABASE ${identifier} OWNER TO (${role});$`).exec(text) ?? [];
    this.owner ??= owner;
    const [, statement, name] =
      new RegExp(`^ALTER DATABASE ${identifier} (SET (${qualified}) TO [^;]*);$`).exec(text) ?? [];
    if (statement !== undefined && name !== undefined) this.settings.push({ name, statement });
    return /^(?:CREATE|ALTER) DATABASE /.test(text);
  }

  #takeCommand(text: string): void {
    // The encoding stands before a name of a database that psql has to quote, and ends with the connection.
    if (/^\\(?:(?:un)?restrict \w+|encoding SQL_ASCII)$/.test(text)) return;
    const [, name] = /^\\connect (?:-reuse-previous=on )?(.+)$/.exec(text) ?? [];
    if (name === undefined) {
      this.lacking.push(`${headOf(text)}: a command of psql, which is not run`);
    } else if (this.#connected !== undefined && this.#connected !== name) {
      throw new LightspanError('unreadable-source', 'the dump is one of several databases', {
        hint: 'Dump the database of Lightdash alone, with pg_dump.',
      });
    }
    this.#connected = name;
  }

  async #run(statement: string): Promise<void> {
    const { asRestorer, superuser } = await this.#open();
    const text = statement.replace(foreignServer, '$1 $2;');
    // The script of an extension runs as the superuser: before there is anything that it could call.
    const isExtension = extension.test(text);
    const isSafe = asSuperuser.some((pattern) => pattern.test(text)) || (isExtension && !this.#hasCode);
    this.#hasCode ||= !isExtension && !beforeCode.test(text);
    if (/^CREATE (?:UNLOGGED |FOREIGN )?TABLE /.test(text)) this.tables += 1;
    for (let tries = 0; ; tries += 1) {
      try {
        await (isSafe ? superuser : asRestorer).query(text);
        return;
      } catch (error) {
        const [, missing] =
          (isRefusedStatement(error) && /^role "(.*)" does not exist$/.exec(error.message)) || [];
        if (await this.#isOfTableWithoutRows(error, text)) return;
        if (missing === undefined || tries === 9) return this.#sort(error, text);
        if (this.#request.roles !== undefined) {
          this.rightsAreSure = false;
          this.remarks.push(`the roles lack ${missing}, which the dump names`);
        }
        await this.#addRole(missing);
      }
    }
  }

  /** A dump of some tables has no rows of those that they refer to: what it has cannot be checked against them. */
  async #isOfTableWithoutRows(error: unknown, text: string): Promise<boolean> {
    if (!isRefusedStatement(error) || error.details.sqlState !== '23503') return false;
    const [, table] = foreignKey.exec(text) ?? [];
    const { asRestorer } = await this.#open();
    if (table === undefined || (await asRestorer.query(`SELECT FROM ${table} LIMIT 1`)).length > 0)
      return false;
    await asRestorer.query(text.replace(/(?: NOT VALID)?;$/, ' NOT VALID;'));
    if (!this.withoutRows.includes(table)) this.withoutRows.push(table);
    return true;
  }

  /** Files a refused statement under what it says of the dump. Only its first words are kept, which hold no value. */
  #sort(error: unknown, text: string): void {
    if (!isRefusedStatement(error)) throw error;
    const { sqlState } = error.details;
    const remark = `${headOf(text)}: ${messageWithoutValues({ sqlState, message: error.message })}`;
    const [, missing] = extension.exec(text) ?? [];
    const isOfSession = /^SET /.test(text) && sqlState === '42704';
    const isThere = /^CREATE SCHEMA /.test(text) && sqlState === '42P06';
    if (isOfSession || isThere) this.remarks.push(remark);
    else if (ofRights.test(text)) {
      this.rightsAreSure = false;
      this.remarks.push(remark);
    } else if (missing !== undefined) {
      this.missingExtensions.push(plainName(missing));
    } else if (this.missingExtensions.length > 0 || isOfServer(sqlState)) this.lacking.push(remark);
    else this.broken.push(remark);
  }

  async end(): Promise<void> {
    await this.#sessions?.asRestorer.end();
    await this.#sessions?.superuser.end();
    await this.#superuser.end();
  }
}

/** Whether a setting, as SQL writes its name, is one that every user may change: others reach files of the server. */
export async function isOfUsers(session: Session, written: string): Promise<boolean> {
  const { literal } = quoteName(plainName(written));
  const rows = await session.query(
    `SELECT FROM pg_catalog.pg_settings WHERE lower(name) = lower(${literal}) AND context = 'user'`,
  );
  return rows.length > 0;
}

const foreignKey = new RegExp(
  `^ALTER TABLE (?:ONLY )?${qualified}\\s+ADD CONSTRAINT ${identifier} FOREIGN KEY \\([^()]*\\) REFERENCES (${qualified})\\(`,
);

const ofRights = /^(?:GRANT|REVOKE|ALTER DEFAULT PRIVILEGES|(?:RE)?SET SESSION AUTHORIZATION)\b/;

/** Roles of the server that reach no file of it. */
const safeRoles =
  /^pg_(?:monitor|read_all_settings|read_all_stats|stat_scan_tables|read_all_data|write_all_data|maintain)$/;

const lease = /^(?:COPY|INSERT INTO) (?:\S+\.)?migration_lease /;

/** What a superuser alone may do, and what becomes of a server: neither says anything of the dump. */
function isOfServer(sqlState: string): boolean {
  return sqlState === '42501' || /^(?:53|57|58|08)/.test(sqlState);
}

/** The texts of a lease name hosts and people, and an error in it may hold rows. */
async function* withoutTexts(text: string, rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const columns = /\((.*)\) FROM stdin;$/.exec(text)?.[1]?.split(', ') ?? [];
  const left = ['parked_error', 'holder_hostname', 'holder_pod_name', 'last_unlocked_by'];
  const blank = (line: string) =>
    line
      .split('\t')
      .map((value, i) => (left.includes(columns[i] ?? '') ? '\\N' : value))
      .join('\t');
  for await (const chunk of rows) {
    const lines = chunk.toString('utf8').split('\n').filter(Boolean);
    yield Buffer.from(lines.map((line) => `${blank(line)}\n`).join(''));
  }
}

function publicSchema(owner: string): string {
  return `DO $$ BEGIN IF pg_catalog.current_setting('server_version_num')::int < 150000 THEN ALTER SCHEMA public OWNER TO ${owner}; END IF; END $$`;
}

function plainName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}

/** The first words of a statement: what it does, and to what. */
function headOf(text: string): string {
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .split(/[('=;]/, 1)[0]
      ?.slice(0, 80)
      .trim() ?? ''
  );
}
