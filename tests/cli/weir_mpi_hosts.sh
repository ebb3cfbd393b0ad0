#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_mpi_hosts.sh BIN_DIR    tests `weir run` with "protocol": "MPI" over several hosts, which are network namespaces of this machine; prints
#                                each check that fails. Ends with 77, and says why, where the machine does not allow that
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
launchers=()
for each in openmpi mpich; do
  command -v mpirun.$each >/dev/null && [ -e "$bin/../lib/weir/weir_mpi_$each.so" ] && launchers+=("mpirun.$each")
done
[ ${#launchers[@]} != 0 ] || { echo "no MPI is installed"; exit 77; }
cluster=$here/../../scripts/cluster.sh
"$cluster" possible || exit 77
[ -z "$("$cluster" hosts)" ] || { echo "there are hosts already that are not this test's; say cluster.sh down"; exit 77; }
trap 'cd /; rm -rf "$work"; "$cluster" down' EXIT
. "$here/../support/group_processes.sh"

"$cluster" up 3 --rate 1gbit || { echo "can't make hosts"; exit 1; }
mkdir there
export TMPDIR=$work/there

# From the first host, as on a real cluster: MPICH's launcher wants an interface that all have.
on_first_host() { ip netns exec weir-h1 "$weir" "$@"; }
# Hosts have files of their own: daemons of Open MPI that made the same folders at the same time have failed at that.
mkdir weir-h1 weir-h2 weir-h3
there=(--via "ip netns exec {host} env OMPI_MCA_orte_tmpdir_base=$work/{host}" --address 10.213.0.1)
cat >three.json <<'END'
{ "protocol": "MPI", "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "endpoint": "weir-h1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "endpoint": "weir-h2", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "endpoint": "weir-h3", "nodes": ["count[1]", "rank"]} ] }
END
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected

for mpirun in "${launchers[@]}"; do
  # Hosts that are namespaces have the name and the folders of this machine: Open MPI must be told that not all of them share its memory, and its
  # daemons must not all write the machine's topology into one file, at which they crash.
  case $mpirun in
    *openmpi) command="$mpirun --mca btl tcp,self --mca rtc ^hwloc --mca btl_tcp_if_include e0 --mca oob_tcp_if_include e0" ;;
    *) command="$mpirun -iface e0" ;;
  esac
  what="$mpirun over three hosts"
  on_first_host run --mpirun "$command" "${there[@]}" three.json -- "${words[@]}" -q text >out 2>err || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"
  nothing_left
  # Two groups on one host, which are not neighbours in the file: shared memory between them, MPI to the others.
  sed 's/"weir-h3"/"weir-h1"/' three.json >two.json
  on_first_host run --mpirun "$command" "${there[@]}" two.json -- "${words[@]}" -q text >out 2>err || failed "$what, two of them: ended with $?"
  cmp -s out expected || failed "$what, two of them: other words than in one process"
  nothing_left
  what="$mpirun, the program copied to the hosts"
  on_first_host run --mpirun "$command" "${there[@]}" --deploy-files text three.json -- "${words[@]}" -q text >out 2>err || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"
  nothing_left

  what="$mpirun, kill -9 of a group on another host"
  mkfifo pipe 2>/dev/null
  exec 9<>pipe
  on_first_host run --mpirun "$command" "${there[@]}" three.json -- "${words[@]}" -q <pipe >out 2>err 9>&- &
  launcher=$!
  for _ in $(seq 1200); do
    [ "$(processes | wc -l)" = 3 ] && [ "$(ip netns exec weir-h2 ss -Htn state established | grep -c 10.213.0)" -ge 3 ] && break
    sleep 0.05
  done
  kill -9 "$(group_process G2)"
  wait $launcher
  code=$?
  exec 9>&-
  case $code in 69 | 137) ;; *) failed "$what: ended with $code" ;; esac
  has err "weir run: group G2: "
  nothing_left
done

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
