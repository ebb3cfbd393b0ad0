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
