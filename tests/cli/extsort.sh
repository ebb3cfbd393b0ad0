#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort.sh BIN_DIR    extsort, recgen and recheck as a user calls them: lines against sort, limits of memory, signals, calls and input that make no sense
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
extsort=$1/extsort
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
nothing_left() { [ -z "$(ls -A tmp)" ] && [ -z "$(find . -name '.*' ! -name . -print -quit)" ] || fail "$*: left behind: $(ls -A . tmp)"; }

# Records: made, sorted with each engine and any memory, checked.
expect 0 '' "$bin/recgen" -q -s 800000 -r 64 records
expect 0 '' "$bin/recgen" -q -s 800000 -r 64 -t 1 again
cmp -s records again || fail "recgen with one thread makes other records"
expect 0 '' "$bin/extsort" -q -m 16M -j 2 -T tmp records -o sorted
expect 0 '' "$bin/recheck" --stable --input records sorted
grep -q '^800000 records, .* sorted, stably, the same records; ' out || fail "recheck: $(cat out)"
expect 0 '' "$bin/recheck" -m 1M --input records sorted
grep -q '^800000 records, .* sorted, the same records; ' out || fail "recheck, files of many times its memory: $(cat out)"
for options in '-m 16M -j 1' '-m 100M' '-m 16M --engine seq' '-m 20M --engine openmp -j 3' '-m 16M --merge-at-once 3' '-m 16M --merge binary' '-m 16M -j 2 --runs snowplow' '-m 16M -j 2 --compress zstd' '-m 16M -j 2 --compress zstd:6 --runs snowplow --no-uring' '-m 16M -j 1 --compress zstd:19 --merge binary' '-m 16M -j 1 --runs snowplow --merge binary' '-m 20M --engine openmp -j 3 --runs snowplow' '-m 16M --no-direct' '-m 16M --no-uring' '-m 16M -j 3 --pin' '-m 16M --executor threads'; do
  # shellcheck disable=SC2086
  expect 0 '' "$extsort" -q $options -T tmp records -o other
  cmp -s sorted other || fail "$options: other output"
  nothing_left "$options"
done
expect 1 "'records': the record at byte " "$bin/recheck" records
: >nothing
expect 1 'it has 800000 records, ' "$bin/recheck" --input nothing sorted
expect 1 "'/dev/null' is no regular file" "$bin/recheck" /dev/null
expect 1 "'.' is no regular file" "$bin/recheck" .
expect 0 '800000 records, ' "$extsort" -m 16M -T tmp records -o other
grep -qE ' [0-9]+ runs, [0-9]+ pass(es)?; .* waited .* s for the disk$' err || fail "summary: $(cat err)"
expect 0 '' "$extsort" -q --json -m 16M -T tmp records -o other
python3 -c 'import json; d = json.load(open("out")); assert d["records"] == 800000 and d["bytes_written"] >= 2 * d["bytes"], d' || fail "json: $(cat out)"

# Streams: standard input, the rest of standard input, pipes with and without a name, files that do not report their size; standard output.
same_records() { cmp -s sorted other || fail "$*: other output"; : >other; nothing_left "$*"; }
cat records | "$extsort" -q -m 16M -T tmp >other || fail "from a pipe to standard output: $?"
same_records "from a pipe to standard output"
"$extsort" -q -m 16M -T tmp --verify - -o other <records || fail "standard input is a file: $?"
same_records "standard input is a file"
{ dd bs=13 count=1 status=none of=skipped; "$extsort" -q -m 16M -T tmp - | cat >other; } < <(printf '0123456789abc'; cat records) || fail "the rest of a pipe: $?"
same_records "the rest of a pipe"
{ printf '0123456789abc'; cat records; } >behind
{ dd bs=13 count=1 status=none of=skipped; "$extsort" -q -m 16M -T tmp -o other; } <behind || fail "the rest of a file: $?"
same_records "the rest of a file"
mkfifo pipe
cat records >pipe &
expect 0 '' "$extsort" -q -m 16M -T tmp pipe -o other
same_records "a named pipe"
expect 0 '' "$extsort" -q -m 16M -T tmp <(cat records) -o other
same_records "a process substitution"
for options in '' '-m 16M --no-direct'; do
  # shellcheck disable=SC2086
  "$extsort" -q $options -T tmp records -o - >other || fail "to standard output: $?"
  same_records "$options to standard output"
