#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: check_parts.sh
#
# Checks that each optional part of weir may be left out by itself: by its option,
# and on a machine that does not have it. Configures in build/parts_one, and
# compiles the files that stand in for the part.
#
# The preset `parts` builds and tests weir without all of them.
#
# Exit codes:
#   0  all is well
#   1  something is wrong, and printed
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
[ $# = 0 ] || { echo "check_parts.sh: takes no argument" >&2; exit 2; }
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
folder=build/parts_one
said=$(mktemp)
trap 'rm -f "$said"' EXIT

fail() {
  echo "check_parts.sh: $1; it said:" >&2
  cat "$said" >&2
  exit 1
}
# configure WHAT OPTION...: configures anew; the preset has the flags of the development build, whose objects the compiler's cache has.
configure() {
  local what=$1
  shift
  cmake --preset dev --fresh -B "$folder" -D WEIR_TESTS=OFF -D WEIR_EXAMPLES=OFF -D WEIR_PLUGIN_FOLDER=lib "$@" >"$said" 2>&1 || fail "$what: can't configure"
}
# CMake breaks the lines of an error.
text() { tr -s '[:space:]' ' ' <"$said"; }
says() { grep -qF -- "$2" <<<"$(text)" || fail "$1: does not say '$2'"; }
says_not() { ! grep -qF -- "$2" <<<"$(text)" || fail "$1: says '$2'"; }

declare -A names=([HWLOC]=hwloc [OPENSSL]=OpenSSL [ZLIB]=zlib [ZSTD]=zstd [MPI]=MPI)
declare -A linked=([HWLOC]=hwloc [OPENSSL]=ssl [ZLIB]='zlib|;z[;"]' [ZSTD]=zstd)

# ---- by its option, one at a time ----
for part in "${!names[@]}"; do
  what="WEIR_WITH_$part=OFF"
  configure "$what" -D "WEIR_WITH_$part=OFF"
  says "$what" "weir without ${names[$part]}: "
  for other in "${!names[@]}"; do
    [ "$other" = "$part" ] || says_not "$what" "weir without ${names[$other]}: "
  done
  [ "$part" != MPI ] || continue  # no file stands in for it
  mapfile -t objects < <(ninja -C "$folder" -t targets all | grep -oE "^src/[^:]*_without_${part,,}[.]cpp[.]o" | sort -u)
  [ ${#objects[@]} -gt 0 ] || fail "$what: no file stands in for it"
  ! ninja -C "$folder" -t targets all | grep -qE "_with_${part,,}[.]cpp[.]o" || fail "$what: still compiles a file that needs it"
  ninja -C "$folder" -j "$(nproc)" "${objects[@]}" src/CMakeFiles/weir.dir/graph/parts.cpp.o >"$said" 2>&1 || fail "$what: can't compile"
  for list in "$folder/weir.pc" "$folder/src/CMakeFiles/Export"; do
    [ -e "$list" ] || fail "$what: there is no $list"
    ! grep -rqE "${linked[$part]}" "$list" || fail "$what: the installed package still asks for it, in $list"
  done
done

# ---- on a machine that has none of them ----
hidden=(-D CMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON -D CMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
export PKG_CONFIG_LIBDIR=/nonexistent
configure "without all" "${hidden[@]}"
for part in "${!names[@]}"; do says "without all" "weir without ${names[$part]}: "; done
says "without all" "left out: weir, which needs CLI11"
says "without all" "left out: extsort, which needs CLI11, highway, liburing, xxhash, zstd"
says_not "without all" "weir's programs"
for part in "${!names[@]}"; do
  ! cmake --preset dev --fresh -B "$folder" "${hidden[@]}" -D "WEIR_WITH_$part=ON" >"$said" 2>&1 || fail "WEIR_WITH_$part=ON: is no error on a machine without it"
  says "WEIR_WITH_$part=ON" "WEIR_WITH_$part is ON, but ${names[$part]} is not found; install it, or choose AUTO or OFF"
done
! cmake --preset dev --fresh -B "$folder" "${hidden[@]}" -D WEIR_TOOLS=ON >"$said" 2>&1 || fail "WEIR_TOOLS=ON: is no error on a machine without CLI11"
says WEIR_TOOLS=ON "WEIR_TOOLS is ON, but weir needs CLI11"
