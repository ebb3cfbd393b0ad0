#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_as_sort.sh BIN_DIR    calls that people are used to from sort: several inputs, units in either case, outputs that are no regular files, -h
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
extsort=$1/extsort
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
# same COMMAND…: what it prints is in `expected`
same() { "$@" >got 2>err || fail "$*: exit code $?: $(cat err)"; cmp -s expected got || fail "$*: $(diff expected got | head -n 3)"; }

# Several inputs, of which one lacks its last end, one is empty, and two are streams. Equal keys stay in their order.
seq 1 2 30000 | sed 's/$/ a/' >odd
seq 2 2 30000 | sed 's/$/ b/' | head -c -1 >even
seq 1 3 30000 | sed 's/$/ c/' >third
: >nothing
sort -s -n -k 1,1 odd even nothing third odd >expected
for options in '' '-m 16m -j 2' '--engine seq' '--runs snowplow -j 3' '--verify --executor threads' '--compress zstd --merge binary'; do
  # shellcheck disable=SC2086
  same "$extsort" -q -l -n -k 1,1 $options -T tmp odd even nothing third odd
done
same "$extsort" -q -l -n -k 1,1 -T tmp odd <(cat even) - third odd <nothing
same bash -c 'cat third | "$0" -q -l -n -k 1,1 -T tmp odd even - odd' "$extsort"
# One of them may be the output.
cp odd place
sort -s odd even >expected
expect 0 '' "$extsort" -q -l place even -o place
cmp -s expected place || fail 'an input is the output'
[ "$("$1/recheck" -l place | cut -d ' ' -f 1)" = "$(cat odd even | grep -c '')" ] || fail 'records of two inputs'
printf before >other
expect 1 "can't read 'gone': No such file" "$extsort" -q -l odd gone -o other
expect 2 'standard input can be sorted once' "$extsort" -q -l - odd - -o other
"$1/recgen" -q -s 10 records
head -c 100 records >cut
expect 1 "'cut': the record at byte " "$extsort" -q records cut -o other

# Memory and threads by the names that sort has; units in either case.
sort -s odd >expected
for options in '-m 16m' '-m 1g' '-S 16M' '-S 20000' '--buffer-size=32m' '-S 17000K --parallel=2' '--parallel 2'; do
  # shellcheck disable=SC2086
  same "$extsort" -q -l $options odd
done
expect 2 '1k is too little' "$extsort" -m 1k odd -o other
expect 2 '-h, numbers with units such as 2K and 1G, is not there' "$extsort" -l -h odd -o other
[ "$(cat other)" = before ] || fail 'an output was touched'
"$extsort" --help | grep -q -- '--help' || fail '--help'

# Outputs that are no regular files.
same "$extsort" -q -l odd -o /dev/stdout
"$extsort" -q -l odd -o /dev/stdout | cmp -s expected - || fail '/dev/stdout is a pipe'
{ echo before; "$extsort" -q -l odd -o /dev/stdout; } >got
{ echo before; cat expected; } | cmp -s - got || fail '/dev/stdout is a file: what was there is gone'
expect 0 '' "$extsort" -q -l odd -o /dev/null
[ -c /dev/null ] || fail '/dev/null is another file now'
mkfifo pipe
timeout 60 cat pipe >got &
expect 0 '' "$extsort" -q -l odd -o pipe
wait
cmp -s expected got && [ -p pipe ] || fail 'a named pipe'
expect 1 "can't write '/dev/full': No space left" "$extsort" -q -l odd -o /dev/full
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
[ $failures = 0 ]
