#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by tests of `weir run`, after weir_command.sh, each in a folder of its own and with $bin set. Makes wordcount available under a
# path of its own, by which the processes of this test can be told from all others.

# A path by which the processes of this test are found.
ln -s "$bin/wordcount" words
processes() {
  local folder word
  for folder in /proc/[0-9]*; do
    IFS= read -r -d '' word 2>/dev/null <"$folder/cmdline" && [ "$word" = "$work/words" ] && echo "${folder#/proc/}"
  done
}
# Lists the folders of runs on other hosts, which a test makes below `there`.
folders() { ls "$work/there" 2>/dev/null; }
# The limit of 60 seconds is generous: a process that gets no core for a while is late, but not lost.
nothing_left() {
  for _ in $(seq 600); do
    [ -n "$(processes)$(folders)" ] || return 0
    sleep 0.1
  done
  failed "$what: is left: processes $(processes | tr '\n' ' ') folders $(folders)"
  kill -9 $(processes)
}
# group_process NAME: prints the id of the group's process
group_process() {
  local id
  for id in $(processes); do
    tr '\0' '\n' <"/proc/$id/environ" 2>/dev/null | grep -qx "WEIR_GROUP=$1" && echo "$id"
  done
}
# Waits until each of three groups has its four sockets: connections to the launcher and to the two other groups, and the listening socket.
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

# begin WHAT OPTION...: starts a run of three.json, or $configuration, that goes on until it is ended; waits for its groups
begin() {
  begin_only "$@"
  wait_until_connected
}
# The same as begin, but does not wait for the groups.
begin_only() {
  what=$1
  shift
  mkfifo pipe 2>/dev/null
  exec 9<>pipe
  # A shell starts background processes with SIGINT ignored; env restores its default.
  env --default-signal=INT "$weir" run "$@" "${configuration:-three.json}" -- "${words[@]}" -q <pipe >out 2>err 9>&- &
  launcher=$!
}
# ended CODE WORDS: waits for the run; requires this exit code, these words on standard error, and no process or folder left
ended() {
  wait $launcher
  local code=$?
  exec 9>&-
  [ $code = "$1" ] || failed "$what: ended with $code, expected $1"
  [ -z "$2" ] || has err "$2"
  nothing_left
}
