#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   scripts.sh BIN_DIR
#
# The scripts say what is wrong with a call in one line, with exit code 2, before they install or build anything.
set -uo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/../../scripts" || exit 1
failures=0
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
echo '[]' >"$empty/compile_commands.json"

# refused WORDS COMMAND...
refused() {
  local words=$1 said code
  shift
  said=$(timeout 60 "$@" 2>&1 </dev/null)
  code=$?
  if [ $code != 2 ] || [ "$(wc -l <<<"$said")" != 1 ] || [[ $said != *"$words"* ]]; then
    printf 'FAILED: %s: exit code %s, and it said\n%s\n' "$*" $code "$said" >&2
    failures=$((failures + 1))
  fi
}

refused "unknown option '--nonsense'" ./test.sh --nonsense
refused "unknown section 'nonsense'; there are asan_core" ./test.sh --section nonsense
refused "--section needs a name" ./test.sh --section
refused "'asan_core asan_apps' is no name of one section" ./test.sh --section 'asan_core asan_apps'
refused "'channel,item' is no name of one layer" ./test.sh --layer channel,item
refused "',' is no list of layers" ./test.sh --sanitizers ,
refused "'' is no list of layers" ./test.sh --sanitizers ''
refused "unknown layer 'nonsense'; there are channel" ./test.sh --layer nonsense
refused "unknown layer 'nonsense'" ./test.sh --sanitizers run,nonsense
refused "the layer 'blocks' has no tests of its own" ./test.sh --layer blocks
refused "'--quick' is too much" ./test.sh --all --quick
refused "'core' is too much" ./test.sh --quick core
refused "required" ./bench.sh
refused "invalid choice: 'nonsense'" ./bench.sh nonsense
refused "--nonsense" ./bench.sh core --nonsense
refused "no such problem: nonsense" ./bench.sh core --only nonsense
refused "no such contender: nonsense" ./bench.sh core --contenders nonsense
refused "--rounds must be at least 1" ./bench.sh core --rounds 0
refused "no such figure: nonsense; there are f1-3" ./bench.sh all --only nonsense
refused "nonsense has no report of bench.sh all" ./bench.sh all --against nonsense
refused "--quick and --smoke exclude each other" ./bench.sh all --quick --smoke
refused "--rounds must be at least 1" ./bench.sh all --rounds 0
refused "--nonsense" ./bench.sh all --nonsense
refused "unknown option '--nonsense'" ./fuzz.sh --nonsense
refused "there is no fuzzer 'nonsense'" ./fuzz.sh nonsense
refused "--seconds needs a whole number" ./fuzz.sh --seconds
refused "--seconds needs a whole number" ./fuzz.sh --seconds soon
refused "unknown option '--nonsense'" ./format.sh --nonsense
refused "unknown group 'nonsense'" ./setup.sh nonsense
refused "takes no arguments" ./demo.sh --nonsense
refused "no command is given" ./slurm.sh
refused "'x' is not a number of nodes" ./slurm.sh up "$empty" x
refused "unknown command 'nonsense'" ./cluster.sh nonsense
refused "up needs a number of hosts" ./cluster.sh up
refused "takes the folder of a configured build" ./check_includes.py
refused "no file with a precompiled header" ./check_includes.py "$empty"
refused "configure the build first" ./check_includes.py /nonsense
refused "takes no arguments" ./check_light.sh --nonsense
refused "unknown option '--nonsense'" ./check_layers.py --nonsense
refused "takes no arguments" ./check_snippets.py --nonsense
refused "takes the folder of the programs and a page" ./check_commands.py --nonsense
refused "there is no missing.md" ./check_commands.py . missing.md
refused "unknown option '--nonsense'" ./check_figures.py --nonsense
refused "unknown option '--nonsense'" ./site.sh --nonsense
refused "unknown option '--nonsense'" ./site/reference.py --nonsense
refused "takes the folder of a built site" ./site/check.py

# The help has at most 80 columns.
for script in *.sh *.py site/reference.py site/check.py; do
  [ $script != figure_tables.py ] || continue  # no program
  if ! said=$(timeout 60 ./$script --help 2>&1 </dev/null) || ! grep -qi '^ *usage:' <<<"$said" || grep -E '.{81}' <<<"$said"; then
    printf 'FAILED: %s --help said\n%s\n' "$script" "$said" >&2
    failures=$((failures + 1))
  fi
done

exit $((failures != 0))
