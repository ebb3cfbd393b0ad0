#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   unwritable.sh BIN_DIR    what the programs write is lost: because the file gets too long, the disk is full, or a quota ends, which is told
#                            when a file is closed. A line says so, the exit code does, and no half of a file is left
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$(readlink -f -- "$1")
examples=$(readlink -f -- "$(dirname "$(readlink -f -- "$0")")/../../examples")
work=$(readlink -f -- "$(mktemp -d)")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset WEIR_TRACE WEIR_TRACE_RUN WEIR_GRAPH WEIR_PROFILE
mkdir lost tmp
seq 1 20000 >lines
awk 'BEGIN { for (i = 0; i != 2000; ++i) print ">s" i "\nMKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD" }' >many.fa
head -n 2 many.fa >one.fa
"$bin/recgen" -q -s 1000 records
"$bin/extsort" -q -T tmp records -o sorted

# ---- output on standard output is lost when that is closed ----
shim=$(readlink -f "$bin/../lib/libfailing_io.so")
loses() {  # CODE COMMAND…
  local code=$1 got
  shift
  rm -f report
  FAILING_IO_CALLS=close FAILING_IO_AT=1 FAILING_IO_WITH=EDQUOT FAILING_IO_REPORT=$work/report FAILING_IO_IN=$work/lost \
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 LD_PRELOAD=$shim "$@" >lost/out 2>err
  got=$?
  [ $got = "$code" ] && [ -e report ] || fail "$*: exit code $got where closing its output fails: $(cat err)"
  grep -q "can't write standard output: Disk quota exceeded" err && [ "$(wc -l <err)" = 1 ] || fail "$*: said $(cat err)"
}
if [ -e "$shim" ]; then
  loses 1 "$bin/wordcount" -q lines
  loses 1 "$bin/wordcount" --version
  loses 2 "$bin/filesearch" 1 lines
  loses 2 "$bin/filesearch" --help
  loses 1 "$bin/swsearch" -q one.fa many.fa
  loses 1 "$bin/extsort" -q -T tmp records
  loses 1 "$bin/recheck" sorted
  loses 1 "$bin/weir" graph -- "$bin/wordcount" lines
  loses 1 "$bin/weir" run --on 2 -- "$bin/wordcount" -q lines
  loses 1 "$bin/waits_for_lines" <lines
fi

# ---- the examples ----
tried=0
for source in "$examples"/*.cpp "$examples"/cluster/*.cpp; do
  name=$(basename "$source" .cpp)
  program=$bin/examples/${source#"$examples"/}
  [ -x "${program%.cpp}" ] || continue
  tried=$((tried + 1))
  words=$(sed -n 's,^// test: *,,p' "$source")
  # shellcheck disable=SC2086
  (cd "$examples/.." && TMPDIR=$work/tmp "${program%.cpp}" $words >/dev/full 2>"$work/err")
  got=$?
  [ $got = 1 ] && [ "$(cat err)" = "$name: can't write standard output" ] || fail "$name on a full disk: exit code $got, said $(cat err)"
done
[ ! -e "$bin/examples" ] || [ $tried != 0 ] || fail "no example of $examples is in $bin/examples"
rm -rf tmp/*

# ---- files that get too long ----
too_long() {  # CODE NAME COMMAND…
  local code=$1 name=$2
  shift 2
  (ulimit -f 8; expect "$code" "can't write $name: File too large" "$@"; [ $failures = 0 ]) || failures=$((failures + 1))
  [ -z "$(find . -name '*unfinished*' -o -name made)" ] || fail "$*: left behind: $(ls)"
}
too_long 1 'standard output' "$bin/wordcount" -q -k 0 lines
too_long 2 'standard output' "$bin/filesearch" 1 lines
too_long 1 'standard output' "$bin/swsearch" -q --top 0 one.fa many.fa
too_long 1 "'made.swdb'" "$bin/swsearch" index many.fa -o made.swdb
too_long 1 "'made'" "$bin/recgen" -q -s 20000 made
too_long 1 "'made'" "$bin/extsort" -q -l -T tmp lines -o made

# ---- output that was asked for on standard error ----
for program in 'wordcount -q' 'filesearch 1' 'extsort -q -l -T tmp -o made' 'swsearch -q one.fa'; do
  for full in '2>/dev/full' '2>&-'; do
    input=lines
    [ "${program%% *}" != swsearch ] || input=many.fa
    eval "$bin/$program --table $input >out $full" && fail "$program $full: a table that could not be written"
    eval "$bin/$program $input >out $full" || fail "$program $full: exit code $? without a table"
  done
  rm -f made
done

# ---- files that the environment asks for: the program goes on, but for the graph, which is all that is wanted then ----
asks() {  # CODE VARIABLE WORDS
  expect "$1" "$3" env "$2=/dev/full" "$bin/wordcount" -q -k 1 lines
  (ulimit -f 8; trap '' XFSZ; env "$2=part" "$bin/wordcount" -j 40 -q -k 0 lines >/dev/null 2>err)
  grep -q "^weir: can't write .*'part' (File too large)" err || fail "$2: said $(cat err)"
  [ -e part ] && [ ! -s part ] || fail "$2: half of a file is left"
}
asks 0 WEIR_TRACE "weir: can't write the trace '/dev/full' (No space left on device); it is left empty"
asks 1 WEIR_GRAPH "weir: can't write '/dev/full' (No space left on device); let WEIR_GRAPH name a file that can be written"
asks 0 WEIR_PROFILE "weir: can't write '/dev/full' (No space left on device); let WEIR_PROFILE name a file that can be written"
expect 0 "weir: can't write the trace '/dev/full' (No space left on device); it is left empty" \
  env WEIR_TRACE=/dev/full "$bin/weir" run --on 2 -- "$bin/wordcount" -q lines
expect 1 "weir: can't write 'none/graph' (No such file or directory)" env WEIR_GRAPH=none/graph "$bin/wordcount" -q lines

# ---- and what is not read: standard input that is passed on to groups elsewhere ----
elsewhere=("$bin/weir" run --hosts here,there --via 'env HOST={host}' --address 127.0.0.1 -- "$bin/wordcount" -q -k 1)
expect 1 "weir run: can't read standard input: Is a directory" "${elsewhere[@]}" </
expect 0 '' "${elsewhere[@]}" <lines
expect 0 '' "${elsewhere[@]}" <&-

# ---- a link that leads to nothing yet: what it leads to is there when it is complete ----
ln -s second first
ln -s target second
(ulimit -f 8; trap '' XFSZ; "$bin/recgen" -q -s 20000 first 2>err) && fail 'a file that is too long'
[ ! -e target ] && [ "$(readlink first)" = second ] || fail 'half of a file behind two links'
for command in 'extsort -q -l -T tmp lines -o first' 'wordcount -q --report first lines' 'recgen -q -s 10 first'; do
  # shellcheck disable=SC2086
  expect 0 '' "$bin"/$command
  [ -s target ] && [ "$(readlink first),$(readlink second)" = second,target ] || fail "$command: not where the links lead: $(ls -l)"
  rm -f target
done
ln -s circle circle
expect 1 "can't write 'circle': Too many levels of symbolic links" "$bin/wordcount" -q --report circle lines
expect 1 "can't write 'circle': Too many levels of symbolic links" "$bin/extsort" -q -l -T tmp lines -o circle

[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
[ $failures = 0 ]
