#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   more_rights.sh BIN_DIR    calls a program that has other rights than its caller (setuid): variables of the caller's
#                             must not lead it. Needs root, and a file system that allows that; else it is left out.
#                             Prints each check that fails
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
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
echo '{"transport": "mpi", "groups": [{"name": "G1", "endpoint": "127.0.0.1:4711"}]}' >ranks.json
./plain -q text >expected
# obeyed PROGRAM: which variables led it
obeyed() {
  rm -rf files/* out
  WEIR_TRACE=$work/files/trace WEIR_PROFILE=$work/files/profile "./$1" -q text >out 2>err ||
    failed "$1: ended with $?"
  cmp -s out expected || failed "$1: other words than expected"
  WEIR_GRAPH=$work/files/graph "./$1" -q text >out 2>err
  WEIR_TUNING=$work/none "./$1" -q text >out 2>err || touch files/tuning
  WEIR_GROUP=G1 "./$1" -q text >out 2>err || touch files/group
  WEIR_PLAN=$work/none "./$1" -q text >out 2>err || touch files/plan
  WEIR_TOP=$work/none/top "./$1" -q text >out 2>err || touch files/top
  # A group that is a rank of MPI looks for a plugin.
  PMI_RANK=0 WEIR_GROUP=G1 WEIR_CLUSTER=ranks.json WEIR_MPI=none WEIR_PLUGINS=$work/none "./$1" -q text >out 2>err
  ! grep -qF "no weir_mpi_none.so in $work/none" err || touch files/plugins
  (cd files && echo *)
}
what='with the rights of its caller'
[ "$(obeyed plain)" = 'graph group plan plugins profile top trace tuning' ] || failed "$what: led by $(obeyed plain) alone"
what='with other rights'
[ "$(obeyed setuid)" = '*' ] || failed "$what: led by $(obeyed setuid)"

# MPIStream has a variable of its own. MPICH lets ranks of another group in; Open MPI's launcher waits for them for ever.
if [ -x "$bin/mpistream_listing1_mpich" ]; then
  for rights in plain setgid; do
    what="MPIStream, $rights"
    cp "$bin/mpistream_listing1_mpich" $rights.mpich
    [ $rights = plain ] || { chgrp 65534 $rights.mpich && chmod 2755 $rights.mpich; }
    rm -rf files/*
    MPISTREAM_TRACE=$work/files/trace timeout 60 bash "$here/../support/mpirun.sh" mpich 3 "$work/$rights.mpich" >out 2>err || failed "$what: ended with $?"
    [ "$(cat out)" = 'sum of all elements: 4950' ] || failed "$what: printed $(cat out)"
    [ $rights = plain ] && expected=3 || expected=0
    traces=$(find files -name 'trace.*.json' | wc -l)
    [ "$traces" = $expected ] || failed "$what: has written $traces traces"
  done
fi
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
