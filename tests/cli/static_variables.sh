#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   static_variables.sh BIN_DIR
#
# No function of the library initialises a static variable at its first call, except those below. A child that is forked while
# another thread does so would wait for ever in the same function. See made_once in src/graph/per_process.hpp.
set -uo pipefail
library=$1/../lib/libweir.a
[ -e "$library" ] || exit 77
# VARIABLE: the reason why a child can't meet it half initialised.
allowed="
weir::(anonymous namespace)::in_use()::one: under the process lock
weir::detail::(anonymous namespace)::taken()::all: under the process lock
weir::detail::native_atomics::has_fence_heavy()::registered: while the library is loaded
weir::group_member::of_this_process()::self: not used in children of a group
weir::cluster::(anonymous namespace)::offers()::all: only tests have several groups in a process
weir::detail::(anonymous namespace)::number_of_this_thread()::number: each thread has its own
weir::detail::(anonymous namespace)::this_thread()::number: each thread has its own
"
# Variables of a function only. Those of a namespace are initialised while the library is loaded.
found=$(nm -C "$library" 2>/dev/null | sed -nE 's/^[0-9a-f]+ . guard variable for (weir::.*[^e]\)( const)?::.*)$/\1/p' | sort -u)
failures=0
while read -r variable; do
  [ -n "$variable" ] || continue
  [[ $allowed == *$'\n'"$variable: "* ]] && continue
  echo "$variable is initialised at the first call: use made_once, or give a reason here" >&2
  failures=1
done <<<"$found"
# The list names nothing that is gone.
while IFS= read -r line; do
  [ -n "$line" ] || continue
  grep -qxF "${line%: *}" <<<"$found" || { echo "$line: there is no such variable any more" >&2; failures=1; }
done <<<"$allowed"
exit $failures
