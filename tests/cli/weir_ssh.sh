#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_ssh.sh BIN_DIR    tests `weir run` over ssh, with an sshd of its own on this machine that only it can reach; prints each check
#                          that fails. Ends with 77, and says why, where that can't be had
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

# ---- an sshd for this test ----
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v ssh-keygen >/dev/null || { echo 'there is no sshd here; see scripts/setup.sh'; exit 77; }
server=
trap '[ -z "$server" ] || kill $server; cd /; rm -rf "$work"' EXIT
mkdir ssh there
ssh-keygen -q -t ed25519 -N '' -f ssh/host
ssh-keygen -q -t ed25519 -N '' -f ssh/user
cp ssh/user.pub ssh/authorized
if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi
start_server() {
  local port=$1
  cat >ssh/sshd_config <<END
ListenAddress 127.0.0.1:$port
HostKey $work/ssh/host
AuthorizedKeysFile $work/ssh/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
SetEnv TMPDIR=$work/there
END
  cat >ssh/config <<END
Host far far2
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentityFile $work/ssh/user
  IdentitiesOnly yes
  UserKnownHostsFile $work/ssh/known
  StrictHostKeyChecking no
  LogLevel ERROR
END
  "$sshd" -D -e -f "$work/ssh/sshd_config" 2>ssh/log &
  server=$!
  for _ in $(seq 600); do
    ssh -F ssh/config -o BatchMode=yes far true 2>ssh/client && return 0
    kill -0 $server 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}
for _ in 1 2 3; do
  start_server $((20000 + RANDOM % 12000)) && break
  kill $server 2>/dev/null
  wait $server 2>/dev/null
  server=
done
[ -n "$server" ] || { echo "sshd can't be started, or lets nobody in: $(tail -n 1 ssh/log) $(tail -n 1 ssh/client)"; exit 77; }
# The command that weir run calls by default.
mkdir path
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$work/ssh/config" >path/ssh
chmod +x path/ssh
PATH=$work/path:$PATH

