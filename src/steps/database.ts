import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';

/** Where the database is reached; with `unknown`, the user decides. */
type DatabasePlace =
  /** From here, with the client's own variables. */
  | { readonly kind: 'here' }
  /** In a container of the database, where `exec` runs a program with the input that it is given. */
  | { readonly kind: 'container'; readonly exec: string }
  /** In the service that the user names, or from here. */
  | { readonly kind: 'unknown' };

/** `pg`, which runs a program of PostgreSQL there, and `choose_database`, which settles on the database of Lightdash. */
export function databaseFunctions(place: DatabasePlace): readonly string[] {
  if (place.kind === 'here') return [functionOf('pg', here.pg), functionOf('choose_database', here.choose)];
  const container = inContainer(
    place.kind === 'container' ? place.exec : 'compose exec -T "$DATABASE_SERVICE"',
  );
  if (place.kind === 'container')
    return [functionOf('pg', container.pg), functionOf('choose_database', container.choose)];
  const either = (inService: string, outside: string) =>
    `if [ -n "\${DATABASE_SERVICE:-}" ]; then ${inService}; else ${outside}; fi`;
  return [
    functionOf('pg_of_service', container.pg),
    functionOf('choose_of_service', container.choose),
    functionOf('pg', either('pg_of_service "$@"', here.pg)),
    functionOf('choose_database', either('choose_of_service', here.choose)),
  ];
}

function functionOf(name: string, body: string): string {
  return body.includes('\n') ? `${name}() {\n${body.replaceAll(/^/gm, '  ')}\n}` : `${name}() { ${body}; }`;
}

const here = {
  pg: `"$@" --host=${shellPlaceholder('PGHOST')} --port="\${PGPORT:-5432}" --username=${shellPlaceholder('PGUSER')}`,
  choose: `choose_here ${shellPlaceholder('PGDATABASE')}`,
};

/** The user and password are those with which the official image, and that of the chart, was set up. */
function inContainer(exec: string) {
  const run = `PGPASSWORD="\${POSTGRES_PASSWORD:-}" exec "$@" --username="\${POSTGRES_USER:-postgres}"`;
  const usual = `printf %s "\${POSTGRES_DB:-\${POSTGRES_USER:-postgres}}"`;
  return {
    pg: `${exec} sh -c \\\n  ${shellWord(run)} sh "$@"`,
    choose: `database=\${LIGHTDASH_DATABASE:-$database}
[ -n "$database" ] || database=$(${exec} sh -c ${shellWord(usual)} < /dev/null)`,
  };
}

/** The running instance, if its address is known, and whether plain http to it is allowed. */
export interface KnownInstance {
  readonly url: string;
  readonly allowHttp: boolean;
}
