# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# For scripts/check_commands.py, in a shell that stands in a copy of the tree: the commands of a page that build, test and install weir.
# Builds and tests of the tree are only planned (ninja -n, ctest -N). What is installed is the build in $built.
cmake() {
  local folder
  case "${1-} ${2-}" in
    '--build --preset' | '--build build/'*) command cmake "$@" -- -n ;;
    '--install build/'*)
      folder=$2
      [ -d "$folder" ] || { echo "no command before this one has made $folder"; return 1; }
      mv "$folder" planned && ln -s "$(dirname -- "$built")" "$folder" && command cmake "$@"
      ;;
    *) command cmake "$@" ;;
  esac
}
ctest() { command ctest "$@" -N; }
