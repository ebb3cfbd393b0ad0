#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_tune.sh BIN_DIR
#
# weir tune, and WEIR_TUNING on programs that know nothing of it.
set -uo pipefail
export LC_ALL=C
bin=$1
weir=$bin/weir
light=$bin/docs/snippets/tuning_light
[ -x "$light" ] || { echo 'Skipped: built without the programs of the documentation.'; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset WEIR_TUNING WEIR_PROFILE
failures=0

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# refused CODE PATTERN COMMAND...: ends with that code, and says one line that matches.
refused() {
  local code=$1 pattern=$2
  shift 2
  "$@" >out 2>err
  local got=$?
  [ $got = "$code" ] || fail "exit code $got instead of $code: $*"
  [ "$(wc -l <err)" = 1 ] || fail "not one line: $* says $(cat err)"
  grep -qE "$pattern" err || fail "$* says $(cat err)"
  [ ! -s out ] || fail "$* prints $(cat out)"
}

# ---- a choice, and its use ----

"$light" 300000 >expected
"$weir" tune --pairs 1 -o tune.json -- "$light" 300000 >said 2>err || fail "exit code $?: $(cat err)"
[ ! -s err ] || fail "says $(cat err)"
grep -qE '^\+ /read \+ /first/' said || fail "does not show what it fuses: $(cat said)"
grep -qE '^[0-9.e+]+ times as fast: [0-9.e+-]+ s instead of [0-9.e+-]+ s \(medians of 1\)\.$' said || fail "said: $(cat said)"
grep -q 'tune.json' said || fail 'does not name the file'
WEIR_TUNING=tune.json "$light" 300000 >out || fail "exit code $? when tuned"
cmp -s expected out || fail 'tuning changes the result'

# Whatever the comparison said: with this tuning the graph is another.
python3 - <<'P' || fail 'tune.json'
import json
made = json.load(open("tune.json"))
assert set(made) <= {"network", "widths", "fused", "capacities"}, made
json.dump({"network": made["network"], "widths": {"/pass": 1}, "fused": [["/first/node1", "/first/node2"]]},
          open("by_hand.json", "w"))
P
WEIR_TUNING=by_hand.json "$light" 300000 >out || fail "exit code $? when tuned by hand"
cmp -s expected out || fail 'tuning by hand changes the result'
WEIR_TUNING=by_hand.json "$weir" graph -- "$light" 10 >graph.dot || fail 'no graph of a tuned program'
grep -q fused graph.dot || fail 'the graph does not show what is fused'
grep -q '/pass\[0\]' graph.dot && ! grep -q '/pass\[1\]' graph.dot || fail 'the graph does not show the width'
WEIR_TUNING=by_hand.json WEIR_TRACE=trace.json "$light" 10000 >/dev/null
grep -q '/first/node1 + /first/node2' trace.json || fail 'the trace does not name the fused nodes'

# Settings for the program itself do not affect the measured runs.
WEIR_TUNING=no_such_file WEIR_TRACE=no_such_folder/trace "$weir" tune --pairs 1 -o again.json -- "$light" 30000 >said 2>err ||
  fail "exit code $? with WEIR_TUNING set: $(cat err)"

# ---- refused files and calls ----

seq 1000 >numbers
refused 1 'by_hand.json: is the tuning of another network' env WEIR_TUNING=by_hand.json "$bin/wordcount" -q numbers
refused 1 "none.json: can't be read for WEIR_TUNING: No such file" env WEIR_TUNING=none.json "$light" 10
echo '{"fused": [["/read", "/nowhere"]]}' >wrong.json
refused 1 '/nowhere: is not a node of this graph' env WEIR_TUNING=wrong.json "$light" 10
echo '{"fused": ' >wrong.json
refused 1 'wrong.json: is not a tuning: ' env WEIR_TUNING=wrong.json "$light" 10

refused 2 'no program is given' "$weir" tune
refused 2 'unexpected .program.; put the program and its arguments after --' "$weir" tune program
refused 2 'pairs' "$weir" tune --pairs 0 -- "$light"
refused 1 "can't start ./nowhere: No such file" "$weir" tune -- ./nowhere
refused 1 'true wrote no profile' "$weir" tune -- true
refused 1 'false ended with exit code 1' "$weir" tune -- false
refused 1 'was ended by signal 9' "$weir" tune -- sh -c 'kill -9 $$'
refused 1 'no_such_folder' "$weir" tune --pairs 1 -o no_such_folder/tune.json -- "$light" 1000
[ ! -e no_such_folder ] || fail 'makes folders'

[ $failures = 0 ] || exit 1
echo 'All of it holds.'
