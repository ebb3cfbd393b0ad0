#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_mpi.sh BIN_DIR    tests `weir run` with "protocol": "MPI" under each MPI that is installed, with real processes that are killed,
#                          stopped and interrupted; prints each check that fails
. "$(dirname -- "$0")/../support/own_machine.sh"
own_memory "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

launchers=()
for each in openmpi mpich; do
  command -v mpirun.$each >/dev/null && [ -e "$bin/../lib/weir/weir_mpi_$each.so" ] && launchers+=("mpirun.$each")
done
[ ${#launchers[@]} != 0 ] || { echo "no MPI is installed"; exit 77; }

# The established TCP connections of a process.
connections() { ss -Htnp state established | grep -c "pid=$1,"; }
# To the launcher, and to both others, beside those of MPI itself.
wait_until_connected() {
  local id ready
  for _ in $(seq 2000); do
    ready=0
    for id in $(processes); do
      [ "$(connections "$id")" -lt 3 ] || ready=$((ready + 1))
    done
    [ $ready -lt 3 ] || return 0
    sleep 0.05
  done
  failed "$what: the groups do not come up"
}
# The ticks of CPU time that the groups have taken so far.
used() {
  local id words sum=0
  for id in $(processes); do
    read -r -a words <"/proc/$id/stat"
    sum=$((sum + words[13] + words[14]))
  done
  echo $sum
}
# Files that MPI's launchers leave behind are not ours.
no_launcher_left() {
  for _ in $(seq 600); do
    pgrep -f "$work/words" >/dev/null || return 0
    sleep 0.1
  done
  failed "$what: is left: $(pgrep -af "$work/words")"
}

cat >three.json <<'END'
{ "protocol": "MPI", "transport": "mpi", "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "nodes": ["count[1]", "rank"], "environment": {"ONLY": "G3"}} ] }
END
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected
tail -n +2 text | "${words[@]}" -q >expected_of_rest
sed 's/"dead_after": 120/"dead_after": 3/' three.json >soon.json

for mpirun in "${launchers[@]}"; do
  what=$mpirun
  # ---- the same answer as in one process ----
  ends 0 run --mpirun $mpirun three.json -- "${words[@]}" -q text
  cmp -s out expected || failed "$what: other words than in one process"
  [ ! -s err ] || failed "$what: says something"
  nothing_left
  # Shared memory within a machine, unless another transport is asked for; and one link that asks for one.
  for change in 's/"transport": "mpi", //' 's/"transport": "mpi"/"links": [{"groups": ["G1", "G3"], "transport": "mpi"}]/'; do
    sed "$change" three.json >other.json
    ends 0 run --mpirun $mpirun other.json -- "${words[@]}" -q text
    cmp -s out expected || failed "$what, $change: other words than in one process"
  done
  for group in G1 G3; do
    sed 's/"nodes": \["read", "split\[0\]"\]/"nodes": ["split[0]"]/; s/"name": "'$group'", "nodes": \[/&"read", /' three.json >reads.json
    "$weir" run --mpirun $mpirun --stdin $group reads.json -- "${words[@]}" -q <text >out 2>err || failed "$mpirun, standard input of $group: ended with $?"
    cmp -s out expected || failed "$mpirun, standard input of $group: other words than in one process"
    { read -r _; "$weir" run --mpirun $mpirun --stdin $group reads.json -- "${words[@]}" -q; } <text >out 2>err
    cmp -s out expected_of_rest || failed "$mpirun, standard input of $group: other words than in the rest of the file"
  done
  # In the background of a terminal where somebody types.
  "$here/in_background.py" "$weir" run --mpirun $mpirun three.json -- sh -c 'sleep 1; echo done' >out 2>err
  [ $? = 69 ] || failed "$mpirun, in the background: does not end because no network runs"
  [ "$(grep -c done out)" = 3 ] || failed "$mpirun, in the background: says $(cat out)"
  "$weir" run --prefix --mpirun $mpirun --logs logs three.json -- sh -c 'echo "$WEIR_GROUP has ${ONLY-none}"; echo "$WEIR_GROUP complains" >&2' >out 2>err
  for group in G1 G2 G3; do
    has out "[$group] $group has $([ $group = G3 ] && echo G3 || echo none)"
    has err "[$group] $group complains"
    [ "$(cat logs/$group.err)" = "$group complains" ] || failed "$what: the log of $group is $(cat logs/$group.err)"
  done

  # Open MPI's mpirun shares no memory with its ranks, unless it is told to: of those it hangs when one is killed at the wrong moment.
  if [ $mpirun = mpirun.openmpi ]; then
    for given in "" ds21,hash; do
      env ${given:+PMIX_MCA_gds=$given} "$weir" run --prefix --mpirun $mpirun three.json -- sh -c 'echo "by ${PMIX_MCA_gds-default}"' >out 2>err
      for group in G1 G2 G3; do has out "[$group] by ${given:-hash}"; done
    done
  fi

  # Ranks that end before their launcher has looked at its own standard input, as it does on a busy machine.
  busy=()
  for _ in 1 2 3 4 5 6; do
    timeout 120 sh -c 'while :; do :; done' &
    busy+=($!)
  done
  for _ in $(seq 10); do
    "$weir" run --mpirun $mpirun three.json -- sh -c 'echo "$WEIR_GROUP has ended"' >out 2>err </dev/null
    [ "$(grep -c 'has ended$' out)" = 3 ] || failed "$what: ranks that end at once say $(cat out err)"
  done
  kill "${busy[@]}"
  wait "${busy[@]}" 2>/dev/null

  # Lines that several ranks print at the same time, in parts, and that look like what their launchers say.
  "$weir" run --mpirun $mpirun --logs logs three.json -- sh -c 'for i in $(seq 50); do printf "$WEIR_GROUP, "; sleep 0.002; echo "[1] [1,2]<: $i"; done' >out 2>err
  for group in G1 G2 G3; do
    cmp -s logs/$group.out <(for i in $(seq 50); do echo "$group, [1] [1,2]<: $i"; done) || failed "$what: lines in parts of $group come out otherwise"
  done
  # One line in thousands of parts.
  "$weir" run --mpirun $mpirun --logs logs three.json -- sh -c 'for i in $(seq 5000); do printf .; done; echo "[1,99]<stdout>:"; echo end' >out 2>err
  for group in G1 G2 G3; do
    cmp -s logs/$group.out <(printf '%05000d[1,99]<stdout>:\nend\n' 0 | tr 0 .) || failed "$what: a line in parts of $group comes out otherwise"
  done
  # Lines that are longer than what their launcher passes on at a time.
  head -c 100000 /dev/zero | tr '\0' x >long
  echo >>long
  "$weir" run --mpirun $mpirun --logs logs three.json -- sh -c 'cat long' >out 2>err
  for group in G1 G2 G3; do
    cmp -s logs/$group.out long || failed "$what: long lines of $group come out otherwise"
  done

  # ---- a program that initialises MPI itself, and finalises it ----
  own=$bin/own_mpi_${mpirun#mpirun.}
  cat >own.json <<'END'
{ "protocol": "MPI", "transport": "mpi", "dead_after": 1, "heartbeat": 0.2,
  "groups": [{"name": "G1", "nodes": ["numbers", "squares[0]"]}, {"name": "G2", "nodes": ["squares[1]", "sum"]}] }
END
  for how in plain multiple slow; do
    ends 0 run --mpirun $mpirun own.json -- "$own" $how
    [ "$(cat out)" = $'332833500\n2666466670000' ] || failed "$what: printed $(cat out)"
    [ ! -s err ] || failed "$what: says something"
  done

  # ---- bad ends ----
  ends 1 run --mpirun $mpirun three.json -- "${words[@]}" -q text missing
  has err "wordcount: can't read 'missing'"
  nothing_left
  for group in G1 G2 G3; do
    begin "$mpirun, kill -9 of $group" --mpirun $mpirun
    kill -9 "$(group_process $group)"
    wait $launcher
    code=$?
    exec 9>&-
    case $code in
      69) has err "weir run: group $group: has gone: " ;;
      137)
        case $mpirun in
          *openmpi) has err "weir run: group $group: was killed by signal 9 (Killed)" ;;
          *) has err "weir run: a group was killed by signal 9 (Killed); the first that was missed is G" ;;
        esac
        ;;
      *) failed "$what: ended with $code" ;;
    esac
    nothing_left
    no_launcher_left
  done
  # Groups that wait for input use almost no CPU: all three together take less than a tenth of a core, at the latest once they have
  # been up for half a minute.
  begin "$mpirun, groups that have nothing to do" --mpirun $mpirun
  for _ in {1..10}; do
    before=$(used)
    sleep 3
    spent=$(($(used) - before))
    echo "$what: $spent ticks of $((3 * $(getconf CLK_TCK)))"
    [ $spent -lt $((3 * $(getconf CLK_TCK) / 10)) ] && break
  done
  [ $spent -lt $((3 * $(getconf CLK_TCK) / 10)) ] || failed "$what: have taken $spent ticks of a core in 3 s"
  echo 'the last words' >&9
  exec 9>&-
  wait $launcher || failed "$what: ended with $?"
  configuration=soon.json begin "$mpirun, a group that is stopped" --mpirun $mpirun
  stopped=$(group_process G2)
  kill -STOP "$stopped"
  ended 69 'nothing was heard of it for 3000 ms'
  has err 'weir run: group G2: has '
  begin "$mpirun, a group that is stopped for a moment" --mpirun $mpirun
  stopped=$(group_process G2)
  kill -STOP "$stopped"
  sleep 1
  kill -CONT "$stopped"
  echo the last words >&9
  exec 9>&-
  wait $launcher || failed "$what: ended with $?"
  has out 'last'
  nothing_left
  begin "$mpirun, SIGTERM of the launcher" --mpirun $mpirun
  kill -TERM $launcher
  ended 143 ''
  begin "$mpirun, kill -9 of the launcher" --mpirun $mpirun
  kill -9 $launcher
  wait $launcher 2>/dev/null
  exec 9>&-
  nothing_left
  begin_only "$mpirun, a time limit" --mpirun $mpirun --timeout 3
  ended 124 'has taken longer than 3 s'
  no_launcher_left
  python3 "$here/random_faults.py" "$bin" --mpirun $mpirun || failed "$mpirun, faults at random moments"
done

# ---- errors that are reported before anything starts ----
refuses 64 '--mpirun works with "protocol": "MPI"' run --mpirun mpirun --on 2 -- "${words[@]}" text
refuses 64 'an argument of the program is ":"' run three.json -- "${words[@]}" text :
refuses 64 "can't start nompirun" run --mpirun nompirun three.json -- "${words[@]}" text
refuses 64 'is not the mpirun of' run --mpirun true three.json -- "${words[@]}" text
sed 's/"protocol": "MPI", //' three.json >without.json
ends 1 run without.json -- "${words[@]}" -q text
has err 'is to be connected to G2 by mpi, but no MPI has started all groups'
nothing_left

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
