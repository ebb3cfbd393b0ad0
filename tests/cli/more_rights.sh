#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   more_rights.sh BIN_DIR    calls a program that has other rights than its caller (setuid): variables of the caller's
#                             must not lead it. Needs root, and a file system that allows that; else it is left out.
#                             Prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"

chmod 711 "$work"
cp "$bin/wordcount" plain
cp "$bin/wordcount" setuid
mkdir files
chmod 777 files
{ [ "$(id -u)" = 0 ] && chown 65534 setuid && chmod 4755 setuid; } || exit 77
# The loader does not show this to a program with other rights.
! LD_SHOW_AUXV=1 ./setuid --version | grep -q AT_SECURE || exit 77

echo 'the weir regulates the flow of the stream' >text
./plain -q text >expected
# obeyed PROGRAM: which variables led it
obeyed() {
  rm -rf files/* out
  WEIR_TRACE=$work/files/trace WEIR_PROFILE=$work/files/profile WEIR_TOP=$work/files/top "./$1" -q text >out 2>err ||
    failed "$1: ended with $?"
  cmp -s out expected || failed "$1: other words than expected"
  WEIR_GRAPH=$work/files/graph "./$1" -q text >out 2>err
  WEIR_TUNING=$work/none "./$1" -q text >out 2>err || touch files/tuning
  WEIR_GROUP=G1 "./$1" -q text >out 2>err || touch files/group
  WEIR_PLAN=$work/none "./$1" -q text >out 2>err || touch files/plan
  (cd files && echo *)
}
what='with the rights of its caller'
[ "$(obeyed plain)" = 'graph group plan profile trace tuning' ] || failed "$what: led by $(obeyed plain) alone"
what='with other rights'
[ "$(obeyed setuid)" = '*' ] || failed "$what: led by $(obeyed setuid)"
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
