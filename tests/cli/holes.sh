#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   holes.sh BIN_DIR    files with holes of a terabyte, which filesearch and wordcount pass over, as grep does: what they say is that of the bytes, and they don't read for hours
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
filesearch=$1/filesearch wordcount=$1/wordcount
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
{ printf 'one two\none '; head -c 1000000 /dev/zero | tr '\0' ' '; printf '\n'; } >holes
if ! { truncate -s 1T holes && [ "$(du -k holes | cut -f 1)" -lt 10000 ]; } 2>/dev/null; then
  echo 'this file system has no such holes'
  exit 77
fi
printf 'three one\none' >>holes
truncate -s 1100G holes
limit=(timeout 100)
check() { [ "$(cat out)" = "$1" ] || fail "$2: $(head -c 200 out) $(cat err)"; }
# Lines end at the bytes of a hole.
expect 0 '' "${limit[@]}" "$filesearch" -c one holes
check 4 'lines with one'
expect 0 '' "${limit[@]}" "$filesearch" -c '^one$' holes
check 1 'one at the edge of a hole'
expect 0 'filesearch: holes: binary file matches' "${limit[@]}" "$filesearch" three holes
expect 1 '' "${limit[@]}" "$filesearch" four holes
expect 0 '' "${limit[@]}" "$filesearch" -l '^$' holes
check holes 'empty lines are selected'
expect 0 '' "${limit[@]}" "$wordcount" -q -j 2 holes holes
check "$(printf '%7d one\n%7d three\n%7d two' 8 2 2)" 'words'
expect 0 '' "${limit[@]}" "$wordcount" -q --json holes
python3 -c 'import json; assert json.load(open("out"))["bytes"] == 1100 << 30' || fail "bytes: $(cat out)"
# Places behind a hole, and lines that end with a zero byte, are those of the same bytes without a hole.
printf 'one\none two\n' >sparse
truncate -s 10M sparse
printf 'one\nthree one\0one\n' >>sparse
truncate -s 20M sparse
printf 'last one' >>sparse
cat sparse >dense
for options in -an -ab -abo -ac '-z -c' '-z -ab' '-z -an' '-z -v -c' '-z -av -n' -c '-v -c' -l; do
  for pattern in one '^one$' '^$'; do
    # shellcheck disable=SC2086
    for file in sparse dense; do "${limit[@]}" "$filesearch" $options "$pattern" $file >$file.out 2>$file.err; echo $? >>$file.out; done
    sed -i s/sparse/dense/ sparse.out sparse.err
    cmp -s sparse.out dense.out && cmp -s sparse.err dense.err || fail "filesearch $options '$pattern': another answer behind a hole"
  done
done
# Standard input begins somewhere in a file.
{ echo none; yes some | head -n 200000; } >text
{ dd bs=5 count=1 status=none of=skipped; "$filesearch" -c some; } <text >out 2>err
check 200000 'the rest of standard input'
[ $failures = 0 ]
