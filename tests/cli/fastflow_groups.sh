#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   fastflow_groups.sh BIN_DIR    tests distributed FastFlow programs: compat/fastflow/tests/distributed; prints each check that fails
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
groups=$bin/fastflow_groups
dff_run=$bin/dff_run
[ -x "$groups" ] || { echo "built without weir::fastflow"; exit 77; }
cp "$here"/../../compat/fastflow/tests/distributed/*.json .

# runs CODE command…: requires this exit code, with the output in `out` and `err`
runs() {
  local expected=$1 code
  shift
  what="$*"
  timeout 60 "$@" >out 2>err </dev/null
  code=$?
  [ $code = "$expected" ] || failed "$what: ended with $code, expected $expected"
}
without_prefix() { sed -E 's/^\[G[0-9]\] //' | sort; }

# ---- the same result in one process and in several ----
for each in figure_3_top:2 figure_3_bottom:3 figure_4_left:4 figure_4_right:3 figure_5:4 plain_nodes:2 loop:2 own_bytes:4 broadcast:2 ordered_farm:2 \
  ordered_farm_on_demand:2; do
  network=${each%:*}
  runs 0 "$groups" "$network"
  sort out >expected
  [ -s expected ] || failed "$what: printed nothing"
  runs 0 "$dff_run" -V -f "groups_of_${each#*:}.json" "$groups" "$network"
  without_prefix <out >found
  cmp -s expected found || failed "$what: printed $(head -c 500 found) in place of $(head -c 500 expected)"
  [ ! -s err ] || failed "$what: wrote to standard error"
done

# ---- names of groups ----
runs 0 "$groups" my_group
has out "group "
lacks out "["
runs 0 "$dff_run" -f groups_of_4.json "$groups" my_group
for group in G1 G2 G3 G4; do has out "[$group] group $group"; done
runs 0 "$dff_run" -v G2,G4 -f groups_of_4.json "$groups" my_group
lacks out "[G1]"
lacks out "[G3]"
has out "[G2] group G2"
has out "[G4] words 1000"

# ---- started by hand, with FastFlow's arguments ----
port=$((20000 + RANDOM % 12000))
sed -E "0,/localhost:[0-9]+/s//localhost:$port/; 0,/localhost:8/! s/, \"endpoint\": \"localhost:8[0-9]+\"//" groups_of_4.json >by_hand.json
for group in G2 G3 G4; do
  timeout 60 "$groups" --DFF_Config=by_hand.json figure_5 --DFF_GName=$group >$group.out 2>$group.err &
done
runs 0 "$groups" --DFF_Config by_hand.json --DFF_GName G1 figure_5
wait
"$groups" figure_5 >expected
cat G?.out | without_prefix >found
cmp -s expected found || failed "by hand: printed $(cat found) and $(cat G?.err)"

# ---- a configuration from the program ----
runs 0 "$groups" figure_5 --DFF_dryrun=made.json
[ ! -s out ] || failed "$what: ran the network"
runs 0 "$weir" check made.json -- "$groups" figure_5
runs 0 "$dff_run" -f made.json "$groups" figure_5
without_prefix <out >found
cmp -s expected found || failed "$what: printed $(cat found)"
runs 0 "$groups" figure_5 --DFF_PrintGroup
has out "group G2: LeftNode RightNode"
runs 1 "$groups" figure_5 --DFF_dryrun=nowhere/made.json
has err "can't write the configuration nowhere/made.json"
runs 1 "$groups" figure_5 --DFF_dryrun=/dev/full
has err "can't write the configuration /dev/full: No space left"
runs 2 "$groups" figure_5 --DFF_dryrun
has err "DFF_Init: the option --DFF_dryrun needs a value"
! ls ./*.part >/dev/null 2>&1 || failed "left an unfinished configuration"
runs 1 "$groups" in_none --DFF_dryrun=none.json
has err "is in no group"
[ ! -e none.json ] || failed "$what: wrote a configuration"

# ---- weir's tools ----
runs 0 "$weir" graph -- "$groups" figure_5
for node in SourceNode LeftNode RightNode SinkNode; do has out "$node"; done
runs 0 env WEIR_TRACE=trace.json "$dff_run" -f groups_of_4.json "$groups" figure_5
grep -q RightNode trace.json || failed "$what: the trace lacks a node"

mkfifo input
trap '' PIPE
WEIR_TOP=watched.sock "$groups" until_input_ends <input >/dev/null 2>watched_err &
watched=$!
exec 3>input
for ((i = 0; i != 600; ++i)); do
  echo a >&3 || break
  if [ -S watched.sock ] && "$weir" top --once --interval 0.1 ./watched.sock >out 2>err; then break; fi
  sleep 0.05
done
for node in Reads Drops; do has out "$node"; done
exec 3>&-
wait $watched || failed "the program that weir top has watched ended with $?: $(cat watched_err)"

# ---- mistakes ----
# mistake WORDS network
mistake() {
  runs 1 "$dff_run" -f groups_of_2.json "$groups" "$2"
  has err "$1"
}
mistake "the group G1 is made twice" twice
mistake "is in the groups G1 and G2" two_groups
mistake "the groups G1 and G2 are made from" two_from_one
mistake "can't be serialized" untold
runs 64 "$dff_run" -f groups_of_2.json "$groups" in_none
has err "InOrder: is in no group"
for wrong in "--DFF_Config=groups_of_2.json" "--DFF_GName=G1" "--DFF_Wrong"; do
  runs 2 "$groups" figure_5 "$wrong"
  has err "DFF_Init: "
done

# ---- the options of dff_run ----
runs 0 "$dff_run" -h
has out "Usage: dff_run"
runs 0 "$dff_run" -n -t 20 -f groups_of_2.json "$groups" loop
has out "run --timeout 20 groups_of_2.json -- "
# refused WORDS arguments…
refused() {
  local words=$1
  shift
  runs 64 "$dff_run" "$@"
  has err "dff_run: $words"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
}
refused "no configuration" "$groups" loop
refused "no program" -f groups_of_2.json
refused "can't read the configuration nothing.json" -f nothing.json "$groups"
refused "unknown option -x" -x
refused "-f needs a value" -f
refused "unknown protocol UDP" -p UDP -f groups_of_2.json "$groups"
refused "-p MPI needs" -p MPI -f groups_of_2.json "$groups"
runs 124 "$dff_run" -t 1 -f groups_of_2.json sleep 20

# Whoever ends dff_run -v ends the groups, too: the launcher alone, or, as Ctrl-C does, all at once.
cat >endless.sh <<'END'
echo $$ >>pids
echo begun
exec sleep 60
END
for whom in launcher all; do
  rm -f pids
  setsid "$dff_run" -v G1 -f groups_of_2.json sh endless.sh >out 2>err &
  launcher=$!
  for ((i = 0; i != 600; ++i)); do
    if [ -f pids ] && [ "$(wc -l <pids)" = 2 ] && grep -q begun out; then break; fi
    sleep 0.05
  done
  [ "$(wc -l <pids)" = 2 ] || failed "dff_run -v: $(wc -l <pids) groups have begun, and said: $(cat err)"
  if [ $whom = all ]; then kill -TERM -- -$launcher; else kill -TERM $launcher; fi
  code=0
  wait $launcher || code=$?
  [ $code -gt 0 ] || failed "dff_run -v that is ended by SIGTERM says success"
  for pid in $(cat pids); do
    ! kill -0 "$pid" 2>/dev/null || failed "a group goes on when dff_run -v has ended, after SIGTERM to $whom"
  done
done
echo hello | "$dff_run" -v G1 -f groups_of_2.json cat >out 2>err
has out hello

[ $failures = 0 ]
