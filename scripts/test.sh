#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: test.sh [OPTION]
#
# Runs the checks and tests that must pass before a change lands.
#
# Without an option, these are the checks, the development build with its tests,
# and one extended section, chosen by the number of commits. Of the sections with
# a sanitizer, and of `includes`, it runs one half, and the other half next time.
#
#   --all             run everything, with all extended sections
#   --quick           run the checks and the development build with its tests
#   --section NAME    run one extended section
#   --layer NAME      run the tests of one layer, built for development
#   --sanitizers A,B  run the tests of these layers, and of those that depend on
#                     them, under the address and the thread sanitizer
#
# CONTRIBUTING.md lists the sections and their times.
#
# Exit codes:
#   0  all of it passed
#   1  a section failed
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
extended=(asan_core asan_run asan_cluster asan_extsort asan_apps tsan_core tsan_run tsan_cluster tsan_extsort tsan_apps fuzzers benchmarks programs documents clusters includes)
# Run only by --all and --section: they take too long for a landing, or need a browser.
asked_for=(parts libcxx arm64 installs abi packages site browser)
core=$(python3 scripts/check_layers.py --below cluster)
all_but_run=${core/,run,/,}

refuse() {
  echo "test.sh: $*" >&2
  exit 2
}
what=landing names=''
case ${1:-} in
  '') ;;
  --all | --quick) what=${1#--} ;;
  --section | --layer | --sanitizers)
    what=${1#--}
    [ $# -ge 2 ] || refuse "$1 needs a name"
    names=$2
    shift
    ;;
  *) refuse "unknown option '$1'; there are --all, --quick, --section, --layer and --sanitizers" ;;
esac
[ $# -le 1 ] || refuse "takes one option; '$2' is too much"
case $what in
  section | layer) [[ $names =~ ^[a-z_]+$ ]] || refuse "'$names' is no name of one $what" ;;
  sanitizers) [[ $names =~ ^[a-z]+(,[a-z]+)*$ ]] || refuse "'$names' is no list of layers, such as run,channel" ;;
