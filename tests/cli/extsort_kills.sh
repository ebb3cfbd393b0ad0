#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_kills.sh BIN_DIR [SEED]    extsort is killed (SIGKILL) at 100 random moments: its input is as it was, its output is what it was or complete, and nothing else is there
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
extsort=$1/extsort
seed=${2:-$(($(date +%s%N) % 32768))}
work=$(mktemp -d -p "$bin/..")  # on a disk, so that there is more than the page cache
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
RANDOM=$seed

expect 0 '' "$bin/recgen" -q -s 600000 -r 64 records
expect 0 '' "$extsort" -q -m 16M -T tmp records -o sorted
expect 0 '' "$bin/recheck" --stable --input records sorted
cp records records_before

moments=100
grep -q __asan_init "$extsort" && moments=20  # instrumented programs are many times slower
killed=0 complete=0
for ((i = 0; i != moments; ++i)); do
  case $((i % 5)) in
    0) options=(-m 16M) ;;
    1) options=(-m 64M --verify) ;;
    2) options=(-m 16M -j 2 --merge-at-once 3) ;;
    3) options=(-m 16M --no-uring) ;;
    4) options=(-m 16M --no-direct --engine seq) ;;
  esac
  # The duration without a kill depends on other work of the machine, so it is measured again from time to time.
  if ((i % 20 < 5)); then
    begin=$(date +%s%N)
    "$extsort" -q "${options[@]}" -T tmp records -o out_file || fail "${options[*]}: exit code $?"
    takes[i % 5]=$((($(date +%s%N) - begin) / 1000))  # microseconds
  fi
  had=none
  rm -f out_file
  if ((i % 2 == 1)); then
    had=before
    printf '%s' $had >out_file
  fi
  # Up to a tenth later than its usual end.
  moment=$((takes[i % 5] * 11 / 10 * (RANDOM * 32768 + RANDOM) / (32768 * 32768)))
  what="seed $seed, number $i, ${options[*]}, after $moment us"
  "$extsort" -q "${options[@]}" -T tmp records -o out_file 2>err &
  sleep "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
  kill -KILL $! 2>/dev/null
  { wait $!; } 2>/dev/null
  code=$?
  [ $code = 137 ] && killed=$((killed + 1))
  # The machine has less other work than before.
  [ $code != 0 ] || [ $moment -ge ${takes[i % 5]} ] || takes[i % 5]=$moment
  [ $code = 137 ] || [ $code = 0 ] || fail "$what: exit code $code: $(cat err)"
  if cmp -s out_file sorted; then
    complete=$((complete + 1))
  else
    [ $code != 0 ] || fail "$what: it ended well without its output"
    if [ $had = none ]; then
      [ ! -e out_file ] || fail "$what: the output is half written"
    else
      [ "$(head -c 10 out_file)" = $had ] || fail "$what: the output was touched"
    fi
  fi
  cmp -s records records_before || fail "$what: the input was touched"
  # Another file is replaced by one that has a name already, complete: for an instant both are there.
  for left in .out_file.*; do
    [ $had = before ] && cmp -s "$left" sorted && rm -f "$left"
  done
  [ -z "$(ls -A tmp)" ] && [ -z "$(find . -name '.*' ! -name . -print -quit)" ] || fail "$what: left behind: $(ls -A . tmp)"
done
echo "seed $seed: of $moments, $killed were killed, $complete were complete"
[ $killed -ge $((moments / 4)) ] || fail "hardly any was killed"
[ $failures = 0 ]
