#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   cluster_examples.sh BIN_DIR    runs examples/cluster in one process and with their configurations, which must say the same; prints
#                                  each check that fails. Ends with 77 where the examples are not built
. "$(dirname -- "$0")/../support/weir_command.sh"
examples=$bin/examples/cluster
configurations=$here/../../examples/cluster
[ -d "$examples" ] || { echo "the examples are not built"; exit 77; }

same_as_one_process() {
  local configuration=$1
  shift
  "$@" | sort >expected || failed "$*: ended with $?"
  [ -s expected ] || failed "$*: says nothing"
  ends 0 run "$configurations/$configuration" -- "$@"
  sort out | cmp -s - expected || failed "$configuration: not what one process says"
}
same_as_one_process figure3_two_groups.json "$examples/figure3_pipe"
same_as_one_process figure3_three_groups.json "$examples/figure3_pipe"
same_as_one_process figure4_four_groups.json "$examples/figure4_all_to_all"
same_as_one_process figure4_three_groups.json "$examples/figure4_all_to_all"
same_as_one_process figure5_application.json "$examples/figure5_application" 300000
# As ranks of each installed MPI: within this machine through shared memory, or by MPI.
sed 's/"protocol"/"transport": "mpi", &/' "$configurations/figure5_application_mpi.json" >by_mpi.json
for mpi in openmpi mpich; do
  command -v mpirun.$mpi >/dev/null && [ -e "$bin/../lib/weir/weir_mpi_$mpi.so" ] || continue
  "$examples/figure5_application" 300000 >expected
  for configuration in "$configurations/figure5_application_mpi.json" by_mpi.json; do
    ends 0 run --mpirun mpirun.$mpi $configuration -- "$examples/figure5_application" 300000
    cmp -s out expected || failed "$what: not what one process says"
  done
done

# Patterns that distribute their ranges and problems by themselves.
"$examples/patterns" >expected || failed "patterns: ended with $?"
for groups in 2 3; do
  ends 0 run --on $groups -- "$examples/patterns"
  cmp -s <(sort expected) <(sort out) || failed "$what: not what one process says"
done

# A group that is confined to one core reports one core.
"$weir" run --prefix "$configurations/figure5_application.json" -- sh -c 'echo "$WEIR_GROUP on $WEIR_CORES"' >out 2>err
has out '[G2] G2 on 0'
sed 's/"threadMapping": "0"/"threadMapping": "4000"/' "$configurations/figure5_application.json" >nowhere.json
ends 1 run nowhere.json -- "$examples/figure5_application" 10
has err 'WEIR_CORES: names no core of this machine that may be used: 4000'

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
