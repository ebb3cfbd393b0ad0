#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: slurm.sh up FOLDER [NODES]
#        slurm.sh down FOLDER
#        slurm.sh possible
#
# Starts a private SLURM for tests, whose nodes are all this machine.
#
#   up FOLDER [NODES]  start it with NODES nodes (2), for this user alone; all its
#                      files are in FOLDER, which must not have one yet
#   down FOLDER        end it and remove the folder
#   possible           check whether SLURM is installed, and say why not
#
# After `up`, set SLURM_CONF=FOLDER/slurm.conf and call srun, salloc or sbatch.
# Ranks use PMI2 by default; for Open MPI set SLURM_MPI_TYPE=pmix.
#
# Exit codes:
#   0  success
#   1  SLURM is not installed or does not start
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac

usage() { echo "slurm.sh: $1; see slurm.sh --help" >&2; exit 2; }
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
  [ ! -e "$folder/slurm.conf" ] || fail "$folder has a SLURM already; end it with slurm.sh down $folder"
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
  [ -e "$folder/slurm.conf" ] || fail "$folder has no SLURM; name the folder of slurm.sh up"
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
[ $# -ge 1 ] || usage 'no command is given'
command=$1
folder=${2:-}
nodes=${3:-2}
[ "$command" = possible ] || [ -n "$folder" ] || usage "$command needs a folder"
case $nodes in *[!0-9]* | '' | 0) usage "'$nodes' is not a number of nodes" ;; esac
case $command in
  possible) possible ;;
  up) up ;;
  down) down ;;
  *) usage "unknown command '$command'" ;;
esac
