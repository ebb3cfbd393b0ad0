#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   mpistream_examples.sh BIN_DIR    runs the examples of MPIStream on each MPI; prints each check that fails. Ends with 77, and says why, where they are not built
bin=$(readlink -f -- "$1")
mpirun=$(readlink -f -- "$(dirname -- "$0")/../support/mpirun.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export ASAN_OPTIONS=detect_leaks=0
failures=0 found=
# prints RANKS PROGRAM WORDS [ARGUMENT...]
prints() {
  local ranks=$1 program=$2 words=$3
  shift 3
  bash "$mpirun" $mpi "$ranks" "$bin/mpistream_${program}_$mpi" "$@" >out 2>err
  local code=$?
  [ $code = 0 ] && [ "$(cat out)" = "$words" ] && return
  failures=$((failures + 1))
  echo "FAILED: $mpi, $ranks ranks, $program: ended with $code and printed: $(cat out err)"
}
for mpi in openmpi mpich; do
  [ -x "$bin/mpistream_listing1_$mpi" ] || continue
  found=1
  prints 3 listing1 'sum of all elements: 4950'
  prints 5 listing1 'sum of all elements: 14850'
  # There is no producer, so there can be no channel: MPI's default error handler ends the program.
  for ranks in 1 2; do
    if bash "$mpirun" $mpi "$ranks" "$bin/mpistream_listing1_$mpi" >out 2>err || ! grep -q 'rank [01]: MPIStream: a channel needs a rank that produces, and one that consumes' err; then
      failures=$((failures + 1))
      echo "FAILED: $mpi: listing 1 with $ranks ranks, none of which produces: $(cat out err)"
    fi
  done
  prints 3 listing2 "$(printf '%d particles written' 666)" particles
  [ "$(wc -c <particles)" = $((666 * 64)) ] || { failures=$((failures + 1)); echo "FAILED: $mpi: the file of listing 2 has $(wc -c <particles) bytes"; }
  # Nor is a full disk passed over: of a file that can be truncated, and of one that can't.
  mkdir -p small
  for file in small/particles /dev/full; do
    if unshare --mount sh -c 'mount -t tmpfs -o size=16k tmpfs small && exec "$@"' sh \
      bash "$mpirun" $mpi 3 "$bin/mpistream_listing2_$mpi" $file >out 2>err || ! grep -qE "can't be written|^unshare|^mount" err; then
      failures=$((failures + 1))
      echo "FAILED: $mpi: listing 2 on a full disk, $file: $(cat out err)"
    fi
  done
  prints 3 listing3 'converged after 3 steps'
  prints 5 listing3 'converged after 4 steps'
  prints 3 listing4 'the load is out of balance'
  prints 2 listing4 'the load is out of balance'
  prints 3 filter '10001 values above 90000, the largest of them 100002'
  prints 4 sort '30000 numbers, sorted'
  prints 4 map_reduce '20000 words, 11 different ones'
  prints 3 network 'there were alarms'
  # One trace a rank, of its own work.
  rm -f trace.*
  MPISTREAM_TRACE=trace prints 4 listing1 'sum of all elements: 9900'
  python3 - <<'PYTHON' || { failures=$((failures + 1)); echo "FAILED: $mpi: the traces"; }
import json
for rank in range(4):
    trace = json.load(open(f"trace.{rank}.json"))
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    names = {e["name"] for e in events}
    assert {e["pid"] for e in events} == {rank + 1} and trace["otherData"]["dropped"] == 0, trace
    assert names >= ({"send", "terminate"} if rank < 2 else {"operate", "process"}) | {"create channel", "attach"}, names
    assert sum(e["name"] in ("send", "process") for e in events) == 100, names
    assert all(e["dur"] >= 0 for e in events)
PYTHON
  # A trace that can't be written is reported, and the program goes on.
  for rank in 0 1 2; do ln -s /dev/full full.$rank.json; done
  MPISTREAM_TRACE=full prints 3 listing1 'sum of all elements: 4950'
  [ "$(grep -c "MPIStream: can't write the trace full" err)" = 3 ] || { failures=$((failures + 1)); echo "FAILED: $mpi: a trace on a full disk: $(cat err)"; }
  rm full.*
done
[ -n "$found" ] || { echo "no example of MPIStream is built"; exit 77; }
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
