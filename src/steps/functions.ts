/**
 * The functions of the shell that the steps of every hop share: in a block those that it calls, in a folder of scripts
 * all of them, as lib.sh.
 *
 * Plain POSIX sh, with words that bash, zsh, dash and busybox read alike, also pasted: no comment, since an interactive
 * zsh runs it, and no `!` before a word, which bash takes from its history. `fail` ends the whole block: it is never
 * called within `$( )`, and what calls it never stands before `||`, where `set -e` sleeps.
 */
export const sharedFunctions: Readonly<Record<string, string>> = {
  say: `say() { printf '%s\\n' "$*"; }`,
  fail: `fail() { say "$*" >&2; exit 1; }`,
  keep: `keep() { printf '%s=%s\\n' "$1" "$2" >> "$state"; }`,
  kept: `kept() { sed -n "s/^$1=//p" "$state" | tail -n 1; }`,
  // What is kept is of one deployment: another context, project or host has another folder.
  open_state: `open_state() {
  umask 077
  backups=\${LIGHTSPAN_BACKUPS:-$HOME/lightspan-backups}
  folder=$backups/$(printf '%s' "$place" | tr -c 'A-Za-z0-9._' '-')
  mkdir -p "$folder" || fail "$folder cannot be written: set LIGHTSPAN_BACKUPS to a folder for backups"
  folder=$(cd "$folder" && pwd -P)
  above=$folder
  until [ "$above" = / ] || [ -e "$above/.git" ]; do above=$(dirname "$above"); done
  [ "$above" = / ] || fail "$folder is in the Git tree $above: set LIGHTSPAN_BACKUPS to a folder outside it"
  state=$folder/hop-$from-to-$to.state
  lock=$state.lock
  if [ -d "$lock" ]; then
    other=$(cat "$lock/pid" || true)
    if [ -n "$other" ] && kill -0 "$other" 2> /dev/null; then lock=''; fail "This hop is run by $other (a number of ps) now."; fi
    rm -rf "$lock"
  fi
  mkdir "$lock" || { lock=''; fail "another run has just begun: $state.lock"; }
  sh -c 'echo "$PPID"' > "$lock/pid"
}`,
  // What a first run finds is of use only once its look has come to its end.
  open_hop: `open_hop() {
  open_state
  if [ "$begin" -gt 1 ]; then
    [ -f "$state" ] || fail "no first run of this hop is known for $place ($state): begin with step 1"
    [ "$(kept given)" = "$given" ] ||
      fail "This is not what the first run was told: $given, and then $(kept given). Set it as it was, or begin with step 1."
    database=$(kept database) ledger=$(kept ledger)
  else
    known=$state state=$state.look
    rm -f "$state"
    keep place "$place"
    keep given "$given"
  fi
}`,
  settle: `settle() {
  if [ -f "$known" ]; then mv -f "$known" "$known.before-$(date -u +%Y%m%dT%H%M%SZ)"; fi
  mv "$state" "$known"
  state=$known known=''
}`,
  step: `step() {
  at=$1
  say "$1/$last $2"
  if [ "$1" -gt 1 ]; then keep reached "$1"; fi
}`,
  // Called at the end and by the trap: what was begun is taken away once.
  end_run: `end_run() {
  code=$?
  set +e
  if [ -n "\${dump:-}" ]; then rm -f "$dump.part"; fi
  if [ -n "\${lock:-}" ]; then rm -rf "$lock"; lock=''; fi
  [ "$code" = 0 ] || {
    say "Stopped in step $at of $last; nothing after it was run."
    again
    if [ "$at" -gt 1 ] && [ -f "\${state:-}" ]; then way_back; fi
    reached=$(sed -n 's/^reached=//p' "\${known:-/dev/null}" 2> /dev/null | tail -n 1)
    [ "\${reached:-1}" = 1 ] || say "An earlier run came to step $reached: what it kept is in $known."
  } >&2
}`,
  agree: `agree() {
  [ "$yes" = yes ] || {
    [ -t 0 ] || fail "There is no terminal to ask at, so nothing was done: $agreed goes on."
    printf '%s' "$1 Type yes to go on: "
    read -r answer
    [ "$answer" = yes ] || fail 'Nothing was done.'
  }
}`,
  // The answer also contains the newest existing release, which is not the running one.
  reports: `reports() {
  answer=$(curl --fail --silent --show-error --include --max-time 30 "$url/api/v1/health")
  printf '%s\\n' "$answer" | sed 's/"latest":{[^}]*}//g' | grep -F "\\"version\\":\\"$1\\"" > /dev/null
}`,
  // A stored answer, by its header Age, says nothing of now.
  fresh: `fresh() {
  if printf '%s\\n' "$answer" | grep -i '^age:' > /dev/null; then
    say 'The answer comes from a cache (header Age): ask Lightdash itself'
    return 1
  fi
}`,
  ready: `ready() {
  if [ "$probe" = readyz ]; then
    answer=$(curl --silent --show-error --include --max-time 30 "$url/api/v1/readyz") || return 1
    case $answer in
      *migration_parked*) fail "The migration failed and is parked: see the log of Lightdash and $url/api/v1/readyz" ;;
      *'"warnings"'*) return 1 ;;
      *'"status":"ready"'*) fresh || return 1 ;;
      *) return 1 ;;
    esac
  fi
  reports "$1" && fresh
}`,
  confirm: `confirm() {
  if command -v lightspan > /dev/null; then
    lightspan upgrade-verify --instance "$url" --version "$1" --window 24h \${allow_http:+--allow-http}
    return
  fi
  times=0 left=\${LIGHTSPAN_WAIT:-86400}
  while [ "$times" -lt 3 ]; do
    [ "$left" -gt 0 ] || fail "$url does not say three times in a row that it is ready with $1"
    if ready "$1"; then times=$((times + 1)); else
      times=0 left=$((left - 10))
      say 'Not ready yet; trying again in 10 seconds'
      sleep 10
    fi
  done
}`,
  sql: `sql() { pg psql -X -q -A -t -v ON_ERROR_STOP=1 --dbname="$1" --command="$2" < /dev/null; }`,
  migration: `migration() { sql "$database" "SELECT count(*) || ' migrations, the newest ' || (array_agg(name ORDER BY id DESC))[1] FROM $ledger"; }`,
  writes: `writes() { sql "$database" 'SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables'; }`,
  // Of those who may write; what a role may not see of the sessions of others is null.
  sessions: `sessions() {
  sql "$database" "SELECT concat_ws(' ', pid, usename, client_addr, application_name, state) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND coalesce(backend_type, 'client backend') = 'client backend'
      AND has_table_privilege(usesysid, '$ledger', 'INSERT')"
}`,
  no_sessions: `no_sessions() {
  tries=0
  left=$(sessions)
  while [ -n "$left" ] && [ "\${OTHER_SESSIONS:-}" != allowed ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 12 ] || fail "Something may still write to the database $database:
$left
Is it the database of this Lightdash, and of no other? End these sessions (a pool keeps its own), or set OTHER_SESSIONS=allowed if none of them writes."
    sleep 5
    left=$(sessions)
  done
}`,
  look_at_database: `look_at_database() {
  case $database in '' | *[\\"\\'\\\\]*) fail "Which database does Lightdash use? Set LIGHTDASH_DATABASE to its name." ;; esac
  ledger=$(sql "$database" "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE tablename = 'knex_migrations'")
  [ -n "$ledger" ] || fail "The database $database has no table knex_migrations: it is not that of Lightdash."
  newest=$(migration)
  say "Database $database: $newest"
  left=$(sessions)
  [ -n "$left" ] || [ "\${OTHER_SESSIONS:-}" = none ] ||
    fail "Nobody is connected to the database $database: is it that of Lightdash? Set OTHER_SESSIONS=none if it is."
  hidden=$(sql "$database" "SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
    AND (relkind IN ('r', 'p', 'm') AND NOT has_table_privilege(c.oid, 'SELECT')
      OR relkind = 'S' AND NOT has_sequence_privilege(c.oid, 'SELECT') OR relrowsecurity AND row_security_active(c.oid))")
  [ -z "$hidden" ] || fail "This role cannot dump all of $database: $hidden"
  pg pg_dump --schema-only --lock-wait-timeout=30s --dbname="$database" < /dev/null > /dev/null
  size=$(sql "$database" 'SELECT pg_database_size(current_database()) / 1024')
  room=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
  [ "$room" -gt "$size" ] ||
    fail "$folder has room for $room kB, and the database $size kB: set LIGHTSPAN_BACKUPS to a folder with more"
  may=$(sql "$database" "SELECT rolsuper OR rolcreatedb AND pg_has_role(datdba, 'USAGE') FROM pg_roles, pg_database
    WHERE rolname = current_user AND datname = current_database()")
  [ "$may" = t ] || say 'This role cannot rename and create databases: the way back needs an administrator, or a snapshot.'
  keep database "$database"
  keep ledger "$ledger"
  keep migration "$newest"
}`,
  // The list stands at the beginning of a dump, so the rest is read too: findings/pg-restore-lists-a-cut-dump.sh. A
  // plain dump would be no SQL, and need a psql of its time: findings/pg-dump-of-a-schema-is-not-sql.sh
  back_up: `back_up() {
  [ "$(migration)" = "$(kept migration)" ] || fail "The database is no longer as it was: $(migration)"
  dump=$folder/lightdash-$from-$(date -u +%Y%m%dT%H%M%SZ).dump
  rm -f "$folder"/*.part
  pg pg_dump --format=custom --lock-wait-timeout=10min --dbname="$database" < /dev/null > "$dump.part"
  contents=$(pg pg_restore --list < "$dump.part")
  pg pg_restore --file=/dev/null < "$dump.part" || fail 'The dump cannot be read to its end, so it is not a backup.'
  printf '%s\\n' "$contents" | grep ' TABLE DATA [^ ]* knex_migrations ' > /dev/null ||
    fail 'The dump has no table knex_migrations: it is not a dump of the Lightdash database.'
  [ "$(migration)" = "$(kept migration)" ] || fail "The database has changed during the backup: $(migration)"
  pg pg_dumpall --roles-only --no-role-passwords --database="$database" < /dev/null > "$dump.roles" ||
    say 'The roles of the server could not be read.'
  mv "$dump.part" "$dump"
  written=$(writes)
  sum=$(checksum "$dump")
  keep writes "$written"
  keep sha256 "$sum"
  keep dump "$dump"
  say_backup
  say 'It does not hold LIGHTDASH_SECRET, your values or environment, the object store, or NATS: keep those too.'
}`,
  checksum: `checksum() { { sha256sum "$1" 2> /dev/null || shasum -a 256 "$1"; } | cut -d ' ' -f 1; }`,
  // From the step that may migrate on, the old release does not start on what it finds.
  way_back: `way_back() {
  say_backup
  if [ -n "$(kept begun)" ]; then say "To go back to $from: $back"; else say "To start $from again instead: $(undo)"; fi
}`,
  not_begun: `not_begun() {
  [ -z "$(kept begun)" ] || fail "$to has been started by an earlier run: begin with step $start_step, or go back: $back"
}`,
  begins: `begins() {
  [ -n "$(kept begun)" ] || keep begun "$(date -u +%Y%m%dT%H%M%SZ)"
  say "From here on the database may be migrated. The way back to $from: $back"
}`,
  say_backup: `say_backup() {
  dump=$(kept dump)
  [ -z "$dump" ] || say "Backup: $dump ($(wc -c < "$dump" | tr -d ' ') bytes, SHA-256 $(kept sha256))"
}`,
  // What an earlier run has started is left alone: it may be migrating.
  before_start: `before_start() {
  if [ -n "$(kept begun)" ]; then
    if any_runs "$old"; then
      fail "$from was started again after $to had begun: begin with step 1, or go back: $back"
    fi
  else
    if [ "$begin" = "$start_step" ]; then stop_lightdash "$from"; fi
    no_sessions
    fresh_backup
  fi
}`,
  fresh_backup: `fresh_backup() {
  dump=$(kept dump)
  [ -f "$dump" ] || fail "There is no backup in $folder: begin with step $backup_step."
  [ -n "$(find "$dump" -mmin -1440)" ] || fail "The backup is older than a day: begin with step $backup_step."
  [ "$(writes) $(migration)" = "$(kept writes) $(kept migration)" ] ||
    fail "The database was written to after the backup: begin with step $backup_step."
}`,
  open_back: `open_back() {
  open_state
  [ -f "$state" ] || fail "Nothing is known of a hop from $from to $to of $place ($state)."
  database=$(kept database) ledger=$(kept ledger) maintenance=postgres
  [ "$database" != postgres ] || maintenance=template1
}`,
  look_at_backup: `look_at_backup() {
  dump=$(kept dump)
  [ -f "$dump" ] || fail "There is no backup of this hop: $dump"
  sum=$(checksum "$dump")
  [ "$sum" = "$(kept sha256)" ] || fail "The backup is no longer what was written: $dump"
  say_backup
  after=$(kept after)
  if [ -z "$after" ]; then
    after=\${database}_after_$to
    if exists "$after"; then after=\${after}_$(date -u +%H%M%S); fi
    keep after "$after"
  fi
  say "What Lightdash has written since then is lost to $from; it stays in the database $after, which is kept."
  say 'Jobs that were waiting at the backup run again: deliveries of that time go out twice.'
}`,
  exists: `exists() { [ "$(sql "$maintenance" "SELECT count(*) FROM pg_database WHERE datname = '$1'")" = 1 ]; }`,
  rename: `rename() { sql "$maintenance" "ALTER DATABASE \\"$1\\" RENAME TO \\"$2\\""; }`,
  // Whichever command was the last of an earlier run, the migrated database has one of two names, and is whole.
  put_back: `put_back() {
  after=$(kept after) dump=$(kept dump)
  if [ -z "$after" ] || [ ! -f "$dump" ]; then fail "Nobody has looked at the backup yet: begin with step 1."; fi
  if [ -z "$(kept restored)" ]; then
    if exists "$after"; then
      if exists "$database"; then rename "$database" "\${database}_part_$(date -u +%Y%m%dT%H%M%S)"; fi
    else
      no_sessions
      rename "$database" "$after"
    fi
    pg pg_restore --create --exit-on-error --dbname="$maintenance" < "$dump" ||
      fail "The backup was not restored. The migrated database is whole, and is called $after."
    [ "$(migration)" = "$(kept migration)" ] || fail 'The restored database is not as it was before the hop.'
    keep restored yes
  fi
}`,
  went_back: `went_back() {
  [ -z "$(kept restored)" ] || say "The migrated database is kept as $(kept after). To undo this: stop Lightdash, rename $database to another name \\
and $(kept after) to $database (ALTER DATABASE ... RENAME TO ...), set $tag again, and start it."
  mv "$state" "$state.back-$(date -u +%Y%m%dT%H%M%SZ)"
}`,
};

/** The functions that a text calls, and those that these call in turn, in their order. */
export function functionsFor(text: string, own: Readonly<Record<string, string>>): readonly string[] {
  const all = { ...sharedFunctions, ...own };
  const used = new Set<string>();
  const calls = (caller: string, name: string) =>
    new RegExp(
      `(?:^|[;(){|&!]|\\b(?:then|do|else|if|while|until|trap)\\b)[ \\t]*${name}(?![\\w-])`,
      'm',
    ).test(caller);
  const visit = (caller: string) => {
    for (const [name, body] of Object.entries(all)) {
      if (used.has(name) || !calls(caller, name)) continue;
      used.add(name);
      visit(body);
    }
  };
  visit(text);
  return Object.entries(all).flatMap(([name, body]) => (used.has(name) ? [body] : []));
}
