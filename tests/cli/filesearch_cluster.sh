#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   filesearch_cluster.sh BIN_DIR    holds filesearch as a cluster of processes against itself as one, and against grep; prints each
#                                    check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C
search=$bin/filesearch

mkdir -p tree/sub/deep "tree/na me" there
for i in $(seq 200); do printf 'line one\nthe needle %d\nline three\n' "$i" >"tree/sub/file$i"; done
seq 200000 | sed 's/$/ needle/' >tree/sub/deep/large  # its findings are sent in parts
printf 'a\0needle\0' >tree/binary
: >tree/empty
printf 'needle without an end' >'tree/na me/a b'

cat >two.json <<'END'
{"groups": [{"name": "G1", "nodes": ["walk", "write"]}, {"name": "G2", "nodes": ["search"]}]}
END
cat >three.json <<'END'
{"groups": [{"name": "G1", "nodes": ["walk", "search[0]"]},
            {"name": "G2", "nodes": ["search[1]"]},
            {"name": "G3", "nodes": ["write", "search[2]"]}]}
END
sed 's/"write"/"write", "search\/number", "search\/order"/' three.json >three_sorted.json
cuts=('--on 2' '--on 3' two.json three.json)
sorted_cuts=('--on 2' '--on 3' two.json three_sorted.json)

# cluster CODE CUT ARGUMENTS…: what filesearch prints as a cluster, in `plain`, without the groups' names
cluster() {
  local code=$1 cut=$2
  shift 2
  # shellcheck disable=SC2086
  "$weir" run $cut -- "$search" -j 3 "$@" >plain 2>err
  local got=$?
  what="filesearch $* with $cut"
  [ $got = "$code" ] || failed "$what: ended with $got, expected $code"
}
# prints_the_same ARGUMENTS…: as one process
prints_the_same() {
  "$search" "$@" </dev/null >expected 2>/dev/null
  cmp -s expected plain || failed "$what: not the same output as one process"
}
# same ARGUMENTS…: as one process, as grep, and as a cluster with every cut: the same lines, in the same order with --sort
same() {
  local code
  grep -E "$@" >by_grep 2>/dev/null </dev/null
  code=$?
  sort by_grep >by_grep_sorted
  for cut in "${cuts[@]}"; do
    cluster $code "$cut" "$@" </dev/null
    sort plain | cmp -s - by_grep_sorted || failed "$what: other lines than grep"
  done
  for cut in "${sorted_cuts[@]}"; do
    cluster $code "$cut" --sort "$@" </dev/null
    prints_the_same --sort "$@"
  done
}
same -r needle tree
same -rc 'needle 1' tree
same -rn -C1 'needle 1?7$' tree/sub/file7 tree/sub/file17
same -rl needle tree
same -r 'nothing of that kind' tree
same -h one tree/sub/file1 tree/sub/file2
same needle tree/sub/file1
same -rm0 needle tree

# Messages about files come from the group that reads them; the exit code is that of the whole cluster.
cluster 2 three.json needle tree/sub/file1 missing
has plain 'the needle 1'
grep -q '^filesearch: missing: No such file or directory$' err || failed "$what: $(cat err)"
cluster 2 two.json -r needle nowhere
has err 'filesearch: nowhere: No such file or directory'
# The sums cover all groups, and are printed once.
cluster 0 three.json -rc --table --report report.json needle tree
[ "$(grep -c '/write ' err)" = 1 ] || failed "$what: not one table: $(cat err)"
python3 - <<'P' || failed "$what: the report"
import json
nodes = {node["path"]: node["items"] for node in json.load(open("report.json"))["nodes"]}
assert nodes["/walk"] > 10 and nodes["/walk"] == sum(nodes[f"/search[{i}]"] for i in range(3)), nodes
P
# A match ends the search of all.
for cut in "${cuts[@]}"; do
  cluster 0 "$cut" -rq needle tree
  [ ! -s out ] || failed "$what: prints"
  cluster 1 "$cut" -rq 'nothing of that kind' tree
done

# Standard input, which one of the groups has, is searched by any.
for cut in "${sorted_cuts[@]}"; do
  for arguments in '-n needle' '-c needle -' '-H needle - tree/sub/file1' '-n needle tree/sub/file1 - tree/sub/file2'; do
    # shellcheck disable=SC2086
    "$search" --sort $arguments <tree/sub/deep/large >expected
    # shellcheck disable=SC2086
    cluster 0 "$cut" --sort $arguments <tree/sub/deep/large
    cmp -s plain expected || failed "$what: not the same output as one process"
  done
done
cluster 2 three.json -f - tree/sub/file1 <tree/empty
has err '-f -: only one group of a cluster has standard input'

# Groups in other folders, which lack the files: the walk says where it found them.
sed 's/"nodes": \["search\[1\]"\]/&, "pre_command": "env -C there"/' three_sorted.json >elsewhere.json
cluster 0 elsewhere.json --sort -r needle tree
prints_the_same --sort -r needle tree
# Errors in a pattern are reported once.
cluster 0 three.json '*needle' tree/sub/file1
[ "$(wc -l <err)" = 1 ] && has err 'filesearch: warning: * at start of expression' || failed "$what: says $(cat err)"

# The same by a plan.
"$weir" plan --on 3 -o planned.json -- "$search" -j 3 --sort -r needle tree >out 2>err || failed "weir plan: ended with $?"
cluster 0 planned.json --sort -r needle tree
prints_the_same --sort -r needle tree

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
