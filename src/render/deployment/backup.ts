import { orFail, shellPlaceholder, shellWord } from '../shell-word.js';

/** Where the database is dumped from; `unknown` leaves it to the one who runs it. */
export type DumpFrom =
  /** Here, with the client's own variables. */
  | { readonly kind: 'here' }
  /** In the container of a compose service. */
  | { readonly kind: 'service'; readonly service: string }
  | { readonly kind: 'unknown' };

/**
 * The commands that dump the database into a new file and look into it. The shell is one that overwrites no file
 * (`set -C`), and the name has the moment in it. Only a dump that could be read, and is of Lightdash, gets that name.
 */
export function backUpCommands(fromVersion: string, from: DumpFrom): string[] {
  return [
    'umask 077',
    `dump=${shellWord(`lightdash-${fromVersion}-`)}$(date -u +%Y%m%dT%H%M%SZ).dump`,
    dumpCommand(from),
    orFail(
      `printf '%s\\n' "$contents" | grep ' TABLE DATA [^ ]* knex_migrations ' > /dev/null`,
      'the dump has no table knex_migrations: that was not the database of Lightdash',
    ),
    'mv "$dump.part" "$dump"',
    `printf '%s\\n' "Backup: $PWD/$dump"`,
  ];
}

/** The commands that do without harm what the backup will need: both programs, a way to the database, its table. */
export function rehearseBackUpCommands(from: DumpFrom): string[] {
  return [
    wherever(from, ({ dump, run }) => [
      `${dump(`--schema-only --table='*.knex_migrations'`)} > /dev/null`,
      `${run('pg_restore --version')} < /dev/null > /dev/null`,
    ]),
  ];
}

function dumpCommand(from: DumpFrom): string {
  return wherever(from, ({ dump, run }) => [
    `${dump('--format=custom')} > "$dump.part"`,
    `contents=$(${run('pg_restore --list')} < "$dump.part")`,
  ]);
}

/** How programs of the database are run where it is dumped. */
interface Place {
  /** What ends it where this is no place to dump from. */
  readonly guards: readonly string[];
  /** `pg_dump` of the database, with options that hold no double quotes. */
  readonly dump: (options: string) => string;
  /** Another program. */
  readonly run: (command: string) => string;
}

function wherever(from: DumpFrom, make: (place: Place) => string[]): string {
  const lines = (place: Place) =>
    [...place.guards, ...make(place)].map((line) => line.trimStart()).join('\n');
  if (from.kind === 'service') return lines(inContainer(shellWord(from.service)));
  if (from.kind === 'here') return lines(here(shellPlaceholder));
  const branch = (place: Place) => lines(place).replaceAll(/^/gm, '  ');
  return [
    `if [ -n "\${DATABASE_SERVICE:-}" ]; then`,
    branch(inContainer('"$DATABASE_SERVICE"')),
    'else',
    branch(here((variable) => `"$${variable}"`)),
    'fi',
  ].join('\n');
}

/**
 * A pool of connections hands on to Lightdash what `pg_dump` sets for its session, an empty search path before all, and
 * then no table of it is found. A pool gives a session no setting that it asks for as it begins: it refuses or forgets it.
 */
function here(ask: (variable: string) => string): Place {
  const connect = (program: string) =>
    [
      `${program} --host=${ask('PGHOST')} --port="\${PGPORT:-5432}"`,
      `  --username=${ask('PGUSER')} --dbname=${ask('PGDATABASE')}`,
    ].join(' \\\n');
  const asked = connect(`PGOPTIONS="\${PGOPTIONS:-} -c lightspan.asked=yes" psql -X -A -t`);
  return {
    guards: [
      orFail(
        `[ "$(${asked} --command='SHOW lightspan.asked')" = yes ]`,
        'there is no session of the database server itself at PGHOST and PGPORT: a pool before it, such as PgBouncer, would hand on to Lightdash what pg_dump sets',
      ),
    ],
    dump: (options) => connect(`pg_dump ${options}`),
    run: (command) => command,
  };
}

/** The user and the database are those that the official image was made with; what a terminal would give is not read. */
function inContainer(service: string): Place {
  const exec = `docker compose exec -T ${service}`;
  return {
    guards: [],
    dump: (options) =>
      [
        `${exec} sh -c`,
        `  ${shellWord(`pg_dump ${options} --username="\${POSTGRES_USER:-postgres}" --dbname="\${POSTGRES_DB:-\${POSTGRES_USER:-postgres}}"`)}`,
        '  < /dev/null',
      ].join(' \\\n'),
    run: (command) => `${exec} ${command}`,
  };
}

/** What `DumpFrom` `unknown` asks for before anything is done. */
export const unknownDatabaseNeed = `[ -n "\${DATABASE_SERVICE:-}" ] || : ${['PGHOST', 'PGUSER', 'PGDATABASE']
  .map((name) =>
    shellPlaceholder(
      name,
      name === 'PGHOST'
        ? 'set DATABASE_SERVICE to the service of the database in the compose file, or PGHOST, PGUSER and PGDATABASE to where it is, past any pool such as PgBouncer'
        : `set ${name}, too`,
    ),
  )
  .join(' ')}`;
