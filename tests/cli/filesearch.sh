#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   filesearch.sh BIN_DIR
#
# filesearch as a user calls it: output, messages and exit codes against grep -E; what grep doesn't have.
set -uo pipefail
export LC_ALL=C
unset GREP_COLORS GREP_COLOR
filesearch=$1/filesearch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files" && cd "$work/files" || exit 1
failures=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# expect CODE STDERR_PATTERN COMMAND…: the exit code, and an only line on standard error that matches; '': none.
expect() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" >../out 2>../err
  got=$?
  [ $got = "$code" ] || fail "$*: exit code $got instead of $code: $(head -c 300 ../err)"
  if [ -n "$pattern" ]; then
    grep -qE -- "$pattern" ../err || fail "$*: no '$pattern' in: $(head -c 300 ../err)"
    [ "$(wc -l <../err)" = 1 ] || fail "$*: not one line: $(head -c 600 ../err)"
  elif [ -s ../err ]; then
    fail "$*: said $(head -c 300 ../err)"
  fi
}

# same ARGUMENT…, same_set ARGUMENT…: prints and says the same as grep, byte for byte, and ends with the same code. If several files are
# named or found, which may come in any order, the lines are compared as a set.
cores=
compare() {
  local how=$1 syntax=-E got want
  shift
  [ "$1" != -F ] || syntax=-F
  "$filesearch" $cores "$@" 2>../err <input | $how >../out
  got=${PIPESTATUS[0]}
  grep $syntax "$@" 2>../expected_err <input | $how >../expected
  want=${PIPESTATUS[0]}
  [ "$got" = "$want" ] || fail "$*: exit code $got instead of $want: $(head -c 300 ../err)"
  cmp -s ../expected ../out || fail "$*: $(diff ../expected ../out | head -5)"
  sed 's/^grep:/filesearch:/' ../expected_err | sort | cmp -s - <(sort ../err) ||
    fail "$*: said '$(head -c 300 ../err)' instead of '$(head -c 300 ../expected_err)'"
}
same() { compare cat "$@"; }
same_set() { compare sort "$@"; }
same_on_cores() { cores='-j 3' compare cat "$@"; }

printf 'a line\nAnother one\n\nlast, without an end' >text
printf 'foo bar\nxfoo foo\nfoofoo foo\n\n  \nab c\nfoo-bar\nFOO\n' >words
printf 'a\0b\na\n' >nul
printf 'the first\nthe bad \xe9\nafter\nthe last\n' >latin
printf 'caf\xc3\xa9 \xc3\x89t\xc3\xa9\nstra\xc3\x9fe\nna\xc3\xafve x\n' >utf8
seq 1 300 >numbers
printf 'from standard input\n' >input
: >empty

# One option after the other, and together.
for options in '' -i -l -L -c -n -o -v -w -x -q -s -h -H -a -I '-m 1' '-m 0' '-m -1' -io -vn -vc -lc -xv -wo -cH -Hn -qv '-i --no-ignore-case' -b -bn -bo -bvH -Z -HZ -lZ -LZ -cHZ -nbHZ -z -zn -zo -zbv -zc -zx -zlZ '-HZ --color=always' '-nbo --color=always' \
  --null --byte-offset --null-data --binary-files=text --binary-files=without-match '-a --binary-files=binary' \
  '--color=always' '-n --color=always' '-Hn --color=always' '-v --color=always' '-o --color=always' '-cH --color=always' '-l --color=always' \
  '--colour=never' --count --ignore-case --only-matching --max-count=2 --regexp=a '-e foo -e b'; do
  for file in text words nul latin empty; do
    # shellcheck disable=SC2086
    if [[ $options == *-e* ]]; then same $options $file; else same $options 'foo|a' $file; fi
  done
done
for options in -A1 -B1 -C1 -1 -A0 '-B2 -n' '-A3 -m2 -n' '-v -C1 -n' '-C1 --color=always' '-nv -A1 --color=always' '-2 -A0 -H' '-C1 -bHZ' '-z -C1 -n' '-B 100 -A 100'; do
  # shellcheck disable=SC2086
  for pattern in 7 '^1?5$' 300 '^1$' nothing; do same $options "$pattern" numbers; done
