import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';

/** Where the database is reached; with `unknown`, the user decides. */
export type DatabasePlace =
  /** From here, with the client's own variables. */
  | { readonly kind: 'here' }
  /** In a container of the database, where `exec` runs a program with the input that it is given. */
  | { readonly kind: 'container'; readonly exec: string }
  /** In the service that the user names, or from here. */
  | { readonly kind: 'unknown' };

/** `pg`, which runs a program of PostgreSQL there, and `choose_database`, which settles on the database of Lightdash. */
export function databaseFunctions(place: DatabasePlace): Readonly<Record<string, string>> {
  const either = (make: (place: { readonly pg: string; readonly choose: string }) => string) => {
    if (place.kind === 'here') return make(here);
    if (place.kind === 'container') return make(inContainer(place.exec));
    const [service, outside] = [make(inContainer('compose exec -T "$DATABASE_SERVICE"')), make(here)];
    const indent = (text: string) => text.replaceAll(/^/gm, '  ');
    return `  if [ -n "\${DATABASE_SERVICE:-}" ]; then\n${indent(service)}\n  else\n${indent(outside)}\n  fi`;
  };
  return {
    pg: `pg() {\n${either(({ pg }) => pg)}\n}`,
    choose_database: `choose_database() {\n${either(({ choose }) => choose)}\n}`,
  };
}

/**
 * A connection pool would pass session settings of `pg_dump` on to Lightdash, above all an empty search path, with
 * which no table is found (`findings/pg-dump-through-a-pool.sh`). A pool refuses or ignores settings that a session
 * requests at its start.
 */
const here = {
  pg: `  "$@" --host=${shellPlaceholder('PGHOST')} --port="\${PGPORT:-5432}" --username=${shellPlaceholder('PGUSER')}`,
  choose: `  asked=$(PGOPTIONS="\${PGOPTIONS:-} -c lightspan.asked=yes" && export PGOPTIONS && sql ${shellPlaceholder('PGDATABASE')} 'SHOW lightspan.asked') ||
    asked=
  [ "$asked" = yes ] || fail 'There is no direct session with the database server at PGHOST and PGPORT: a pool such as PgBouncer would pass the settings of pg_dump on to Lightdash.'
  [ "\${LIGHTDASH_DATABASE:-\${database:-$PGDATABASE}}" = "$PGDATABASE" ] ||
    fail "PGDATABASE is $PGDATABASE, and Lightdash uses $database: set PGDATABASE, PGHOST and PGUSER for that, or LIGHTDASH_DATABASE=$PGDATABASE if both are names of one."
  database=$PGDATABASE`,
};

/** The user and password are those with which the official image, and that of the chart, was set up. */
function inContainer(exec: string) {
  const run = `PGPASSWORD="\${POSTGRES_PASSWORD:-}" exec "$@" --username="\${POSTGRES_USER:-postgres}"`;
  const usual = `printf %s "\${POSTGRES_DB:-\${POSTGRES_USER:-postgres}}"`;
  return {
    pg: `  ${exec} sh -c \\\n    ${shellWord(run)} sh "$@"`,
    choose: `  database=\${LIGHTDASH_DATABASE:-$database}
  [ -n "$database" ] || database=$(${exec} sh -c ${shellWord(usual)} < /dev/null)`,
  };
}

/** The running instance, if its address is known, and whether plain http to it is allowed. */
export interface KnownInstance {
  readonly url: string;
  readonly allowHttp: boolean;
}
