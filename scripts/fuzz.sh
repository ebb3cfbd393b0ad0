#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: fuzz.sh [--seconds N] [--keep] [NAME...]
#
# Builds the fuzzers of tests/fuzz, all or the named ones, and runs them.
#
# Each fuzzer runs on its corpus, on inputs of earlier failures
# (tests/fuzz/mended), and then on inputs that it makes from both. The random
# numbers are the same in each run without --keep.
#
#   --seconds N  time for new inputs, for each fuzzer (5)
#   --keep       add inputs that reach new code to the corpus, as few as possible
#
# Exit codes:
#   0  no fuzzer failed
#   1  one failed; its input is in build/fuzz/found
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
seconds=5 keep=0 names=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: --seconds needs a whole number of at least 1" >&2; exit 2; }
      seconds=$2
      shift
      ;;
    --keep) keep=1 ;;
    -*) echo "fuzz.sh: unknown option '$1'; there are --seconds and --keep" >&2; exit 2 ;;
    *) [ -f "tests/fuzz/$1.cpp" ] || { echo "fuzz.sh: there is no fuzzer '$1' in tests/fuzz" >&2; exit 2; }; names+=("$1") ;;
  esac
  shift
done
[ ${#names[@]} -gt 0 ] || for source in tests/fuzz/*.cpp; do names+=("$(basename "$source" .cpp)"); done
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target "${names[@]/#/fuzz_}" -j "$(nproc)" -- --quiet
found=$PWD/build/fuzz/found
rm -rf "$found"
mkdir -p "$found"
# JSON keys are the quoted words in the files that read them; a message is named like its struct.
words=build/fuzz/json.dict
{
  cat tests/fuzz/json.dict
  grep -ohE '"[a-z_]+"' src/cluster/{configuration,protocol}/*.[ch]pp src/passes/tuning.cpp | sort -u | sed -E 's/^"(.*)"$/"\\"\1\\":"/'
  sed -nE 's/^struct ([a-z_]+) .*/"\\"say\\":\\"\1\\""/p' src/cluster/protocol/to_{coordinator,group}.hpp
} >$words
status=0
for name in "${names[@]}"; do
  corpus=tests/fuzz/corpus/$name
  grown=build/fuzz/grown/$name
  [ $keep = 1 ] || rm -rf "$grown"
  mkdir -p "$corpus" "$grown"
  corpora=("$corpus")
  [ ! -d "tests/fuzz/mended/$name" ] || corpora+=("tests/fuzz/mended/$name")
  limits=(-timeout=60 -malloc_limit_mb=256 -rss_limit_mb=2048 -dict=$words "-artifact_prefix=$found/$name-")
  # Their threads free things a moment after an input, which would be taken for leaks.
  case $name in coordinator | member) limits+=(-detect_leaks=0) ;; esac
  [ $keep = 1 ] || limits+=(-seed=1)
  if ! "build/fuzz/bin/fuzz_$name" "${limits[@]}" -print_final_stats=1 "-max_total_time=$seconds" "$grown" "${corpora[@]}" >"$found/$name.log" 2>&1; then
    tail -n 40 "$found/$name.log" >&2
    echo "fuzz.sh: $name fails; build/fuzz/bin/fuzz_$name $(ls "$found/$name"-* 2>/dev/null | head -n1) repeats the failure" >&2
    status=1
    continue
  fi
  awk -v name="$name" '/number_of_executed_units/ { runs = $2 } END { printf "%s: %d inputs\n", name, runs }' "$found/$name.log"
  if [ $keep = 1 ]; then
    smallest=$(mktemp -d)
    "build/fuzz/bin/fuzz_$name" -set_cover_merge=1 -use_counters=0 "${limits[@]}" "$smallest" "$grown" "$corpus" >"$found/$name.log" 2>&1
    find "$smallest" -type f -size +1000c -delete  # so that the corpus stays small
    rm -rf "$corpus"
    mv "$smallest" "$corpus"
    chmod 755 "$corpus"
  fi
done
exit $status
