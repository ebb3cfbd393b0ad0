#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_hosts.sh BIN_DIR    tests `weir run` over several hosts, which are network namespaces of this machine; prints each check that
#                            fails. Ends with 77, and says why, where the machine does not allow that
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
cluster=$here/../../scripts/cluster.sh
"$cluster" possible || exit 77
[ -z "$("$cluster" hosts)" ] || { echo "there are hosts already that are not this test's; say cluster.sh down"; exit 77; }
trap 'cd /; rm -rf "$work"; "$cluster" down' EXIT
. "$here/../support/group_processes.sh"

"$cluster" up 3 --rate 1gbit || { echo "can't make hosts"; exit 1; }
mkdir there
export TMPDIR=$work/there
there=(--via 'ip netns exec {host}' --address 10.213.0.254)

cat >three.json <<'END'
{ "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "endpoint": "weir-h1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "endpoint": "weir-h2:4711", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "endpoint": "weir-h3", "nodes": ["count[1]", "rank"], "environment": {"FLAVOUR": "it's $HOME"} } ] }
END
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text

# ---- the same answer as in one process ----
"${words[@]}" -q text >expected
ends 0 run "${there[@]}" three.json -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
ends 0 run "${there[@]}" --hosts "$("$cluster" hosts)" --on 4 -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
nothing_left
sed -E 's/"endpoint": "[^"]*", //' three.json >anywhere.json
ends 0 run "${there[@]}" --hosts weir-h3,weir-h1 anywhere.json -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
# From standard input, more than a pipe holds, to a group elsewhere.
for _ in $(seq 20); do cat text; done >long
"${words[@]}" -q <long >expected
"$weir" run "${there[@]}" three.json -- "${words[@]}" -q <long >out 2>err || failed "from standard input: ended with $?"
cmp -s out expected || failed "from standard input: other words than in one process"
# One trace of all, written here.
WEIR_TRACE=trace.json "$weir" run "${there[@]}" three.json -- "${words[@]}" -q text >out 2>err || failed "with a trace: ended with $?"
python3 -c 'import json
trace = json.load(open("trace.json"))
assert set(trace["otherData"]["groups"]) == {"G1", "G2", "G3"}, trace["otherData"]
assert {e["pid"] for e in trace["traceEvents"] if e["ph"] == "X"} == {1, 2, 3, 4, 5, 6}' || failed 'the trace of groups elsewhere'
# Some groups here, some elsewhere.
sed 's/"endpoint": "weir-h1", //' three.json >mixed.json
ends 0 run "${there[@]}" mixed.json -- "${words[@]}" -q long
cmp -s out expected || failed "$what: other words than in one process"
nothing_left