# ---- leftovers of a run ----
remote_processes() { # the processes that run copies of the program
  local folder
  for folder in /proc/[0-9]*; do
    case $(readlink "$folder/exe" 2>/dev/null) in "$work"/there/*) echo "${folder#/proc/}" ;; esac
  done
}
until_true() {
  for _ in $(seq 1200); do
    "$@" && return 0
    sleep 0.05
  done
  return 1
}
leaves_nothing() {
  until_true eval '[ -z "$(remote_processes)" ]' || failed "$what: is left there: $(remote_processes | tr '\n' ' ')"
  nothing_left
}

for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected
near=(--address 127.0.0.1)

# ---- the same answer ----
ends 0 run "${near[@]}" --hosts far,far2 -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
leaves_nothing
"$weir" run "${near[@]}" --hosts far --on 2 --logs logs -- "${words[@]}" -q <text >out 2>err || failed "from standard input: ended with $?"
cmp -s out expected || failed "from standard input: other words than in one process"
cat logs/G1.out logs/G2.out | cmp -s - expected || failed "from standard input: other words in the logs"
leaves_nothing
# More groups on a host than a default sshd lets in at a time.
printf 'a weir regulates\n' >short
ends 0 run "${near[@]}" --hosts far --on 24 -- "${words[0]}" -j 24 -q short
grep -q regulates out || failed "$what: no words"
leaves_nothing
# The secret of a run appears in the arguments of no process.
mkfifo pipe
exec 9<>pipe
"$weir" run "${near[@]}" --hosts far,far2 -- "${words[@]}" <pipe >out 2>err 9>&- &
launcher=$!
until_true eval '[ "$(processes | wc -l)" = 2 ]' || failed "the secret: the groups do not come up"
what='the secret'
secret=$(tr '\0' '\n' <"/proc/$(group_process G2)/environ" | sed -n 's/^WEIR_SECRET=//p')
[ ${#secret} -ge 32 ] || failed "$what: is not in the environment of a group"
[[ $(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ') != *"$secret"* ]] || failed "$what: stands among the arguments"
kill -9 $launcher
exec 9>&-
leaves_nothing

# ---- the copies that are deployed ----
mkdir -p here/data elsewhere
cp "$bin/wordcount" here/count
cp text here/data/text
: >here/data/empty
echo kept >"elsewhere/it's \$mine"
chmod 640 here/data/text
cd here || exit 1
ends 0 run "${near[@]}" --hosts far,far2 --deploy-files data/text,data/empty -- ./count -j2 -q data/text data/empty
cmp -s out ../expected || failed "$what: other words than in one process"
cat >look <<'END'
#!/bin/sh
[ "$WEIR_GROUP" = G1 ] || exit 0
pwd
ls -l look three.json data/text "it's \$mine" | cut -c1-10
cat "it's \$mine"
END
chmod +x look
echo '{"groups": [{"name": "G1", "endpoint": "far"}, {"name": "G2", "endpoint": "far2"}]}' >three.json
ends 69 run --prefix "${near[@]}" --deploy --deploy-files data/text --deploy-files "../elsewhere/it's \$mine" three.json -- ./look
has out "[G1] $work/there/weir-run-"
has out '[G1] -rw-r-----'
has out '[G1] -rwxr-xr-x'
has out '[G1] kept'
lacks err 'No such file'
cd "$work" || exit 1
leaves_nothing
# One copy for all groups of a host; a program that is found in PATH.
PATH=$bin:$PATH
ends 0 run "${near[@]}" --hosts far --on 3 --deploy --deploy-files text -- wordcount -j2 -q text
cmp -s out expected || failed "$what: other words than in one process"
leaves_nothing

# Larger than any buffer on the way.
head -c 60000000 /dev/urandom >large
cat >sum <<'END'
#!/bin/sh
sha256sum large
END
chmod +x sum
"$weir" run "${near[@]}" --hosts far --deploy --deploy-files large -- ./sum >out 2>err
has out "$(sha256sum large)"
leaves_nothing
rm large
# One that can't have been copied before it is looked at.
truncate -s 4G large
writer_there() { # a process that writes the copy
  local folder
  for folder in /proc/[0-9]*; do
    case $(readlink "$folder/fd/1" 2>/dev/null) in "$work"/there/*/large) echo "${folder#/proc/}" && return ;; esac
  done
  return 1
}
begin_copy() {
  what=$1
  "$weir" run "${near[@]}" --hosts far --deploy --deploy-files large -- ./sum >out 2>err &
  launcher=$!
  until_true eval 'writer=$(writer_there)' || failed "$what: does not begin"
}
# session_of PROCESS: the child of our sshd that it descends from
session_of() {
  local id=$1 parent
  while parent=$(sed 's/.*) [A-Z] \([0-9]*\) .*/\1/' "/proc/$id/stat") && [ "$parent" != $server ] && [ "$parent" -gt 1 ]; do id=$parent; done
  echo "$id"
}
begin_copy 'a copy that breaks off'
kill "$(session_of "$writer")"
wait $launcher
[ $? = 64 ] || failed "$what: ended with $?"
grep -qE '^weir run: host far \(group G1\): the copy of large broke off: ' err || failed "$what: does not say so"
[ ! -s out ] || failed "$what: started something"
leaves_nothing
begin_copy 'SIGTERM in the middle of a copy'
kill -TERM $launcher
wait $launcher
[ $? = 143 ] || failed "$what: ended with $?"
leaves_nothing
begin_copy 'kill -9 in the middle of a copy'
kill -9 $launcher
wait $launcher 2>/dev/null
leaves_nothing
rm large

# ---- errors that are reported before anything starts ----
sshd_port=$(sed -n 's/.*127.0.0.1://p' ssh/sshd_config)
cat >wrong.json <<END
{"groups": [{"name": "G1", "endpoint": "far"}, {"name": "G2", "endpoint": "nowhere.invalid"}, {"name": "G3"},
            {"name": "G4", "endpoint": "far2:$sshd_port"}, {"name": "G5", "endpoint": "far", "pre_command": "tusk -c 0"}]}
END
ends 64 run "${near[@]}" wrong.json -- ./nothing
has err "weir run: can't start ./nothing: No such file or directory; check the path after --"
has err "weir run: host far: group G1: there is no program ./nothing that can be started in $work; --deploy copies it"
has err "weir run: host nowhere.invalid (group G2): can't get a shell there: ssh: Could not resolve hostname nowhere.invalid"
has err "weir run: host far2: group G4: somebody listens at port $sshd_port already; free that port, or give the group another endpoint"
has err "weir run: host far: group G5: there is no program tusk, which its pre_command begins with"
[ "$(wc -l <err)" = 6 ] || failed "$what: says more or less than six lines"
[ ! -s out ] || failed "$what: started something"
ends 64 run "${near[@]}" --hosts far --deploy-files nothing,ssh,/dev/null -- "${words[@]}"
has err "can't deploy 'nothing': No such file or directory"
has err "can't deploy 'ssh': it is a folder; name its files"
has err "can't deploy '/dev/null': it is no regular file"
leaves_nothing
what='a host without room'
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=100k tmpfs small 2>/dev/null; then
  "$weir" run "${near[@]}" --hosts far --via "ssh {host} env TMPDIR=$work/small" --deploy -- "$bin/wordcount" >out 2>err
  [ $? = 64 ] || failed "$what: ended with $?"
  has err "weir run: host far (group G1): wordcount can't be written there: "
  has err "No space left on device"
  [ -z "$(ls small)" ] || failed "$what: leaves $(ls small)"
  umount small
