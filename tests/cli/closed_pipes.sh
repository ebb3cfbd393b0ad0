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
# The commands of weir print less than a pipe holds, so the reader has gone when they begin.
gone() {
  mkfifo pipe
  exec 3<>pipe 4>pipe 3>&-
  "$@" >&4 4>&- 2>err
  local got=$?
  [ $got = 141 ] && ! grep -q "can't write" err || fail "$*: exit code $got where nobody reads: $(cat err)"
  (trap '' PIPE; "$@" >&4 4>&- 2>err)
  got=$?
  [ $got = 1 ] && grep -qF "can't write standard output: Broken pipe" err || fail "$*: exit code $got where nobody reads and SIGPIPE is ignored: $(cat err)"
  exec 4>&-
  rm pipe
}
gone "$bin/weir" graph -- "$bin/wordcount" -q lines
gone "$bin/weir" plan --on 2 -- "$bin/wordcount" -q lines
gone "$bin/weir" --version
gone "$bin/recheck" --help
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
[ $failures = 0 ]
