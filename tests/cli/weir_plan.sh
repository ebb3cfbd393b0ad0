#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_plan.sh BIN_DIR    tests the commands `weir plan` and `weir check` as a user calls them; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
words=("$bin/wordcount" -j2)
unset SLURM_JOB_ID
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected

# ---- a plan can be checked, and run ----
runs_as_planned() {
  ends 0 check planned.json -- "${words[@]}" text
  ends 0 run planned.json -- "${words[@]}" -q text
  cmp -s out expected || failed "$what: other words than in one process"
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

# ---- hosts and cores of an allocation of SLURM; weir_slurm.sh has a real one ----
mkdir slurm
cat >slurm/scontrol <<'END'
#!/bin/sh
case "$*" in
  'show hostnames n[1-3]') printf 'n1\nn2\nn3\n' ;;
  'show hostnames n[1-4],m') printf 'n1\nn2\nn3\nn4\nm\n' ;;
  *) exit 1 ;;
esac
END
chmod +x slurm/scontrol
# in_allocation NODES CORES CODE arguments…: as `ends`, as if SLURM had allocated these
in_allocation() {
  local nodes=$1 cores=$2
  shift 2
  PATH=$work/slurm:$PATH SLURM_JOB_ID=7 SLURM_JOB_NODELIST=$nodes SLURM_JOB_CPUS_PER_NODE=$cores ends "$@"
}
in_allocation 'n[1-3]' '2(x3)' 0 plan --slurm -o planned.json -- "${words[@]}" text
has err ' n3 (2 cores)  '
python3 - <<'END' || failed "$what: other groups than nodes: $(cat planned.json)"
import json
made = json.load(open("planned.json"))
assert made["protocol"] == "MPI", made
assert [each["endpoint"] for each in made["groups"]] == ["n1", "n2", "n3"], made
END
ends 0 check planned.json -- "${words[@]}" text
# Most of the work is where most of the cores are; the group with the first source, which gets standard input, stands first.
in_allocation 'n[1-4],m' '1(x2),2,1,16' 0 plan --slurm -o planned.json -- "$bin/wordcount" -j20 text
python3 - <<'END' || failed "$what: not as the cores are: $(cat planned.json)"
import json, re
made = json.load(open("planned.json"))
assert sorted(each["endpoint"] for each in made["groups"]) == ["m", "n1", "n2", "n3", "n4"], made
assert "read" in made["groups"][0]["nodes"], made
work = {host: int(share) for share, host in re.findall(r"^G\d +(\d+) %  (\w+) \(", open("err").read(), re.M)}
assert work["m"] > 50 and work["m"] > 3 * max(work[host] for host in ["n1", "n2", "n3", "n4"]), work
END
ends 0 check planned.json -- "$bin/wordcount" -j20 text
# Farms without a width have a worker for each core of the allocation, unless --cores says otherwise.
in_allocation 'n[1-3]' '1,2(x2)' 0 plan --slurm -o planned.json -- "$bin/wordcount" text
ends 0 check --cores 5 planned.json -- "$bin/wordcount" text
grep -qE '\[([0-9]-)?4\]' planned.json || failed "$what: no farm has five workers: $(cat planned.json)"
in_allocation 'n[1-3]' '1,2(x2)' 0 plan --slurm --cores 9 -o planned.json -- "$bin/wordcount" text
grep -qE '\[([0-9]-)?8\]' planned.json || failed "$what: no farm has nine workers: $(cat planned.json)"
# More groups than nodes, and fewer.
in_allocation 'n[1-3]' '2(x3)' 0 plan --slurm --on 4 -o planned.json -- "${words[@]}" text
[ "$(grep -c '"endpoint": "n1"' planned.json)" = 2 ] || failed "$what: $(cat planned.json)"
in_allocation 'n[1-3]' '2(x3)' 0 plan --slurm --on 2 -o planned.json -- "${words[@]}" text
lacks planned.json n3
for cores in '' 2 '2(x2)' '2(x4)' '2(x3' '2(x3),' '0(x3)' '2(x0),2(x3)' '2(x99999999999999999999)' '2x3' '-2(x3)'; do
  in_allocation 'n[1-3]' "$cores" 1 plan --slurm -- "${words[@]}" text
  has err "weir plan: SLURM_JOB_CPUS_PER_NODE is '$cores', which does not say the cores of 3 nodes"
done
in_allocation 'n[1-9]' '2(x9)' 1 plan --slurm -- "${words[@]}" text
has err "weir plan: can't ask SLURM for the nodes of the allocation: scontrol does not know n[1-9]"

# ---- errors ----
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
refuses 2 'no groups are given' plan -- "${words[@]}" text
refuses 2 '--complete has its own groups and hosts' plan --on 2 --complete partly.json -- "${words[@]}" text
refuses 2 '--slurm: this is no allocation of SLURM (SLURM_JOB_ID is not set)' plan --slurm -- "${words[@]}" text
refuses 2 '--complete has its own groups and hosts; leave out --slurm' plan --slurm --complete partly.json -- "${words[@]}" text
refuses 2 'leave out --hosts' plan --slurm --hosts a,b -- "${words[@]}" text
refuses 2 'which configuration?' check -- "${words[@]}" text
refuses 2 'no program is given' plan --on 2

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
