#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_slurm.sh BIN_DIR    tests `weir run` and `weir plan --slurm` within allocations of a real SLURM, whose nodes are all this machine;
#                            prints each check that fails. Ends with 77, and says why, where there is none
. "$(dirname -- "$0")/../support/own_machine.sh"
own_network "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
slurm=$here/../../scripts/slurm.sh
"$slurm" possible || exit 77
kinds=()
[ ! -e "$bin/../lib/weir/weir_mpi_mpich.so" ] || kinds+=(pmi2)
[ ! -e "$bin/../lib/weir/weir_mpi_openmpi.so" ] || kinds+=(pmix)
[ ${#kinds[@]} != 0 ] || { echo "no MPI is installed"; exit 77; }
. "$here/../support/group_processes.sh"
trap 'cd /; "$slurm" down "$work/slurm"; rm -rf "$work"' EXIT # also a SLURM that has come up only in part
"$slurm" up "$work/slurm" 2 || exit 1
export SLURM_CONF=$work/slurm/slurm.conf

cat >three.json <<'END'
{ "protocol": "MPI", "transport": "mpi", "dead_after": 120, "heartbeat": 0.5,
  "groups": [
    {"name": "G1", "nodes": ["read", "split[0]"]},
    {"name": "G2", "nodes": ["split[1]", "count[0]"]},
    {"name": "G3", "nodes": ["count[1]", "rank"]} ] }
END
for i in $(seq 3000); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected
allocated=(salloc -Q -N2 -n3 --overcommit)
# nobody_has_jobs [SECONDS]: waits for so long (60)
nobody_has_jobs() {
  for _ in $(seq $((10 * ${1-60}))); do
    [ -n "$(squeue -h)" ] || return 0
    sleep 0.1
  done
  failed "$what: SLURM still has $(squeue -h)"
}
# wait_for_groups [COUNT]: until so many groups (3), of runs with three, are there and know each other
wait_for_groups() {
  local id ready count=${1-3}
  for _ in $(seq 1000); do
    ready=0
    for id in $(processes); do
      [ "$(ss -Htnp state established | grep -c "pid=$id,")" -lt 3 ] || ready=$((ready + 1))
    done
    [ $ready -lt "$count" ] || return 0
    sleep 0.05
  done
  failed "$what: the groups do not come up; $(squeue -h) $(cat batch.err 2>/dev/null)"
}

what="options that srun leaves without effect"
for option in --deploy '--deploy-files text'; do
  # shellcheck disable=SC2086  # an option and its value
  refuses 64 "--deploy and --deploy-files copy nothing if srun starts the groups" \
    run --mpirun srun $option three.json -- "${words[@]}" -q text
done
refuses 64 "srun reaches the nodes by itself; leave out --via" \
  run --mpirun srun --via 'ssh {host}' three.json -- "${words[@]}" -q text

for kind in "${kinds[@]}"; do
  export SLURM_MPI_TYPE=$kind
  what="$kind, an allocation"
  "${allocated[@]}" "$weir" run three.json -- "${words[@]}" -q text >out 2>err </dev/null || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"
  [ ! -s err ] || failed "$what: says something"
  nothing_left

  what="$kind, standard input"
  "${allocated[@]}" "$weir" run three.json -- "${words[@]}" -q <text >out 2>err || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"

  what="$kind, a batch script"
  printf '#!/bin/sh\n#SBATCH --nodes=2 --ntasks=3 --overcommit --output=batch.out --error=batch.err\n%s run three.json -- %s -q text\n' \
    "$weir" "${words[*]}" >batch
  sbatch --wait batch >out 2>err || failed "$what: ended with $?"
  cmp -s batch.out expected || failed "$what: other words than in one process: $(cat batch.err)"
  nothing_left

  what="$kind, a batch script of three lines that plans, too"
  printf '#!/bin/bash\n%s plan --slurm -o plan.json -- %s -q text\n%s run plan.json -- %s -q text\n' \
    "$weir" "${words[*]}" "$weir" "${words[*]}" >batch
  rm -f plan.json
  sbatch -Q --wait --nodes=2 --ntasks=3 --output=batch.out --error=batch.err batch >out 2>err ||
    failed "$what: ended with $?: $(cat batch.err)"
  cmp -s batch.out expected || failed "$what: other words than in one process: $(cat batch.out)"
  has batch.err ' n1 (2 cores) '
  has batch.err ' n2 (1 core) '
  nothing_left

  # ---- each group on the node of its endpoint, with all the cores that the job has there ----
  what="$kind, endpoints"
  sed 's/"G1",/& "endpoint": "n2",/; s/"G2",/& "endpoint": "n1",/; s/"G3",/& "endpoint": "n2",/' three.json >placed.json
  cores=$(salloc -Q -N2 -n4 srun --cpu-bind=none -w n2 -N1 -n1 nproc)
  salloc -Q -N2 -n4 "$weir" run --prefix placed.json -- sh -c 'echo "$SLURMD_NODENAME, $(nproc) cores"' >out 2>err </dev/null
  has out "[G1] n2, $cores cores"
  has out '[G2] n1, '
  has out "[G3] n2, $cores cores"
  salloc -Q -N2 -n4 "$weir" run placed.json -- "${words[@]}" -q <text >out 2>err || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"
  # Groups without an endpoint go to the nodes in turn; the user's binding options for srun are kept.
  sed 's/"G1",/& "endpoint": "n2",/' three.json >placed.json
  salloc -Q -N2 -n4 "$weir" run --prefix --mpirun 'srun --cpu-bind=map_cpu:0' placed.json -- sh -c 'echo "$SLURMD_NODENAME, $(nproc) cores"' \
    >out 2>err </dev/null
  has out '[G1] n2, 1 cores'
  has out '[G2] n1, 1 cores'
  has out '[G3] n2, 1 cores'
  sed 's/"G1",/& "endpoint": "n3",/' three.json >placed.json
  salloc -Q -N2 -n4 "$weir" run placed.json -- "${words[@]}" -q text >out 2>err </dev/null
  [ $? = 64 ] || failed "$what: does not end with 64 where a node is not of the allocation"
  has err 'weir run: group G1: n3 is not in the nodes of this allocation, n[1-2]'
  nothing_left

  # ---- bad ends ----
  what="$kind, a file that is missing"
  "${allocated[@]}" "$weir" run three.json -- "${words[@]}" -q text missing >out 2>err </dev/null
  [ $? = 1 ] || failed "$what: did not end with 1"
  has err "wordcount: can't read 'missing'"
  nothing_left
  mkfifo pipe 2>/dev/null
  exec 9<>pipe
  what="$kind, a task that is killed"
  "${allocated[@]}" "$weir" run three.json -- "${words[@]}" -q <pipe >out 2>err 9>&- &
  launcher=$!
  wait_for_groups
  kill -9 "$(group_process G2)"
  wait $launcher
  code=$?
  case $code in 69 | 137) ;; *) failed "$what: ended with $code" ;; esac
  has err 'weir run: group G2: '
  nothing_left
  nobody_has_jobs
  what="$kind, a job that is cancelled"
  printf '#!/bin/sh\n#SBATCH --nodes=2 --ntasks=3 --overcommit --output=batch.out --error=batch.err\n%s run three.json -- %s -q <pipe\n' \
    "$weir" "${words[*]}" >batch
  job=$(sbatch --parsable batch)
  wait_for_groups
  scancel "$job"
  nothing_left
  nobody_has_jobs
  exec 9>&-
