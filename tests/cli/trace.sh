#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
# needs: ZLIB
#
#   trace.sh BIN_DIR
#
# WEIR_TRACE, on a program that knows nothing of it.
set -uo pipefail
export LC_ALL=C
wordcount=$1/wordcount
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset WEIR_TRACE WEIR_TRACE_RUN
failures=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

seq 300000 >numbers
"$wordcount" -q -k 3 numbers >expected
[ "$(ls)" = $'expected\nnumbers' ] || fail "a trace nobody asked for: $(ls)"

WEIR_TRACE=run.json "$wordcount" -q -k 3 --report report numbers >out || fail "exit code $?"
cmp -s expected out || fail 'a trace changes the result'
WEIR_TRACE=run.json.gz "$wordcount" -q -k 3 numbers >out || fail "exit code $? with .gz"
gzip -t run.json.gz || fail 'not gzip'

# The file says the same as the report.
python3 - <<'P' || fail 'the trace and the report differ'
import gzip, json
report = {node["path"]: node for node in json.load(open("report"))["nodes"]}
for events in json.load(open("run.json"))["traceEvents"], json.load(gzip.open("run.json.gz"))["traceEvents"]:
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {name for (pid, _), name in names.items() if pid == 2} == set(report), names
    items = dict.fromkeys(report, 0)
    free = {}
    for slice in sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"]):
        track = slice["pid"], slice["tid"]
        assert slice["ts"] > free.get(track, 0) - 0.0015, slice
        free[track] = slice["ts"] + slice["dur"]
        if slice["pid"] == 2:
            items[names[track]] += slice.get("args", {}).get("items", 0)
    assert items["/read"] == report["/read"]["items"], items
    assert all(items.values()), items
P

# Only the run that is asked for is traced.
WEIR_TRACE=second.json WEIR_TRACE_RUN=2 "$wordcount" -q -k 3 numbers >out 2>err || fail "exit code $? with WEIR_TRACE_RUN=2"
[ ! -e second.json ] || fail 'a trace of another run'
[ "$(cat err)" = 'weir: WEIR_TRACE_RUN=2: there is no trace, because the program ran 1 network' ] || fail "WEIR_TRACE_RUN=2: $(cat err)"
WEIR_TRACE=first.json WEIR_TRACE_RUN=1 "$wordcount" -q -k 3 numbers >out 2>err && [ -s first.json ] && [ ! -s err ] || fail WEIR_TRACE_RUN=1
for wrong in 0 -1 2nd; do
  WEIR_TRACE=second.json WEIR_TRACE_RUN=$wrong "$wordcount" -q numbers >out 2>err && fail "WEIR_TRACE_RUN=$wrong"
  grep -q "^wordcount: WEIR_TRACE_RUN: is '$wrong'; let it be the number of a run, from 1 on" err || fail "WEIR_TRACE_RUN=$wrong: $(cat err)"
done
WEIR_TRACE='' "$wordcount" -q -k 3 numbers >out || fail 'an empty WEIR_TRACE'

# A file that can't be opened is reported before anything runs; a full disk has no effect on the run.
WEIR_TRACE=no/where.json "$wordcount" -q numbers >out 2>err && fail 'a trace that can not be opened'
grep -q "^wordcount: run_options::trace: can't write 'no/where.json' (No such file or directory); name a file" err ||
  fail "no/where.json: $(cat err)"
[ ! -s out ] || fail 'it ran'
WEIR_TRACE=/dev/full "$wordcount" -q -k 3 numbers >out || fail "exit code $? with a full disk"
cmp -s expected out || fail 'a full disk changes the result'

[ $failures = 0 ] || { echo "$failures failed" >&2; exit 1; }
