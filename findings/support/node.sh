# shellcheck shell=bash
# Sourced by findings about Node itself: its releases as npm has them, for Linux.

# Puts node20 (20.20.2), node22 (22.23.5), node24 (24.22.3) and node26 (26.12.1), as far as they are named, into
# node_modules: the program is node_modules/NAME/bin/node.
install_nodes() {
  local of name
  of=$(node -p process.arch)
  local -A version=([node20]=20.20.2 [node22]=22.23.5 [node24]=24.22.3 [node26]=26.12.1)
  local packages=()
  for name in "$@"; do packages+=("$name@npm:node-linux-$of@${version[$name]}"); done
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix . "${packages[@]}"
}

# Puts Bun 1.4.5 beside them: the program is node_modules/bun/bin/bun.
install_bun() {
  local of
  of=$(node -p "process.arch === 'arm64' ? 'aarch64' : process.arch")
  npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix . "bun@npm:@oven/bun-linux-$of@1.4.5"
}