fi

# ---- faults ----
cat >three.json <<'END'
{ "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "endpoint": "far", "nodes": ["read", "split[0]"]},
    {"name": "G2", "endpoint": "far2", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "endpoint": "far", "nodes": ["count[1]", "rank"]} ] }
END
begin 'kill -9 of a group behind ssh' "${near[@]}"
kill -9 "$(group_process G2)"
ended 137 'weir run: group G2: was killed by signal 9 (Killed)'
leaves_nothing
begin 'kill -9 of the ssh of a group' "${near[@]}"
kill -9 $(pgrep -P $launcher | tail -n 1)
ended 69 "weir run: group G3: can't be reached: what has started it there was killed by signal 9 (Killed)"
leaves_nothing
begin 'SIGINT of the launcher' "${near[@]}"
kill -INT $launcher
ended 130 ''
leaves_nothing
for signal in TERM KILL; do
  for round in 1 2 3; do
    what="SIG$signal of the launcher at a random moment, round $round"
    "$weir" run "${near[@]}" --deploy three.json -- "$bin/wordcount" -j2 -q <pipe >out 2>err 9>&- &
    launcher=$!
    exec 9>pipe
    sleep "0.$((RANDOM % 900 + 100))"
    kill -$signal $launcher 2>/dev/null
    wait $launcher 2>/dev/null
    exec 9>&-
    leaves_nothing
  done
done
what='kill -9 of the launcher of a program that is no part of a cluster'
duration=4711.$$
"$weir" run "${near[@]}" --hosts far,far2 -- sleep "$duration" >out 2>err &
launcher=$!
sleepers() { pgrep -cfx "sleep $duration"; }
until_true eval '[ "$(sleepers)" = 2 ]' || failed "$what: is not started"
kill -9 $launcher
wait $launcher 2>/dev/null
until_true eval '[ "$(sleepers)" = 0 ]' || failed "$what: is left"
leaves_nothing

# The shells of a run have five seconds to end. One after the other, four would take twenty.
what='four hosts whose shells do not end'
duration=4712.$$
longer=4713.$$
cat >does_not_end <<END
shift
"\$@"
trap '' TERM HUP INT
sleep $longer <&- >&- 2>&- &
wait
END
"$weir" run --via "sh $work/does_not_end {host}" --hosts one,two,three,four --address 127.0.0.1 -- sleep $duration >out 2>err </dev/null &
launcher=$!
until_true eval '[ "$(sleepers)" = 4 ]' || failed "$what: is not started"
began=$SECONDS
kill -TERM $launcher
wait $launcher
[ $? = 143 ] || failed "$what: another exit code"
[ $((SECONDS - began)) -lt 18 ] || failed "$what: took $((SECONDS - began)) s"
pkill -x -f "sleep $longer"
# What is known by then is said, and which hosts are awaited.
cat >answers <<END
case \$1 in
  one) exec sleep $duration ;;
  *) shift; exec "\$@" ;;
esac
END
cat >wrong.json <<END
{"groups": [{"name": "G1", "endpoint": "one"}, {"name": "G2", "endpoint": "two", "pre_command": "tusk -c 0"}]}
END
began=$SECONDS
ends 124 run --timeout 1 --via "sh $work/answers {host}" --address 127.0.0.1 wrong.json -- true
what='a host that never answers, and a limit of time'
has err 'weir run: host two: group G2: there is no program tusk, which its pre_command begins with'
has err 'weir run: host one: is not ready yet'
has err 'weir run: has taken longer than 1 s; ending it before any group was started'
[ "$(wc -l <err)" = 3 ] || failed "$what: says more or less than three lines"
[ $((SECONDS - began)) -lt 11 ] || failed "$what: took $((SECONDS - began)) s"
pkill -x -f "sleep $duration"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