done
[ "$("$extsort" -q -l /proc/self/mounts | wc -l)" -gt 0 ] || fail "a file that does not tell its size is empty"
printf 'b\na' | "$extsort" -ql | cmp -s - <(printf 'a\nb\n') || fail "lines from a pipe to a pipe"
"$extsort" -ql </dev/null | cmp -s - /dev/null || fail "nothing from a device"
expect 1 "can't read 'standard input': " "$extsort" -l -o other <&-
expect 1 "can't write standard output: No space left" sh -c '"$0" -q -T tmp records >/dev/full' "$extsort"
head -c 100000 records >cut
expect 1 "'standard input': the record at byte 99" sh -c 'cat cut | "$0" -T tmp -o other' "$extsort"
# A sort that waits for a stream can be interrupted.
for signal in INT TERM; do
  env --default-signal=INT "$extsort" -q -T tmp pipe -o other 2>err &
  until [ "$(readlink /proc/$!/exe)" = "$(readlink -f "$extsort")" ] && ls -l /proc/$!/fd 2>/dev/null | grep -q '/pipe$'; do sleep 0.01; done
  kill -$signal $!
  wait $!
  code=$?
  [ $code = $((128 + $(kill -l $signal))) ] || fail "$signal at a pipe: exit code $code"
done
nothing_left "signals at a pipe"

# Records of one size.
expect 0 '' "$bin/recgen" -q -s 200000 --record 100 hundred
expect 0 '' "$extsort" -q -m 16M --record 100 --key 0:10 -T tmp hundred -o sorted
expect 0 '' "$bin/recheck" --record 100 -k 0:10 --stable --input hundred sorted
expect 1 "'hundred': the record at byte 19999" "$extsort" --record 99 -T tmp hundred -o other

# Lines, as sort has them.
# Compressed runs take less of the disk, which is the output's size when all is merged at once.
expect 0 '' "$extsort" -q --json -m 16M --compress zstd --record 100 -k 0:10 -T tmp /dev/null -o other
head -c 20000000 /dev/zero >zeros
expect 0 '' "$extsort" -q --json -m 16M --compress zstd --record 100 -k 0:10 -T tmp zeros -o other
python3 -c 'import json; d = json.load(open("out")); assert d["bytes"] == 20000000 and d["bytes_written"] < 21000000, d' || fail "compressed: $(cat out)"
cmp -s zeros other || fail "compressed zeros"
rm -f zeros

find /usr/share/common-licenses -type f -exec cat {} + | tr -s ' ' >text
for number in 1 2 3 4 5; do cat text; done | awk '{ print $0, NR % 97 - 40, (NR * 7919) % 1000 / 10 }' >lines
same() {
  sort -s "$@" lines >expected || fail "sort $*"
  expect 0 '' "$extsort" -q -m 16M -T tmp "$@" lines -o sorted
  cmp -s expected sorted || fail "$*: $(diff expected sorted | head -4)"
  expect 0 '' "$bin/recheck" "$@" sorted
}
expect 0 '' "$extsort" -q -m 16M -l -T tmp lines -o sorted
sort -s lines | cmp -s - sorted || fail "lines"
same -r
same -n
same -b
same -k 2
same -k 2,2
same -k 3b,3 -k 1,1r
same -t e -k 2,2 -k 1.2,1.3
same -k 2.3,4.1
same -t ' ' -k 3nr
same -u -k 1,1
same -u -n -k 2
same -b -k 2.2b,2.4b -r
same -rn -k 3,3 -k 1b

# Odd lines: numbers of any length and form, keys that are equal for long, end with zeros or are empty.
cat >odd.py <<'END'
import random
chosen = random.Random(5)
numbers = ['-0', '00', '.5', '1e3', '-', '', '-.0', '0.0', '007', '7.0', '7', '-7.25', '12345678901234', '123456789012345', '1234567890123456789012', '-1234567890123456789012', '-1234567890123456789013',
           '.00000000000000000001', '-.00000000000000000001', '9' * 126, '9' * 127, '9' * 128, '-' + '9' * 128, '1' * 301, '-' + '1' * 301, '1' * 200 + '.5', '1' * 200, '0' * 50 + '3',
           '3.' + '0' * 40, '3.' + '0' * 40 + '1', '+5', '1,000', '- 5', '5-3', '..5']
gaps = [' ', '  ', '\t', ' \t ', '.', '..', '', ' ' * 40]
words = ['a', 'b', 'ab', 'abcdefg', 'abcdefgh', '\0', 'a\0', '\xff', 'zz', 'A']
long = ''.join(chosen.choice('ab ') for _ in range(120))
def number(): return chosen.choice(numbers) if chosen.random() < .7 else str(chosen.randrange(-1000, 1000) / chosen.choice([1, 4, 10]))
def line():
    kind = chosen.randrange(4)
    if kind == 0: return chosen.choice(gaps).join(number() for _ in range(chosen.randrange(5)))
    if kind == 1: return long[:chosen.randrange(1, 101)] + chosen.choice(['', 'a', '\0', '\xff', 'b ', ' 5'])
    if kind == 2: return chosen.choice(gaps).join(chosen.choice(words) for _ in range(chosen.randrange(6)))
    return chosen.choice(gaps) + number() + chosen.choice(gaps) + ''.join(chosen.choice('ab \t.0') for _ in range(chosen.randrange(30)))
