#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: check_abi.sh [--self-test]
#
# Checks that programs built with the last release run with the shared libraries
# of this tree: builds both, and compares their binary interfaces. New functions
# are allowed. If the libraries have another SONAME than those of the release,
# programs will not load them, and anything is allowed. The last release is the
# last tag v* before this commit; without a tag there is nothing to compare.
#
#   --self-test  prove that the script finds incompatible changes
#
# Exit codes:
#   0  the interface is compatible, or there is no release
#   1  it is not; the report is printed. Undo the change, or increase the version
#      in include/weir/version.hpp, which changes the SONAME
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
[ $# = 0 ] || { [ "$1" = --self-test ] && [ $# = 1 ]; } || { echo "check_abi.sh: unknown option '$1'; there is only --self-test" >&2; exit 2; }
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
for program in abidiff readelf git; do
  command -v "$program" >/dev/null || { echo "check_abi.sh: there is no $program; run scripts/setup.sh release" >&2; exit 1; }
done

soname() { readelf -d "$1" | sed -nE 's/.*SONAME.*\[(.*)\].*/\1/p'; }
# compare OLD-LIBRARY OLD-HEADERS NEW-LIBRARY NEW-HEADERS: prints what is incompatible. Private types are those of no header.
compare() {
  abidiff --no-added-syms --drop-private-types --headers-dir1 "$2" --headers-dir2 "$4" "$1" "$3"
}

if [ "${1:-}" = --self-test ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # A part of the library that needs no other part.
  sources=(src/graph/version.cpp src/graph/control_characters.cpp src/item/codec.cpp src/item/item_type.cpp src/channel/parker.cpp src/channel/wait.cpp src/channel/fence.cpp)
  # library NAME EDIT: of a copy, whose headers are changed by a command of sed for one of them
  library() {
    mkdir -p "$work/$1"
    cp -r include "$work/$1/"
    [ -z "$2" ] || {
      sed -i "$2" "$work/$1/include/weir/item/item_type.hpp"
      ! cmp -s include/weir/item/item_type.hpp "$work/$1/include/weir/item/item_type.hpp" || { echo "check_abi.sh: the self-test's change '$2' does nothing" >&2; exit 1; }
    }
    "${CXX:-g++}" -std=c++20 -g -O1 -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden -I"$work/$1/include" -Isrc \
      -Wl,--version-script=cmake/exported.map -Wl,-soname,libpart.so.0 "${sources[@]}" ${3:+"$3"} -o "$work/$1/libpart.so"
  }
  library same ''
  library larger 's/^  bool encoded_as_it_lies/  long between = 0;\n&/'
  printf '#include "weir/export.hpp"\nnamespace weir { WEIR_API int one_more(); int one_more() { return 1; } }\n' >"$work/more.cpp"
  library more '' "$work/more.cpp"
  against() { compare "$work/$1/libpart.so" "$work/$1/include" "$work/$2/libpart.so" "$work/$2/include" >"$work/report" 2>&1; }
  against same more || { cat "$work/report"; echo "check_abi.sh: a new function was found incompatible" >&2; exit 1; }
  ! against same larger || { echo "check_abi.sh: a type that has grown was not found" >&2; exit 1; }
  ! against more same || { echo "check_abi.sh: a function that is gone was not found" >&2; exit 1; }
  exit 0
fi

tag=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
[ -n "$tag" ] || { echo "There is no tag v*, so no release to be compatible with."; exit 0; }
# build SOURCE FOLDER
build() {
  cmake -S "$1" -B "$2" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS=-g -D BUILD_SHARED_LIBS=ON -D WEIR_UNITY=ON -D WEIR_TESTS=OFF \
    -D WEIR_EXAMPLES=OFF -D WEIR_APPS=OFF -D WEIR_TOOLS=OFF -D WEIR_WITH_MPI=OFF >"$2.log" 2>&1 &&
    cmake --build "$2" -j "$(nproc)" -- --quiet >>"$2.log" 2>&1 || { tail -n 20 "$2.log" >&2; echo "check_abi.sh: $1 can't be built" >&2; exit 1; }
}
folder=build/abi
rm -rf "${folder:?}/$tag"
mkdir -p "$folder/$tag"
git archive "$tag" | tar -x -C "$folder/$tag"
build "$folder/$tag" "$folder/$tag-build"
build . "$folder/this-build"
for name in libweir libweir_fastflow; do
  old=$folder/$tag-build/lib/$name.so new=$folder/this-build/lib/$name.so
  if [ "$(soname "$old")" != "$(soname "$new")" ]; then
    echo "$name: $(soname "$new") is another interface than $(soname "$old") of $tag"
    continue
  fi
  headers=include
  [ $name = libweir ] || headers=compat/fastflow/include
  compare "$old" "$folder/$tag/$headers" "$new" "$headers" || { echo "check_abi.sh: $name can't take the place of that of $tag; see above" >&2; exit 1; }
  echo "$name: compatible with $tag"
done
