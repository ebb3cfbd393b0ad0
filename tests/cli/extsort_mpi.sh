#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# extsort_mpi.sh BIN_DIR    extsort's variant of MPI and OpenMP, on each MPI: the same output as extsort's, what it sends, and ranks that fail or are killed
set -uo pipefail
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # of memory that MPI keeps
here=$(dirname "$(readlink -f -- "$0")")
. "$here/../support/expect.sh"
bin=$1
extsort=$1/extsort
mpis=()
for mpi in openmpi mpich; do
  [ ! -x "$bin/extsort_mpi_openmp_$mpi" ] || ! command -v mpirun.$mpi >/dev/null || mpis+=($mpi)
done
[ ${#mpis[@]} != 0 ] || { echo "no MPI is there"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
# by MPI RANKS ARGUMENT…
by() { timeout 600 bash "$here/../support/mpirun.sh" "$1" "$2" "$bin/extsort_mpi_openmp_$1" "${@:3}"; }
nothing_left() { [ -z "$(ls -A tmp)" ] && [ -z "$(find . -name '.*' ! -name . -print -quit)" ] || fail "$*: left behind: $(ls -A . tmp)"; }
# Requires a single line of ours, whatever MPI itself says about ranks that end.
expect_complaint() {
  local code=$1 words=$2
  shift 2
  expect "$code" '' "$@"
  [ "$(grep -c '^extsort_mpi_openmp: ' err)" = 1 ] || fail "$*: not one line: $(head -c 600 err)"
  grep -qF -- "extsort_mpi_openmp: $words" err || fail "$*: no '$words' in: $(head -c 600 err)"
}

"$bin/recgen" -q -s 600000 -r 64 records
"$bin/recgen" -q -s 600000 -r 64 --keys few few
"$bin/recgen" -q -s 200000 --record 100 --keys zipf hundred
seq 300000 | awk '{ print ($1 * 7919) % 65536, $1 }' >lines
printf 'an end that lacks' >>lines
"$bin/recgen" -q -s 1 one
: >empty
# FILE OPTION…
cases=("records" "few" "few --merge-at-once 2" "few --merge binary" "hundred --record 100 --key 0:10" "lines --lines" "lines -k 1,1n" "lines -u -k 1,1n" "lines -r -t 1 -k 2" "one" "empty" "lines --lines --no-direct --no-uring")
for number in "${!cases[@]}"; do
  # shellcheck disable=SC2086
  "$extsort" -q -m 64M -T tmp ${cases[number]} -o "expected$number" || fail "one process, ${cases[number]}: ended with $?"
done

for mpi in "${mpis[@]}"; do
  for ranks in 2 3 4; do
    for number in "${!cases[@]}"; do
      # All of them with three ranks, the first two with any.
      [ $ranks = 3 ] || [ "$number" -lt 2 ] || continue
      # shellcheck disable=SC2086
      expect 0 '' by $mpi $ranks -q -m 16M -j 2 -T tmp ${cases[number]} -o sorted
      cmp -s "expected$number" sorted || fail "$mpi, $ranks ranks, ${cases[number]}: other output"
      nothing_left "$mpi, $ranks ranks, ${cases[number]}"
      rm -f sorted
    done
  done

  # Each byte goes to a worker, and back. A worker has several runs, and writes and reads each byte twice.
  expect 0 '' by $mpi 3 -q --json -m 16M -j 1 -T tmp records -o sorted
  size=$(stat -c %s records)
  python3 -c "
import json
done = json.load(open('out'))
assert done['records'] == 600000 and done['bytes'] == $size and done['bytes_sent'] == 2 * $size, done
assert done['runs'] > 2 and done['passes'] == 2 and done['engine'] == 'mpi-openmp' and done['threads'] == 1, done
assert 4 * $size <= done['bytes_written'] < 4.2 * $size and 4 * $size <= done['bytes_read'] < 4.5 * $size, done
" || fail "$mpi: $(cat out)"
  # It may be sorted into itself.
  cp records itself
  expect 0 '' by $mpi 3 -q -m 16M -T tmp itself -o itself
  cmp -s expected0 itself || fail "$mpi: other output in its own place"

  # Records within records: bytes that look like the beginning of a worker's share are not one, and all records are distributed once more.
  python3 -c "
import struct, sys
few = open('few', 'rb').read()
inner = few[:len(few) // 8]
at = 0
while at + 12 <= len(inner):  # whole records only
    size = 12 + struct.unpack_from('<I', inner, at + 8)[0]
    if at + size > len(inner): break
    at += size
inner = inner[:at]
outer = b''.join(struct.pack('<QI', 900 - i, len(inner)) + inner for i in range(3))
sys.stdout.buffer.write(outer)" >within
  "$extsort" -q -m 64M -T tmp within -o expected_within || fail "records within records: ended with $?"
  expect 0 '' by $mpi 3 -q --json -m 96M -T tmp within -o sorted
  cmp -s expected_within sorted || fail "$mpi: other output of records within records"
  python3 -c "
import json
done = json.load(open('out'))
assert done['records'] == 3 and done['bytes_sent'] > 2 * done['bytes'], done" || fail "$mpi, records within records: $(cat out)"

  # An error ends all ranks, and nothing has changed.
  echo before >sorted
  expect_complaint 1 "can't read 'missing': No such file" by $mpi 3 -q -m 16M -T tmp missing -o sorted
  expect_complaint 1 "can't write 'none/sorted': No such file" by $mpi 3 -q -m 16M -T tmp records -o none/sorted
  expect 1 '' by $mpi 3 -q -m 16M -T none records -o sorted
  grep -q "^extsort_mpi_openmp: can't make a temporary file in 'none': No such file" err || fail "$mpi, no directory: $(cat err)"
  head -c $((size - 5)) records >cut
  "$extsort" -q -m 64M -T tmp cut -o other 2>err
  expect_complaint 1 "$(sed 's/^extsort: //' err)" by $mpi 4 -q -m 16M -T tmp cut -o sorted
  grep -q "is cut off: " err || fail "$mpi, cut off: $(cat err)"
  head -c $((100 * 1000 + 7)) hundred >cut
  expect_complaint 1 "'cut': the record at byte 100000 is cut off: 7 bytes of it are there" by $mpi 3 -q -m 16M -T tmp --record 100 cut -o sorted
  # One record of 12 + 2^24 - 1 bytes, more than a chunk.
  { printf '\0\0\0\0\0\0\0\0\377\377\377\0'; head -c 16777215 /dev/zero; } >long
  expect_complaint 1 "'long': the record at byte 0 has 16777227 bytes or more, which is more than fits into memory" by $mpi 3 -q -m 16M -T tmp long -o sorted
  expect_complaint 2 "needs two ranks or more" by $mpi 1 -q records -o sorted
  expect_complaint 2 "--memory: 4M is too little" by $mpi 3 -q -m 4M records -o sorted
  expect_complaint 2 "" by $mpi 3 -q --engine weir records -o sorted
  expect_complaint 2 "" by $mpi 3 -q --verify records -o sorted
  expect 0 '' by $mpi 3 --help
  [ "$(grep -c 'Usage: extsort_mpi_openmp ' out)" = 1 ] || fail "$mpi, --help: $(cat out)"
  nothing_left "$mpi, errors"
  [ "$(cat sorted)" = before ] || fail "$mpi, errors: the output has changed"
done

# Killed at any moment: the output is there as a whole, or as it was.
"$bin/recgen" -q -s 3000000 -r 64 more
"$extsort" -q -m 64M -T tmp more -o expected_of_more
sum=$(sha256sum <more)
seed=${WEIR_FAULT_SEED:-$RANDOM}
echo "WEIR_FAULT_SEED=$seed"
RANDOM=$seed
ended_early=0
for i in $(seq 6); do
  mpi=${mpis[$((i % ${#mpis[@]}))]}
  echo before >sorted
  by "$mpi" 3 -q -m 16M -T tmp "$work/more" -o sorted >out 2>err &
  run=$!
  python3 -c "import time; time.sleep($((RANDOM % 1500)) / 1000)"
  victim=$(pgrep -f "^$bin/extsort_mpi_openmp_$mpi -q -m 16M -T tmp $work/more -o sorted" | shuf -n 1 --random-source=<(yes "$RANDOM"))
  [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null
  wait $run
  code=$?
  if [ $code = 0 ]; then
    cmp -s expected_of_more sorted || fail "round $i: ended well with another output"
  else
    ended_early=$((ended_early + 1))
    [ $code != 124 ] || fail "round $i: did not end: $(head -c 400 err)"
    # An output that was complete is there, even if the rank that wrote it was then killed.
    [ "$(head -c 7 sorted | tr -d '\0')" = before ] || cmp -s expected_of_more sorted || fail "round $i: ended with $code, and the output is another one"
  fi
  nothing_left "round $i, ended with $code"
done
[ $ended_early != 0 ] || fail "all ended well"
[ "$(sha256sum <more)" = "$sum" ] || fail "the input has changed"
[ $failures = 0 ]
