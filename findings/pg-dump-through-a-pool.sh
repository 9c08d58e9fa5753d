#!/usr/bin/env bash
# Tool:     pg_dump and psql 15 (Debian 12: postgresql-client-15 and libpq5, 15.20-0+deb12u1) through PgBouncer 1.18.0
#           (Debian 12: 1.18.0-1+deb12u1, with libevent-2.1-7 and libc-ares2), pool_mode transaction,
#           on PostgreSQL 15.18 (npm: @embedded-postgres)
# Expected: a dump only reads: whoever else uses the database sees nothing of it.
# Seen:     the dump is good, and while it begins, other clients of the pool find no table: pg_dump empties the search_path
#           of its session before its transaction begins, and the pool gives that session to them. Who tries it on a
#           quiet database sees nothing, because the pool closes the connection with which pg_dump ends. An option of the
#           session (PGOPTIONS), by which a client notices the pool, is refused.
#
#           dump on a quiet database: 0; others then: 1 row
#           dump beside other clients: 0; they were told, too: relation "charts" does not exist
#           with PGOPTIONS: unsupported startup parameter: options
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
pool=
trap '[ -z "$pool" ] || kill "$pool"; stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" ||
  ! apt-get download -qq postgresql-client-15=15.20-0+deb12u1 libpq5=15.20-0+deb12u1 pgbouncer=1.18.0-1+deb12u1 \
    libevent-2.1-7=2.1.12-stable-8+deb12u1 libc-ares2=1.18.1-3 2> apt.err ||
  ! for package in ./*.deb; do dpkg-deb --extract "$package" debian; done ||
  ! start_postgres "$folder"; then
  cat apt.err >&2 || true
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi
export PATH="$folder/debian/usr/lib/postgresql/15/bin:$PATH"
libraries=("$folder"/debian/usr/lib/*-linux-gnu*)
export LD_LIBRARY_PATH="${libraries[0]}" PGUSER=postgres PGDATABASE=postgres

psql -X -q --host="$folder/server" -c 'CREATE TABLE charts AS SELECT 1 AS id'
cat > server/pool.ini << INI
[databases]
postgres = host=$folder/server user=postgres
[pgbouncer]
unix_socket_dir = $folder/server
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 1
INI
"${as_server[@]}" debian/usr/sbin/pgbouncer --quiet server/pool.ini > pool.out 2>&1 &
pool=$!
export PGHOST="$folder/server" PGPORT=6432
for _ in {1..100}; do
  if [ -S server/.s.PGSQL.6432 ]; then break; fi
  sleep 0.1
done

# What a client of the pool is told: a number of rows, or the error.
rows() { psql -X -A -t -c "SELECT count(*) || ' row' FROM charts" 2>&1 | sed -n 's/^.*\(ERROR\|FATAL\): *//; /./{p;q}'; }
saw=$(
  code=0
  pg_dump > quiet.sql || code=$?
  echo "dump on a quiet database: $code; others then: $(rows)"
  # Three clients that ask one after the other, until the dump is made.
  for _ in 1 2 3; do
    yes 'SELECT FROM charts;' | psql -X -q > /dev/null 2>> told &
    others+=("$!")
  done
  sleep 0.5
  code=0
  pg_dump > busy.sql || code=$?
  kill "${others[@]}"
  wait "${others[@]}" 2> /dev/null || true
  echo "dump beside other clients: $code; they were told, too: $(sed -n 's/^ERROR: *//p' told | sort -u)"
  echo "with PGOPTIONS: $(PGOPTIONS='-c my.mark=yes' rows)"
)
tables=$(cat quiet.sql busy.sql | grep -c 'CREATE TABLE public.charts') || true

printf '%s\n' "$saw"
[ "$saw; $tables" = 'dump on a quiet database: 0; others then: 1 row
dump beside other clients: 0; they were told, too: relation "charts" does not exist
with PGOPTIONS: unsupported startup parameter: options; 2' ] || {
  cat pool.out >&2
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
