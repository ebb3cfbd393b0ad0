#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_threads.sh BIN_DIR    extsort and recheck with more threads than memory is enough for: fewer work, and that is said
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
seq 1 20000 >in
sort in >expected
for options in '-m 16M -j 96' '-m 16M -j 64 --executor threads' '-m 32M -j 96 --engine openmp' '-m 64M -j 256' '-m 16M -j 48 --runs snowplow' '-m 16M -j 48 --compress zstd:19 --verify'; do
  # shellcheck disable=SC2086
  expect 0 'is enough for ' "$bin/extsort" -q --lines $options in -o out.sorted
  cmp -s expected out.sorted || fail "$options: other output"
done
expect 0 '' "$bin/extsort" -q --lines -m 1G -j 3 in -o out.sorted
[ ! -s err ] || fail "as many threads as asked for: $(cat err)"
expect 0 '-m 1048576 is enough for ' "$bin/recheck" --lines -m 1M -j 256 --input in expected
# Each thread has enough for lines that are not short.
python3 -c "print('\n'.join(chr(122 - i) * 20000 for i in range(26)))" >in
sort in >expected
expect 0 'is enough for ' "$bin/extsort" -q --lines -m 16M -j 48 in -o out.sorted
cmp -s expected out.sorted || fail "long lines: other output"
[ $failures = 0 ]
