#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# extsort_groups.sh BIN_DIR    extsort in several groups, over each transport: the same output as of one process, how much crosses between
# them, files of their own, and groups that fail, are interrupted or killed
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
bin=$1
extsort=$1/extsort
weir=$1/weir
[ -x "$weir" ] || { echo "weir is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
nothing_left() { [ -z "$(ls -A tmp)" ] && [ -z "$(find . -name '.*' ! -name . -print -quit)" ] || fail "$*: left behind: $(ls -A . tmp)"; }
# Evaluates a Python expression over all groups, in which `each` are their summaries.
summaries() { python3 -c "
import re, json
each = [json.loads('\n'.join(re.findall(rf'^\[{group}\] ?(.*)', open('out').read(), re.M))) for group in sorted(set(re.findall(r'^\[(G\d+)\]', open('out').read(), re.M)))]
$1"; }

"$bin/recgen" -q -s 600000 -r 64 records
"$extsort" -q -m 64M -T tmp records -o expected || fail "one process: ended with $?"
size=$(stat -c %s records)
for transport in auto tcp shm; do
  for groups in 2 3 4; do
    seq $groups | awk -v transport=$transport '{ all = all (NR > 1 ? ", " : "") "{\"name\": \"G" $1 "\"}" } END { print "{ \"transport\": \"" transport "\", \"groups\": [" all "] }" }' >groups.json
    expect 0 '' "$weir" run --prefix groups.json -- "$extsort" -q --json -m 16M -T tmp records -o sorted
    cmp -s expected sorted || fail "$groups groups, $transport: other output"
    nothing_left "$groups groups, $transport"
    # The number of bytes that cross, and that each group has in the end.
    summaries "
sent, most = sum(of['bytes_sent'] for of in each), max(of['bytes'] for of in each)
assert len(each) == $groups and sum(of['bytes'] for of in each) == $size, each
assert sent <= 1.05 * $size * ($groups - 1) / $groups, sent
assert most <= 1.1 * $size / $groups, most
" || fail "$groups groups, $transport: $(cat out)"
    rm -f sorted
  done
done
for mpirun in openmpi mpich; do
  command -v mpirun.$mpirun >/dev/null && [ -e "$bin/../lib/weir/weir_mpi_$mpirun.so" ] || continue
  cat >mpi.json <<'END'
{ "protocol": "MPI", "transport": "mpi", "groups": [{"name": "G1"}, {"name": "G2"}, {"name": "G3"}] }
END
  expect 0 '' "$weir" run --mpirun mpirun.$mpirun mpi.json -- "$extsort" -q -m 16M -T tmp records -o sorted
  cmp -s expected sorted || fail "$mpirun: other output"
  rm -f sorted
done

# Each group keeps to its memory limit, records under way included.
"$bin/recgen" -q -s 2000000 -r 64 many
cat >peak.py <<'END'
import os, resource, sys
code = os.spawnv(os.P_WAIT, sys.argv[1], sys.argv[1:])
with open(f'peak.{os.getpid()}', 'w') as file: file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024))
sys.exit(code)
END
for groups in 2 4; do
  expect 0 '' "$weir" run --on $groups -- python3 peak.py "$extsort" -q -j 1 -m 32M -T tmp many -o sorted
  [ "$(ls peak.* | wc -l)" = $((groups + 1)) ] || fail "$groups groups: $(ls peak.*)"
  for each in peak.[0-9]*; do
    [ "$(<"$each")" -le $((32 * 1024 * 1024 * 105 / 100)) ] || fail "$groups groups: one took $(<"$each") bytes of 32 MiB"
  done
  rm -f peak.[0-9]*
done
rm -f many sorted

# Lines, compared with the output of sort.
seq 300000 | awk '{ print ($1 * 7919) % 65536, $1 }' >lines
for options in '-k 1,1n' '-u -k 1,1n' '-r'; do
  # shellcheck disable=SC2086
  sort -s $options lines >expected_lines
  # shellcheck disable=SC2086
  expect 0 '' "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp $options lines -o sorted
  cmp -s expected_lines sorted || fail "$options: $(diff expected_lines sorted | head -4)"
