#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   common_options.sh BIN_DIR    options that all applications have in common
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf '>a\nMKVLA\n' >fasta
printf 'b\na\n' >lines
"$bin/recgen" -q -s 100 records || fail recgen

# narrow WHAT FILE: a help text has at most 80 columns, and says how to call the program and what its exit codes mean
narrow() {
  LC_ALL=C.UTF-8 awk 'length > 80 { print; wide = 1 } END { exit wide }' "$2" || fail "$1: more than 80 columns"
  grep -q '^Usage: ' "$2" && grep -q '^Exit codes:' "$2" || fail "$1: no usage or no exit codes"
}
for command in run graph plan check top tune; do
  "$bin/weir" $command --help >help || fail "weir $command --help"
  narrow "weir $command --help" help
done
"$bin/swsearch" index --help >help || fail 'swsearch index --help'
narrow 'swsearch index --help' help

declare -A calls=([wordcount]='-q lines' [filesearch]='a lines' [swsearch]='-q fasta fasta' [extsort]='-q -l lines' [recgen]='-q -s 10 made' [recheck]='-l lines')
for program in "${!calls[@]}"; do
  read -ra words <<<"${calls[$program]}"
  expect 2 "'0' is not a whole number from 1 to 256" "$bin/$program" -j 0 "${words[@]}"
  expect 2 "'257' is not a whole number from 1 to 256" "$bin/$program" --threads 257 "${words[@]}"
  "$bin/$program" "${words[@]}" >expected 2>/dev/null
  code=$?
  for cores in -j2 '--workers 2' --threads=2; do
    # shellcheck disable=SC2086
    "$bin/$program" $cores "${words[@]}" >out 2>err
    [ $? = $code ] || fail "$program $cores: $(cat err)"
    [ $program = recheck ] || cmp -s expected out || fail "$program $cores: other output"
  done
  expect 0 '' "$bin/$program" --version
  grep -q "^$program [0-9]" out || fail "$program --version: $(cat out)"
  "$bin/$program" --help >help || fail "$program --help"
  narrow "$program --help" help
  options='-j --workers --help --version'
  case $program in
    rec*) ;;  # they have no network worth a look
    *)
      options+=' --table --report'
      "$bin/$program" --report report --table -j 1 "${words[@]}" >out.table 2>err
      [ $? = $code ] && cmp -s expected out.table && grep -q '^node ' err || fail "$program --table: $(cat err)"
      grep -q '"nodes": \[' report || fail "$program --report"
      rm -f report
      expect "$([ $program = filesearch ] && echo 2 || echo 1)" "can't write 'no/where': No such file" "$bin/$program" --report no/where "${words[@]}"
      ;;
  esac
  for each in $options; do
    grep -qE -- "(^|[ ,])$each([ ,=]|\$)" help || fail "$program --help: no $each"
  done
done

# The former names of options.
for call in 'swsearch -q -t 2 fasta fasta' 'recgen -q -t 2 -s 10 made' 'wordcount -q -k 1 lines' 'extsort -q -l --parallel 2 lines'; do
  read -ra words <<<"$call"
  expect 0 '' "$bin/${words[0]}" "${words[@]:1}"
done
# Each network of a sort has a table; the longest has a report.
seq 400000 | sort -R >many
expect 0 '' "$bin/extsort" -q -n -m 16M --table --report report many -o sorted
[ "$(grep -c '^node ' err)" -ge 2 ] && grep -q '/sort' err && grep -q '/merge' err || fail "extsort --table: $(cat err)"
expect 2 '--table and --report work with --engine weir only' "$bin/extsort" -q -l --engine seq --table lines
[ $failures = 0 ]
