#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   closed_pipes.sh BIN_DIR    standard output that nobody reads any more: each command ends as grep does, by SIGPIPE and without a word; where that is ignored, with a line and its exit code for errors
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
seq 1 100000 >lines
awk 'BEGIN { for (i = 0; i != 2000; ++i) print ">s" i "\nMKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD" }' >many.fa
head -n 2 many.fa >one.fa
mkdir tmp
# ends CODE COMMAND…, which prints more than a pipe holds: the exit code where SIGPIPE is ignored
ends() {
  local code=$1
  shift
  "$@" 2>err | : ; local ended=("${PIPESTATUS[@]}")
  [ "${ended[0]}" = 141 ] && [ ! -s err ] || fail "$*: exit code ${ended[0]} at a closed pipe: $(cat err)"
  (trap '' PIPE; "$@" 2>err | :; exit "${PIPESTATUS[0]}")
  local got=$?
  [ $got = "$code" ] && grep -qF "can't write standard output: Broken pipe" err && [ "$(wc -l <err)" = 1 ] || fail "$*: exit code $got where SIGPIPE is ignored: $(cat err)"
}
ends 2 "$bin/filesearch" 1 lines
ends 2 "$bin/filesearch" --sort 1 lines lines
ends 1 "$bin/wordcount" -q -k 0 lines
ends 1 "$bin/wordcount" -q -k 0 --json lines
ends 1 "$bin/extsort" -q -l -T tmp lines
ends 1 "$bin/extsort" -q -l -T tmp -o - lines
ends 1 "$bin/swsearch" -q --top 0 one.fa many.fa
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
[ $failures = 0 ]
