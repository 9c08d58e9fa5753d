#!/usr/bin/env bash
# Tool:     PostgreSQL 15.18 and 18.4 (npm: @embedded-postgres), driven by pg@8.22.0
# Expected: a migration waits for sessions that use the tables which it changes. A column or an index that is there
#           already, behind IF NOT EXISTS, is none, and a new table that nobody uses can be dropped at any time.
# Seen:     DROP TABLE and DROP CONSTRAINT lock the tables to which foreign keys lead, against reading too: the drop of an
#           empty table waits for whoever has read such a table in a transaction that is open, and all other readers of
#           it wait behind. Making that key waited for writers alone. ADD COLUMN IF NOT EXISTS waits for readers, and
#           CREATE INDEX IF NOT EXISTS for writers, before they look whether there is anything to do; only with
#           CONCURRENTLY, and for a trigger that is not there, nothing waits. The answer is the same on 15 and 18.
#
#           beside one who has read charts, and one who has written it:
#           ADD COLUMN IF NOT EXISTS, which is there: waits, waits
#           CREATE INDEX IF NOT EXISTS, which is there: passes, waits
#           CREATE INDEX CONCURRENTLY IF NOT EXISTS, which is there: passes, passes
#           DROP TRIGGER IF EXISTS, which is not there: passes, passes
#           CREATE TABLE tags with a key to charts: passes, waits
#           DROP CONSTRAINT of that key: waits, waits
#           DROP TABLE tags: waits, waits
#           a reader of charts behind DROP TABLE tags: waits, waits
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=support/postgres.sh
. "$here/support/postgres.sh"
folder=$(mktemp -d)
trap 'stop_postgres; rm -rf "$folder"' EXIT
cd "$folder"

install=(npm install --silent --no-audit --no-fund --ignore-scripts)
postgres=$(embedded_postgres)
mkdir 15 18
# The servers, which do not run as root, lie below it.
chmod 755 .
if ! { "${install[@]}" --prefix . pg@8.22.0 && "${install[@]}" --prefix 15 "$postgres" &&
  "${install[@]}" --prefix 18 "${postgres%@*}@18.4.0-beta.17"; }; then
  echo 'cannot tell: the packages could not be had' >&2
  exit 2
fi

cat > locks.cjs <<'NODE'
const { Client } = require('pg');

const connect = async () => {
  const client = new Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
  await client.connect();
  return client;
};
const key = 'chart int CONSTRAINT key REFERENCES charts';
/** What is there, then what is asked for. */
const cases = {
  'ADD COLUMN IF NOT EXISTS, which is there': ['', 'ALTER TABLE charts ADD COLUMN IF NOT EXISTS name text'],
  'CREATE INDEX IF NOT EXISTS, which is there': ['', 'CREATE INDEX IF NOT EXISTS names ON charts (name)'],
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS, which is there': [
    '',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS names ON charts (name)',
  ],
  'DROP TRIGGER IF EXISTS, which is not there': ['', 'DROP TRIGGER IF EXISTS none ON charts'],
  'CREATE TABLE tags with a key to charts': ['', `CREATE TABLE tags (${key})`],
  'DROP CONSTRAINT of that key': [`CREATE TABLE tags (${key})`, 'ALTER TABLE tags DROP CONSTRAINT key'],
  'DROP TABLE tags': [`CREATE TABLE tags (${key})`, 'DROP TABLE tags'],
};
const uses = ['SELECT FROM charts', 'INSERT INTO charts VALUES (2)'];

(async () => {
  const [user, migrator, reader] = [await connect(), await connect(), await connect()];
  const attempt = (client, sql, limit) =>
    client.query(`SET lock_timeout = ${limit}`).then(() =>
      client.query(sql).then(
        () => 'passes',
        ({ code, message }) => (code === '55P03' ? 'waits' : message),
      ),
    );
  await user.query('CREATE TABLE charts (id int PRIMARY KEY, name text); CREATE INDEX names ON charts (name)');
  const beside = async (use, before, then) => {
    await user.query(`DROP TABLE IF EXISTS tags; ${before}`);
    await user.query(`BEGIN; ${use}`);
    const seen = await then();
    await user.query('ROLLBACK');
    return seen;
  };
  console.log('beside one who has read charts, and one who has written it:');
  for (const [title, [before, sql]] of Object.entries(cases)) {
    const seen = [];
    for (const use of uses) seen.push(await beside(use, before, () => attempt(migrator, sql, 300)));
    console.log(`${title}: ${seen.join(', ')}`);
  }
  const behind = [];
  const [before, drop] = cases['DROP TABLE tags'];
  for (const use of uses) {
    let dropping;
    const seen = await beside(use, before, async () => {
      dropping = attempt(migrator, drop, 0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return await attempt(reader, 'SELECT FROM charts', 300);
    });
    behind.push(seen);
    await dropping;
  }
  console.log(`a reader of charts behind DROP TABLE tags: ${behind.join(', ')}`);
  await Promise.all([user, migrator, reader].map((client) => client.end()));
})();
NODE
for major in 15 18; do
  if ! start_postgres "$folder/$major"; then
    echo 'cannot tell: the server does not start' >&2
    exit 2
  fi
  node locks.cjs "$folder/$major/server" > "saw.$major"
  stop_postgres
done

cat saw.18
if ! cmp -s saw.15 saw.18 || [ "$(cat saw.18)" != 'beside one who has read charts, and one who has written it:
ADD COLUMN IF NOT EXISTS, which is there: waits, waits
CREATE INDEX IF NOT EXISTS, which is there: passes, waits
CREATE INDEX CONCURRENTLY IF NOT EXISTS, which is there: passes, passes
DROP TRIGGER IF EXISTS, which is not there: passes, passes
CREATE TABLE tags with a key to charts: passes, waits
DROP CONSTRAINT of that key: waits, waits
DROP TABLE tags: waits, waits
a reader of charts behind DROP TABLE tags: waits, waits' ]; then
  cat saw.15
  echo 'CHANGED: this is not what was seen before' >&2
  exit 1
fi
