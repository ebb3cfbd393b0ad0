#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_run.sh BIN_DIR    tests the command `weir run` as a user calls it, with real processes that are killed, stopped and
#                          interrupted; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

cat >three.json <<'END'
{ "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "nodes": ["count[1]", "rank"], "batchSize": 2} ] }
END
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text

# ---- the same answer as in one process ----
"${words[@]}" -q text >expected
cp expected expected_of_file
ends 0 run three.json -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
nothing_left
"${words[@]}" -q <text >expected
"$weir" run three.json -- "${words[@]}" -q <text >out 2>err || failed "from standard input: ended with $?"
cmp -s out expected || failed "from standard input: other words than in one process"
# A group that fails says so behind its name.
ends 1 run --prefix three.json -- "${words[@]}" -q text missing
has err "[G1] wordcount: can't read 'missing'"

# Without a configuration, the network is distributed automatically; with one, the nodes that it does not name.
for groups in 1 2 4 6; do
  ends 0 run --on $groups -- "${words[@]}" -q text
  cmp -s out expected_of_file || failed "$what: other words than in one process"
done
ends 0 run --on 2 --via 'ssh {host}' --deploy -- "${words[@]}" -q text
has err 'weir run: --via has no effect, because no group has a host'
has err 'weir run: --deploy and --deploy-files have no effect, because all groups are on this machine'
cmp -s out expected_of_file || failed "$what: other words than in one process"
ends 64 run --on 7 -- "${words[@]}" -q text
has err 'weir run: G6: would be a group without nodes: the network has only 6 that can be apart; ask for fewer groups'
echo '{"plan": true, "groups": [{"name": "A", "nodes": ["rank"]}, {"name": "B"}, {"name": "C"}]}' >partly.json
ends 0 run partly.json -- "${words[@]}" -q text
cmp -s out expected_of_file || failed "$what: other words than in one process"
nothing_left

if grep -q '^0\{31\}1 ' /proc/net/if_inet6; then
  sed 's/"name": "G2"/&, "endpoint": "[::1]"/' three.json >ipv6.json
  for address in ::1 '[::1]' localhost; do
    ends 0 run --address "$address" ipv6.json -- "${words[@]}" -q text
    cmp -s out expected_of_file || failed "$what: other words than in one process"
  done
  nothing_left
fi

# ---- other ends than those of a run ----
ends 0 run --on 3 -- "${words[@]}" --help
has out 'Usage: wordcount'
[ ! -s err ] || failed "$what: says something"
ends 0 run --on 2 -- "${words[@]}" --version
ends 69 run --on 2 -- echo no network
has err 'weir run: group G1: has ended before it ran a network'
ends 3 run --on 2 -- "$bin/starts_programs" 'exit 3'
has err 'has ended with exit code 3'
# A program that ends with a code after its runs does not end the others, which take longer.
ends 3 run --on 2 -- sh -c '"$0" -q text; case $WEIR_GROUP in G1) sleep 1; echo after a second ;; *) exit 3 ;; esac' "$work/words"
has out 'after a second'
[ ! -s err ] || failed "$what: says something"
# A program that only prints its usage ends before the others run.
ends 69 run --on 2 -- sh -c 'case $WEIR_GROUP in G1) exec "$0" --help ;; *) exec "$0" -q text ;; esac' "$work/words"
has err 'weir run: group G1: has ended before it ran a network'
# A program whose `main` takes long is waited for as long as the user says.
ends 69 run --on 2 --start-within 1 -- sleep 60
has err 'weir run: group G1: has not come up within 1 s; nor has G2'
nothing_left
# A process of an MPI job that was not told which group it is.
what='three copies'
for rank in 0 1 2; do
  OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=$rank "${words[@]}" -q text >out 2>err.$rank || failed "$what: ended with $?"
  cmp -s out expected_of_file || failed "$what: other words than in one process"
done
has err.0 'weir: each of the 3 processes that MPI'
[ ! -s err.1 ] && [ ! -s err.2 ] || failed "$what: all of them say it"

# ---- logs ----
printf 'two\nlines, and \001 no end' >odd
cat >speaks <<'END'
#!/bin/sh
cat odd
[ "$WEIR_GROUP" = G1 ] && echo "that is $WEIR_GROUP" >&2
END
chmod +x speaks
"$weir" run --prefix --logs new/logs three.json -- ./speaks >out 2>err
for group in G1 G2 G3; do cmp -s odd new/logs/$group.out || failed "--logs: $group.out is not what it wrote"; done
[ "$(cat new/logs/G1.err)" = 'that is G1' ] && [ -e new/logs/G2.err ] && [ ! -s new/logs/G2.err ] || failed "--logs: $(ls -l new/logs)"
has out '[G2] two'
has err '[G1] that is G1'
ends 0 run --logs new/logs three.json -- "${words[@]}" -q text
cmp -s new/logs/G3.out expected_of_file || failed "$what: G3.out is not what it wrote this time"
: >file
refuses 64 "--logs: can't make the folder file/logs: Not a directory" run --logs file/logs three.json -- ./speaks
sed 's/G1/a\/b/' three.json >slash.json
mkdir -p taken/G2.err
refuses 64 "--logs: can't write taken/G2.err: Is a directory" run --logs taken three.json -- ./speaks
mkdir piped && mkfifo piped/G3.out
refuses 64 "--logs: can't write piped/G3.out: nobody reads this pipe" run --logs piped three.json -- ./speaks
cat piped/G3.out >read &
ends 0 run --logs piped three.json -- "${words[@]}" -q text
wait $!
cmp -s read expected_of_file || failed "$what: the reader of a pipe gets something else"
refuses 64 '--logs: the name of group a/b' run --logs new/logs slash.json -- ./speaks
mkdir full
ln -s /dev/full full/G3.out
ends 1 run --logs full three.json -- "${words[@]}" -q text
has err "weir run: can't write to full/G3.out: No space left on device"
cmp -s out expected_of_file || failed "$what: a log that fails changes the output"

# ---- errors that are reported before anything starts ----
echo '{"groups": [{"name": "G1", "nods": []}]}' >wrong.json
refuses_configuration() {
  ends 64 run "$1" -- "${words[@]}" text
  has err "$2"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
}
refuses_configuration wrong.json 'wrong.json:1: unknown key "nods" in a group; did you mean "nodes"?'
refuses 64 'none.json' run none.json -- "${words[@]}" text
refuses 64 'no groups are given' run -- "${words[@]}" text
refuses 64 'no program is given' run three.json
refuses 64 'unknown' run --unknown three.json -- "${words[@]}" text
refuses 64 '--on does not work with a configuration' run --on 2 three.json -- "${words[@]}" text
refuses 64 'there is no group' run --stdin G4 three.json -- "${words[@]}" text
refuses 64 "can't start ./nothing: No such file or directory; check the path after --" run three.json -- ./nothing
refuses 64 "can't start $work: Is a directory" run three.json -- "$work"
cat >wrong.json <<'END'
{"groups": [{"name": "G1", "endpoint": ":4713", "pre_command": "tusk -c 0"}, {"name": "G2", "endpoint": ":4713"},
            {"name": "G3", "endpoint": "nowhere.invalid"}, {"name": "G4", "endpoint": "a;b"}]}
END
PATH=$work/none:$PATH
ends 64 run wrong.json -- ./nothing
has err 'weir run: groups G1 and G2 would both listen at port 4713; give one of them another endpoint'
has err 'weir run: group G1: there is no program tusk, which its pre_command begins with'
has err "weir run: can't start ./nothing: No such file or directory"
has err "weir run: host nowhere.invalid (group G3): can't get a shell there: ssh: Could not resolve hostname nowhere.invalid"
has err 'weir run: group G4: "a;b" is not the name of a host'
[ "$(wc -l <err)" = 5 ] || failed "$what: says more or less than five lines"
[ ! -s out ] || failed "$what: wrote to standard output"
# The process that starts this script may have left some more descriptors open.
for most in 10 11 12 13 14 16; do
  (ulimit -n $most; "$weir" run three.json -- "${words[@]}" text >out 2>err)
  [ $? = 70 ] || failed "with $most descriptors: ended with $?, expected 70"
  grep -qx "weir run: can't .*: Too many open files" err || failed "with $most descriptors: $(cat err)"
done
nothing_left
# An error in the configuration of the network is reported once, and not by each group.
sed 's/, "rank"\]/]/; s/, "count\[0\]"\]/, "spilt[1]"]/' three.json >misfit.json
ends 64 run --logs misfit misfit.json -- "${words[@]}" text
cat >expected_misfit <<'END'
weir run: spilt[1]: is what group G2 asks for, but there is no such node; weir graph shows them
weir run: /count[0]: is in no group; add it to one of G1, G2, G3
weir run: /rank: is in no group; add it to one of G1, G2, G3
END
cmp -s err expected_misfit || failed "$what: says otherwise"
[ ! -s out ] || failed "$what: wrote to standard output"
for group in G1 G2 G3; do
  grep -q '^wordcount: spilt\[1\]: .*; /count\[0\]: .*; /rank: is in no group' misfit/$group.err || failed "$what: $group does not say it"
done
nothing_left
refuses_configuration <(echo '{"heartbeat": 10, "groups": [{"name": "a"}]}') '"dead_after" must be at least twice the "heartbeat"'
# A secret must not be visible to other users.
begin 'the secret'
tr '\0' ' ' <"/proc/$(group_process G2)/cmdline" | grep -qi secret && failed "$what: stands among the arguments"
kill -9 $launcher
exec 9>&-
nothing_left

# ---- faults ----
for group in G1 G2 G3; do
  begin "kill -9 of $group"
  kill -9 "$(group_process $group)"
  ended 137 "weir run: group $group: was killed by signal 9 (Killed)"
  # Not G1, which waits for its input, and so does not notice the signal.
  told=$(grep -c "^wordcount: group $group: was killed by signal 9 (Killed)" err)
  [ "$told" = $([ $group = G1 ] && echo 2 || echo 1) ] || failed "$what: $told groups say who was killed"
done
sed 's/"dead_after": 120/"dead_after": 3/' three.json >soon.json
configuration=soon.json begin 'a group that is stopped'
stopped=$(group_process G2)
kill -STOP "$stopped"
ended 69 'nothing was heard of it for 3000 ms'
has err 'weir run: group G2: has '
begin 'a group that is stopped for a moment'
stopped=$(group_process G2)
kill -STOP "$stopped"
sleep 1
kill -CONT "$stopped"
echo the last words >&9
exec 9>&-
wait $launcher || failed "$what: ended with $?"
has out 'last'
nothing_left
begin 'SIGTERM of the launcher'
kill -TERM $launcher
ended 143 ''
# The signal USR1 makes the next node of this program throw. The program is started by a shell, which gets no signal.
what='SIGUSR1 of the launcher'
exec 9<>pipe
"$weir" run --on 2 -- sh -c 'trap "" EXIT; "$0"; exit $?' "$bin/told_to_throw" <pipe >out 2>err 9>&- &
launcher=$!
until [ "$(pgrep -c -P "$(pgrep -d, -P $launcher)" told_to_throw 2>/dev/null)" = 2 ]; do sleep 0.01; done
for id in $(pgrep -P "$(pgrep -d, -P $launcher)" told_to_throw); do
  until [ "$(ls -l "/proc/$id/fd" 2>/dev/null | grep -c 'socket:')" -ge 2 ]; do sleep 0.01; done
done
kill -USR1 $launcher
while kill -0 $launcher 2>/dev/null; do
  echo 'one more line' >&9
  sleep 0.02
done
exec 9>&-
wait $launcher
code=$?
[ $code = 1 ] || failed "$what: ended with $code, expected 1"
has err 'was told to throw'
# A signal that the program does not handle ends it, and the launcher reports that.
begin 'SIGUSR2 of the launcher'
kill -USR2 $launcher
ended 140 'was killed by signal 12 (User defined signal 2)'
begin 'kill -9 of the launcher'
kill -9 $launcher
wait $launcher 2>/dev/null
exec 9>&-
nothing_left
begin_only 'a time limit' --timeout 1
ended 124 'has taken longer than 1 s'

# The exit code for each kind of failure: another secret; another network; damaged data.
sed 's/"name": "G2",/& "pre_command": "env WEIR_SECRET=another",/' three.json >secret.json
ends 77 run secret.json -- "${words[@]}" -q text
has err 'weir run: group G2: was refused: it does not know the secret of this run'
nothing_left
echo '{"plan": true, "groups": [{"name": "G1"}, {"name": "G2", "environment": {"J": "-j3"}}]}' >two.json
ends 76 run two.json -- sh -c 'exec "$0" ${J:--j2} "$@"' "$work/words" -q text
has err 'runs another network than G1'
nothing_left
cp "$here/../support/damaging_proxy.py" .
sed 's/"name": "G2",/& "pre_command": "python3 damaging_proxy.py",/' three.json >damaged.json
exec 9<>pipe
"$weir" run damaged.json -- "${words[@]}" -q <pipe >out 2>err 9>&-
code=$?
exec 9>&-
[ $code = 65 ] || failed "damaged frames: ended with $code, expected 65"
has err 'weir run: group G2: has gone: '
nothing_left

# At any moment, also while the run comes up or ends.
for round in $(seq 20); do
  what="kill -9 at a random moment, round $round"
  "$weir" run three.json -- "${words[@]}" -q text text text text >out 2>err &
  launcher=$!
  sleep "0.0$((RANDOM % 90 + 10))"
  victims=($(processes))
  [ ${#victims[@]} = 0 ] || kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null
  wait $launcher
  code=$?
  case $code in 0 | 69 | 137) ;; *) failed "$what: ended with $code" ;; esac
  [ $code = 0 ] || grep -q '^weir run: group G' err || failed "$what: does not say which group"
  nothing_left
done

# However the launcher ends, the groups end with it: at once where it can wait for them, and else long before they would
# miss each other. random_faults.py looks at how soon.
exec 9<>pipe
for round in $(seq 10); do
  for signal in KILL TERM INT; do
    what="SIG$signal of the launcher at a random moment, round $round"
    env --default-signal=INT "$weir" run three.json -- "${words[@]}" -q <pipe >out 2>err 9>&- &
    launcher=$!
    # Until then SIGINT is ignored.
    while [ "$(cat /proc/$launcher/comm)" != weir ]; do sleep 0.005; done
    sleep "0.0$((RANDOM % 90 + 10))"
    kill -$signal $launcher
    wait $launcher 2>/dev/null
    code=$?
    [ $code = $((128 + $(kill -l $signal))) ] || failed "$what: ended with $code"
    [ $signal = KILL ] || [ -z "$(processes)" ] || failed "$what: did not wait for $(processes | tr '\n' ' ')"
    nothing_left
  done
done
exec 9>&-

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
