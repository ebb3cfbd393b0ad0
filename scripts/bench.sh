#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: bench.sh SUITE [OPTION...]
#        bench.sh all [OPTION...]
#
# Builds the benchmarks for release and runs one suite of them with bench.py, or
# with `all` the figures of the papers with bench_all.py, which writes a report.
# bench.sh --help and bench.sh all --help list the options. If needed, the
# benchmarks are also built without counters. `bench.sh core --smoke` only checks
# results, and then also uses programs that are built for development.
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
suite=${1:-}
runner=(python3 scripts/bench.py)
if [ "$suite" = all ]; then
  # Debian's interpreter has the packages that the report needs.
  runner=(/usr/bin/python3 scripts/bench_all.py)
  shift
fi
# A wrong call is told before anything is built.
for option; do
  case $option in -h | --help) exec "${runner[@]}" --help ;; esac
done
"${runner[@]}" --look-at-call "$@"
scripts/setup.sh bench

# Other parts of the tree need not be built. The suite of an application needs that application, those of
# clusters the launcher.
apps=OFF
tools=OFF
targets=(benchmarks)
case $suite in
  all)
    apps=ON
    tools=ON
    targets=(bench_farm bench_spsc swsearch bench_swsearch extsort extsort_mpi_openmp recgen recheck bench_extsort weir_command bench_mpi
      bench_cluster_stream bench_cluster_master bench_cluster_words)
    ;;
  grain) targets=(bench_farm) ;;
  compile) targets=(weir) ;;
  fastflow) targets=(bench_pipeline bench_farm bench_idle bench_startup weir weir_fastflow) ;;
  filesearch)
    apps=ON
    targets=(filesearch)
    ;;
  swsearch)
    apps=ON
    targets=(swsearch bench_swsearch)
    # Debian does not have this rival. Without it its rows are left out.
    if ! compgen -G 'build/bench-peers/lib/python*/site-packages/parasail/libparasail.so' >/dev/null; then
      { /usr/bin/python3 -m venv build/bench-peers &&
        build/bench-peers/bin/pip install --quiet --no-deps --only-binary :all: --retries 1 parasail==1.3.4; } ||
        echo "bench.sh: going on without parasail" >&2
    fi
    ;;
  extsort)
    apps=ON
    tools=ON
    targets=(extsort extsort_mpi_openmp recgen recheck weir_command bench_extsort)
    ;;
  cluster)
    tools=ON
    targets=(benchmarks weir_command)
    ;;
  mpi)
    tools=ON
    targets=(bench_mpi)
    ;;
  papers)
    tools=ON
    targets=(bench_mpi bench_cluster_stream)
    ;;
esac
smoke=0
for option; do [ "$option" != --smoke ] || smoke=1; done
build() {
  cmake "${@:2}" -B "build/$1" -DWEIR_BENCH=ON >/dev/null
  cmake --build "build/$1" -j "$(nproc)" --target "${targets[@]}" -- --quiet
}

release=(--preset release -DWEIR_TESTS=OFF -DWEIR_APPS=$apps -DWEIR_TOOLS=$tools -DWEIR_EXAMPLES=OFF)
if [ $smoke = 1 ]; then
  folder=dev
  build dev --preset dev
else
  folder=bench
  build bench "${release[@]}"
  if [ "$suite" = core ]; then
    targets=(bench_counters_weir)
    build bench-no-counters "${release[@]}" -DWEIR_COUNTERS=OFF
  fi
fi
case $suite in
  all) exec "${runner[@]}" --build-dir build/$folder "$@" ;;
  *) exec "${runner[@]}" --build-dir build/$folder --no-counters-dir build/bench-no-counters "$@" ;;
esac