done
for pattern in '' '^$' '^' '$' 'a|' '(a|)b' '[^a]' '[]a]' '[a\]' 'a{2}' 'o{1,2}' 'o{,1}x' 'a{1' '{' 'a)' '\<foo\>' '\bfoo\b' '\Bo' '\w+\W' '\s+$' '[[:alpha:]]+' \
  '[[:space:]]$' '[^[:alnum:] ]' 'f.*o' '(fo|o)+' 'foo|xfoo' '[a-c]' '[[=a=]]' '[[.-.]]' '\.' '^foo(-bar)?$' '(a|b)*c' 'x*'; do
  for options in -n -o -w -x -i -vc; do same $options -e "$pattern" words; done
  same -o -e "$pattern" text
done
# Starts and ends of words beside anything.
for pattern in '\<' '\>' '\<.' '.\>' '.\<' '\>.' 'foo\s*\>' '\<\s*foo' '\<[^a]' '(\<|o)+b' '(\<|x){2}fo' 'x?(o|\>)+-' '\<\>' '^\>' '^\<' '\>$' '\<$' \
  '\<(foo|-)' '\<.*\>' '(^|\>.)\<b'; do
  for options in -n -o -x -i -vc; do same $options -e "$pattern" words; done
  same -o -e "$pattern" text
done
for file in utf8 latin text; do
  for pattern in 'é' 'É' 'ß' '.' '^.{4}$' '[é]' '[^é]' '\w+' '[[:alpha:]]*' '[[:upper:]]' 'caf.' 'na.ve' 'the'; do
    for options in -n -io -wo -x; do LC_ALL=C.UTF-8 same $options "$pattern" $file; done
  done
done
for pattern in a.b '[' 'foo' '' 'o-b' '*'; do
  for options in '' -i -o -w -x -v -c; do same -F $options -e "$pattern" words; done
done

# Patterns from files and standard input.
printf 'foo\nlast' >patterns
printf '\n' >empty_line
same -f patterns words
same -f patterns -e ab words
same -f empty words
same -vf empty words
same -f empty_line words
same -e $'foo\nab' words
same $'foo\nab' words
same -e -bar words
same -- -bar words
printf 'foo\n' >input
same -f - words
same -c foo -
same foo
same -H foo -
same_set -n foo - words

# Lines that end with NUL bytes, and may have line ends in them.
printf 'a\nb\0c d\n\0\nx\0\0last' >records
for pattern in '^b' 'a$' 'a.b' 'a[^x]b' 'a\sb' 'a\Sb' 'a\Wb' 'a[[:space:]]b' 'a[^[:space:]]b' 'a[[:cntrl:]]b' '^$' '' 'd$' '^.x' '\<b' 'x\>' '^l|b$' '[ab]'; do
  for options in -z -zn -zob -zx -zvc '-z -C0' '-zi --color=always' '-za'; do same $options -e "$pattern" records; done
done
same -F -z -e $'a\nb' records
same -z . nul
same -z . latin
LC_ALL=C.UTF-8 same -z . latin