esac
case $what in
  section) [[ " ${extended[*]} ${asked_for[*]} " == *" $names "* ]] || refuse "unknown section '$names'; there are ${extended[*]} ${asked_for[*]}" ;;
  layer | sanitizers)
    for name in ${names//,/ }; do
      [[ ",$core,cluster," == *",$name,"* ]] || refuse "unknown layer '$name'; there are ${core//,/ } cluster"
      [ "$what" = sanitizers ] || [ -n "$(compgen -G "tests/$name/*_test.cpp")" ] ||
        refuse "the layer '$name' has no tests of its own; name run, passes or graph, which test it"
    done
    ;;
esac
scripts/setup.sh test

# ---- sections ----

count=$(git rev-list --count HEAD 2>/dev/null || echo 0)
turn=$((count % ${#extended[@]}))
# The tests of sanitizers are divided into eight parts, which have about the same time. A landing leaves half of them to
# the next landing that has the same section, and half of the files of `includes`.
next_time='' half=''
if [ "$what" = landing ]; then
  half=$((count / ${#extended[@]} % 2 + 1))
  next_time="|/[$([ $half = 1 ] && echo 1357 || echo 2468)]_of_8$"
fi
readonly next_time half
summary=() left_out=() skipped=()
# section BUDGET NAME COMMAND...; the budget is in seconds on a quiet machine of two cores.
section() {
  local start=$SECONDS budget=$1 name=$2
  shift 2
  printf '\n== %s\n' "$name"
  if "$@"; then
    summary+=("$(printf '%5d s of %4d  %s' $((SECONDS - start)) "$budget" "$name")")
    printf '== %d s: %s\n' $((SECONDS - start)) "$name"
  else
    local status=$?
    report_times
    # A long log ends with the output of the failed tests.
    [ -z "${failed_in:-}" ] || show_failed "$failed_in" || true
    printf '== FAILED after %d s: %s\n' $((SECONDS - start)) "$name" >&2
    exit "$status"
  fi
}
report_times() {
  printf '\n== Seconds, and what they are on a quiet machine\n'
  printf '%s\n' "${summary[@]}"
  printf '%5d s in all\n' $SECONDS
  for each in "${left_out[@]}"; do printf 'Left out: %s\n' "$each"; done
  for each in "${skipped[@]}"; do printf 'Skipped by itself: %s\n' "$each"; done
}
# Whether what the section needs is there; else it is left out, and named in the end.
needs() {
  local name=$1 command
  shift
  for command; do
    command -v "$command" >/dev/null || { left_out+=("$name: there is no $command"); return 1; }
  done
}

configure() { cmake --preset "$@" >/dev/null; }
# A build that is made once, in whole.
readonly whole=(-D WEIR_UNITY=ON)
build() { cmake --build --preset "$1" -j "$(nproc)" "${@:2}" -- --quiet; }
# run_tests PRESET [CTEST-OPTION...]
run_tests() {
  local preset=$1 log
  shift
  log=$(mktemp)
  # Many tests wait for something, so two for each core.
  if ctest --preset "$preset" -j $((2 * $(nproc))) --no-tests=error "$@" | tee "$log" | brief; then
    mapfile -t -O ${#skipped[@]} skipped < <(sed -nE 's/^.*Test +#[0-9]+: (cli\/[^ ]+) .*Skipped.*$/\1/p' "$log")
    rm -f "$log"
  else
    failed_in=build/$preset/Testing/Temporary
    rm -f "$log"
    return 1
  fi
}
# Joined, because `section` looks at the result, and then set -e is off in here.
build_and_test() {
  local preset=$1 options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  [ $# = 0 ] || shift
  configure "$preset" "${whole[@]}" "${options[@]}" && build "$preset" && run_tests "$preset" "$@"
}
# Prints every hundredth of the tests that passed, so that a failure isn't one line of thousands.
brief() {
  awk '
    /^ +Start +[0-9]+: / || /\(Skipped\)$/ { next }
    / Passed +[0-9.]+ sec$/ && ++passed % 100 != 0 { next }
    { gsub(/\.\.\.\.+/, "..."); print; fflush() }
  '
}
# Once more what the failed tests printed.
show_failed() {
  awk '
    FNR == NR { failed[substr($0, index($0, ":") + 1)] = 1; next }
    /^[0-9]+\/[0-9]+ Test: / { name = substr($0, index($0, ": ") + 2); printed = 0; next }
    /^Output:$/ && name in failed && !printed { printed = 1; print "\n-- " name; next }
    /^<end of output>/ { name = "" }
    printed && name != "" { print }
  ' "$1/LastTestsFailed.log" "$1/LastTest.log" | tail -n 300
}

# ---- what they hold ----

checks() {
  scripts/check_layers.py --self-test && scripts/check_layers.py && scripts/check_light.sh &&
    { ! needs "format" clang-format-16 || scripts/format.sh --check; } && scripts/check_snippets.py &&
    scripts/check_commands.py --self-test && scripts/check_commands.py --list &&
    scripts/check_figures.py --self-test && scripts/check_figures.py && tests/report/compare_test.py &&
    { ! needs "site" mkdocs doxygen clang-format-16 || scripts/site.sh; }
}
# The layers up to the patterns with clang, which compiles in half the time; cluster and applications with g++, whose optimised tests of
# extsort and swsearch take a fraction of the time. With the applications go the tests of MPIStream, which has no threads.
readonly others='^(mpistream|cli)/|^consumer$'
sanitized_layers() {
  ! needs "$1" clang++-16 ||
    build_and_test "$1_clang" -D "WEIR_TEST_LAYERS=${2//,/;}" -D WEIR_APPS=OFF -D WEIR_TOOLS=OFF -D WEIR_FASTFLOW=OFF -- -E "$others$next_time"
}
sanitized_cluster() {
  build_and_test "$1" -D WEIR_TEST_LAYERS=cluster -D WEIR_APPS=OFF -D WEIR_TOOLS=OFF -D WEIR_FASTFLOW=OFF -- -E "$others$next_time"
}
sanitized_extsort() {
  build_and_test "$1" -D WEIR_TEST_LAYERS=none -D WEIR_APPS=ON -D WEIR_TEST_APPS=extsort -D WEIR_FASTFLOW=OFF -- -R '^extsort/' -E "$others$next_time"
}
sanitized_apps() {
  local apps=(tests/apps/*) list='' without=$others app
  for app in "${apps[@]##*/}" fastflow; do [ "$app" = extsort ] || list+="$app;"; done
  [ "$1" != asan ] || without='^cli/|^consumer$'
  build_and_test "$1" -D WEIR_TEST_LAYERS=none -D WEIR_APPS=ON "-DWEIR_TEST_APPS=${list%;}" -- -E "$without$next_time"
}
fuzzers_and_release() {
  { ! needs "fuzzers" clang++-16 || scripts/fuzz.sh; } &&
    # Optimisation may change what threads see of each other, which is in the channels.
    build_and_test release -D WEIR_EXAMPLES=OFF -D WEIR_APPS=OFF -D WEIR_TOOLS=OFF -D WEIR_FASTFLOW=OFF -D WEIR_TEST_LAYERS=channel
}
benchmarks() {
  local suite
  for suite in core patterns cluster filesearch swsearch extsort compile fastflow; do
    echo "-- $suite"
    scripts/bench.sh "$suite" --smoke || return
  done
  echo "-- mpi"
  scripts/bench.sh mpi --smoke --only parallel_stream,threshold || return
  echo "-- all"
  scripts/bench.sh all --smoke --output build/report-smoke && tests/report/check_page.py build/report-smoke && tests/report/run_test.py
}
long_programs() {
  configure dev "${whole[@]}" && build dev && run_tests dev -L extended -LE browser -E '^(cli/weir_|pages/)'
}
long_documents() {
  scripts/setup.sh podman && configure dev "${whole[@]}" && build dev && run_tests dev -L extended -R '^pages/'
}
long_clusters() {
  export WEIR_LONG_TESTS=1
  configure dev "${whole[@]}" && build dev && run_tests dev -R '^cluster/.*while_a_consumer_sleeps' && run_tests dev -L extended -R '^cli/weir_'
}
site_in_a_browser() {
  scripts/setup.sh browser && scripts/site.sh && { ! needs "site in a browser" chromedriver || tests/site/browser.py build/site; }
}
pages_in_a_browser() {
  scripts/setup.sh browser && configure dev "${whole[@]}" && build dev && run_tests dev -L browser
}
ways_to_install() {
  configure dev "${whole[@]}" && build dev && tests/consumer/ways.sh build/dev build/dev/ways
}
binary_interface() {
  scripts/setup.sh release && scripts/check_abi.sh --self-test && scripts/check_abi.sh
}
debian_packages() {
  if [ "$(id -u)" != 0 ]; then
    left_out+=("packages: making a bare Debian needs root")
    return
  fi
  scripts/setup.sh release && scripts/release.sh --unreleased --check && tests/packages/check.sh build/release && tests/packages/recipes.sh build/recipes && tests/packages/bare_debian.sh build/release
}
files_by_themselves() {
  cmake --preset dev -B build/includes >/dev/null && scripts/check_includes.py build/includes $half
}
without_parts() {
  scripts/check_parts.sh &&
    build_and_test parts -D "WEIR_TEST_LAYERS=${core//,/;};cluster" -D WEIR_TEST_APPS=none -- -E "^consumer$|^cli/" &&
    run_tests parts -R '^cli/(without_parts|wordcount)$'
}
# The packages are large, so that only this section installs them.
other_library() {
  scripts/setup.sh libcxx
  ! needs libcxx clang++-19 || build_and_test libcxx -D "WEIR_TEST_LAYERS=${core//,/;}" -- -E "$others$next_time"
}
other_processor() {
  ! needs arm64 aarch64-linux-gnu-g++ qemu-aarch64 || build_and_test arm64 -D "WEIR_TEST_LAYERS=${core//,/;}" -- -E "$others$next_time"
}
extended_section() {
  case $1 in
    asan_core) section 300 "address and undefined-behaviour sanitizers, up to the patterns, without run" sanitized_layers asan "$all_but_run" ;;
    asan_run) section 300 "address and undefined-behaviour sanitizers, run" sanitized_layers asan run ;;
    asan_cluster) section 200 "address and undefined-behaviour sanitizers, cluster" sanitized_cluster asan ;;
    asan_extsort) section 300 "address and undefined-behaviour sanitizers, extsort" sanitized_extsort asan ;;
    asan_apps) section 300 "address and undefined-behaviour sanitizers, the other applications" sanitized_apps asan ;;
    # The thread sanitizer gets executors of more than one thread only; a single worker does nothing to memory that others don't.
    tsan_core) section 300 "thread sanitizer, up to the patterns, without run" sanitized_layers tsan "$all_but_run" ;;
    tsan_run) section 300 "thread sanitizer, run" sanitized_layers tsan run ;;
    tsan_cluster) section 200 "thread sanitizer, cluster" sanitized_cluster tsan ;;
    tsan_extsort) section 240 "thread sanitizer, extsort" sanitized_extsort tsan ;;
    tsan_apps) section 240 "thread sanitizer, the other applications" sanitized_apps tsan ;;
    fuzzers) section 240 "fuzzers, briefly, and channels and package as built for release" fuzzers_and_release ;;
    benchmarks) section 300 "benchmarks, once each for their results" benchmarks ;;
    programs) section 240 "long tests of programs" long_programs ;;
    documents) section 120 "pages whose commands take long" long_documents ;;
    clusters) section 300 "long tests of clusters" long_clusters ;;
    installs) section 400 "the ways to install and use weir, with g++ and clang" ways_to_install ;;
    abi) section 400 "binary interface of the shared libraries" binary_interface ;;
    packages) section 600 "a release, built twice, and its packages on a bare Debian" debian_packages ;;
    site) section 150 "site in a browser" site_in_a_browser ;;
    browser) section 60 "pages in a browser, and metrics in a Prometheus" pages_in_a_browser ;;
    parts) section 240 "without the optional libraries" without_parts ;;
    libcxx) section 300 "clang 19 with its own standard library, up to the patterns" other_library ;;
    arm64) section 300 "arm64 under qemu-user, up to the patterns" other_processor ;;
    includes) section 160 "each file compiled without precompiled headers" files_by_themselves ;;
  esac
}