# ---- how a group is started ----
# Each in its namespace, with its environment, in this folder, and with arguments as they are.
cat >probe <<'END'
#!/bin/sh
echo "$(ip -4 -o address show e0 | sed 's/.*inet \([^/]*\).*/\1/') $(pwd) [$FLAVOUR] $1"
END
chmod +x probe
"$weir" run --prefix "${there[@]}" three.json -- ./probe "a 'b' \$c" >out 2>err
has out "[G1] 10.213.0.1 $work [] a 'b' \$c"
has out "[G3] 10.213.0.3 $work [it's \$HOME] a 'b' \$c"
begin 'the secret' "${there[@]}"
secret=$(tr '\0' '\n' <"/proc/$(group_process G2)/environ" | sed -n 's/^WEIR_SECRET=//p')
[ ${#secret} -ge 32 ] || failed "$what: is not in the environment of a group"
arguments=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ')
[[ $arguments != *"$secret"* ]] || failed "$what: stands among the arguments"
kill -9 $launcher
exec 9>&-
nothing_left

# Watched here, including the groups elsewhere.
WEIR_TOP=$work/top.sock begin 'weir top of groups elsewhere' "${there[@]}"
for _ in $(seq 600); do
  "$weir" top --once --interval 0.1 ./top.sock >out 2>err && grep -q /rank out && ! grep -qF 'does not answer' out && break
  sleep 0.05
done
for group in '/read +G1 ' '/count\[0\] +G2 ' '/rank +G3 '; do grep -qE "$group" out || failed "$what: no $group in $(cat out)"; done
lacks out 'does not answer'
kill -9 $launcher
exec 9>&-
nothing_left

# ---- errors ----
refuses 64 'weir run: group G1: "a;b" is not the name of a host' run "${there[@]}" --hosts 'a;b' -- "${words[@]}" text
refuses 64 "can't find the address at which weir-h1 reaches this machine" run --via 'ip netns exec {host}' --hosts weir-h1 -- "${words[@]}" text
ends 64 run "${there[@]}" --hosts weir-h9,weir-h1,weir-h8 -- "${words[@]}" text
has err "weir run: host weir-h9 (group G1): can't get a shell there: "
has err "weir run: host weir-h8 (group G3): can't get a shell there: "
[ "$(wc -l <err)" = 2 ] || failed "$what: says more or less than two lines"
ends 64 run "${there[@]}" three.json -- ./nothing
has err "weir run: host weir-h2: group G2: there is no program ./nothing that can be started in $work"
[ "$(wc -l <err)" = 3 ] || failed "$what: says more or less than three lines"
python3 -c '
import socket, time
taken = socket.socket()
taken.bind(("10.213.0.254", 4712))
taken.listen()
print("ready", flush=True)
time.sleep(600)' >taken &
holder=$!
until [ -s taken ]; do sleep 0.05; done
sed 's/"endpoint": "weir-h1"/"endpoint": ":4712"/' three.json >taken.json
refuses 64 "weir run: group G1: can't listen at 10.213.0.254:4712: Address already in use; free that port, or give the group another endpoint" run "${there[@]}" taken.json -- "${words[@]}" text
kill $holder
nothing_left

# ---- hosts that do not come up ----
begin_of() {
  what=$1
  shift
  "$weir" run "${there[@]}" "$@" -- "${words[@]}" -q text >out 2>err </dev/null
  code=$?
}
ip -n weir-h2 link set e0 down
begin_of 'a host that is unplugged before the start' three.json
ip -n weir-h2 link set e0 up
[ $code = 1 ] || failed "$what: ended with $code"
has err "wordcount: G2: can't reach the coordinator at 10.213.0.254:"
has err 'weir run: group G2: has ended with exit code 1'
# No reply at all, neither that the host is there nor that it is not.
sed 's/"dead_after": 120/"start_within": 5, "dead_after": 120/' three.json >soon.json
ip route add blackhole 10.213.0.2/32
begin_of 'a host that gets no answer' soon.json
ip route delete blackhole 10.213.0.2/32
[ $code = 69 ] || failed "$what: ended with $code"
has err 'weir run: group G2: has not come up within 5 s on weir-h2'
has err 'wordcount: '
# Two hosts that reach this machine, but not each other.
ip -n weir-h1 route add unreachable 10.213.0.2/32
begin_of 'a host that another one does not reach' three.json
ip -n weir-h1 route delete unreachable 10.213.0.2/32
[ $code = 69 ] || failed "$what: ended with $code"
has err "weir run: group G2: can't be reached by G1: 10.213.0.2:4711: No route to host"
nothing_left
# The same in silence: all that the second sends to the first is dropped.
ip -n weir-h2 route add blackhole 10.213.0.1
begun=$SECONDS
begin_of 'a host whose answers another one does not get' three.json
seconds=$((SECONDS - begun))
ip -n weir-h2 route delete blackhole 10.213.0.1
[ $code = 69 ] || failed "$what: ended with $code"
has err "weir run: group G2: can't be reached by G1: 10.213.0.2:4711: Connection timed out"
# 15 s, and up to 8 s until groups on other hosts have ended.
[ $seconds -le 30 ] || failed "$what: took $seconds s"
nothing_left

# ---- faults ----
python3 "$here/random_faults.py" "$bin" weir-h1 weir-h2 weir-h3 || failed 'faults at random moments'
begin 'a group that has lost its shell' "${there[@]}"
kill -9 "$(sed -n 's/^PPid:\t//p' "/proc/$(group_process G2)/status")"
ended 69 "weir run: group G2: can't be reached: what has started it there was killed by signal 9 (Killed)"
for group in G1 G2 G3; do
  begin "kill -9 of $group elsewhere" "${there[@]}"
  kill -9 "$(group_process $group)"
  ended 137 "weir run: group $group: was killed by signal 9 (Killed)"
done
sed 's/"dead_after": 120/"dead_after": 3/' three.json >soon.json
configuration=soon.json begin 'a host that is unplugged' "${there[@]}"
ip -n weir-h2 link set e0 down
ended 69 'weir run: group G2: has '
ip -n weir-h2 link set e0 up
configuration=soon.json begin 'a host without a way back' "${there[@]}"
ip -n weir-h3 route add blackhole 10.213.0.254/32
ended 69 'weir run: group G3: has '
ip -n weir-h3 route delete blackhole 10.213.0.254/32
begin 'SIGTERM of the launcher of groups elsewhere' "${there[@]}"
kill -TERM $launcher
ended 143 ''
begin 'kill -9 of the launcher of groups elsewhere' "${there[@]}"
kill -9 $launcher
wait $launcher 2>/dev/null
exec 9>&-
nothing_left

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
