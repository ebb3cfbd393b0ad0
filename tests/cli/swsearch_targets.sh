#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   swsearch_targets.sh BIN_DIR    the kernels of swsearch on processors that this machine may not be: Arm's with NEON and with SVE of every
#                                  length, and x86 ones without AVX-512 and AVX, each emulated by qemu-user, which knows no AVX-512
set -uo pipefail
export LC_ALL=C
bin=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
for tool in aarch64-linux-gnu-g++ qemu-aarch64 clang++-16 qemu-x86_64 pkg-config; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool" >&2; exit 77; }
done
matrices=$bin/../swsearch
[ -e "$matrices/matrices.hpp" ] || { echo "skipped: $bin is from a build without applications" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# Headers that are the same for every processor, without those beside them that aren't.
mkdir "$work/include"
for name in hwy:libhwy fmt:fmt; do
  folder=$(pkg-config --variable=includedir "${name#*:}")
  [ -d "${folder:=/usr/include}/${name%:*}" ] || { echo "skipped: no headers of ${name%:*}" >&2; exit 77; }
  ln -s "$folder/${name%:*}" "$work/include/"
done
# build COMPILER: the check, as a static program
build() {
  local made=$work/$1 source optimise
  mkdir "$made"
  # Of output.cpp it uses little. What it doesn't use may need other files.
  for source in apps/swsearch/kernels/*.cpp apps/swsearch/{residues,scoring}.cpp support/output.cpp tests/apps/swsearch/targets/check.cpp; do
    case $source in */kernel.cpp | */pair.cpp | */sweep.cpp) optimise=-O2 ;; *) optimise=-O1 ;; esac
    "$1" -std=c++20 $optimise -ffunction-sections -Wall -Wextra -Werror -DFMT_HEADER_ONLY -I. -Iapps/swsearch -Iapps/swsearch/kernels -I"$work/include" -I"$matrices" \
      -c "$source" -o "$made/$(basename "$source" .cpp).o" || return
  done
  "$1" -static -Wl,--gc-sections "$made"/*.o -o "$made/check"
}
# check COMPILER QEMU CPU TARGET…
check() {
  local compiler=$1 qemu=$2 cpu=$3
  shift 3
  echo "$cpu:"
  timeout 600 "$qemu" -cpu "$cpu" "$work/$compiler/check" "$@" 2>"$work/said" || { cat "$work/said" >&2; fail "$qemu -cpu $cpu: $*"; }
}
build aarch64-linux-gnu-g++ &
for_arm=$!
if [ "$(uname -m)" = x86_64 ]; then
  x86() { check clang++-16 qemu-x86_64 "$@"; }
  if build clang++-16; then
    x86 Westmere EMU128 SSSE3 SSE4
    x86 Haswell AVX2
  else
    fail "clang++-16 can't build the check"
  fi
fi
arm() { check aarch64-linux-gnu-g++ qemu-aarch64 "$@"; }
if wait $for_arm; then
  arm cortex-a72 NEON
  # Number of 16-byte units in a vector.
  arm max,sve-max-vq=1,sve-default-vector-length=-1 SVE SVE2 SVE2_128
  arm max,sve-max-vq=2,sve-default-vector-length=-1 SVE SVE2 SVE_256
  for length in 3 4 8 16; do arm max,sve-max-vq=$length,sve-default-vector-length=-1 SVE SVE2; done
else
  fail "aarch64-linux-gnu-g++ can't build the check"
fi
[ $failures = 0 ] || exit 1
