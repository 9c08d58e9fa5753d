import { compact } from '../core/text/compact.js';
import { orFail, shellPlaceholder, shellWord } from '../core/text/quoted-words.js';

/** Where the database is dumped; with `unknown`, the user decides. */
export type DumpFrom =
  /** Here, with the client's own variables. */
  | { readonly kind: 'here' }
  /** In a container of the database, where `exec` runs a program with the input that it is given. */
  | { readonly kind: 'container'; readonly exec: string }
  /** @param compose how docker compose is run */
  | { readonly kind: 'unknown'; readonly compose: string };

/**
 * The commands that dump the database into a new file and check it. The shell must overwrite no file (`set -C`), and
 * the name contains the time. Only a dump of Lightdash that was read to its end gets that name.
 */
export function backUpCommands(fromVersion: string, from: DumpFrom): string[] {
  return [
    'umask 077',
    `dump=${shellWord(`lightdash-${fromVersion}-`)}$(date -u +%Y%m%dT%H%M%SZ).dump`,
    wherever(from, ({ dump, run }) => [
      // A plain one is no SQL, and needs a psql of its time: findings/pg-dump-of-a-schema-is-not-sql.sh
      `${dump('--format=custom')} > "$dump.part"`,
      `contents=$(${run('pg_restore --list')} < "$dump.part")`,
      // The list stands at the beginning of a dump: the rest is read too. findings/pg-restore-lists-a-cut-dump.sh
      orFail(
        `${run('pg_restore --file=/dev/null')} < "$dump.part"`,
        'the dump cannot be read to its end, so it is not a backup',
      ),
    ]),
    orFail(
      `printf '%s\\n' "$contents" | grep ' TABLE DATA [^ ]* knex_migrations ' > /dev/null`,
      'the dump has no table knex_migrations: it is not a dump of the Lightdash database',
    ),
    'mv "$dump.part" "$dump"',
    `printf '%s\\n' "Backup: $PWD/$dump"`,
  ];
}

/** A command that tests without risk what the backup needs: both programs, access to the database, its table. */
export function rehearseBackUpCommand(from: DumpFrom): string {
  return wherever(from, ({ dump, run }) => [
    `${dump(`--schema-only --table='*.knex_migrations'`)} > /dev/null`,
    `${run('pg_restore --version')} < /dev/null > /dev/null`,
  ]);
}

/** How to run programs of the database in the place of the dump. */
interface DumpPlace {
  /** Stops if this is no place for a dump. */
  readonly guard?: string;
  /** `pg_dump` of the database, with options that contain no double quotes. */
  readonly dump: (options: string) => string;
  readonly run: (command: string) => string;
}

function wherever(from: DumpFrom, make: (place: DumpPlace) => string[]): string {
  const lines = (place: DumpPlace) => compact<string>(place.guard, make(place)).join('\n');
  const branch = (place: DumpPlace) => lines(place).replaceAll(/^/gm, '  ');
  if (from.kind === 'container') return lines(inContainer(from.exec));
  if (from.kind === 'here') return lines(here());
  return [
    `if [ -n "\${DATABASE_SERVICE:-}" ]; then`,
    branch(inContainer(execInService('"$DATABASE_SERVICE"', from.compose))),
    'else',
    branch(here()),
    'fi',
  ].join('\n');
}

/**
 * A connection pool would pass session settings of `pg_dump` on to Lightdash, above all an empty search path, with
 * which no table is found (`findings/pg-dump-through-a-pool.sh`). A pool refuses or ignores settings that a session
 * requests at its start. The answer is read from a pipe: lines joined within `"$(` make bash 5.2 print syntax errors.
 */
function here(): DumpPlace {
  const connect = (program: string) =>
    [
      `${program} --host=${shellPlaceholder('PGHOST')} --port="\${PGPORT:-5432}"`,
      `  --username=${shellPlaceholder('PGUSER')} --dbname=${shellPlaceholder('PGDATABASE')}`,
    ].join(' \\\n');
  const psql = connect(`PGOPTIONS="\${PGOPTIONS:-} -c lightspan.asked=yes" psql -X -A -t`);
  return {
    guard: orFail(
      `${psql} --command='SHOW lightspan.asked' | grep -x yes > /dev/null`,
      'no direct session with the database server at PGHOST and PGPORT: a pool such as PgBouncer would ' +
        'pass the settings of pg_dump on to Lightdash',
    ),
    dump: (options) => connect(`pg_dump ${options}`),
    run: (command) => command,
  };
}

export function execInService(service: string, compose: string): string {
  return `${compose} exec -T ${service}`;
}

/**
 * User, password and database are those with which the official image, and that of the chart, was set up. Terminal
 * input is not read.
 */
function inContainer(exec: string): DumpPlace {
  const dump = (options: string) =>
    `PGPASSWORD="\${POSTGRES_PASSWORD:-}" pg_dump ${options} --username="\${POSTGRES_USER:-postgres}" ` +
    `--dbname="\${POSTGRES_DB:-\${POSTGRES_USER:-postgres}}"`;
  return {
    dump: (options) => `${exec} sh -c \\\n  ${shellWord(dump(options))} \\\n  < /dev/null`,
    run: (command) => `${exec} ${command}`,
  };
}

/** The running instance, if its address is known, and whether plain http to it is allowed. */
export interface KnownInstance {
  readonly url: string;
  readonly allowHttp: boolean;
}

/** Continues only if the instance reports a version. */
export function confirmNowCommand(version: string, instance: KnownInstance | undefined): string {
  return orFail(
    asksVersion(version, instance),
    `Lightdash does not report ${version}, where this hop starts`,
  );
}

/** Waits until the instance reports a version. */
export function confirmInTimeCommand(version: string, instance: KnownInstance | undefined): string {
  return [
    'if command -v lightspan > /dev/null; then',
    '  lightspan upgrade-verify --instance ' +
      `${instance === undefined ? `"\${LIGHTDASH_URL:?}"` : shellWord(instance.url)} \\`,
    `    --version ${version} --window 24h${instance?.allowHttp === true ? ' --allow-http' : ''}`,
    'else',
    `  until ${asksVersion(version, instance)}; do`,
    "    printf '%s\\n' 'Not yet; trying again in 10 seconds'",
    '    sleep 10',
    '  done',
    'fi',
  ].join('\n');
}

/** The answer also contains the newest existing release, which is not the running one. */
function asksVersion(version: string, instance: KnownInstance | undefined): string {
  const url =
    instance === undefined
      ? `"\${LIGHTDASH_URL%/}/api/v1/health"`
      : shellWord(`${instance.url.replace(/\/+$/, '')}/api/v1/health`);
  return (
    `curl --fail --silent --show-error --max-time 30 ${url} |\n  sed 's/"latest":{[^}]*}//g' | grep -F ` +
    `'"version":"${version}"' > /dev/null`
  );
}
