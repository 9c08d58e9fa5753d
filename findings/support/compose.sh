# shellcheck shell=bash
# Sourced by findings about docker compose: that of Debian 13, which needs nothing but libc, on Debian.

# Puts docker-compose 2.26.1-4 into the working folder: the program is ./compose.
install_compose() {
  local archive keys=/usr/share/keyrings/debian-archive-keyring.gpg
  # shellcheck disable=SC2016
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | grep -v -m 1 security)
  mkdir -p lists/partial cache/archives/partial
  echo "deb [signed-by=$keys] $archive trixie main" > sources.list
  local apt=(apt-get -qq -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD/cache"
    -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=)
  "${apt[@]}" update && "${apt[@]}" download docker-compose=2.26.1-4 && dpkg --extract docker-compose_*.deb unpacked &&
    ln -s unpacked/usr/libexec/docker/cli-plugins/docker-compose compose
}
