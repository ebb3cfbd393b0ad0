#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   slurm.sh possible               whether there is a SLURM to be had here; says why not
#   slurm.sh up FOLDER [NODES]      starts one with so many nodes (2), all of them this machine, for this user alone; all of it is below
#                                   FOLDER, which is made
#   slurm.sh down FOLDER            ends it, and removes the folder
#
# After `up`, export SLURM_CONF=FOLDER/slurm.conf and call srun, salloc or sbatch. Ranks find PMI2 by default; for Open MPI say
# SLURM_MPI_TYPE=pmix.
set -euo pipefail

usage() { sed -n '5,13p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 2; }
fail() { echo "slurm.sh: $1" >&2; exit 1; }
# Name of this machine, which slurmctld must find in its own configuration.
machine=$(uname -n)
machine=${machine%%.*}

possible() {
  local each
  for each in munged slurmctld slurmd srun; do
    PATH=$PATH:/usr/sbin command -v $each >/dev/null || { echo "slurm.sh: there is no $each; install slurm-wlm and munge"; return 1; }
  done
}

# wait_for WHAT COMMAND…: until it succeeds, a minute at most
wait_for() {
  local what=$1
  shift
  for _ in $(seq 600); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  fail "$what; see the logs in $folder"
}

# Ports that nobody listens at, one behind the other.
free_ports() {
  local first each
  for first in $(seq 17000 50 30000); do
    for each in $(seq "$first" $((first + nodes))); do
      ! (exec 3<>"/dev/tcp/127.0.0.1/$each") 2>/dev/null || continue 2
    done
    echo "$first"
    return
  done
  fail "no port is free"
}

up() {
  local node port
  possible || exit 1
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  [ ! -e "$folder/slurm.conf" ] || fail "$folder holds one already"
  chmod 700 "$folder"
  port=$(free_ports)
  mkdir "$folder/state"
  for node in $(seq "$nodes"); do mkdir "$folder/spool.n$node" "$folder/tmp.n$node"; done
  (umask 077; head -c 1024 /dev/urandom >"$folder/key")
  cat >"$folder/slurm.conf" <<END
ClusterName=weir
SlurmctldHost=$machine(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
TmpFS=$folder/tmp.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
MpiDefault=pmi2
KillWait=2
OverTimeLimit=0
NodeName=n[1-$nodes] NodeHostname=$machine NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:8 State=UP
END
  export SLURM_CONF=$folder/slurm.conf
  munged --key-file="$folder/key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
    --seed-file="$folder/munged.seed" --force 2>/dev/null || fail "munged does not start; see $folder/munged.log"
  wait_for "munged does not answer" munge -n --socket="$folder/munge.socket"
  slurmctld -i -c >/dev/null || fail "slurmctld does not start; see $folder/slurmctld.log"
  for node in $(seq "$nodes"); do slurmd -N "n$node" || fail "slurmd does not start; see $folder/slurmd.n$node.log"; done
  wait_for "the nodes do not come up" sh -c "[ \"\$(sinfo -h -t idle -o %D)\" = $nodes ]"
}

ids() { cat "$folder"/slurmd.*.pid "$folder/slurmctld.pid" "$folder/munged.pid" 2>/dev/null || true; }
down() {
  local id left
  [ -e "$folder/slurm.conf" ] || fail "there is none in $folder"
  for id in $(ids); do kill "$id" 2>/dev/null || true; done
  for _ in $(seq 50); do
    left=0
    for id in $(ids); do ! kill -0 "$id" 2>/dev/null || left=1; done
    [ $left = 1 ] || break
    sleep 0.1
  done
  for id in $(ids); do kill -9 "$id" 2>/dev/null || true; done
  rm -rf "$folder"
}

PATH=$PATH:/usr/sbin
[ $# -ge 1 ] || usage
command=$1
folder=${2:-}
nodes=${3:-2}
[ "$command" = possible ] || [ -n "$folder" ] || usage
case $nodes in *[!0-9]* | '' | 0) fail "'$nodes' is no number of nodes" ;; esac
case $command in
  possible) possible ;;
  up) up ;;
  down) down ;;
  *) usage ;;
esac
