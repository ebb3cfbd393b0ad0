#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_as_sort.sh BIN_DIR    calls that people are used to from sort: its orders, -z, -c, several inputs, units in either case, outputs that are no regular files
set -uo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f -- "$0")")
. "$here/../support/expect.sh"
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
[ "$(cat other)" = before ] || fail 'an output was touched'
"$extsort" --help >out && grep -q -- '--header' out || fail '--help'

# Orders: those of sort in the C locale, alone, with each other, in keys, and with -r, -u, -n, -t and -z.
cat >mixed <<'END'
b 1K jan
a 2M FEB
 c -1K Mar
B 1024 dec
a-b .5G xjan
A_b 0K JANUARY
	ab 5.K
v1.10.tar.gz 1,000K  feb
v1.9.tar.gz 3Z ja
v1.9~rc1.tar.gz 2Y may
v01.9.tar 7k MAY
.hidden 1k .
.. -2
.tar 9
. 10

~ 1E aug
a.b -0 Sep
END
printf 'a\001b 1 c\na\377B 01 \351\nab 001 \177\n' >>mixed
tr '\n' '\0' <mixed | sed 's/v1/v\n1/g' >mixed0
while IFS= read -r options; do
  for zero in '' -z; do
    # shellcheck disable=SC2086
    sort -s $zero $options mixed${zero:+0} >expected
    # shellcheck disable=SC2086
    same "$extsort" -q -l $zero $options -T tmp mixed${zero:+0}
  done
done <<'END'
-h -k 2
-M -k 3,3
-V
-df
-fu
-r -i
-s -fr -u -k 1.2,1
-t . -k 2,2Vr -k 1fd
-k 2,2bfn -k 3bMr,3
-k 2hr -k 1Vfd
-dn -k 1V
END
sort -s -n mixed >expected
same "$extsort" -q --numeric-sort --stable mixed
sort -s -z -f -V -r mixed0 >expected
same "$extsort" -q --zero-terminated --ignore-case --version-sort --reverse mixed0
mkdir generated
(cd generated && python3 "$here/extsort_generated.py" "$extsort" 40 1) || fail 'a generated comparison with sort'
# Options that sort refuses.
for options in -nM -dn -hV -k1,1dM -k2Mn '-i -h'; do
  # shellcheck disable=SC2086
  expect 2 ' exclude each other' "$extsort" -l $options odd -o other
done
expect 2 "-k 1g: 'g' is no option of a key here" "$extsort" -k 1g odd -o other

# -c and -C, as sort ends and says it.
printf '1 a\n3 b\n2 c\n3 d\n' >wrong
sort -n wrong >right
sort -u -k 1,1n wrong | tr '\n' '\0' >right0
checks() {  # checks NAME OPTIONS…: the exit code and the words of sort
  local name=$1 code
  shift
  sort -s "$@" "$name" 2>expected
  code=$?
  sed -i 's/^sort:/extsort:/' expected
  "$extsort" -l "$@" "$name" >out 2>err
  [ $? = $code ] && cmp -s expected err && [ ! -s out ] || fail "$*: $name: $(cat out err) instead of $code $(cat expected)"
}
for options in -c -C --check --check=quiet --check=silent --check=diagnose-first '-c -n' '-c -u -k 1,1n' '-C -u -k 1,1n' '-cr' '-c -k 2'; do
  for name in wrong right; do
    # shellcheck disable=SC2086
    checks $name -s $options
  done
done
checks right0 -cz -u -k 1,1n
checks nothing -c -n
expect 1 'extsort: -:3: disorder: 2 c' "$extsort" -c -n - <wrong
seq 300000 | sed '$s/.*/5/' >late
expect 1 'late:300000: disorder: 5' "$extsort" -c -n -m 16M -j 2 late
expect 2 "can't read 'gone'" "$extsort" -c -l gone
expect 2 '-c checks one INPUT, not 2' "$extsort" -c -l wrong right
expect 2 '-c checks INPUT and has no output' "$extsort" -c -l wrong -o other
expect 2 'excludes' "$extsort" -c -C -l wrong
expect 0 '' "$1/recgen" -q -s 10 records
expect 1 "'records': the record at byte " "$extsort" -c records

# A header stays in front; several inputs have the same.
{ printf 'z header\na second line\n'; seq 9 -1 1; } >table
{ head -n 2 table; seq 9; } >expected
same "$extsort" -q -n --header 2 --verify table
same "$extsort" -q -n --header 2 - <table
cp table place
expect 0 '' "$extsort" -q -n --header 2 place -o place
cmp -s expected place || fail 'a header of what is sorted in place'
expect 0 '' "$extsort" -c -n --header 2 place
expect 1 'place:3: disorder: 1' "$extsort" -c -l --header 1 place
expect 0 '' "$1/recheck" -n --header 2 --input table place
{ head -n 2 table; seq 9 | sed p; } >expected
same "$extsort" -q -n --header 2 table nothing <(cat table)
head -n 1 expected | head -c -1 >short
printf 'z header\n' >expected
same "$extsort" -q --header 1 short
same "$extsort" -q --header 3 short
: >expected
same "$extsort" -q --header 3 nothing
{ printf 'c\0'; printf 'a\0b\0'; } >expected
printf 'c\0b\0a' >table0
same "$extsort" -q -z --header 1 table0
{ echo header; seq 400000 | sort -r; } >long
{ echo header; seq 400000 | sort; } >expected
same "$extsort" -q -l --header 1 -m 16M -j 2 -T tmp long
expect 1 "'short' has another header" "$extsort" -q --header 1 odd short -o other
head -c 2000000 /dev/zero >zeros
expect 1 "'zeros': the header is longer than " "$extsort" -q --header 1 zeros -o other
expect 2 '--header' "$extsort" --header 0 table -o other
[ "$(cat other)" = before ] || fail 'an output was touched by a call that failed'

# Outputs that are no regular files.
sort -s odd >expected
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
