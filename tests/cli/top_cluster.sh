#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top_cluster.sh BIN_DIR    weir top of a cluster: all groups as one program; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
launcher=
trap '[ -z "$launcher" ] || kill -KILL $launcher 2>/dev/null; cd /; rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$work TMPDIR=$work
unset WEIR_TOP NO_COLOR
. "$here/../support/group_processes.sh"

cat >three.json <<'END'
{"groups": [
  {"name": "G1", "nodes": ["read", "split[0]"]},
  {"name": "G2", "nodes": ["split[1]", "count[0]"]},
  {"name": "G3", "nodes": ["count[1]", "rank"]}]}
END
# A run that goes on until its input, the pipe `input`, ends.
start() {
  what="WEIR_TOP=$1 weir run"
  rm -f input
  mkfifo input
  WEIR_TOP=$1 "$weir" run three.json -- "${words[@]}" -q -k 1 - <input >words_out 2>words_err &
  launcher=$!
  exec 9>input
  seq 300000 >&9
  wait_until_connected
}
finish() {
  exec 9>&-
  wait $launcher || failed "$what: being watched, ended with $?: $(cat words_err)"
  launcher_before=$launcher
  launcher=
  [ "$(cat words_out)" = '      1 1' ] || failed "$what: being watched changes the result: $(cat words_out)"
  nothing_left
}
# until_it_runs [PID]: its first report has all nodes
until_it_runs() {
  for _ in $(seq 600); do
    "$weir" top --once --json --interval 0.1 "$@" >out 2>err && grep -q '"/rank"' out &&
      grep -q '"silent":\[\]' <(tr -d ' \n' <out) && return 0
    sleep 0.05
  done
  failed "$what: never shows its nodes: $(cat out err)"
}

start 1
until_it_runs
[ "$(ls weir)" = $launcher.sock ] || failed "not only the launcher can be watched: $(ls weir)"
/usr/bin/python3 - $launcher <<'P' || failed 'weir top --once --json of a cluster'
import json, sys
said = json.load(open("out"))
assert said["pid"] == int(sys.argv[1]) and said["program"] == "words" and said["silent"] == [], said
run, = said["runs"]
assert run["run"] == 1 and not run["ended"], run
assert [(node["path"], node["group"]) for node in run["nodes"]] == [
    ("/read", "G1"), ("/split[0]", "G1"), ("/split[1]", "G2"), ("/count[0]", "G2"), ("/count[1]", "G3"), ("/rank", "G3")], run
nodes = {node["path"]: node for node in run["nodes"]}
for path, node in nodes.items():
    assert (node["queue"] is None) == (path == "/read"), node
channels = [(channel["from"], channel["to"]) for channel in run["channels"]]
assert len(channels) == len(set(channels)) == 8, channels  # also those that are cut, once
assert all(path in nodes for channel in channels for path in channel), channels
P
ends 0 top --once --interval 0.1
for word in "words ($launcher)" group '/split[1]' G1 G2 G3; do has out "$word"; done
grep -qE '/count\[0\] +G2 ' out || failed "$what: the row of /count[0]: $(cat out)"
ends 0 top --openmetrics $launcher
/usr/bin/python3 "$here/open_metrics.py" out /read '/split[1]' '/rank' || failed "$what"
has out 'node="/rank",kind="sink",group="G3"'
has out 'from_group="G1",to_group="G2"'
/usr/bin/python3 "$here/dashboard.py" out || failed "$what: Grafana's dashboard asks for other metrics"
# A group that is stopped is shown as it was, and named.
stopped=$(group_process G2)
kill -STOP "$stopped"
ends 0 top --once --interval 0.1
has out 'G2 does not answer'
has out '/count[0]'
kill -CONT "$stopped"
# It may need a while for its next answer.
for _ in $(seq 600); do
  ends 0 top --once --interval 0.1
  grep -qF 'does not answer' out || break
done
lacks out 'does not answer'
finish
[ -z "$(ls weir)" ] || failed "left behind: $(ls weir)"

# Without WEIR_TOP the launcher opens its socket when it is called. The groups, which could be called as well, do not.
start ''
[ ! -e weir/$launcher.sock ] || failed "$what: listens before it is called"
ends 0 top --once --interval 0.1 $launcher
until_it_runs $launcher
[ "$(ls weir)" = $launcher.sock ] || failed "$what: in the folder: $(ls weir)"
ends 0 top --once --interval 0.1 $launcher
for word in "words ($launcher)" group '/split[1]' G1 G2 G3; do has out "$word"; done
ends 0 top --openmetrics $launcher
has out 'node="/rank",kind="sink",group="G3"'
finish
[ -z "$(ls weir)" ] || failed "$what: left behind: $(ls weir)"
# A group that has ended is no longer a process.
refuses 1 'there is no process' top --once $launcher_before

# With a socket in a folder of its own. If it can't be opened, that is reported before anything starts.
start "$work/here.sock"
ends 0 top --once --interval 0.1 ./here.sock
finish
WEIR_TOP=no/where.sock "$weir" run three.json -- "${words[@]}" -q text >out 2>err
code=$?
what='a socket that can not be'
[ $code = 64 ] && [ "$(wc -l <err)" = 1 ] || failed "$what: ended with $code"
has err "weir run: WEIR_TOP: can't listen at 'no/where.sock'"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
