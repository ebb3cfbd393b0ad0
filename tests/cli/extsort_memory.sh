#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_memory.sh BIN_DIR [CAP…]    extsort -m CAP sorts a file of ten times that on a disk, in a memory cgroup of 1.1 times that, in which the kernel's page cache and what it keeps for the process
#                                       count: at no time more than 1.05 times is used, and the limit is never met, so that nothing was dropped to stay below it
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
extsort=$1/extsort
shift
skip() {
  echo "skipped: $*"
  exit 77
}
grep -q __asan_init "$extsort" && skip "what checks programs takes memory itself"
[ "$(id -u)" = 0 ] || skip "memory cgroups take root"
group=
for kind in memory.max:/sys/fs/cgroup memory.limit_in_bytes:/sys/fs/cgroup/memory; do
  root=${kind#*:} limit=${kind%%:*}
  [ -d "$root" ] && mkdir "$root/extsort.$$" 2>/dev/null || continue
  [ "$limit" != memory.max ] || echo +memory 2>/dev/null >"$root/cgroup.subtree_control"
  [ -w "$root/extsort.$$/$limit" ] && group=$root/extsort.$$ && break
  rmdir "$root/extsort.$$"
done
[ -n "$group" ] || skip "there is no memory cgroup that can be made"
if [ $limit = memory.max ]; then
  peak=memory.peak
  met() { awk '$1 == "max" || $1 == "oom" { n += $2 } END { print n + 0 }' "$1/memory.events"; }
else
  peak=memory.max_usage_in_bytes
  met() { cat "$1/memory.failcnt"; }
fi
[ -r "$group/$peak" ] || { rmdir "$group"; skip "$group/$peak is not there"; }
work=$(mktemp -d -p "$bin/..")
trap 'rmdir "$group" "$group".* 2>/dev/null; rm -rf "$work"' EXIT
[ "$(stat -f -c %T "$work")" != tmpfs ] || skip "the data itself would count: $work is in memory"
cd "$work" || exit 1
mkdir tmp
strip -o program "$extsort"  # symbols are never used, and must not be read ahead

# sorts CAP OPTIONS…: `input`
sorts() {
  local cap=$1 one most resident
  shift
  one=$group.$((++groups))
  mkdir "$one"
  echo $((cap * 11 / 10)) >"$one/$limit"
  # The program's own pages count, too; they are read anew. (Those of the libraries are shared with other programs.)
  sync -f .
  dd if=program iflag=nocache count=0 status=none
  # A shell that is in the group becomes the program.
  resident=$(python3 -c '
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)' sh -c 'echo $$ >"$0" && exec "$@"' "$one/cgroup.procs" ./program -q -m $cap -T tmp "$@" input -o sorted) || fail "-m $cap $*: exit code $?"
  most=$(cat "$one/$peak")
  echo "-m $((cap >> 20))M $*: $(stat -c %s input) bytes, $((most / 1024)) KiB at most, $((most * 1000 / cap)) thousandths of it; $resident KiB resident"
  [ $((resident * 1024 * 100)) -le $((cap * 105)) ] || fail "-m $cap $*: $resident KiB resident"
  [ $((most * 100)) -le $((cap * 105)) ] || fail "-m $cap $*: $most bytes"
  [ "$(met "$one")" = 0 ] || fail "-m $cap $*: the limit was met $(met "$one") times"
  rmdir "$one"
}
groups=0
caps=("$@")
[ $# -gt 0 ] || caps=(16 64)
for size in "${caps[@]}"; do
  cap=$((size << 20))
  if [ "$(df --output=avail -B1 . | tail -n1)" -lt $((cap * 40)) ]; then
    echo "not -m ${size}M: there is too little room on the disk"
    continue
  fi
  "$bin/recgen" -q -s $((cap * 10 / 100)) --record 100 input
  sorts $cap --record 100 --key 0:10
  "$bin/recheck" --record 100 --key 0:10 --stable sorted >/dev/null || fail "wrong output"
  [ "$size" -lt 64 ] || continue  # larger sizes would take minutes
  "$bin/recgen" -q -s $((cap * 10 / 24)) -r 16 input
  sorts $cap
  "$bin/recheck" --stable sorted >/dev/null || fail "wrong output"
  sorts $cap --no-uring
  sorts $cap --verify -j 4
  sorts $cap --engine seq
  sorts $cap --engine openmp
  sorts $cap --compress zstd
  sorts $cap --runs snowplow --verify
  "$bin/recgen" -q -s $((cap * 10 / 1040)) -r 2048 input
  sorts $cap
  # Lines of 1 to 60 characters.
  base64 -w 0 input | head -c $((cap * 10)) | tr '+/Z' '\n\n\n' >lines
  mv lines input
  sorts $cap -l
  sorts $cap -u -k 1.1,1.3
done
[ $failures = 0 ]
