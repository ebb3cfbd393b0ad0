#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   closed_pipes.sh BIN_DIR    standard output that nobody reads any more: each command ends as grep does, by SIGPIPE and without a word; where that is ignored, with a line and its exit code for errors
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
here=$(dirname "$(readlink -f -- "$0")")
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
gone() {  # COMMAND…; `failing` is its exit code where SIGPIPE is ignored
  mkfifo pipe
  exec 3<>pipe 4>pipe 3>&-
  "$@" >&4 4>&- 2>err
  local got=$?
  [ $got = 141 ] && ! grep -q "can't write" err || fail "$*: exit code $got where nobody reads: $(cat err)"
  (trap '' PIPE; "$@" >&4 4>&- 2>err)
  got=$?
  [ $got = "${failing:-1}" ] && grep -qF "can't write standard output" err || fail "$*: exit code $got where nobody reads and SIGPIPE is ignored: $(cat err)"
  exec 4>&-
  rm pipe
}
gone "$bin/weir" graph -- "$bin/wordcount" -q lines
gone "$bin/weir" plan --on 2 -- "$bin/wordcount" -q lines
gone "$bin/weir" --version
gone "$bin/weir" doctor --json
gone "$bin/weir" run --help
gone "$bin/weir" help plan
gone "$bin/recgen" --man
gone "$bin/recheck" --help
gone "$bin/extsort" -q -l --json -T tmp -o sorted lines
failing=2 gone "$bin/filesearch" --help
failing=2 gone "$bin/filesearch" --completion zsh
# All groups, with more output than a pipe holds.
printf '{"plan": true, "groups": [{"name": "G1"}, {"name": "G2"}]}' >groups.json
"$bin/weir" run --on 2 -- "$bin/wordcount" -q -k 0 lines 2>err | head -n 1 >first
ended=("${PIPESTATUS[@]}")
[ "${ended[0]}" = 141 ] && [ ! -s err ] && [ "$(wc -l <first)" = 1 ] || fail "weir run | head: exit code ${ended[0]}: $(cat err)"
if [ -x "$bin/dff_run" ]; then
  for how in '' '-v G1,G2'; do
    # shellcheck disable=SC2086
    "$bin/dff_run" $how -f groups.json "$bin/wordcount" -q -k 0 lines 2>err | head -n 1 >first
    ended=("${PIPESTATUS[@]}")
    [ "${ended[0]}" = 141 ] && [ ! -s err ] && [ "$(wc -l <first)" = 1 ] || fail "dff_run $how | head: exit code ${ended[0]}: $(cat err)"
  done
  for words in --help --version '-n -f groups.json x' '-v G1,G2 -f groups.json '"$bin/wordcount"' -q lines'; do
    # shellcheck disable=SC2086
    "$bin/dff_run" $words >/dev/full 2>err
    code=$?
    [ $code = 1 ] && [ "$(cat err)" = "dff_run: can't write standard output" ] || fail "dff_run $words on a full disk: exit code $code: $(cat err)"
  done
  "$bin/dff_run" --help 2>err | :
  [ ! -s err ] || fail "dff_run --help: $(cat err)"
fi
for script in "$here"/../../scripts/*.sh; do
  [ "${script##*/}" != bench.sh ] || continue  # Python prints its help
  "$script" --help 2>err | :
  ended=("${PIPESTATUS[@]}")
  case ${ended[0]} in 0 | 141) [ ! -s err ] || fail "${script##*/} --help: $(cat err)" ;; *) fail "${script##*/} --help: exit code ${ended[0]}: $(cat err)" ;; esac
done
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
[ $failures = 0 ]
