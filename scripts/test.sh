#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   test.sh [--quick]
#
# Everything that must hold before a change lands: layers, format, documentation, and the tests as built for development and
# under the sanitizers. --quick leaves the sanitizers, the fuzzers and the release build out.
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
quick=0
case ${1:-} in
  '') ;;
  --quick) quick=1 ;;
  *) echo "test.sh: unknown option '$1'; there is only --quick" >&2; exit 2 ;;
esac
scripts/setup.sh test

section() {
  local start=$SECONDS name=$1
  shift
  printf '\n== %s\n' "$name"
  "$@" || { local status=$?; printf '== FAILED after %d s: %s\n' $((SECONDS - start)) "$name" >&2; exit "$status"; }
  printf '== %d s: %s\n' $((SECONDS - start)) "$name"
}
build_and_test() {
  # Joined, because `section` looks at the result, and then set -e is off in here.
  cmake --preset "$@" >/dev/null &&
    cmake --build --preset "$1" -j "$(nproc)" -- --quiet &&
    { ctest --preset "$1" -j "$(nproc)" | brief || { show_failed "build/$1/Testing/Temporary"; return 1; }; }
}
# Of the tests that passed each hundredth, so that what failed isn't one line of thousands.
brief() {
  awk '
    /^ +Start +[0-9]+: / || /\(Skipped\)$/ { next }
    / Passed +[0-9.]+ sec$/ && ++passed % 100 != 0 { next }
    { gsub(/\.\.\.\.+/, "..."); print; fflush() }
  '
}
# Once more what the failed tests printed, and as the last, where whoever sees only the end of a long log finds it.
show_failed() {
  awk '
    FNR == NR { failed[substr($0, index($0, ":") + 1)] = 1; next }
    /^[0-9]+\/[0-9]+ Test: / { name = substr($0, index($0, ": ") + 2); printed = 0; next }
    /^Output:$/ && name in failed && !printed { printed = 1; print "\n-- " name; next }
    /^<end of output>/ { name = "" }
    printed && name != "" { print }
  ' "$1/LastTestsFailed.log" "$1/LastTest.log" | tail -n 300
}
section "layers, the check itself" scripts/check_layers.py --self-test
section "layers" scripts/check_layers.py
section "format" scripts/format.sh --check
section "documentation" scripts/check_snippets.py
# All programs are run as they are built for development. The tests of layers are built and run under sanitizers below, with the same warnings and
# assertions; some of the cluster's have no room there.
layers=all
[ $quick = 1 ] || layers=cluster
section "development build" build_and_test dev -D WEIR_TEST_LAYERS=$layers
if [ $quick = 0 ]; then
  # What programs do is in libraries, whose tests run here, clusters within a process included. The thread sanitizer gets executors
  # of more than one thread only; a single worker does nothing to memory that the others don't do, either.
  section "address and undefined-behaviour sanitizers" build_and_test asan
  section "thread sanitizer" build_and_test tsan
  section "fuzzers, briefly" scripts/fuzz.sh
  # What optimisation may change is what threads see of each other, which is in the channels.
  section "release build" build_and_test release -D WEIR_PRECOMPILE=ON -D WEIR_EXAMPLES=OFF -D WEIR_APPS=OFF -D WEIR_TOOLS=OFF -D WEIR_TEST_LAYERS=channel
  section "benchmarks, once each for their results" scripts/bench.sh core --smoke
  section "benchmarks of a farm by grain, once each for their results" scripts/bench.sh grain --smoke
  section "benchmarks of the patterns, once each for their results" scripts/bench.sh patterns --smoke
  section "benchmarks of streams between processes, once each for their results" scripts/bench.sh cluster --smoke
  section "benchmarks of MPIStream, once each for their results" scripts/bench.sh mpi --smoke --only parallel_stream,threshold
  section "filesearch beside grep and ripgrep, for its results" scripts/bench.sh filesearch --smoke
  section "swsearch beside other libraries, for its results" scripts/bench.sh swsearch --smoke
  section "extsort beside sort, for its results" scripts/bench.sh extsort --smoke
fi
printf '\nAll of it holds (%d s).\n' $SECONDS
