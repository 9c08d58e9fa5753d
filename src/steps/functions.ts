import { longestWait } from './tool.js';

/**
 * The functions of the shell that the steps of every hop share: lib.sh beside the scripts of `--out`, and one function
 * that is pasted once where the blocks are (`hop-block.ts`).
 *
 * Plain POSIX sh, with words that bash, zsh, dash and busybox read alike, also pasted: no comment, since an interactive
 * zsh runs it, and no `!` before a word, which bash takes from its history. `fail` ends the whole block: it is never
 * called within `$( )`, and what calls it never stands before `||`, where `set -e` sleeps.
 */
export const sharedFunctions: readonly string[] = [
  `say() { printf '%s\\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
now() { date -u +%Y%m%dT%H%M%SZ; }
keep() { printf '%s=%s\\n' "$1" "$2" >> "$state"; }
kept() { sed -n "s/^$1=//p" "$state" | tail -n 1; }
has_tag() { case $1 in *:"$2" | *:"$2"@*) ;; *) return 1 ;; esac; }`,
  // Of two that see the lock of a run that has ended, the slower one would remove the new lock of the other.
  `remove_lock_of() {
  mkdir "$state.lock.removal" 2> /dev/null ||
    fail "Another run removes $state.lock, or ended while it did: if none is running, remove the folder $state.lock.removal."
  if [ "$(readlink "$state.lock" || true)" = "$1" ]; then rm -f "$state.lock"; fi
  rmdir "$state.lock.removal"
}`,
  // What is kept is of one deployment: another context, project or host has another folder.
  `open_state() {
  umask 077
  folder=\${LIGHTSPAN_BACKUPS:-$HOME/lightspan-backups}/$(printf '%s' "$place" | tr -c 'A-Za-z0-9._' '-')
  { mkdir -p "$folder" && [ -w "$folder" ]; } ||
    fail "$folder cannot be written: set LIGHTSPAN_BACKUPS to a folder for backups"
  folder=$(cd "$folder" && pwd -P)
  above=$folder
  until [ "$above" = / ] || [ -e "$above/.git" ]; do above=$(dirname "$above"); done
  [ "$above" = / ] || fail "$folder is in the Git tree $above: set LIGHTSPAN_BACKUPS to a folder outside it"
  state=$folder/hop-$from-to-$to.state
  other=$(readlink "$state.lock" || true)
  [ -z "$other" ] || kill -0 "$other" 2> /dev/null || remove_lock_of "$other"
  sh -c 'ln -s "$PPID" "$1"' sh "$state.lock" 2> /dev/null ||
    fail "This hop is run by $(readlink "$state.lock" || true) (a number of ps) now: $state.lock"
  lock=$state.lock
}`,
  // What a first run finds is of use only once its look has come to its end.
  `open_hop() {
  open_state
  if [ "$begin" = 1 ]; then
    known=$state state=$state.look
    rm -f "$state"
    keep place "$place"
    keep given "$given"
    return
  fi
  [ -f "$state" ] || fail "No first run of this hop is known for $place ($state): begin with step 1."
  [ "$(kept given)" = "$given" ] ||
    fail "This is not what the first run was told: $given, and then $(kept given). Set it as it was, or begin with step 1."
  database=$(kept database) ledger=$(kept ledger)
}`,
  `settle() {
  if [ -f "$known" ]; then mv -f "$known" "$known.before-$(now)"; fi
  mv "$state" "$known"
  state=$known known=
}`,
  `step() {
  at=$1
  say "$1/$last $2"
  [ "$1" = 1 ] || keep reached "$1"
}`,
  // Called at the end and by the trap: what was begun is taken away once.
  `end_run() {
  code=$?
  set +e
  [ -z "$dump" ] || rm -f "$dump.part"
  [ -z "$lock" ] || rm -f "$lock"
  lock=
  [ "$code" != 0 ] || return 0
  {
    say "Stopped in step $at of $last; nothing after it was run."
    again
    if [ "$at" -gt 1 ] && [ -f "$state" ]; then way_back; fi
    reached=$(sed -n 's/^reached=//p' "$known" 2> /dev/null | tail -n 1)
    [ "\${reached:-1}" = 1 ] || say "An earlier run came to step $reached: what it kept is in $known."
  } >&2
}`,
  `agree() {
  [ "$yes" != yes ] || return 0
  [ -t 0 ] || fail "There is no terminal to ask at, so nothing was done: $agreed continues without asking."
  printf '%s' "$1 Type yes to go on: "
  read -r answer
  [ "$answer" = yes ] || fail 'Nothing was done.'
}`,
  // A stored answer, by its header Age, says nothing of now.
  `ask() {
  answer=$(curl --silent --show-error --include --max-time 30 "$@") || return 1
  if printf '%s\\n' "$answer" | grep -i '^age:' > /dev/null; then
    say 'The answer comes from a cache (header Age): ask Lightdash itself'
    return 1
  fi
}`,
  // The answer also contains the newest existing release, which is not the running one.
  `reports() {
  ask --fail "$url/api/v1/health" || return 1
  printf '%s\\n' "$answer" | sed 's/"latest":{[^}]*}//g' | grep -F "\\"version\\":\\"$1\\"" > /dev/null
}`,
  `ready() {
  if [ "$probe" = readyz ]; then
    ask "$url/api/v1/readyz" || return 1
    case $answer in
      *migration_parked*) fail "The migration failed and is parked: see the log of Lightdash and $url/api/v1/readyz" ;;
      *'"warnings"'*) return 1 ;;
      *'"status":"ready"'*) ;;
      *) return 1 ;;
    esac
  fi
  reports "$1"
}`,
  `confirm() {
  if command -v lightspan > /dev/null; then
    lightspan upgrade-verify --instance "$url" --version "$1" --window ${longestWait.duration} \${allow_http:+--allow-http}
    return
  fi
  times=0 left=\${LIGHTSPAN_WAIT:-${longestWait.seconds}}
  until [ "$times" = 3 ]; do
    [ "$left" -gt 0 ] || fail "$url does not say three times in a row that it is ready with $1"
    if ready "$1"; then times=$((times + 1)); continue; fi
    times=0 left=$((left - 10))
    say 'Not ready yet; trying again in 10 seconds'
    sleep 10
  done
}`,
  // Of the sessions, those that may write; what a role cannot see of the sessions of others is null.
  `sql() { pg psql -X -q -A -t -v ON_ERROR_STOP=1 --dbname="$1" --command="$2" < /dev/null; }
migration() { sql "$database" "SELECT count(*) || ' migrations, the newest ' || (array_agg(name ORDER BY id DESC))[1] FROM $ledger"; }
writes() { sql "$database" 'SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables'; }
sessions() {
  sql "$database" "SELECT concat_ws(' ', pid, usename, client_addr, application_name, state) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND coalesce(backend_type, 'client backend') = 'client backend'
      AND has_table_privilege(usesysid, '$ledger', 'INSERT')"
}`,
  `no_sessions() {
  for wait in 5 5 5 5 5 5 5 5 5 5 5 0; do
    left=$(sessions)
    if [ -z "$left" ] || [ "\${OTHER_SESSIONS:-}" = allowed ]; then return 0; fi
    sleep "$wait"
  done
  fail "Something may still write to the database $database:
$left
Is it the database of this Lightdash, and of no other? End these sessions (a pool keeps its own), or set OTHER_SESSIONS=allowed if none of them writes."
}`,
  // A connection pool would pass session settings of `pg_dump` on to Lightdash, above all an empty search path, with
  // which no table is found: findings/pg-dump-through-a-pool.sh. It refuses or ignores what a session asks for.
  `choose_here() {
  asked=$(PGOPTIONS="\${PGOPTIONS:-} -c lightspan.asked=yes" && export PGOPTIONS && sql "$1" 'SHOW lightspan.asked') || asked=
  [ "$asked" = yes ] || fail 'There is no direct session with the database server at PGHOST and PGPORT: a pool such as PgBouncer would pass the settings of pg_dump on to Lightdash.'
  [ "\${LIGHTDASH_DATABASE:-\${database:-$1}}" = "$1" ] ||
    fail "PGDATABASE is $1, and Lightdash uses $database: set PGDATABASE, PGHOST and PGUSER for that one, or LIGHTDASH_DATABASE=$1 if both name the same database."
  database=$1
}`,
  `look_at_database() {
  case $database in '' | *[\\"\\'\\\\]*) fail 'Which database does Lightdash use? Set LIGHTDASH_DATABASE to its name.' ;; esac
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
  `back_up() {
  as_found
  dump=$folder/lightdash-$from-$(now).dump
  rm -f "$folder"/*.part
  pg pg_dump --format=custom --lock-wait-timeout=10min --dbname="$database" < /dev/null > "$dump.part"
  contents=$(pg pg_restore --list < "$dump.part")
  pg pg_restore --file=/dev/null < "$dump.part" || fail 'The dump cannot be read to its end, so it is not a backup.'
  printf '%s\\n' "$contents" | grep ' TABLE DATA [^ ]* knex_migrations ' > /dev/null ||
    fail 'The dump has no table knex_migrations: it is not a dump of the Lightdash database.'
  as_found
  pg pg_dumpall --roles-only --no-role-passwords --database="$database" < /dev/null > "$dump.roles" ||
    say 'The roles of the server could not be read.'
  mv "$dump.part" "$dump"
  written=$(writes)
  sum=$(checksum)
  keep writes "$written"
  keep sha256 "$sum"
  keep dump "$dump"
  say_backup
  say 'It does not hold LIGHTDASH_SECRET, your values or environment, the object store, or NATS: keep those too.'
}
as_found() { [ "$(migration)" = "$(kept migration)" ] || fail "The database is no longer as it was found: $(migration)"; }
checksum() { { sha256sum "$dump" 2> /dev/null || shasum -a 256 "$dump"; } | cut -d ' ' -f 1; }
say_backup() {
  dump=$(kept dump)
  [ -z "$dump" ] || say "Backup: $dump ($(wc -c < "$dump" | tr -d ' ') bytes, SHA-256 $(kept sha256))"
}`,
  // From the step that may migrate on, the old release does not start on what it finds.
  `way_back() {
  say_backup
  if [ -n "$(kept begun)" ]; then say "To go back to $from: $back"; else say "To start $from again instead: $(undo)"; fi
}
not_begun() {
  [ -z "$(kept begun)" ] || fail "$to has been started by an earlier run: begin with step $start_step, or go back: $back"
}
begins() {
  [ -n "$(kept begun)" ] || keep begun "$(now)"
  say "From here on the database may be migrated. The way back to $from: $back"
}`,
  // Where two Lightdash answer at one address, or the address is of another one.
  `stop_all() {
  stop_lightdash
  if reports "$1" 2> /dev/null; then
    fail "All of this plan is stopped, and $url still reports $1: another Lightdash answers there."
  fi
}`,
  // What an earlier run has started is left alone: it may be migrating.
  `before_start() {
  if [ -n "$(kept begun)" ]; then
    if any_runs "$old"; then fail "$from was started again after $to had begun: begin with step 1, or go back: $back"; fi
    return
  fi
  if [ "$begin" = "$start_step" ]; then stop_all "$from"; fi
  no_sessions
  dump=$(kept dump)
  [ -f "$dump" ] || fail "There is no backup in $folder: begin with step $backup_step."
  [ -n "$(find "$dump" -mmin -1440)" ] || fail "The backup is older than a day: begin with step $backup_step."
  [ "$(writes) $(migration)" = "$(kept writes) $(kept migration)" ] ||
    fail "The database was written to after the backup: begin with step $backup_step."
}`,
  `open_back() {
  open_state
  [ -f "$state" ] || fail "No hop from $from to $to of $place was begun here ($state)."
  database=$(kept database) ledger=$(kept ledger) maintenance=postgres
  [ "$database" != postgres ] || maintenance=template1
}`,
  `look_at_backup() {
  dump=$(kept dump)
  [ -f "$dump" ] || fail "There is no backup of this hop: $dump"
  [ "$(checksum)" = "$(kept sha256)" ] || fail "The backup is no longer what was written: $dump"
  say_backup
  after=$(kept after)
  if [ -z "$after" ]; then
    after=\${database}_after_$to
    if exists "$after"; then after=\${after}_$(date -u +%H%M%S); fi
    keep after "$after"
  fi
  say "What Lightdash has written since then is lost to $from; it stays in the database $after, which is kept."
  say 'Jobs that were waiting at the backup run again: deliveries of that time go out twice.'
}
exists() { [ "$(sql "$maintenance" "SELECT count(*) FROM pg_database WHERE datname = '$1'")" = 1 ]; }
rename() { sql "$maintenance" "ALTER DATABASE \\"$1\\" RENAME TO \\"$2\\""; }`,
  // Whichever command was the last of an earlier run, the migrated database has one of two names, and is whole.
  `put_back() {
  after=$(kept after) dump=$(kept dump)
  if [ -z "$after" ] || [ ! -f "$dump" ]; then fail 'Nobody has looked at the backup yet: begin with step 1.'; fi
  [ -z "$(kept restored)" ] || return 0
  if exists "$after"; then
    if exists "$database"; then rename "$database" "\${database}_part_$(now)"; fi
  else
    no_sessions
    rename "$database" "$after"
  fi
  pg pg_restore --create --exit-on-error --dbname="$maintenance" < "$dump" ||
    fail "The backup was not restored. The migrated database is whole, and is called $after."
  as_found
  keep restored yes
}`,
  `went_back() {
  [ -z "$(kept restored)" ] || say "The migrated database is kept as $(kept after). To undo this: stop Lightdash, rename $database to another name \\
and $(kept after) to $database (ALTER DATABASE ... RENAME TO ...), set $tag again, and start it."
  mv "$state" "$state.back-$(now)"
}`,
];

/** Of these functions those that a text calls, and those that these call in turn, in their order. */
export function functionsFor(text: string, all: readonly string[]): readonly string[] {
  const each = all.flatMap((functions) => functions.split(/\n(?=\w+\(\) \{)/));
  const used = new Set<string>();
  const visit = (caller: string) => {
    for (const definition of each) {
      const name = definition.slice(0, definition.indexOf('('));
      const calls = new RegExp(
        `(?:^|[;(){|&!]|\\b(?:then|do|else|if|while|until|trap)\\b)[ \\t]*${name}(?![\\w-])`,
        'm',
      );
      if (used.has(definition) || !calls.test(caller)) continue;
      used.add(definition);
      visit(definition.slice(definition.indexOf('{')));
    }
  };
  visit(text);
  return each.filter((definition) => used.has(definition));
}
