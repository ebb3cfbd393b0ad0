#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   wordcount.sh BIN_DIR
#
# wordcount as a user calls it: counts against tr, sort and uniq; trees as they are; calls that make no sense.
set -uo pipefail
export LC_ALL=C
wordcount=$1/wordcount
source=$(dirname "$(readlink -f -- "$0")")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# expect CODE STDERR_PATTERN COMMAND…: the exit code, and an only line on standard error that matches.
expect() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ $got = "$code" ] || fail "$*: exit code $got instead of $code: $(head -c 300 err)"
  if [ -n "$pattern" ]; then
    grep -qE -- "$pattern" err || fail "$*: no '$pattern' in: $(head -c 300 err)"
    [ "$(wc -l <err)" = 1 ] || fail "$*: not one line: $(head -c 600 err)"
  fi
}
reference() { tr -sc 'A-Za-z0-9\200-\377' '\n' | grep -a . | sort | uniq -c | sort -k1,1nr -k2; }
same() { cmp -s "$2" "$3" || fail "$1: $(diff "$2" "$3" | head -5)"; }

# Every file by itself, since a word ends with its file.
each_file() { while IFS= read -r -d '' file; do cat -- "$file"; echo; done; }

# Real text, in every width.
find /usr/share/common-licenses -type f -print0 | each_file | reference >expected
for workers in 1 2 7 256; do
  expect 0 '' "$wordcount" -q -k 0 -j $workers /usr/share/common-licenses
  same "-j $workers" expected out
done
head -n 3 expected >three
expect 0 'words, .* different; .* files; .*/s$' "$wordcount" -k 3 /usr/share/common-licenses
same "-k 3" three out
find /usr/share/common-licenses -type f -print0 | each_file | tr A-Z a-z | reference >expected
expect 0 '' "$wordcount" -q -i -k 0 /usr/share/common-licenses
same "-i" expected out

# A tree with everything in it.
mkdir -p tree/sub/deep 'tree/na me' $'tree/new\nline'
: >tree/empty
printf 'no newline' >tree/last
printf '\xff\xfe bad \xc3\x28 caf\xc3\xa9\0zero' >tree/bytes
printf 'spaced' >'tree/na me/a b'
printf 'newlined' >$'tree/new\nline/x\ny'
head -c 10000000 /dev/zero | tr '\0' 'w' >tree/sub/word
head -c 10000000 /dev/zero | tr '\0' ' ' >tree/sub/spaces
ln -s .. tree/sub/deep/up
ln -s loop tree/loop
ln -s last tree/link
ln -s nowhere tree/dangling
mkfifo tree/pipe
find tree -type f -print0 | each_file | reference >expected
expect 0 '' timeout 300 "$wordcount" -q -k 0 tree
same tree expected out
expect 0 '' "$wordcount" -q tree/link
printf '      1 newline\n      1 no\n' >two
same 'a link that is named' two out

# Standard input.
printf 'b a b' | "$wordcount" -q >out
printf '      2 b\n      1 a\n' >two
same 'standard input' two out
printf 'b a b' | "$wordcount" -q - >out
same - two out
printf 'b a b' | "$wordcount" --json -q >json
python3 - <<'P' || fail "--json: $(cat json)"
import json
found = json.load(open("json"))
assert found["words"] == [{"word": "b", "count": 2}, {"word": "a", "count": 1}], found
assert (found["total"], found["distinct"], found["bytes"], found["files"], found["unreadable"]) == (3, 2, 5, 1, 0), found
P
printf '\xff' | "$wordcount" --json -q | python3 -c 'import json, sys; assert json.load(sys.stdin)["words"][0]["word"] == "\ufffd"' ||
  fail 'JSON of bytes that are no UTF-8'
expect 0 '0 words, 0 different; 0 B in 1 file;' "$wordcount" /dev/null

# Words by Unicode; the table is that of the database, where that is installed.
printf '“It’s” it’s well–known:\xc2\xa0don\x27t 3.14 a_b \xff\xfe_ 漢字\n' >text
printf '      1 %s\n' 3.14 It’s a_b "don't" it’s known well 字 漢 >expected
expect 0 '' "$wordcount" -q --words unicode --top 0 text
same '--words unicode' expected out
# Blocks end beside a blank.
for i in {1..3000}; do printf 'it’s 3.14\xc2\xa0don\x27t\xe2\x80\x94well\xc2\xadknown%s e\xcc\x81 ' $i; done >long
for i in {1..30}; do cat long; done >longer
printf '  90000 %b\n' 3.14 "don't" 'e\xcc\x81' it’s >expected
for workers in 1 3; do
  expect 0 '' "$wordcount" -q --words unicode --top 4 -j $workers longer
  same "--words unicode -j $workers" expected out
