#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   quota.sh BIN_DIR    a pool has as many workers as the quota of its control group grants. Needs root, two processors, and control
#                       groups with the controller cpu; else it is left out, and says why. Prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
left_out() { echo "$1"; exit 77; }
[ "$(id -u)" = 0 ] || left_out 'needs root'
[ "$(nproc)" -ge 2 ] || left_out 'needs two processors'
[ -x "$bin/wordcount" ] || left_out 'needs wordcount'

# Version 1 of control groups, else version 2.
mounted=$(findmnt -n -o TARGET -t cgroup -O cpu | head -n 1)
if [ -n "$mounted" ]; then
  grants() { echo 100000 >"$group/cpu.cfs_period_us" && echo "$1" >"$group/cpu.cfs_quota_us"; }
else
  mounted=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
  [ -n "$mounted" ] && grep -qw cpu "$mounted/cgroup.subtree_control" || left_out 'there is no controller cpu'
  grants() { echo "$1 100000" >"$group/cpu.max"; }
fi
group=$mounted/weir-quota-$$
mkdir "$group" 2>/dev/null || left_out "$group can't be made"
trap 'cd /; rm -rf "$work"; rmdir "$group"' EXIT
refused=$({ grants 110000; } 2>&1) || left_out "$group can't be given a quota (${refused:-no reason}); one above it may have a smaller one"
# In version 2 the kernel accepts a quota above that of the group around.
[ ! -e "$mounted/cpu.max" ] || grep -q '^max' "$mounted/cpu.max" || left_out "$mounted has a quota"

echo 'the weir regulates the flow of the stream' >text
# workers QUOTA: those of a run with so many microseconds in each tenth of a second
workers() {
  grants "$1" || failed "$group: can't be given a quota of $1"
  (echo $BASHPID >"$group/cgroup.procs" && exec "$bin/wordcount" -q --report report.json text >out 2>err) || failed "wordcount: ended with $?"
  sed -n 's/^ *"workers": \([0-9]*\),*$/\1/p' report.json
}
[ "$(workers 20000)" = 1 ] || failed "a quota of 0.2: $(workers 20000) workers"
[ "$(workers 100000)" = 1 ] || failed "a quota of 1: $(workers 100000) workers"
[ "$(workers 110000)" = 2 ] || failed "a quota of 1.1: $(workers 110000) workers"
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
