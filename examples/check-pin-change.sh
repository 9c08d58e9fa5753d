#!/usr/bin/env bash
# May the release that a file pins go from what <base> pins to what the working tree pins?
# Usage: check-pin-change.sh <file> <path.in.it> <base> [flags of upgrade-check]
# Exits as lightspan upgrade-check does: 0 only where the whole span is proven safe to roll in one step, and nothing else
# of the image changes.
set -euo pipefail

file=${1:?name the file, such as values.yaml}
path=${2:?name the path of the tag in it, such as image.tag}
base=${3:?name the commit to compare with, such as origin/main}
shift 3

before=$(mktemp)
trap 'rm -f "$before"' EXIT
# A file that the base does not hold is no yes: it may have been renamed.
git show "$base:$file" >"$before" || exit 3

lightspan upgrade-check --from-file "$before#$path" --to-file "$file#$path" "$@"