done

# ---- jobs that reach their time limit: of all kinds at a time, for SLURM looks for these only twice a minute ----
# commands_of JOB: the commands of all its processes, also those of weir run and srun
commands_of() {
  local folder variables
  for folder in /proc/[0-9]*; do
    variables=$'\n'$(tr '\0' '\n' 2>/dev/null <"$folder/environ")$'\n'
    [[ $variables != *$'\n'SLURM_CONF=$SLURM_CONF$'\n'* || $variables != *$'\n'SLURM_JOB_ID=$1$'\n'* ]] ||
      tr '\0' ' ' <"$folder/cmdline" | head -c 200
  done 2>/dev/null
}
what='a time limit'
exec 9<>pipe
jobs=()
for kind in "${kinds[@]}"; do
  printf '#!/bin/bash\nSLURM_MPI_TYPE=%s %s run three.json -- %s -q <pipe\n' "$kind" "$weir" "${words[*]}" >batch
  jobs+=("$(sbatch --parsable --time=1 --nodes=2 --ntasks=3 --overcommit --output="$kind.out" --error="$kind.err" batch)")
done
wait_for_groups $((3 * ${#kinds[@]}))
for job in "${jobs[@]}"; do
  for each in "$weir run" "${words[0]}" srun; do
    [[ $(commands_of "$job") == *"$each"* ]] || failed "$what: $each is none of the processes of job $job: $(commands_of "$job")"
  done
  scontrol update jobid="$job" EndTime=now+1 || failed "$what: it can't be had sooner"  # limits are whole minutes
done
nobody_has_jobs 200
exec 9>&-
nothing_left
for i in "${!jobs[@]}"; do
  job=${jobs[$i]}
  scontrol show job "$job" | grep -q JobState=TIMEOUT || failed "$what: $(scontrol show job "$job")"
  has "${kinds[$i]}.err" "*** JOB $job ON n1 CANCELLED AT "
  has "${kinds[$i]}.err" 'DUE TO TIME LIMIT ***'
  [ -z "$(commands_of "$job")" ] || failed "$what: is left of job $job: $(commands_of "$job")"
done

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