# Errors in a pattern.
for pattern in '(' '(a' 'a\' '[a' '[[:foo:]]' '[:space:]' '[b-a]' 'a{2,1}' 'a{1,2,3}' '[[.ab.]]' '[a-[:digit:]]'; do same -e "$pattern" words; done
same '*a' words
expect 2 '^filesearch: back-references such as .1 can.t be searched for; use grep$' "$filesearch" '(a)\1' words
expect 2 'repeat at most 1000 times' "$filesearch" 'a{1001}' words
expect 2 'use fewer .< and .>, or .b$' "$filesearch" '((\<|a)(\<|b)(\<|c)(\<|d)){200}' words
expect 2 '^filesearch: nofile: No such file' "$filesearch" -f nofile words

# A tree with everything in it.
mkdir -p tree/sub/deep 'tree/na me' $'tree/new\nline' tree/.hidden
printf 'needle\n' >tree/one.c
printf 'needle\nhay\nneedle\n' >tree/sub/two.h
printf 'hay\n' >tree/sub/deep/three.c
printf 'needle' >tree/.hidden/four
printf 'needle' >'tree/na me/a b'
printf 'needle\0\n' >tree/sub/binary
: >tree/empty
ln -s .. tree/sub/deep/up
ln -s loop tree/loop
ln -s one.c tree/link
ln -s nowhere tree/dangling
mkfifo tree/pipe
printf 't*\n\n  \nlink \n' >tree/globs
for options in '-r --exclude-from=tree/globs' '-r --include=*.h --exclude-from=tree/globs' -rZ -r -rn -rc -rl -rL -rh -rI -ra -ri '-r -C1' '-r --include=*.c' '-r --exclude=*.c' '-r --exclude-dir=sub' '-r --exclude-dir=s*' \
  '-r --include=*.h --exclude=t*' '-r --exclude=t* --include=*.h' '-r --exclude-dir=tree' '-r --color=always'; do
  # shellcheck disable=SC2086
  for paths in tree tree/ ./tree . 'tree/sub tree/one.c' tree/one.c tree/link tree/sub/deep ''; do same_set $options needle $paths; done
done
same -r --exclude-from=nofile needle tree
same_set -r --exclude-from=- needle tree <tree/globs
rm tree/pipe  # with -R grep would wait for someone to write
for options in -R -Rr -Rl -Rc '-R --exclude=t*' '-R --exclude-dir=up' -rR '-R --include=*.c' '-R --exclude=link'; do
  # shellcheck disable=SC2086
  for paths in tree . tree/sub/deep tree/sub/deep/up ''; do same_set $options needle $paths; done
done
same_set --exclude='*.c' needle tree/one.c tree/sub/two.h
same_set --include='sub/*' needle tree/one.c tree/sub/two.h
same needle tree
same -s needle tree nofile
same_set needle nofile tree/one.c
same -q needle tree/one.c nofile
same_set needle tree/dangling tree/loop
same -q needle nofile
expect 2 '^filesearch: /proc/self/mem: Input/output error$' "$filesearch" needle /proc/self/mem
expect 2 '^filesearch: new line: No such file' "$filesearch" needle $'new\nline'
expect 2 '^filesearch: \(standard input\): Bad file descriptor$' bash -c "'$filesearch' x <&-"
if [ "$(id -u)" != 0 ]; then
  mkdir closed && printf 'x' >closed/x && chmod 0 closed
  expect 2 '^filesearch: closed: Permission denied$' "$filesearch" -r x closed
  chmod 700 closed
fi
cp tree/one.c whole && "$filesearch" needle whole tree/one.c >>whole 2>../err
[ $? = 2 ] && grep -q '^filesearch: whole: input file is also the output$' ../err || fail "own output: $(cat ../err)"

# Sorted, the output is the same for every number of workers, and in the order of names.
"$filesearch" -rn --sort needle tree -j 1 >one 2>/dev/null
sort -c one || fail "--sort: $(cat one)"
for workers in 2 3 16; do
  "$filesearch" -rn --sort . /usr/share/common-licenses -j 1 >one
  "$filesearch" -rn --sort . /usr/share/common-licenses -j $workers >several
  cmp -s one several || fail "--sort -j $workers"
done

# Files larger than a block, lines longer than one, and NUL bytes before and behind the places where grep looks.
awk 'BEGIN { for (i = 0; i < 200000; ++i) print "line", i, (i % 1000 == 0 ? "needle" : "hay") }' >large
for options in -n -c -o '-n -C2' '-m 3 -A2' -vc '-n -B3000' '-x'; do
  # shellcheck disable=SC2086
  same $options needle large
done
{ head -c 3000000 /dev/zero | tr '\0' 'w'; printf 'needle\nshort\n'; head -c 1000000 /dev/zero | tr '\0' 'v'; } >long
for options in -n -c -o -v '-n -B1' -x; do same $options needle long; done
for place in 1 98303 98304 98305 196607 196608 393196 500000 1500000; do
  { head -c $place large; printf '\0'; tail -c +$place large; } >with_nul
  for options in -n -c -l -I -a '-m 2' '-n -C1' -vc; do same $options needle with_nul; done
done
# A file that several cores search: lines that they find, and what follows from lines before.
seq 1000000 | awk '{ print $0 % 7 ? $0 : $0 " needle" } $0 % 100003 == 0 { for (i = 0; i < 300; ++i) printf "a long line "; print "" }' >larger
for options in -c -n -b '-m 7000 -n' '-A1 -n' '-B2 -b' '-C3 -n' -vc '-vn -m 100000' '-on' '-ob' -x -l '-z -c' -q; do
  for pattern in '99999 needle' '^1.*needle$'; do
    # shellcheck disable=SC2086
    same_on_cores $options "$pattern" larger
  done
done
for place in 3000000 6500000; do
  { head -c $place larger; printf '\0'; tail -c +$place larger; } >with_nul
  for options in -n -c -I -a '-C1 -b' -l; do same_on_cores $options '9999 needle' with_nul; done
done
# Beside the ends of what is read at a time.
for place in 393000 4390950 6488100 6684600; do
  { head -c $place larger; printf '\0'; tail -c +$place larger; } >with_nul
  for options in -n -c; do same_on_cores $options '9 needle' with_nul; done
done
truncate -s 5M holes && printf 'needle\n' >>holes
same needle holes

# The long results of two files are not mixed, and do not have to fit into memory.
for i in 1 2 3; do yes "file $i, a line of some length, so that it is many megabytes in the end" | head -n 300000 >big$i; done
"$filesearch" -h '' big1 big2 big3 -j 3 | uniq -c >../out
[ "$(wc -l <../out)" = 3 ] && [ "$(awk '{ print $1 }' ../out | sort -u)" = 300000 ] || fail "large outputs: $(head -5 ../out)"
"$filesearch" -h --sort '' big1 big2 big3 -j 3 | cmp - <(cat big1 big2 big3) || fail 'large outputs, sorted'

# Time is linear whatever the pattern.
head -c 200000 /dev/zero | tr '\0' 'a' >as
expect 1 '' timeout 300 "$filesearch" '(a*)*b|(a|aa)+c|(a?){50}a{50}d' as

# Both streams on one terminal: lines of a file stand before what is said of it.
{ yes 'a line' | head -n 20000; printf 'a\0b\n'; } >first_binary
cp first_binary second_binary
"$filesearch" --sort a first_binary second_binary 2>&1 | sed 's/^filesearch:/grep:/' >../out
grep -E a first_binary second_binary 2>&1 | cmp -s - ../out || fail "lines and messages: $(tail -n 3 ../out)"

# Output that can't be written.
expect 2 "^filesearch: can't write standard output: No space left" bash -c "'$filesearch' a text >/dev/full"
expect 2 "^filesearch: can't write standard output: Bad file" bash -c "'$filesearch' a text >&-"
expect 2 "can't write 'no/where': No such file" "$filesearch" --report no/where a text
expect 0 '' "$filesearch" --report report a text
python3 -c 'import json; assert json.load(open("report"))["nodes"][0]["path"] == "/walk"' || fail '--report'
"$filesearch" --table a text 2>../err >../out
grep -q '^/walk ' ../err || fail "--table: $(cat ../err)"

# Colours on a terminal that has them, and nowhere else.
in_terminal() { TERM=$1 script -qec "$filesearch beta lines" /dev/null </dev/null | tr -d '\r'; }
printf 'alpha\nbeta\n' >lines
coloured=$("$filesearch" --color=always beta lines)
plain=$("$filesearch" beta lines)
[ "$coloured" != "$plain" ] || fail "--color=always has no colours"
[ "$(in_terminal xterm)" = "$coloured" ] || fail "no colours on a terminal: $(in_terminal xterm)"
[ "$(in_terminal dumb)" = "$plain" ] || fail "colours on a terminal that has none: $(in_terminal dumb)"

# Calls that make no sense.
expect 2 '^filesearch: no pattern is given; see filesearch --help$' "$filesearch"
expect 2 'unknown option -T' "$filesearch" -T a
expect 2 "^filesearch: --binary-files: 'some' is neither binary, text nor without-match" "$filesearch" --binary-files=some a text
expect 2 'unknown option --nonsense' "$filesearch" --nonsense a
expect 2 'option -e has no value' "$filesearch" -e
expect 2 'option --regexp has no value' "$filesearch" --regexp
expect 2 'x: invalid context length argument' "$filesearch" -A x a text
expect 2 'invalid max count' "$filesearch" -m x a text
expect 2 "^filesearch: --workers: '0' is not a whole number from 1 to 256" "$filesearch" -j 0 a text
expect 2 "'sometimes' is neither" "$filesearch" --color=sometimes a text
expect 2 '.--report has no value' "$filesearch" --report= a text
expect 0 '' "$filesearch" --version
expect 0 '' "$filesearch" --help

[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
