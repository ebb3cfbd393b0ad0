#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top.sh BIN_DIR
#
# WEIR_TOP, and the command `weir top`: its texts here, its screens in top_screens.py.
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C.UTF-8
wordcount=$bin/wordcount
python=/usr/bin/python3  # Debian's, for Debian's modules
program_pid=
trap '[ -z "$program_pid" ] || kill -KILL $program_pid 2>/dev/null; cd /; rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work TMPDIR=$work
unset WEIR_TOP NO_COLOR

# A run that goes on until its input, the pipe `input`, ends. start VALUE_OF_WEIR_TOP SOCKET
start() {
  rm -f input
  mkfifo input
  WEIR_TOP=$1 "$wordcount" -q -k 1 - <input >words 2>words_err &
  program_pid=$!
  exec 9>input
  seq 100000 >&9
  while [ ! -S "${2//PID/$program_pid}" ]; do kill -0 $program_pid || { failed "wordcount with WEIR_TOP=$1: $(cat words_err)"; return; }; done
}
finish() {
  exec 9>&-
  wait $program_pid || failed "wordcount, being watched, ended with $?: $(cat words_err)"
  program_pid=
  [ "$(sed 's/^ *//' words)" = '1 1' ] || failed "being watched changes the result: $(cat words)"
}

# ---- nobody listens ----
refuses 1 "no program can be watched: none listens in $work/weir" top --once
[ "$(stat -c %a weir)" = 700 ] || failed 'the folder is open to others'
refuses 1 'there is no process 999999999' top --once 999999999
refuses 1 "process $$ can't be watched: it runs no network of weir now, is stopped, or belongs to another user" top --once $$
[ -z "$(ls weir)" ] || failed "a call is left: $(ls weir)"
refuses 1 "can't watch './nowhere.sock': there is no such socket" top --once ./nowhere.sock
echo no socket >file
refuses 1 "can't watch 'file'" top --once file
refuses 1 'standard output is no terminal; weir top --once needs none' top

# ---- one program, in the usual folder ----
start 1 weir/PID.sock
[ "$(stat -c %a weir/$program_pid.sock)" = 600 ] || failed 'the socket is open to others'
ends 0 top --once --interval 0.1
for word in "wordcount ($program_pid)" /read '/split[0]' '/count[0]' 'per s' 'waits for' queue '/rank'; do has out "$word"; done
lacks out $'\033'
mkfifo gone
exec 3<>gone 4>gone 3>&-
"$weir" top --once --interval 0.1 $program_pid >&4 4>&- 2>err
[ $? = 141 ] && [ ! -s err ] || failed "weir top --once where nobody reads: $(cat err)"
exec 4>&-
ends 0 top --once --json --interval 0.1 $program_pid
"$python" - "$program_pid" <<'P' || failed 'weir top --once --json'
import json, sys
said = json.load(open("out"))
assert said["pid"] == int(sys.argv[1]) and said["program"] == "wordcount", said
run, = said["runs"]
assert run["run"] == 1 and not run["ended"] and run["over_ns"] >= 1e8, run
nodes = {node["path"]: node for node in run["nodes"]}
assert nodes["/read"]["queue"] is None and nodes["/split[0]"]["queue"]["room"] > 0, nodes
for node in nodes.values():
    for share in "busy", "ready", "waiting_input", "waiting_room":
        assert 0 <= node[share] <= 1, node
assert {channel["from"] for channel in run["channels"]} >= {"/read", "/split[0]"}
P
ends 0 top --openmetrics weir/$program_pid.sock
"$python" "$here/open_metrics.py" out /read '/split[0]' '/rank' || failed 'weir top --openmetrics'
first=$program_pid