made = [line() for _ in range(60000)]
open('lines', 'wb').write('\n'.join(made * 2).encode('latin1'))
END
python3 odd.py || fail "odd.py"
same -k 1
same -r
same -n
same -rn
same -k 2
same -k 2,2
same -k 2n
same -k 2,2n -k 1,1r
same -k 3,3 -k 2nr
same -b -k 2
same -k 1.2,1.3n
same -t . -k 2,2
same -t . -k 2n -k 1
same -t ' ' -k 2,3r -k 1.3,1.5
same -t '\0' -k 1.2
same -u -k 2,2
same -u -n
printf 'b\na' >lines
same -k 1
: >lines
same -k 1
# A last line without an end, longer than short lines before it let expect; records end where their words begin.
more=0
grep -q __asan_init "$extsort" && more=96  # the sanitizers take memory themselves
for each in '1000000 4000000 32 1 chunks' '600000 2500000 32 2 chunks' '40000 800000 64 1 snowplow'; do
  read -r count tail memory threads runs <<<"$each"
  python3 -c "
import sys
sys.stdout.write('\n'.join(chr(97 + i % 26) for i in range($count)) + '\n' + 'x' * $tail)" >lines
  sort -s lines >expected
  expect 0 '' "$extsort" -q -l -m $((memory + more))M -j $threads --runs $runs lines -o sorted
  cmp -s expected sorted || fail "$count short lines and one of $tail bytes without an end: other output"
done
python3 -c "
import struct, sys
for i in range(500000): sys.stdout.buffer.write(struct.pack('<QI', i * 7919 % 65536, 0))
sys.stdout.buffer.write(struct.pack('<QI', 5, 4000000) + b'x' * 4000000)" >few_long
expect 0 '' "$extsort" -q -m $((32 + more))M -T tmp few_long -o sorted
expect 0 '' "$bin/recheck" --input few_long sorted
rm -f few_long
# Long keys that differ at their ends take no longer than necessary: a second, not minutes.
python3 -c "
for i in range(400): print('a' * 3000, 'b' * 3000 + str(i * 7919 % 400), '1' * 30000 + str(i * 7919 % 400))" >lines
same -k 3n
same -k 2,2
same -k 2
rm -f lines odd.py

# Calls and input that make no sense.
printf 'before' >other
expect 1 "can't read 'gone': No such file" "$extsort" gone -o other
expect 1 "can't write '/nowhere/other': No such file" "$extsort" -T tmp text -l -o /nowhere/other
expect 1 "can't make a temporary file in '/nowhere'" "$extsort" -T /nowhere text -l -o other
expect 1 "'cut': the record at byte 99" "$extsort" -T tmp cut -o other
printf '12345678\xff\xff\xff\x7f' | cat - text >giant
expect 1 "'giant': the record at byte 0 is cut off" "$extsort" -T tmp giant -o other
expect 2 '15M is too little; the least is 16777216' "$extsort" -m 15M text -o other
expect 2 "'1x' is no size" "$extsort" -m 1x text -o other
expect 2 '-k 0: fields are counted from 1' "$extsort" -k 0 text -o other
expect 2 '--key 95:10 is not inside a record of 100 bytes' "$extsort" --record 100 -k 95:10 text -o other
expect 2 '-t ab: the separator must be one character' "$extsort" -t ab text -o other
expect 2 '--engine seq has one thread' "$extsort" --engine seq -j 2 text -o other
expect 2 '--merge binary merges two runs at once' "$extsort" --merge binary --merge-at-once 3 text -o other
for how in lz4 zstd: zstd:0 zstd:20 zstd3 zstd:1x; do
  expect 2 "--compress $how: write zstd, or zstd:LEVEL with a level from 1 to 19" "$extsort" --compress $how text -o other
done
expect 2 '--record excludes --lines' "$extsort" --record 10 -l text -o other
expect 2 '--json and the records both go to standard output' "$extsort" --json text
expect 1 "can't read '.': Is a directory" "$extsort" . -o other
expect 2 "records can't go to standard output" "$bin/recgen" -s 10 -
[ "$(cat other)" = before ] || fail "output was touched"
nothing_left "calls that make no sense"

# A signal in the middle changes nothing and leaves nothing.
expect 0 '' "$bin/recgen" -q -s 6000000 -r 64 many
for signal in INT TERM KILL; do
  for wait in 0.02 0.1 0.2 0.3; do
    env --default-signal=INT "$extsort" -q -m 16M -j 2 -T tmp many -o other 2>err &  # a shell ignores it for processes in the background
    sleep $wait
    kill -$signal $! 2>/dev/null
    { wait $!; } 2>/dev/null
    code=$?
    [ $code = 0 ] && { printf 'before' >other; continue; }  # the sort was faster than the signal
    [ $code = $((128 + $(kill -l $signal))) ] || fail "$signal: exit code $code: $(cat err)"
    # A signal after the output has its name has no effect.
    [ "$(head -c 7 other)" = before ] || "$bin/recheck" --input many other >/dev/null || fail "$signal after $wait s: output was touched"
    printf 'before' >other
    nothing_left "$signal after $wait s"
  done
done
[ $failures = 0 ]
