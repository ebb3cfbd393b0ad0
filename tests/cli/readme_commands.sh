#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   readme_commands.sh BIN_DIR    runs the commands of README.md's sections on building and installing as they stand there, in a copy of
#                                 the tree. Builds and tests are only planned (ninja -n, ctest -N), and what is installed is the build of
#                                 BIN_DIR. Prints each check that fails
set -uo pipefail
bin=$(readlink -f -- "$1")
tree=$(readlink -f -- "$(dirname -- "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
failures=0
failed() {
  failures=$((failures + 1))
  echo "FAILED: $1: $(tail -n 5 "$work/log")"
}
# does COMMAND: as a shell of a user does it
does() { bash -c "$1" >"$work/log" 2>&1 || failed "$1"; }

mkdir "$work/copy"
for each in "$tree"/*; do [ "$each" = "$tree/build" ] || ln -s "$each" "$work/copy/"; done
cd "$work/copy" || exit 1
# blocks SECTION KIND: the blocks of code of that kind in a section of README.md
blocks() { awk -v section="## $1" -v begin="\`\`\`$2" '/^## /{ in_it = $0 == section } /^```$/{ in_block = 0 } in_block{ print } in_it && $0 == begin{ in_block = 1 }' "$tree/README.md"; }
# inline BEGIN: the command in README.md's text that begins with these words
inline() { tr '\n' ' ' <"$tree/README.md" | grep -oE "\`$1[^\`]*\`" | tr -d '\`'; }

lines=0
while IFS= read -r line; do
  command=${line%%  #*}
  lines=$((lines + 1))
  case $command in
    'cmake --build '*) does "$command -- -n" ;;
    'ctest '*) does "$command -N" ;;
    'cmake --install build/'*)
      folder=$(grep -oE 'build/[a-z]+' <<<"$command")
      [ -d "$folder" ] || failed "$command: no command before it has made $folder"
      mv "$folder" planned && ln -s "$(dirname -- "$bin")" "$folder"
      does "$command"
      ;;
    *) does "$command" ;;
  esac
done < <(blocks Building sh; blocks Installing sh)
[ $lines = 7 ] || failed "README.md: $lines commands were found, not 7; see this script"

mkdir "$work/project" && cd "$work/project" || exit 1
cp "$tree/examples/03_word_count.cpp" program.cpp
{
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(program LANGUAGES CXX)\nadd_executable(program program.cpp)\n'
  blocks Installing cmake
} >CMakeLists.txt
grep -q 'find_package' CMakeLists.txt || failed 'README.md: no lines for a CMakeLists.txt were found'
configure=$(inline 'cmake -B')
compile=$(inline 'g\+\+')
[ -n "$configure" ] && [ -n "$compile" ] || failed 'README.md: no command for a project was found'
does "$configure"
does 'cmake --build build'
does "$compile -o by_pkg_config"
for program in build/program ./by_pkg_config; do
  "$program" program.cpp >counted 2>"$work/log" && grep -q ' #include$' counted || failed "$program"
done
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