case $what in
  layer)
    section 60 "development build" configure dev -D WEIR_UNITY=OFF
    section 30 "tests of the layer $names" eval "build dev --target weir_${names}_tests && run_tests dev -R '^$names/'"
    ;;
  sanitizers)
    layers=$(scripts/check_layers.py --above "$names")
    section 600 "address and undefined-behaviour sanitizers: $layers" sanitized_layers asan "$layers"
    section 600 "thread sanitizer: $layers" sanitized_layers tsan "$layers"
    ;;
  section) extended_section "$names" ;;
  *)
    section 30 "layers, headers, format, documentation" checks
    section 330 "development build" eval 'configure dev "${whole[@]}" && build dev'
    section 180 "tests" run_tests dev -LE extended
    [ "$what" != all ] || extended+=("${asked_for[@]}")
    for i in "${!extended[@]}"; do
      [ "$what" = quick ] || { [ "$what" = landing ] && [ "$i" != "$turn" ]; } || extended_section "${extended[i]}"
    done
    ;;
esac
report_times
if [ ${#left_out[@]} = 0 ]; then
  printf '\nAll checks passed (%d s).\n' $SECONDS
else
  printf '\nAll checks that were not left out passed (%d s).\n' $SECONDS
  # Left out, it was not tested, though it was asked for by its name.
  case $what in section | sanitizers) exit 1 ;; esac
fi
