#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   groups_by_hand.sh BIN_DIR    starts the processes of a cluster without `weir run`; prints each check that fails
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected
(umask 077; echo 0123456789abcdef0123456789abcdef >secret)
export WEIR_CLUSTER=cluster.json WEIR_SECRET_FILE=secret
# configuration ENDPOINT_OF_G1 ENDPOINT_OF_G2 [START_WITHIN]
configuration() {
  cat >cluster.json <<END
{ "dead_after": 120, "heartbeat": 0.5, "start_within": ${3:-60},
  "groups": [
    {"name": "G1", "endpoint": "$1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "endpoint": "$2", "nodes": ["split[1]", "count[0]"], "cores": "0"},
    {"name": "G3", "nodes": ["count[1]", "rank"]} ] }
END
}
# The first of six ports that nobody uses.
used() {
  local each
  for each in $(seq "$port" $((port + 5))); do grep -qi ":$(printf '%04X' "$each") " /proc/net/tcp && return; done
  return 1
}
port=$((20000 + RANDOM % 12000))
while used; do port=$((port + 6)); done
configuration ":$port" ''

input=text
# group NAME [VARIABLE=VALUE...]: its process, in the background, with its output in NAME.out and NAME.err
declare -A ids
group() {
  local name=$1
  shift
  env "WEIR_GROUP=$name" "$@" "${words[@]}" -q "$input" <"${stdin:-/dev/null}" 9>&- >$name.out 2>$name.err &
  ids[$name]=$!
}
# group_ends NAME CODE [WORDS]
group_ends() {
  wait "${ids[$1]}"
  local code=$?
  [ $code = "$2" ] || failed "$what: $1 ended with $code, expected $2: $(cat $1.err)"
  [ -z "${3-}" ] || grep -qF -- "$3" $1.err || failed "$what: $1 says '$(cat $1.err)', not '$3'"
}
# refuses_group WORDS VARIABLE=VALUE...: says one line with these words, and ends with 1
refuses_group() {
  what=$*
  env "${@:2}" "${words[@]}" -q text >out 2>err
  local code=$?
  [ $code = 1 ] || failed "$what: ended with $code"
  has err "$1"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
}

# ---- the same result, whichever group comes first ----
for order in 'G1 G2 G3' 'G3 G2 G1'; do
  what="started in the order $order"
  for name in $order; do group $name; done
  for name in $order; do group_ends $name 0; done
  cmp -s G3.out expected || failed "$what: other words than in one process"
done
if grep -q '^0\{31\}1 ' /proc/net/if_inet6; then
  what='an endpoint with an address of IPv6'
  configuration "[::1]:$port" '[::1]'
  for name in G1 G2 G3; do group $name; done
  for name in G1 G2 G3; do group_ends $name 0; done
  cmp -s G3.out expected || failed "$what: other words than in one process"
  configuration ":$port" ''
fi
what='the coordinator where a variable says'
for name in G1 G2 G3; do group $name WEIR_COORDINATOR=127.0.0.1:$((port + 1)) WEIR_PORT=$((port + 2 + ${name#G})); done
for name in G1 G2 G3; do group_ends $name 0; done
cmp -s G3.out expected || failed "$what: other words than in one process"
what='a secret in the environment'
for name in G1 G2 G3; do group $name WEIR_SECRET_FILE= WEIR_SECRET=something; done
for name in G1 G2 G3; do group_ends $name 0; done
# weir run ignores WEIR_CLUSTER in the environment of a shell.
ends 0 run cluster.json -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"

# ---- without a secret, on this machine alone ----
what='no secret'
mkfifo pipe
exec 9<>pipe
input=-
stdin=pipe
for name in G1 G2 G3; do group $name WEIR_SECRET_FILE=; done
wait_until_connected
# Sockets of these processes that listen: all at 127.0.0.1, or ::1.
listening() {
  local id
  for id in $(processes); do ls -l "/proc/$id/fd" 2>/dev/null | sed -n 's/.*socket:\[\([0-9]*\)\]/\1/p'; done |
    grep -wFf - <(awk '$4 == "0A" {print $10, $2}' /proc/net/tcp /proc/net/tcp6)
}
[ "$(listening | grep -c ' 0100007F:')" = 4 ] || failed "$what: $(listening | wc -l) sockets listen"
[ -z "$(listening | grep -Ev ' (0100007F|0{24}01000000):')" ] || failed "$what: somebody listens at another address: $(listening)"
exec 9>&-
for name in G1 G2 G3; do group_ends $name 0; done
configuration "10.1.2.3:$port" '10.1.2.4'
refuses_group 'WEIR_SECRET_FILE: is not set, and without a secret all groups must be on this machine; in cluster.json, some are not' WEIR_SECRET_FILE= WEIR_GROUP=G1
configuration ":$port" ''

# ---- faults ----
begin_by_hand() {
  what=$1
  exec 9<>pipe
  for name in G1 G2 G3; do group $name; done
  wait_until_connected
}
begin_by_hand 'kill -9 of a group'
kill -9 ${ids[G2]}
exec 9>&-
group_ends G2 137
group_ends G3 1 'group G2: has '
group_ends G1 1
nothing_left
begin_by_hand 'kill -9 of the group that has the coordinator'
kill -9 ${ids[G1]}
exec 9>&-
group_ends G1 137
group_ends G2 1 'group coordinator: the connection to it is lost'
group_ends G3 1 'group coordinator: the connection to it is lost'
nothing_left
input=text
stdin=
what='another secret'
configuration ":$port" '' 6
(umask 077; echo another >other)
group G1
group G2 WEIR_SECRET_FILE=other
group G3
group_ends G2 1 'it does not know the secret of this run'
group_ends G1 1 'group G2: was refused: it does not know the secret of this run'
group_ends G3 1 'group G2: was refused: it does not know the secret of this run'
what='a group that nobody starts'
configuration ":$port" '' 6
group G1
group G3
group_ends G1 1 'group G2: has not come up within 6 s'
group_ends G3 1 'group G2: has not come up within 6 s'
what='nobody has the coordinator'
group G2
group_ends G2 1 "can't reach the coordinator at 127.0.0.1:$port: Connection refused"
configuration ":$port" ''

# ---- errors ----
refuses_group 'WEIR_CLUSTER: is set, but WEIR_GROUP is not; say which group of it this process is' WEIR_GROUP=
refuses_group 'WEIR_GROUP: is set, but WEIR_COORDINATOR is not; start the program with weir run, or set WEIR_CLUSTER' WEIR_GROUP=G1 WEIR_CLUSTER=
refuses_group 'WEIR_GROUP: is G9, and there is no such group in cluster.json' WEIR_GROUP=G9
refuses_group "WEIR_CLUSTER: names nothing.json, which can't be read: No such file or directory" WEIR_GROUP=G1 WEIR_CLUSTER=nothing.json
echo '{"groups": [{"name": "G1", "nods": []}]}' >wrong.json
refuses_group 'WEIR_CLUSTER: wrong.json:1: unknown key "nods" in a group' WEIR_GROUP=G1 WEIR_CLUSTER=wrong.json
refuses_group "WEIR_SECRET_FILE: names nothing, which can't be read: No such file or directory" WEIR_GROUP=G1 WEIR_SECRET_FILE=nothing
cp secret open
chmod 640 open
refuses_group 'WEIR_SECRET_FILE: names open, which is not for its owner alone; say chmod 600 open' WEIR_GROUP=G1 WEIR_SECRET_FILE=open
(umask 077; : >empty)
refuses_group 'WEIR_SECRET_FILE: names empty, which is empty' WEIR_GROUP=G1 WEIR_SECRET_FILE=empty
refuses_group 'WEIR_PORT: is no port: http' WEIR_GROUP=G1 WEIR_PORT=http
configuration '' ''
refuses_group 'whose first group, G1, needs an endpoint with a port, where the others find it; or set WEIR_COORDINATOR' WEIR_GROUP=G2
configuration ":$port" '10.1.2.4'
refuses_group 'whose first group, G1, needs an endpoint with a host' WEIR_GROUP=G2
nothing_left

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