done

# Each group has files of its own, in the order of the groups.
split -n l/3 --numeric-suffixes=1 -a 1 lines lines.G
sort -s -k 1,1n lines >expected_lines
expect 0 '' "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp -k 1,1n 'lines.{group}' -o 'sorted.{group}'
cat sorted.G1 sorted.G2 sorted.G3 | cmp -s - expected_lines || fail "files of their own: other lines"
nothing_left "files of their own"

# An error ends all groups, and nothing has changed.
rm -f sorted
expect 1 '' "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp missing -o sorted
grep -q "can't read 'missing'" err || fail "missing: $(cat err)"
head -c $((size - 5)) records >cut
expect 1 '' "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp cut -o sorted
grep -q "^extsort: 'cut': the record at byte [0-9]* is cut off: " err || fail "cut off: $(cat err)"
[ ! -e sorted ] || fail "cut off: there is an output"
nothing_left "cut off"
rm -f cut.G?
cp records cut.G1
cp records cut.G2
cp cut cut.G3
expect 1 '' "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp 'cut.{group}' -o sorted
grep -q "^extsort: 'cut.G3': the record at byte [0-9]* is cut off: " err || fail "a file of its own cut off: $(cat err)"
expect 1 '' "$weir" run --on 2 -- "$extsort" -q --engine seq -T tmp records -o sorted
grep -q -- '--engine weir' err || fail "another engine: $(cat err)"
expect 1 '' "$weir" run --on 2 -- "$extsort" -q --header 1 -T tmp records -o sorted
grep -q 'in a cluster, --header does not work' err || fail "a header: $(cat err)"
# Only the network of all groups is reported, by one of the groups.
seq 100000 | sort -R | tr '\n' '\0' >zeros
sort -s -z -V zeros >expected
expect 0 '' "$weir" run --on 2 -- "$extsort" -q -z -V --table -T tmp zeros -o zeros
cmp -s expected zeros && [ "$(grep -c 'node  ' err)" = 1 ] && grep -q '/store' err || fail "-z -V --table: $(cat err)"
nothing_left "errors"

# Interrupted and killed at any moment: the output is complete, or not there.
"$bin/recgen" -q -s 3000000 -r 64 more
"$extsort" -q -m 64M -T tmp more -o expected_of_more
sum=$(sha256sum <more)
seed=${WEIR_FAULT_SEED:-$RANDOM}
echo "WEIR_FAULT_SEED=$seed"
RANDOM=$seed
ended_early=0
for i in $(seq 12); do
  rm -f sorted
  # A shell starts background processes with SIGINT ignored.
  env --default-signal=INT "$weir" run --on 3 -- "$extsort" -q -m 16M -T tmp "$work/more" -o sorted >out 2>err &
  run=$!
  python3 -c "import time; time.sleep($((RANDOM % 1000)) / 1000)"
  if [ $((i % 2)) = 0 ]; then
    kill -INT $run 2>/dev/null
  else
    victim=$(pgrep -f "^$extsort -q -m 16M -T tmp $work/more -o sorted" | shuf -n 1 --random-source=<(yes "$RANDOM"))
    [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null
  fi
  wait $run
  code=$?
  if [ $code = 0 ]; then
    cmp -s expected_of_more sorted || fail "round $i: ended well with another output"
  else
    ended_early=$((ended_early + 1))
    case $code in 69 | 130 | 137) ;; *) fail "round $i: ended with $code: $(head -c 400 err)" ;; esac
    [ ! -e sorted ] || fail "round $i: ended with $code, and there is an output"
  fi
  nothing_left "round $i, ended with $code"
done
[ $ended_early != 0 ] || fail "all ended well"
[ "$(sha256sum <more)" = "$sum" ] || fail "the input has changed"
[ $failures = 0 ]
