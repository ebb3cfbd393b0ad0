#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
# needs: ZLIB
#
#   trace_cluster.sh BIN_DIR    the trace of a cluster: one file of all groups, on one clock; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C
unset WEIR_TRACE WEIR_TRACE_RUN
words=("$bin/wordcount" -q -k 3 -j 2)

cat >three.json <<'END'
{"groups": [
  {"name": "G1", "nodes": ["read", "split[0]"]},
  {"name": "G2", "nodes": ["split[1]", "count[0]"]},
  {"name": "G3", "nodes": ["count[1]", "rank"]}]}
END
seq 1000000 >numbers
"${words[@]}" numbers >expected

cat >check.py <<'END'
# check.py TRACE REPORT [GROUP SECONDS]: the trace says what the report does; the clock of that group is so many seconds ahead
import gzip, json, sys
file, report = sys.argv[1:3]
trace = json.load(gzip.open(file) if file.endswith(".gz") else open(file))
report = {node["path"]: node for node in json.load(open(report))["nodes"]}
events = trace["traceEvents"]
processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
assert sorted(processes.values()) == [f"G{n}: {what}" for n in (1, 2, 3) for what in ("nodes", "threads")], processes
nodes = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
         if e["name"] == "thread_name" and processes[e["pid"]].endswith("nodes")}
own = {track: name for track, name in nodes.items() if not name.startswith("/remote/")}
assert sorted(own.values()) == sorted(report), own
group = {name: processes[pid][:2] for (pid, _), name in own.items()}
assert group == {"/read": "G1", "/split[0]": "G1", "/split[1]": "G2", "/count[0]": "G2", "/count[1]": "G3", "/rank": "G3"}, group
items = dict.fromkeys(report, 0)
running = {}
free = {}
for s in sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"]):
    track = s["pid"], s["tid"]
    assert s["ts"] > free.get(track, -1e9) - 0.0025, s
    free[track] = s["ts"] + s["dur"]
    if "items" in s.get("args", {}) and track in own:
        items[own[track]] += s["args"]["items"]
        if s["args"]["items"]:
            running.setdefault(own[track], []).append((s["ts"], s["ts"] + s["dur"]))
for path, node in report.items():
    assert items[path] == node["items"], (path, items[path], node["items"])
about = trace["otherData"]
assert about["dropped"] == 0 and set(about["groups"]) == {"G1", "G2", "G3"}, about
# One clock: no node takes an item before it was made, and no step that sends begins after the sink's last step. It may end later: a
# thread can lose its core after it has sent.
uncertain = 0.001 * 2 * max(each["uncertainty_ns"] for each in about["groups"].values())
first, last = running["/read"][0][0], running["/rank"][-1][1]
assert -uncertain <= first, (first, uncertain)
for path, steps in running.items():
    assert first - uncertain <= steps[0][0] and steps[-1][0] <= last + uncertain, (path, steps[0], steps[-1], last)
for name, each in about["groups"].items():
    assert 0 < each["uncertainty_ns"] < max(1e8, 100 * (last - first)), each  # a tenth of the run, if it is long
    ahead = -float(sys.argv[4]) * 1e9 if len(sys.argv) > 3 and sys.argv[3] == name else 0
    assert abs(each["ahead_ns"] - ahead) <= each["uncertainty_ns"], (name, each, ahead)
END
# traced FILE COMMAND…
traced() {
  local file=$1
  shift
  what="WEIR_TRACE=$file $*"
  WEIR_TRACE=$file "$@" >out 2>err || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: changes the result"
}
traced run.json "$weir" run three.json -- "${words[@]}" --report report numbers
python3 check.py run.json report || failed "$what: the trace and the report differ"
[ "$(ls)" = $'check.py\nerr\nexpected\nnumbers\nout\nreport\nrun.json\nthree.json' ] || failed "$what: wrote more: $(ls)"
traced run.json.gz "$weir" run three.json -- "${words[@]}" --report report numbers
python3 check.py run.json.gz report || failed "$what: the trace and the report differ"

# A group in a time namespace, whose clock is a thousand seconds ahead: as on another machine.
if unshare --time --monotonic 1000 true 2>/dev/null; then
  sed 's/"G2",/"G2", "pre_command": "unshare --time --monotonic 1000",/' three.json >ahead.json
  traced ahead.trace.json "$weir" run ahead.json -- "${words[@]}" --report report numbers
  python3 check.py ahead.trace.json report G2 1000 || failed "$what: not on one clock"
else
  echo 'no time namespaces here: clocks that differ are not tested'
fi

# Only the run that is asked for; what can't be opened is said before anything starts.
WEIR_TRACE_RUN=2 WEIR_TRACE=second.json "$weir" run three.json -- "${words[@]}" numbers >out 2>err || failed 'WEIR_TRACE_RUN=2'
[ ! -e second.json ] || failed 'a trace of another run'
[ "$(cat err)" = 'weir: WEIR_TRACE_RUN=2: there is no trace, because the program ran 1 network' ] || failed "WEIR_TRACE_RUN=2: $(cat err)"
what='a trace that can not be opened'
WEIR_TRACE=no/where.json "$weir" run three.json -- "${words[@]}" numbers >out 2>err
[ $? = 64 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] || failed "$what: it ran"
has err "weir run: run_options::trace: can't write 'no/where.json' (No such file or directory); name a file"
# A cluster that fails leaves the trace that has come so far.
what='a cluster that fails'
WEIR_TRACE=failed.json "$weir" run three.json -- "${words[@]}" numbers --report no/where >out 2>err
python3 -c 'import json; assert json.load(open("failed.json"))["traceEvents"]' || failed "$what: has no trace"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