# If there are several programs, one has to be named.
second_input() { WEIR_TOP=1 "$wordcount" -q -k 1 - <second >/dev/null 2>&1; }
mkfifo second
second_input &
second=$!
exec 8>second
while [ "$(ls weir | wc -l)" != 2 ]; do kill -0 $second || break; done
refuses 1 '2 programs can be watched' top --once
has err "$first ('wordcount')"
ends 0 top --once --interval 0.1 $first
exec 8>&-
wait $second
ends 0 top --once --interval 0.1
finish
[ -z "$(ls weir)" ] || failed "left behind: $(ls weir)"

# ---- a program that was not prepared for watching ----
mkfifo unprepared
"$wordcount" -q -k 1 - <unprepared >words 2>words_err &
program_pid=$!
exec 9>unprepared
seq 100000 >&9
ends 0 top --once --interval 0.1 $program_pid
for word in "wordcount ($program_pid)" /read '/split[0]'; do has out "$word"; done
[ "$(ls weir)" = $program_pid.sock ] || failed "in the folder: $(ls weir)"
finish
[ -z "$(ls weir)" ] || failed "left behind by a program that was called: $(ls weir)"

# ---- a folder, and a socket by name ----
mkdir folder
start folder folder/PID.sock
ends 0 top --once --interval 0.1 $program_pid
has out "wordcount ($program_pid)"
finish
start named.sock named.sock
ends 0 top --once --interval 0.1 $program_pid
ends 0 top --once --interval 0.1 ./named.sock
has out "wordcount ($program_pid)"
# A second program with the same name can't be watched, and does not disturb the first.
echo 'b a b' | WEIR_TOP=named.sock "$wordcount" -q -k 1 - >out 2>err || failed 'a second program of the same socket'
has out '2 b'
ends 0 top --once --interval 0.1 ./named.sock
has out "wordcount ($program_pid)"
# A program that was killed leaves its socket, which the next one replaces.
kill -KILL $program_pid
{ wait $program_pid; } 2>/dev/null
exec 9>&-
program_pid=
[ -S named.sock ] || failed 'a killed program removed its socket'
refuses 1 'nobody listens there any more; the program has ended' top --once ./named.sock
start named.sock named.sock
while ! "$weir" top --once --interval 0.1 ./named.sock >out 2>err; do kill -0 $program_pid || break; done
has out "wordcount ($program_pid)"
finish

# ---- what can't be listened at is said before anything runs ----
for place in no/where.sock file "$work/$(printf '%0120d' 0)"; do
  what="WEIR_TOP=$place"
  echo a | WEIR_TOP=$place "$wordcount" -q - >out 2>err && failed "$what: went on"
  has err "wordcount: WEIR_TOP: can't listen at '$place'"
  [ ! -s out ] || failed "$what: it ran"
done
chmod 755 weir
what='WEIR_TOP=1 with an open folder'
echo a | WEIR_TOP=1 "$wordcount" -q - >out 2>err && failed "$what: went on"
has err "WEIR_TOP: $work/weir: is open to other users"
refuses 1 'is open to other users' top --once
chmod 700 weir
echo a | WEIR_TOP='' "$wordcount" -q - >out 2>err || failed 'an empty WEIR_TOP'
[ -z "$(ls weir)" ] || failed "left behind: $(ls weir)"

# ---- usage ----
refuses 2 'no program is given' top --
refuses 2 '--json needs --once' top --json
refuses 2 '--stacks needs --once; say --once --stacks' top --stacks
refuses 2 'choose one' top --once --json --openmetrics
refuses 2 'choose one' top --once --stacks --openmetrics
refuses 2 '--interval' top --interval 0
refuses 2 '--interval' top --interval x
refuses 2 'needs no process id' top 1 -- true
refuses 2 'look at a program that is running' top --once -- true
refuses 2 'nonsense' top --nonsense
ends 0 top --help
for word in 'weir top [options] -- program [arguments]' WEIR_TOP=1 'Exit codes'; do has out "$word"; done
ends 0 --help
has out top

# ---- programs that say anything at all, and screens ----
"$python" "$here/top_screens.py" "$bin" || failed 'weir top on a terminal'

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
