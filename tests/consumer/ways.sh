#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   ways.sh BUILD_DIR WORK_DIR    installs the package of BUILD_DIR under WORK_DIR, and builds the project beside this file in
#                                 each way that docs/install.md names, with g++ and with clang 16: find_package and pkg-config,
#                                 each with shared and static libraries, add_subdirectory, FetchContent. Runs its programs.
#                                 WORK_DIR is kept, so that the next time less is compiled. Prints each check that fails
set -uo pipefail
build=$(readlink -f -- "$1")
mkdir -p "$2"
work=$(readlink -f -- "$2")
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(readlink -f -- "$here/../..")
strict=(-Wall -Wextra -Wpedantic -Wconversion -Werror)
log=$work/log
failures=0
failed() {
  failures=$((failures + 1))
  echo "FAILED: $1: $(tail -n 15 "$log")"
}
# programs NAME FOLDER: runs what the project has made
programs() {
  local program
  for program in consumer fastflow_program 'loader ./libplugin.so' stream_program; do
    [ -e "$2/${program%% *}" ] || continue
    (cd "$2" && timeout 100 ./$program) >"$log" 2>&1 || failed "$1: $program"
  done
  [ -e "$2/consumer" ] || failed "$1: nothing was made"
}
# project NAME FOLDER OPTION...
project() {
  local name=$1 folder=$2
  shift 2
  cmake -S "$here" -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 && cmake --build "$folder" >"$log" 2>&1 || { failed "$name"; return; }
  programs "$name" "$folder"
}

prefix=$work/'a prefix'
rm -rf "$prefix"
for component in library development tools mpistream plugin_openmpi plugin_mpich; do
  cmake --install "$build" --prefix "$prefix" --component $component >"$log" 2>&1 || failed "installing $component"
done
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname -- "$(find "$prefix" -name weir.pc)")
# MPI's own launcher is not needed for one process; it would not start as root.
for compiler in g++ clang++-16; do
  command -v "$compiler" >/dev/null || { echo "left out: there is no $compiler"; continue; }
  c=(-D "CMAKE_CXX_COMPILER=$compiler")
  for kind in ON OFF; do
    name="find_package with weir_USE_STATIC_LIBS=$kind, $compiler"
    project "$name" "$work/$compiler-$kind" "${c[@]}" -D weir_USE_STATIC_LIBS=$kind -D "CMAKE_PREFIX_PATH=$prefix"
    readelf -d "$work/$compiler-$kind/consumer" 2>/dev/null | grep -qF '[libweir.so.0.' && linked=OFF || linked=ON
    [ $linked = $kind ] || failed "$name: linked to the other kind of library"
  done
  sources=("$here/main.cpp" "$here/errors.cpp" -std=c++20 -O2 "${strict[@]}")
  eval "flags=($(pkg-config --cflags --libs weir))"
  "$compiler" "${sources[@]}" "${flags[@]}" -o "$work/by_pkg_config" >"$log" 2>&1 &&
    "$work/by_pkg_config" >"$log" 2>&1 || failed "pkg-config, $compiler"
  eval "flags=($(pkg-config --cflags --libs weir-static))"
  "$compiler" "${sources[@]}" "${flags[@]}" -o "$work/by_pkg_config" >"$log" 2>&1 &&
    "$work/by_pkg_config" >"$log" 2>&1 || failed "pkg-config for static libraries, $compiler"
  for way in add_subdirectory FetchContent; do
    project "$way, $compiler" "$work/$compiler-$way" "${c[@]}" -D WAY=$way -D "WEIR_SOURCE=$tree" -D WEIR_UNITY=ON
  done
done
# No warning comes from a header of weir, whatever a program makes of its templates.
for compiler in g++ clang++-16; do
  command -v "$compiler" >/dev/null || continue
  for program in "$tree"/examples/*.cpp "$tree"/docs/snippets/*.cpp; do
    "$compiler" -std=c++20 -I"$tree/include" -fsyntax-only "${strict[@]:0:4}" "$program" >"$log" 2>&1 || true
    ! grep -qE "^$tree/include/.*(warning|error):" "$log" || failed "$compiler, headers of ${program##*/}"
  done
done
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
