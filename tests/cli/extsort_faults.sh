#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   extsort_faults.sh BIN_DIR    extsort, recgen and recheck while reads, writes and what is done with files fail: the first of these calls, and about each sixth of the others, or each with
#                                WEIR_EVERY_FAULT=1, until a run succeeds; and on file systems that are too small
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
extsort=$1/extsort
work=$(mktemp -d -p "$bin/..")  # on a disk, so that there is more than the page cache
work=$(readlink -f "$work")
trap 'umount -q "$work"/small 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp small
shim=$(readlink -f "$bin/../lib/libfailing_io.so")
# The address sanitizer wants to be the first of all libraries, but also works as the second.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0

expect 0 '' "$bin/recgen" -q -s 50000 -r 100 records
expect 0 '' "$bin/recgen" -q -s 2000 -r 100 few
cp records records_before
expect 0 '' "$extsort" -q -T tmp records -o sorted
expect 0 '' "$bin/recheck" --stable --input records sorted
tr '\n' ' ' <records | fold -w 40 >lines
cp lines lines_before
sort -s lines >lines_sorted

# each_fault KIND ERROR MESSAGE INPUT EXPECTED COMMAND…: the command makes the file `out_file` of INPUT. With SHORT as an error it must succeed all the same.
each_fault() {
  local kind=$1 error=$2 message=$3 input=$4 expected=$5 seen=0 unharmed=0 at code call what
  shift 5
  for ((at = 1;; at += seen == 1 ? first : step)); do
    what="$kind $error number $at: $*"
    rm -f report
    printf 'before' >out_file
    FAILING_IO_CALLS=$kind FAILING_IO_AT=$at FAILING_IO_WITH=$error FAILING_IO_REPORT=$work/report FAILING_IO_IN=$work LD_PRELOAD=$shim "$@" >out 2>err
    code=$?
    call=$(cat report 2>/dev/null)
    if [ $code = 0 ]; then
      # The output does not depend on holes in temporary files that are removed anyway, nor on the state of the folder once the output has its name.
      [[ $error != FLIP || -z $call ]] || unharmed=$((unharmed + 1))
      [[ -z $call || $error = SHORT || $error = FLIP || $error = EOPNOTSUPP || $call = 'fallocate of a hole' || $call = 'fsync of a folder' ]] || fail "$what ($call): no error"
      cmp -s "$expected" out_file || fail "$what ($call): wrong output"
    else
      [ $code = 1 ] || fail "$what ($call): exit code $code"
      [ -n "$call" ] || { fail "$what: failed without a fault: $(cat err)"; return; }
      [ "$(wc -l <err)" = 1 ] || fail "$what ($call): not one line: $(cat err)"
      grep -qE "$message" err || fail "$what ($call): no '$message' in: $(cat err)"
      [ "$(cat out_file)" = before ] || fail "$what ($call): the output was touched"
    fi
    cmp -s "$input" "${input}_before" || fail "$what ($call): the input was touched"
    [ -z "$(ls -A tmp)" ] && [ -z "$(find . -name '.*' ! -name . -print -quit)" ] || fail "$what ($call): left behind: $(ls -A . tmp)"
    [ $failures -lt 10 ] || exit 1
    [ -n "$call" ] || break
    seen=$((seen + 1))
  done
  [ $seen -gt 0 ] || fail "$kind $error: $*: no such call"
  # The bytes after a run, in its last page, are never read.
  [ $((unharmed * 8)) -le $((seen + 8)) ] || fail "$kind $error: $*: of $seen writes that were spoilt $unharmed did no harm"
  faults=$((faults + seen))
  echo "$seen faults of $kind, $error: ${*##*/}, $SECONDS s"
}
faults=0
step=6
[ -z "${WEIR_EVERY_FAULT:-}" ] || step=1
grep -q __asan_init "$extsort" && step=21  # instrumented programs are many times slower
seed=${WEIR_FAULT_SEED:-$RANDOM}
first=$((1 + seed % step))
echo "WEIR_FAULT_SEED=$seed: every $step. call, from number $((1 + first)) on"
sort_faults() {  # KIND ERROR MESSAGE OPTIONS…
  each_fault "$1" "$2" "$3" records sorted "$extsort" -q -m 16M -T tmp "${@:4}" records -o out_file
}
readable="can't read '(records|tmp|.*/out_file)': Input/output error"
writable="can't write '(tmp|.*/out_file)': "
made="can't (write|make a temporary file in) '(tmp|.*/out_file)': "
full='No space left on device'

