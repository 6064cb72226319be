#!/usr/bin/env bash
# usage: run.sh BUILD_FOLDER SECONDS   runs every fuzz_* of a folder configured with -Dfuzz=true for so long, two at a
# time, from the corpus in the tree. New inputs stay in the build folder; results go to BUILD_FOLDER/results.
set -euo pipefail
folder=$1 seconds=$2
corpora=$(dirname "$(readlink -f "$0")")/corpus
targets=$(ninja -C "$folder" -t targets all | sed -n 's/^\(tests\/fuzz\/fuzz_[a-z0-9_]*\): .*/\1/p')
[ -n "$targets" ] || { echo "no fuzz targets in $folder"; exit 1; }
ninja -C "$folder" --quiet $targets

run_one() { # PATH: prints "ok NAME RUNS" or "FAILED NAME"
  local name; name=$(basename "$1")
  local log=$folder/$name.log found=$folder/found/$name
  mkdir -p "$found"
  if "$folder/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
      -artifact_prefix="$found-" "$found" "$corpora/${name#fuzz_}" >"$log" 2>&1; then
    echo "ok $name $(sed -n 's/stat::number_of_executed_units: //p' "$log") runs"
  else
    tail -40 "$log" >&2
    echo "FAILED $name"
  fi
}
export -f run_one; export folder seconds corpora
printf '%s\n' $targets | xargs -P 2 -I{} bash -c 'run_one {}' >"$folder/results"
cat "$folder/results"
! grep -q FAILED "$folder/results"
