#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_plan.sh BIN_DIR    tests the commands `weir plan` and `weir check` as a user calls them; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
words=("$bin/wordcount" -j2)
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected

# ---- what is planned can be checked, and run ----
runs_as_planned() {
  ends 0 check planned.json -- "${words[@]}" text
  ends 0 run planned.json -- "${words[@]}" -q text
  sed 's/^\[[^]]*\] //' out | cmp -s - expected || failed "$what: other words than in one process"
}
for groups in 1 2 3 6; do
  ends 0 plan --on $groups -o planned.json -- "${words[@]}" text
  has err 'Work and items were estimated from the graph alone'
  runs_as_planned
done
ends 0 plan --on 2 --measure -o planned.json -- "${words[@]}" text
has err 'Work and items were measured in one run'
runs_as_planned
ends 0 plan --hosts localhost,127.0.0.1 -o planned.json -- "${words[@]}" text
grep -q '"endpoint": "127.0.0.1"' planned.json || failed "$what: the hosts are missing"
runs_as_planned
echo '{"dead_after": 4, "groups": [{"name": "A", "nodes": ["rank"], "batchSize": 3}, {"name": "B"}]}' >partly.json
ends 0 plan --complete partly.json -- "${words[@]}" text
cp out planned.json
python3 - <<'END' || failed "$what: what was given has changed"
import json
made = json.load(open("planned.json"))
assert made["dead_after"] == 4 and made["groups"][0]["batchSize"] == 3, made
assert "rank" in made["groups"][0]["nodes"] and made["groups"][1]["nodes"], made
END
runs_as_planned

# ---- what is wrong ----
cat >wrong.json <<'END'
{"groups": [
  {"name": "A", "nodes": ["read", "splat", "count[x]"]},
  {"name": "B", "nodes": ["read"]}, {"name": "C"}]}
END
ends 64 check wrong.json -- "${words[@]}" text
has err 'weir check: splat: is what group A asks for, but there is no such node'
has err 'weir check: count[x]: '
has err 'weir check: /read: is in two groups, A and B; leave it in one'
has err 'weir check: /rank: is in no group; add it to one of A, B, C'
has err 'weir check: C: is a group without nodes'
ends 64 plan --complete wrong.json -- "${words[@]}" text
has err 'splat'
ends 64 plan --on 7 -- "${words[@]}" text
has err 'ask for fewer groups'
echo '{"groups": [{"nam": "A"}]}' >unknown.json
ends 64 check unknown.json -- "${words[@]}" text
has err 'unknown.json:1: unknown key "nam" in a group; did you mean "name"?'
refuses 1 'none.json' check none.json -- "${words[@]}" text
refuses 1 'but never ran a network' check partly.json -- true
refuses 1 'ended with exit code 3 before it ran a network' plan --on 2 -- sh -c 'exit 3'
refuses 1 "can't start ./nothing" plan --on 2 -- ./nothing
refuses 2 'how many groups?' plan -- "${words[@]}" text
refuses 2 '--complete has its own groups and hosts' plan --on 2 --complete partly.json -- "${words[@]}" text
refuses 2 'which configuration?' check -- "${words[@]}" text
refuses 2 'which program?' plan --on 2

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