done
expect 2 '--words' "$wordcount" --words letters text
if [ -f /usr/share/unicode/auxiliary/WordBreakProperty.txt ]; then
  python3 "$source/scripts/make_word_breaks.py" >table
  if [ "$(grep unicode_version table)" = "$(grep unicode_version "$source/apps/wordcount/word_break_table.cpp")" ]; then
    same 'scripts/make_word_breaks.py' "$source/apps/wordcount/word_break_table.cpp" table
  fi
fi

# Files that can't be read are reported, the rest is counted, and the exit code tells.
printf 'x' >x
expect 1 "can't read 'nofile': No such file" "$wordcount" -q nofile x
printf '      1 x\n' >one
same 'beside a missing file' one out
expect 1 "can't read 'tree/loop': Too many levels" "$wordcount" -q tree/loop
expect 1 "can't read 'tree/dangling': No such file" "$wordcount" -q tree/dangling
expect 1 "can't read '/proc/self/mem': Input/output error" "$wordcount" -q /proc/self/mem
expect 1 "can't read 'new.012line': No such file" "$wordcount" -q $'new\nline'
expect 1 "can't read standard input: Bad file descriptor" bash -c "'$wordcount' -q <&-"
if [ "$(id -u)" != 0 ]; then
  mkdir closed && printf 'x' >closed/x && chmod 0 closed
  printf 'x' >secret && chmod 0 secret
  expect 1 "can't read 'closed': Permission denied" "$wordcount" -q closed
  expect 1 "can't read 'secret': Permission denied" "$wordcount" -q secret
  chmod 700 closed
fi

# Output that can't be written.
expect 1 "can't write standard output: No space left" bash -c "'$wordcount' -q x >/dev/full"
expect 1 "can't write standard output: Bad file" bash -c "'$wordcount' -q x >&-"
seq 1000000 >numbers
expect 1 "can't write 'no/where': No such file" "$wordcount" -q --report no/where x
expect 1 "can't write '/dev/full': No space left" "$wordcount" -q --report /dev/full x
[ -c /dev/full ] || fail '/dev/full is gone'
expect 0 '' "$wordcount" -q --report report x
python3 -c 'import json; assert json.load(open("report"))["nodes"][0]["path"] == "/read"' || fail '--report'
ls | grep -q unfinished && fail 'an unfinished file was left'
expect 0 '' "$wordcount" -q --table x
grep -q '^/read ' err || fail "--table: $(cat err)"

# If standard error can't be written, nothing else changes.
for closed in '2>/dev/full' '2>&-'; do
  bash -c "'$wordcount' x $closed" >out || fail "$closed: exit code $?"
  same "$closed" one out
  bash -c "'$wordcount' --nonsense $closed"
  [ $? = 2 ] || fail "--nonsense $closed"
done
expect 1 "can't write standard output" bash -c "'$wordcount' --help >/dev/full"

# An entry that is not a file keeps its place; for a link the type of its target counts.
ln -s /proc/self/fd/1 stdout-link && ln -s new-report dangling
"$wordcount" -q --report stdout-link x 2>err | grep -q '"wall_ns"' || fail '--report to a pipe behind a link'
[ -L stdout-link ] || fail 'a link was replaced'
expect 0 '' "$wordcount" -q --report dangling x
[ -L dangling ] && grep -q wall_ns new-report || fail '--report through a dangling link'
echo kept >log && "$wordcount" -q --report /dev/stdout x >>log
[ "$(sed -n '1p;2p' log | tr -s '\n ' ' ')" = 'kept 1 x ' ] || fail "--report /dev/stdout: $(head -3 log)"

# Names that could be taken for something else.
printf 'brackets' >'[a,b]' && printf 'option' >./-x
expect 0 '' "$wordcount" -q '[a,b]' -- -x
grep -q brackets out && grep -q option out || fail "odd names: $(cat out)"
expect 1 "can't read standard input: Bad file descriptor" bash -c "'$wordcount' -q x - <&-"

# Calls that make no sense.
expect 2 '--report= has no value' "$wordcount" --report= x
expect 2 '--report has no value' "$wordcount" --report '' x
expect 2 "^wordcount: --workers: '0' is not a whole number from 1 to 256; see wordcount --help" "$wordcount" -j 0 x
expect 2 "'100000' is not" "$wordcount" -j 100000 x
expect 2 "'many' is not" "$wordcount" -j many x
expect 2 "^wordcount: --top: '-1' is not" "$wordcount" -k -1 x
expect 2 '^wordcount: .*--nonsense' "$wordcount" --nonsense x
expect 0 '' "$wordcount" --version
expect 0 '' "$wordcount" --help

# The definition of words in --help holds.
sed -n '/^  tr /,/head -n 10$/p' out | sed 's/FILE/numbers/' >pipeline
[ "$(wc -l <pipeline)" = 2 ] || fail '--help shows no pipeline'
bash pipeline >expected
"$wordcount" -q numbers >got
same 'the pipeline in --help' expected got

[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
