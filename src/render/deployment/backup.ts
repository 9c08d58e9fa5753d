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

function dumpCommand(from: DumpFrom): string {
  if (from.kind === 'service') return inContainer(shellWord(from.service));
  const ask = (variable: string) => (from.kind === 'here' ? shellPlaceholder(variable) : `"$${variable}"`);
  const here = [
    `pg_dump --format=custom --host=${ask('PGHOST')} --port="\${PGPORT:-5432}" \\`,
    `  --username=${ask('PGUSER')} --dbname=${ask('PGDATABASE')} > "$dump.part"`,
    'contents=$(pg_restore --list "$dump.part")',
  ].join('\n');
  if (from.kind === 'here') return here;
  const branch = (commands: string) => commands.replaceAll(/^/gm, '  ');
  return [
    `if [ -n "\${DATABASE_SERVICE:-}" ]; then`,
    branch(inContainer('"$DATABASE_SERVICE"')),
    'else',
    branch(here),
    'fi',
  ].join('\n');
}

/** The user and the database are those that the official image was made with; what a terminal would give is not read. */
function inContainer(service: string): string {
  return [
    `docker compose exec -T ${service} sh -c \\`,
    `  'pg_dump --format=custom --username="\${POSTGRES_USER:-postgres}" --dbname="\${POSTGRES_DB:-\${POSTGRES_USER:-postgres}}"' \\`,
    '  < /dev/null > "$dump.part"',
    `contents=$(docker compose exec -T ${service} pg_restore --list < "$dump.part")`,
  ].join('\n');
}

/** What `DumpFrom` `unknown` asks for before anything is done. */
export const unknownDatabaseNeed = `[ -n "\${DATABASE_SERVICE:-}" ] || : ${['PGHOST', 'PGUSER', 'PGDATABASE']
  .map((name) =>
    shellPlaceholder(
      name,
      name === 'PGHOST'
        ? 'set DATABASE_SERVICE to the service of the database in the compose file, or PGHOST, PGUSER and PGDATABASE to where it is'
        : `set ${name}, too`,
    ),
  )
  .join(' ')}`;
