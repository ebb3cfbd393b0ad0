#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: cluster.sh up N [--rate RATE] [--congestion NAME]
#        cluster.sh down | hosts | possible
#
# Makes hosts for tests on this machine, out of network namespaces that a bridge
# joins. It needs root.
#
#   up N      make the hosts weir-h1 to weir-hN
#     --rate RATE        limit each host to RATE in and out, such as 1gbit
#     --congestion NAME  TCP congestion control of the hosts, such as cubic
#   down      remove every trace of the hosts
#   hosts     print their names, in the form of weir run --hosts
#   possible  check whether this machine allows it, and say why not
#
# A program runs on a host by `ip netns exec HOST`. This machine has the address
# 10.213.0.254, and host number i has 10.213.0.i. The hosts know each other by
# name:
#
#   sudo scripts/cluster.sh up 4 --rate 200mbit
#   sudo weir run --hosts "$(scripts/cluster.sh hosts)" \
#     --via 'ip netns exec {host}' --address 10.213.0.254 -- ./program
#   sudo scripts/cluster.sh down
#
# Exit codes:
#   0  success
#   1  the hosts can't be made, or exist already
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac

network=10.213.0
bridge=weir-bridge

usage() {
  echo "cluster.sh: $1; see cluster.sh --help" >&2
  exit 2
}

hosts() { ip netns list | sed -n 's/^\(weir-h[0-9]*\).*/\1/p' | sort -V; }

down() {
  local host
  for host in $(hosts); do
    ip netns pids "$host" | xargs -r kill -9 2>/dev/null || true
    ip link delete "weir-v${host#weir-h}" 2>/dev/null || true  # which the kernel would do a while after this
    ip netns delete "$host"
    rm -rf "/etc/netns/$host"
  done
  rmdir /etc/netns 2>/dev/null || true
  ip link delete "$bridge" 2>/dev/null || true
}

up() {
  local count=$1 rate=${2:-} congestion=${3:-} i host
  [ -z "$(hosts)" ] || { echo "cluster.sh: there are hosts already; remove them with cluster.sh down" >&2; exit 1; }
  trap down ERR
  ip link add "$bridge" type bridge
  ip address add "$network.254/24" dev "$bridge"
  ip link set "$bridge" up
  for ((i = 1; i <= count; ++i)); do
    host=weir-h$i
    ip netns add "$host"
    ip link add "weir-v$i" type veth peer name e0 netns "$host"
    ip link set "weir-v$i" master "$bridge" up
    ip -n "$host" address add "$network.$i/24" dev e0
    ip -n "$host" link set lo up
    ip -n "$host" link set e0 up
    [ -z "$congestion" ] || ip -n "$host" route change "$network.0/24" dev e0 src "$network.$i" congctl "$congestion"
    mkdir -p "/etc/netns/$host"
    {
      echo "127.0.0.1 localhost"
      for ((j = 1; j <= count; ++j)); do echo "$network.$j weir-h$j"; done
    } >"/etc/netns/$host/hosts"
    if [ -n "$rate" ]; then
      tc qdisc add dev "weir-v$i" root tbf rate "$rate" burst 256k latency 20ms
      ip netns exec "$host" tc qdisc add dev e0 root tbf rate "$rate" burst 256k latency 20ms
    fi
  done
  trap - ERR
}

possible() {
  local probe=weir-$$  # another one may try at the same time
  command -v ip >/dev/null && command -v tc >/dev/null || { echo "cluster.sh: there is no ip or tc; install iproute2" >&2; return 1; }
  [ "$(id -u)" = 0 ] || { echo "cluster.sh: only root can make network namespaces; use sudo" >&2; return 1; }
  ip netns add "$probe" 2>/dev/null || { echo "cluster.sh: this machine does not let us make network namespaces" >&2; return 1; }
  local status=0
  if ! { ip netns exec "$probe" true && ip link add "$probe" type veth peer name e0 netns "$probe" &&
    ip link add "$probe-b" type bridge && tc qdisc add dev "$probe" root tbf rate 1gbit burst 256k latency 20ms; } 2>/dev/null; then
    echo "cluster.sh: this machine does not let us make network devices" >&2
    status=1
  fi
  ip link delete "$probe-b" 2>/dev/null || true
  ip link delete "$probe" 2>/dev/null || true
  ip netns delete "$probe"
  return $status
}

case ${1:-} in
  up)
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] && [ "$2" -le 200 ] || usage "up needs a number of hosts from 1 to 200"
    count=$2 rate='' congestion=''
    shift 2
    while [ $# != 0 ]; do
      [ $# != 1 ] || usage "$1 has no value"
      case $1 in
        --rate) rate=$2 ;;
        --congestion) congestion=$2 ;;
        *) usage "unknown option '$1'" ;;
      esac
      shift 2
    done
    possible
    up "$count" "$rate" "$congestion"
    ;;
  down) [ $# = 1 ] || usage 'down takes no arguments'; down ;;
  hosts) [ $# = 1 ] || usage 'hosts takes no arguments'; hosts | paste -sd, ;;
  possible) [ $# = 1 ] || usage 'possible takes no arguments'; possible ;;
  *) usage "unknown command '${1:-}'" ;;
esac
