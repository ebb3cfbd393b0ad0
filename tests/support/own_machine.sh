# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# For scripts that use resources of which a machine has only one set: ports, names of network namespaces, the files of /dev/shm. The
# script sources this file first, and calls one of its two functions with "$@". The function starts the script once more with such
# resources of its own, so that another run at the same time neither disturbs it nor sees it. If the caller lacks the rights for that,
# the script goes on unchanged.
#
#   own_memory "$@"     /dev/shm
#   own_network "$@"    /dev/shm, all ports and addresses, and the names of network namespaces
start_with_its_own() {
  local kinds=$1 prepare=$2
  shift 2
  [ -z "${WEIR_OWN_MACHINE-}" ] || return 0
  # shellcheck disable=SC2086
  unshare $kinds sh -c "$prepare" 2>/dev/null || return 0
  # shellcheck disable=SC2086
  WEIR_OWN_MACHINE=1 exec unshare $kinds sh -c "$prepare"' && exec bash "$@"' sh "$0" "$@"
}
own_memory() { start_with_its_own --mount 'mount -t tmpfs tmpfs /dev/shm' "$@"; }
own_network() {
  # Adds an address beside those of the loopback interface; without one SLURM finds no address at all.
  start_with_its_own '--mount --net' 'mount -t tmpfs tmpfs /dev/shm && ip link set lo up &&
    ip link add weir-own type bridge && ip address add 192.0.2.1/24 dev weir-own && ip link set weir-own up &&
    for each in /run/netns /etc/netns; do mkdir -p $each && mount -t tmpfs tmpfs $each || exit; done' "$@"
}
