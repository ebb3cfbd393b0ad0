#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_doctor.sh BIN_DIR    weir doctor finds what there really is: under an affinity, in control groups with limits, with another
#                             /dev/shm, with and without the programs that it looks for
set -uo pipefail
export LC_ALL=C.UTF-8
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$(readlink -f -- "$1")
doctor=("$bin/weir" doctor)
work=$(readlink -f -- "$(mktemp -d)")
groups=()
trap 'cd /; for each in "${groups[@]}"; do rmdir "$each"; done; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SLURM_JOB_ID SLURM_JOB_NODELIST WEIR_PLUGINS

# finds COMMAND… -- NAME=VALUE…: the command succeeds, and the JSON object that it prints has these values. Each sentence about a lack
# stands beside something that is lacking, and nothing is lacking without one.
finds() {
  local command=()
  while [ "$1" != -- ]; do command+=("$1"); shift; done
  shift
  "${command[@]}" >out 2>err || fail "${command[*]}: exit code $?: $(cat err)"
  [ ! -s err ] || fail "${command[*]}: said $(cat err)"
  python3 - "$@" 2>wrong <<'END' || fail "${command[*]}: $(tail -n 1 wrong)"
import json, sys
found = json.load(open("out"))
for each in sys.argv[1:]:
    name, _, wanted = each.partition("=")
    value = found
    for part in name.split("."):
        value = value.get(part, "absent")
    value = str(value).lower() if isinstance(value, bool) else str(value)
    assert value == wanted, f"{name} is {value} instead of {wanted}"
for name, one in found.items():
    assert name == "weir" or (one["offer"] == "ok") == ("consequence" not in one), f"{name}: {one}"
END
}

# ---- with all that this machine has ----
expect 0 '' "${doctor[@]}"
[ ! -s err ] || fail "weir doctor said $(cat err)"
awk 'length > 80 { print; wide = 1 } END { exit wide }' out || fail 'more than 80 columns'
for topic in cores processor memory 'shared memory' io_uring 'perf counters' MPI SLURM ssh Graphviz eu-stack; do
  grep -qE "^(ok   |part |no   )$topic  *[^ ]" out || fail "weir doctor has no line for $topic"
done
version=$("$bin/weir" --version | head -n 1)
finds "${doctor[@]}" --json -- "cores.usable=$(nproc)" "cores.all=$(getconf _NPROCESSORS_ONLN)" shared_memory.works=true \
  "weir.version=${version#weir }" "weir.machine=$(uname -m | sed 's/_/-/; s/aarch64/arm64/')"

# ---- without the programs that it starts, which is quicker, too ----
mkdir few
doctor=(env "PATH=$work/few" "$bin/weir" doctor)
finds "${doctor[@]}" --json -- mpi.offer=no slurm.offer=no ssh.offer=no graphviz.offer=no eu_stack.offer=no mpi.mpirun=
expect 0 '' "${doctor[@]}"
grep -q '^no   Graphviz       dot is not installed, or not in PATH. Without it, weir' out || fail "without dot: $(grep Graphviz out)"
# Programs of these names, which answer as the real ones do, or do not.
printf '#!/bin/sh\necho "dot - graphviz version 9.1 (20240101)" >&2\n' >few/dot
printf '#!/bin/sh\necho "ssh: no keys" >&2\nexit 255\n' >few/ssh
printf '#!/bin/sh\necho "HYDRA build details:"\n' >few/mpirun
chmod +x few/dot few/ssh few/mpirun
mkdir none broken
echo 'no library' >broken/weir_mpi_mpich.so
finds env WEIR_PLUGINS=none SLURM_JOB_ID=17 SLURM_JOB_NODELIST='n[1-2]' "${doctor[@]}" --json -- graphviz.offer=ok 'graphviz.version=dot - graphviz version 9.1 (20240101)' \
  ssh.offer=part 'ssh.text=ssh fails: ssh: no keys' mpi.offer=part mpi.mpirun=MPICH 'mpi.plugins=[]' slurm.allocation=17
finds env WEIR_PLUGINS=broken "${doctor[@]}" --json -- mpi.offer=part 'mpi.text=mpirun of MPICH; weir has no plugin; that for MPICH does not load'
if [ -e "$bin/../lib/weir/weir_mpi_mpich.so" ]; then
  finds "${doctor[@]}" --json -- mpi.offer=ok
fi

# ---- an affinity ----
if [ "$(nproc)" -ge 2 ]; then
  first=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
  finds taskset -c "$first" "${doctor[@]}" --json -- cores.offer=part cores.usable=1 cores.affinity=1
fi

# ---- calls and output ----
expect 2 'it takes no program' "${doctor[@]}" -- program
expect 2 "unknown option '--jsn'; did you mean --json?" "${doctor[@]}" --jsn
"${doctor[@]}" >/dev/full 2>err
[ $? = 1 ] && grep -q "^weir doctor: can't write standard output: No space left on device$" err || fail "on a full disk: $(cat err)"

# ---- as root: another /dev/shm, and limits of control groups ----
if [ "$EUID" = 0 ]; then
  with_shm() { unshare -m sh -c "mount --make-rprivate / && mount -t tmpfs -o $1 none /dev/shm && exec \"\$@\"" sh "${doctor[@]}" --json; }
  finds with_shm size=1m -- shared_memory.offer=part shared_memory.dev_shm=1048576 shared_memory.works=true
  finds with_shm size=512m -- shared_memory.offer=ok shared_memory.dev_shm=536870912
  finds with_shm ro -- shared_memory.offer=part shared_memory.dev_shm_free=0
  # within FILE VALUE NAME=VALUE: in a group of its own whose file has this value
  within() {
    local controller=$1 file=$2 value=$3 mounted group
    mounted=$(findmnt -n -o TARGET -t cgroup -O "$controller" | head -n 1)
    if [ -z "$mounted" ]; then
      mounted=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
      grep -qw "$controller" "$mounted/cgroup.subtree_control" || return 0
      case $controller in cpu) file=cpu.max value="$value 100000" ;; memory) file=memory.max ;; esac
    fi
    group=$mounted/weir-doctor-$$
    [ -d "$group" ] || { mkdir "$group" 2>/dev/null && groups+=("$group"); } || return 0
    echo "$value" >"$group/$file" 2>/dev/null || return 0
    inside() { (echo $BASHPID >"$group/cgroup.procs" && exec "${doctor[@]}" --json); }
    finds inside -- "$4"
  }
  within cpu cpu.cfs_quota_us 50000 cores.quota=0.5
  within memory memory.limit_in_bytes 268435456 memory.limit=268435456
fi
[ $failures = 0 ]