sort_faults read EIO "$readable" --no-uring -j 1
sort_faults write EIO "${writable}Input/output error" --no-uring -j 3
sort_faults write ENOSPC "$writable$full" --no-uring --no-direct -j 3
sort_faults write EDQUOT "${writable}Disk quota exceeded" --no-uring --engine seq
sort_faults file EIO "${made}Input/output error" --no-uring
sort_faults file ENOSPC "$made$full"
sort_faults file EOPNOTSUPP "${made}Operation not supported"
sort_faults read,write SHORT '' --no-uring -j 3
sort_faults read,write SHORT '' --no-uring --no-direct -j 3
sort_faults read,write EIO "can't (read|write) '(records|tmp|.*/out_file)': Input/output error" --no-uring --merge-at-once 2
sort_faults read,write EIO "can't (read|write) '(records|tmp|.*/out_file)': Input/output error" --no-uring -j 3 --runs snowplow --compress zstd
# By io_uring, if it is available; otherwise these are the same calls as before.
sort_faults read EIO "$readable" -j 3
sort_faults write ENOSPC "$writable$full" -j 3
sort_faults read,write SHORT '' -j 3
sort_faults write ENOSPC "$writable$full" --engine openmp -j 3
FAILING_IO_UNNAMED=no sort_faults file,write ENOSPC "$writable$full"
# The data read back differ from the data that were to be written.
each_fault write FLIP "(out_file': what was written is wrong, and is dropped: |'tmp': what was written there is not what is read now)" records sorted "$extsort" -q -m 16M -T tmp --no-uring --verify -j 3 records -o out_file
each_fault write FLIP "(out_file': what was written is wrong, and is dropped: |'tmp': what was written there is not what is read now)" lines lines_sorted "$extsort" -q -m 16M -T tmp --no-uring --verify -j 3 -l lines -o out_file
each_fault write FLIP "(out_file': what was written is wrong, and is dropped: |'tmp': what was written there is not what is read now|in 'tmp' is not as it was written: )" records sorted "$extsort" -q -m 16M -T tmp --no-uring --verify -j 3 --runs snowplow --compress zstd records -o out_file
sort_faults read EIO "$readable" --no-uring --verify
# Streams.
each_fault read,write EIO "can't (read|write) '(standard input|tmp|.*/out_file)': Input/output error" records sorted sh -c 'LD_PRELOAD= cat records | "$0" -q -m 16M -T tmp --no-uring -o out_file' "$extsort"

# The other two.
expect 0 '' "$bin/recgen" -q -s 50000 -r 100 -t 1 records
each_fault write,file ENOSPC "can't write '.*/out_file': $full" records records_before "$bin/recgen" -q -s 50000 -r 100 out_file
each_fault write SHORT '' records records_before "$bin/recgen" -q -s 50000 -r 100 out_file
check_faults() {
  local at code
  for ((at = 1;; ++at)); do
    rm -f report
    FAILING_IO_CALLS=read FAILING_IO_AT=$at FAILING_IO_WITH=$1 FAILING_IO_REPORT=$work/report FAILING_IO_IN=$work LD_PRELOAD=$shim "$bin/recheck" --input records sorted >out 2>err
    code=$?
    [ -e report ] || { [ $code = 0 ] || fail "recheck: $(cat err)"; break; }
    if [ "$1" = SHORT ]; then
      [ $code = 0 ] || fail "recheck, read number $at is short: $(cat err)"
    else
      [ $code = 1 ] && grep -qE "^recheck: can't read '(records|sorted)': Input/output error$" err || fail "recheck, read number $at: exit code $code: $(cat err)"
    fi
  done
  [ $at -gt 2 ] || fail "recheck reads no file"
  faults=$((faults + at - 1))
}
check_faults EIO
check_faults SHORT
echo "$faults faults"

# Too little room, foreseen and not, on real file systems: in memory, and on a disk.
too_small() {
  before=$(df --output=used small | tail -n1)
  expect 1 "'$work/small/out_file' needs 3" "$extsort" -q -T tmp records -o small/out_file
  expect 1 "runs need 3" "$extsort" -q -m 16M -T small records -o out_file
  expect 1 "left in 'small', 'small'; name directories with more room by -T" "$extsort" -q -m 16M -T small -T small records -o out_file
  expect 1 "small/records' needs 3" "$bin/recgen" -s 50000 -r 100 small/records
  expect 1 "can't write 'small': No space left on device" sh -c 'cat records | "$0" -q -m 16M -T small -o out_file' "$extsort"
  expect 0 '' "$extsort" -q -m 16M -T small -T tmp records -o out_file
  cmp -s out_file sorted || fail "runs where there is room: other output"
  expect 0 '' "$extsort" -q -m 16M -T small few -o small/out_file
  rm -f small/out_file
  [ "$(df --output=used small | tail -n1)" = "$before" ] || fail "something is left on $1"
}
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=2M none small 2>mount_err; then
  too_small "a small tmpfs"
  umount small
  # The runs have room, but the result of a further pass has not: this is known before anything is read.
  mount -t tmpfs -o size=4500K none small
  expect 1 "left in 'small'; name directories with more room by -T" "$extsort" -q -m 16M -j 8 --merge-at-once 2 -T small records -o out_file
  needed=$(sed -n 's/.*runs need \([0-9]*\) bytes.*/\1/p' err)
  [ "${needed:-0}" -gt "$(stat -c %s records)" ] || fail "a further pass: $(cat err)"
  expect 0 '' "$extsort" -q -m 16M -j 3 -T small records -o out_file
  umount small
  # However many passes there are: merged runs make room for the result.
  expect 0 '' "$bin/recgen" -q -s 600000 -r 100 more
  mount -t tmpfs -o size=$(($(stat -c %s more) / 1024 + 12 * 1024))K none small
  for options in '--merge-at-once 2' '--merge binary --verify' '-u' '--runs snowplow --merge-at-once 3'; do
    # shellcheck disable=SC2086
    expect 0 '' "$extsort" -q -m 16M -j 2 $options -T small more -o out_file
    [[ $options = -u ]] || expect 0 '' "$bin/recheck" --stable --input more out_file
  done
  umount small
  rm -f more out_file
  truncate -s 4M image
  if mkfs.ext4 -q -O ^has_journal image 2>mount_err && mount -o loop image small 2>mount_err; then
    rmdir small/lost+found
    dd if=/dev/zero of=small/taken bs=1M count=1 status=none
    too_small "a small disk"
    umount small
  else
    echo "not on a small disk: $(cat mount_err)"
  fi
else
  echo "not on small file systems: mounting them takes root$(cat mount_err 2>/dev/null)"
fi
[ $failures = 0 ]
