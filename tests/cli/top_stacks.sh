#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top_stacks.sh BIN_DIR
#
# `weir top` shows nodes that do not come back: the queues of a zip one by one, and the stack of a node
# that waits inside its own code. If eu-stack is missing, or the system lets nobody trace, the test is
# skipped after the rest.
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$work TMPDIR=$work
unset WEIR_TOP NO_COLOR
python=/usr/bin/python3
program_pid=
left_out=
trap '[ -z "$program_pid" ] || kill -KILL $program_pid 2>/dev/null; cd /; rm -rf "$work"' EXIT

# start COMMAND...: starts a program whose node waits for lines, of which none comes
start() {
  rm -f lines
  mkfifo lines
  "$@" <lines >sum 2>sum_err &
  program_pid=$!
  exec 9>lines
}
# Watching it does not change its end.
finish() {
  exec 9>&-
  wait $program_pid || failed "$what: being watched, it ended with $?: $(cat sum_err)"
  program_pid=
  [ "$(cat sum)" = 4950 ] || failed "$what: being watched changes the result: $(cat sum)"
}
# until WORDS TOP_OPTION...: the node is known to wait once it has done so for some time
until_it_has() {
  local words=$1
  shift
  what="weir top --once $*"
  for _ in $(seq 600); do
    "$weir" top --once --interval 0.1 "$@" >out 2>err && grep -qF -- "$words" out && return 0
    kill -0 $program_pid || break
  done
  failed "$what: never shows '$words': $(cat out)"
}

start "$bin/waits_for_lines"
until_it_has '/slow, thread ' --stacks $program_pid

# ---- the inputs of a zip: the one is full, the other empty ----
ends 0 top --once --json --interval 0.1 $program_pid
"$python" - <<'P' || failed 'the inputs of a zip, as JSON'
import json
run, = json.load(open("out"))["runs"]
nodes = {node["path"]: node for node in run["nodes"]}
quick, slow = nodes["/zip"]["inputs"]
assert quick == {"from": ["/tee2/quick"], "waiting": 16, "room": 16, "fill": 1}, quick
assert slow == {"from": ["/tee2/slow"], "waiting": 0, "room": 16, "fill": 0}, slow
assert nodes["/numbers"]["inputs"] == [] and len(nodes["/add"]["inputs"]) == 1, nodes
assert all("stack" not in node for node in nodes.values()), nodes
to_zip = [(channel["from"], channel["input"]) for channel in run["channels"] if channel["to"] == "/zip"]
assert sorted(to_zip) == [("/tee2/quick", 0), ("/tee2/slow", 1)], to_zip
P
ends 0 top --once --interval 0.1 $program_pid
lacks out wait_for_a_line
grep -qE '^  /zip ' out || failed "$what: no row of the zip: $(cat out)"
grep -qE '^    from .*/quick .*100 %.* 16 / 16$' out || failed "$what: the input that is full: $(cat out)"
grep -qE '^    from .*/slow .* 0 %.* 0 / 16$' out || failed "$what: the input that is empty: $(cat out)"
[ "$(grep -c '^    from ' out)" = 2 ] || failed "$what: more than the inputs of the zip: $(cat out)"

# ---- no stack without the tool ----
what='weir top --stacks without eu-stack'
PATH=$work/nothing "$weir" top --once --stacks --interval 0.1 $program_pid >out 2>err || failed "$what: ended with $?"
has out '/slow, thread '
has out "its stack can't be seen: that takes eu-stack, which is not installed (Debian, Ubuntu, Fedora: package"

# ---- the stack ----
ends 0 top --once --stacks --interval 0.1 $program_pid
if ! command -v eu-stack >/dev/null; then
  left_out='eu-stack is not installed'
elif grep -q 'can.t be seen: this system lets' out; then
  left_out='this system lets nobody look into programs'
else
  has out 'wait_for_a_line'
  has out 'called by weir, in '
  grep -qE '^/tee2/slow, thread [0-9]+, inside its own code for [0-9.]+ m?s:$' out ||
    failed "$what: no head of a stack: $(cat out)"
  ends 0 top --once --json --stacks --interval 0.1 $program_pid
  "$python" - $program_pid <<'P' || failed 'a stack, as JSON'
import json, os, sys
run, = json.load(open("out"))["runs"]
nodes = {node["path"]: node for node in run["nodes"]}
slow, = [node["stack"] for path, node in nodes.items() if path.endswith("/slow")]
assert any("wait_for_a_line" in frame["function"] for frame in slow["frames"]), slow
assert all(frame["module"].startswith("/") for frame in slow["frames"]), slow
assert os.path.exists(f"/proc/{sys.argv[1]}/task/{slow['thread']}"), slow
assert slow["in_own_code_ns"] > 0 and "problem" not in slow, slow
assert nodes["/add"]["stack"] is None, nodes
P
  # A tracer that is already attached is named, and the program goes on afterwards.
  "$python" - $program_pid "$weir" <<'P' || failed 'a program that is traced already'
import ctypes, json, os, subprocess, sys
pid, weir = sys.argv[1:]
def top(*options):
    call = [weir, "top", "--once", "--stacks", "--interval", "0.1", *options, pid]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout
run, = json.loads(top("--json"))["runs"]
thread, = [node["stack"]["thread"] for node in run["nodes"] if node["stack"] is not None]
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
PTRACE_SEIZE = 0x4206
assert libc.ptrace(PTRACE_SEIZE, thread, None, None) == 0, os.strerror(ctypes.get_errno())
said = top()
assert f"its stack can't be seen: process {os.getpid()} traces it already" in said, said
P
fi
finish

# ---- of a cluster: the group that has the node, by the process id of weir run ----
if [ -z "$left_out" ]; then
  cat >two.json <<'END'
{"groups": [{"name": "G1", "nodes": ["numbers", "tee2/quick"]}, {"name": "G2", "nodes": ["tee2/slow", "zip", "add", "print"]}]}
END
  start "$weir" run --stdin G2 two.json -- "$bin/waits_for_lines"
  until_it_has '/slow in G2, thread ' --stacks $program_pid
  grep -q "can.t be seen: this system lets" out || has out 'wait_for_a_line'
  grep -qE '^    from .*/quick ' out || failed "$what: no input of the zip: $(cat out)"
  finish
fi

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
[ -z "$left_out" ] || { echo "skipped: stacks, as $left_out"; exit 77; }
