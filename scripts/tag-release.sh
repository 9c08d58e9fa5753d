#!/usr/bin/env bash
# Makes the tag of a release, on a commit of its own beside main: a GitHub action runs the repository at a tag, and its
# bundle, which the build has made, is not in main. Nothing is pushed.
set -euo pipefail

tag=${1:?name the tag, such as v0.2.0}
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "$tag is not a tag such as v0.2.0" >&2; exit 2; }
cd "$(dirname "$0")/.."
test -s dist/action/index.cjs || { echo 'dist/action/index.cjs is not there: npm ci builds it' >&2; exit 1; }
if [ -n "$(git status --porcelain)" ]; then echo 'the working tree has changes' >&2; exit 1; fi

export GIT_AUTHOR_NAME="${GIT_AUTHOR_NAME:-lightspan release}" GIT_AUTHOR_EMAIL="${GIT_AUTHOR_EMAIL:-release@localhost}"
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
git checkout --quiet --detach
git add --force dist/action dist/THIRD-PARTY-LICENSES.txt
git commit --quiet --message "Release $tag"
git tag --annotate "$tag" --message "$tag"
