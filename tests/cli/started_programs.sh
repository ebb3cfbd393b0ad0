#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   started_programs.sh BIN_DIR    looks at what programs inherit that nodes start, and at forked children;
#                                prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"

echo '{"groups": [{"name": "A"}, {"name": "B"}]}' >two.json
for transport in tcp shm; do
  echo "{\"transport\": \"$transport\", \"groups\": [{\"name\": \"A\"}, {\"name\": \"B\"}]}" >way.json
  ends 0 run way.json -- "$bin/starts_programs" 'ls -l /proc/self/fd; env'
  has out 499500
  [ "$(grep -c 'PATH=' out)" -ge 2 ] || failed "$what: the commands were not started"
  for inherited in 'socket:' 'anon_inode' 'memfd:' '/dev/shm' WEIR_; do lacks out "$inherited"; done
done

# A forked child has no part in the cluster: its parent goes on when the child runs a network, and exits.
for transport in tcp shm; do
  echo "{\"transport\": \"$transport\", \"groups\": [{\"name\": \"A\"}, {\"name\": \"B\"}]}" >way.json
  ends 0 run way.json -- "$bin/starts_programs" fork
  has out 499500
done
"$bin/starts_programs" fork >out 2>err || failed "in one process, fork: ended with $?"

# A weir program that is started there runs by itself, whatever the outer program is.
for i in $(seq 300); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"$bin/wordcount" -q text >expected
export WEIR_TRACE=$work/trace.json WEIR_PROFILE=$work/profile.json
ends 0 run two.json -- "$bin/starts_programs" "'$bin/wordcount' -q text >inner.\$\$"
has out 499500
"$bin/starts_programs" "'$bin/wordcount' -q text >inner.\$\$" >out 2>err || failed "in one process: ended with $?"
unset WEIR_TRACE WEIR_PROFILE
for inner in inner.*; do cmp -s $inner expected || failed "$inner: other words than by itself"; done
[ "$(ls inner.* | wc -l)" = 4 ] || failed "not all were started: $(ls inner.*)"
has trace.json '/sink'
grep -q '/sink' profile.json || failed "the profile is not that of the outer program"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
