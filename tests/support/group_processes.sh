#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by tests of `weir run`, after weir_command.sh and in a folder of their own, with $bin: wordcount as a program whose processes
# can be told from all others.

# The processes of this test have a path of their own to be found by.
ln -s "$bin/wordcount" words
processes() {
  local folder word
  for folder in /proc/[0-9]*; do
    IFS= read -r -d '' word 2>/dev/null <"$folder/cmdline" && [ "$word" = "$work/words" ] && echo "${folder#/proc/}"
  done
}
# The folders of runs on other hosts, where a test has them made below `there`.
folders() { ls "$work/there" 2>/dev/null; }
# Limits are for what never comes: whoever has none of the cores for a while is late.
nothing_left() {
  for _ in $(seq 600); do
    [ -n "$(processes)$(folders)" ] || return 0
    sleep 0.1
  done
  failed "$what: is left: processes $(processes | tr '\n' ' ') folders $(folders)"
  kill -9 $(processes)
}
# group_process NAME: its process
group_process() {
  local id
  for id in $(processes); do
    tr '\0' '\n' <"/proc/$id/environ" 2>/dev/null | grep -qx "WEIR_GROUP=$1" && echo "$id"
  done
}
# Until each of three groups has its connections: to the launcher and to both others, beside the one it listens on.
wait_until_connected() {
  local id ready
  for _ in $(seq 2000); do
    ready=0
    for id in $(processes); do
      [ "$(ls -l "/proc/$id/fd" 2>/dev/null | grep -c 'socket:')" -lt 4 ] || ready=$((ready + 1))
    done
    [ $ready -lt 3 ] || return 0
    sleep 0.05
  done
  failed "$what: the groups do not come up"
}

words=("$work/words" -j2)

# begin WHAT OPTION...: a run of three.json, or $configuration, that goes on as long as nobody ends it
begin() {
  begin_only "$@"
  wait_until_connected
}
# Likewise, and does not wait for its groups.
begin_only() {
  what=$1
  shift
  mkfifo pipe 2>/dev/null
  exec 9<>pipe
  # In the background of a script SIGINT is ignored.
  env --default-signal=INT "$weir" run "$@" "${configuration:-three.json}" -- "${words[@]}" -q <pipe >out 2>err 9>&- &
  launcher=$!
}
# ended CODE WORDS
ended() {
  wait $launcher
  local code=$?
  exec 9>&-
  [ $code = "$1" ] || failed "$what: ended with $code, expected $1"
  [ -z "$2" ] || has err "$2"
  nothing_left
}
