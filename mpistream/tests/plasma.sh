#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   plasma.sh PROGRAM openmpi|mpich    the example program, with few particles
set -euo pipefail
program=$(readlink -f -- "$1") mpi=$2
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
records=$here/../examples/plasma/records.py watch=$here/../examples/plasma/watch.py
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"

fail() { echo "plasma.sh: $*" >&2; exit 1; }
# plasma RANKS OPTION...
plasma() {
  local ranks=$1
  shift
  bash "$here/../../tests/support/mpirun.sh" "$mpi" "$ranks" "$program" "$@"
}
plasma_to_full() { bash "$here/../../tests/support/mpirun.sh" "$mpi" 2 sh -c 'exec "$@" >/dev/full' sh "$program" "$@"; }
# Runs a Python expression on the JSON object of a line, which is `it`.
holds() { python3 -c 'import json, sys; it = json.loads(sys.argv[1]); sys.exit(not eval(sys.argv[2]))' "$@" || fail "of $1, this does not hold: $2"; }

# Both ways of output write the same records, for any movers, writers and buffer sizes; a tagged particle is in each step after its first one.
few=(--particles 6000 --steps 60 --threshold 6 --json)
plasma 2 "${few[@]}" --output stream_2 >said
holds "$(cat said)" 'it["particles_at_end"] == 6000 and it["movers"] == 1'
holds "$(cat said)" 'it["written_records"] == it["tagged_records"] > 3000'
plasma 4 "${few[@]}" --output stream_4 --buffer 100 --consumers 2 >said
holds "$(cat said)" 'it["particles_at_end"] == 6000 and it["movers"] == 2'
plasma 4 "${few[@]}" --output shared_4 --buffer 7 --io shared >said
holds "$(cat said)" 'it["particles_at_end"] == 6000 and it["movers"] == 3 and it["io_seconds"] > 0'
"$program" "${few[@]}" --output shared_1 --io shared --consumers 0 >said
for other in stream_4 shared_4 shared_1; do python3 "$records" stream_2 "$other" >said || fail "stream_2 and $other differ"; done
grep -q 'up to step 60' said || fail 'nothing is put out in the last step'
# A file that was longer before is cut to its new length.
plasma 2 --particles 100 --steps 1 --output stream_4 >said
[ ! -s stream_4 ] || fail 'records of an earlier run are still there'
# A missing record is noticed, at the end or in a step between.
head -c -64 shared_4 >short
if python3 "$records" shared_4 short >said 2>&1; then fail 'a lost record is not noticed'; fi

# Both tests need the same number of corrections, also with a late mover, and with other numbers of movers.
exact=(--particles 3000 --steps 60 --tolerance 3e-7 --json)
corrections=
for way in threshold allreduce; do
  for more in '2' '4' '4 --slow 0:1' '4 --slow turn:2'; do
    # shellcheck disable=SC2086 # ranks, and none or two words
    plasma $more "${exact[@]}" --convergence "$way" >said
    now=$(python3 -c 'import json; print(json.load(open("said"))["corrections"])')
    [ "$now" = "${corrections:=$now}" ] || fail "$now corrections by $way with $more, $corrections before"
  done
done
# Some steps take two corrections, some three: a slightly wrong sum of errors changes the number.
[ "$corrections" -gt 120 ] && [ "$corrections" -lt 180 ] || fail "$corrections corrections"

# Without redistribution the load becomes uneven; with it, each redistribution makes it more even. Then with records and tests of convergence, too.
drift=(--particles 5000 --steps 200)
plasma 4 "${drift[@]}" --monitor left >said
plasma 5 "${drift[@]}" --consumers 2 --monitor mended --imbalance-limit 1.15 --threshold 6 --output both --convergence threshold --counters >said 2>why ||
  fail "with everything: $(cat why)"
[ ! -s why ] || [ "$(grep -c 'no hardware counters here' why)" = 1 ] || fail "it said: $(cat why)"
grep -q redistributions said || fail "the summary says nothing of redistributions: $(cat said)"
python3 "$records" both >said
python3 - <<'END' || fail 'the feed'
import json

left, mended = ([json.loads(line) for line in open(name)] for name in ("left", "mended"))
for feed in left, mended:
    assert [it["step"] for it in feed] == list(range(1, 201))
    for it in feed:
        assert it["particles"] == sum(it["counts"]) == 5000
        assert it["min"] == min(it["counts"]) and it["max"] == max(it["counts"])
        assert abs(it["imbalance"] - it["max"] * len(it["counts"]) / 5000) < 1e-3
        assert len(it["counts"]) == len(it["seconds"]) == len(it["moving"]) == 3
assert not any(it["alert"] or it["redistributions"] for it in left)
assert left[-1]["imbalance"] > 1.25
assert all(it["alert"] == (it["imbalance"] > 1.15) for it in mended if abs(it["imbalance"] - 1.15) > 1e-3)
times = [(before, it) for before, it in zip(mended, mended[1:]) if it["redistributions"] != before["redistributions"]]
assert times
for before, it in times:
    assert it["redistributions"] == before["redistributions"] + 1
    assert it["imbalance"] < before["imbalance"], (before, it)
END
python3 "$watch" mended --svg picture.svg
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("picture.svg")'
python3 "$watch" mended --patience 0 >said
[ "$(wc -l <said)" = 201 ] || fail 'watch.py does not show each step'

# A full disk, which Open MPI reports only by the count of written numbers, and a standard output that is full.
mkdir small
small() { unshare --mount sh -c 'mount -t tmpfs -o size=16k tmpfs small && exec "$@"' sh "$@"; }
full() {
  local words=$1 got=0
  shift
  "$@" >said 2>why || got=$?
  [ "$got" != 0 ] && grep -q "^plasma: $words" why || fail "$*: ended with $got, and said $(cat said why)"
}
if small true 2>why; then
  for way in stream shared; do
    full small/records: small bash "$here/../../tests/support/mpirun.sh" "$mpi" 3 "$program" --particles 600 --steps 60 \
      --threshold 6 --buffer 7 --io $way --output small/records
  done
fi
full 'standard output: No space left' plasma_to_full --particles 100 --steps 1 --json
full 'standard output: No space left' plasma_to_full --help

# Wrong usage ends with 2 and one line with the reason, a failure with 1; most cases also run as a program of one rank, which starts faster.
wrong() {
  local code=$1 words=$2 got=0
  shift 2
  "$program" --particles 10 --steps 1 --consumers 0 "$@" >said 2>why || got=$?
  said_why "$@"
}
wrong_2() {
  local code=$1 words=$2 got=0
  shift 2
  plasma 2 --particles 10 --steps 1 "$@" >said 2>why || got=$?
  said_why "$@"
}
said_why() {
  [ "$got" = "$code" ] || fail "$*: ended with $got instead of $code"
  [ "$(grep -c '^plasma: ' why)" = 1 ] && grep -q -- "^plasma: .*$words" why || fail "$*: said $(cat why)"
}
wrong 2 "unknown option '--nothing'" --nothing
wrong 2 "unknown option 'stray'" stray
wrong 2 'whole number from 1' --steps 0
wrong 2 'whole number' --particles 1e3
wrong 2 'whole number' --steps
wrong 2 'a number from' --time-step nan
wrong 2 'none, stream or shared' --io tape
wrong 2 'no value' --json=1
wrong 2 'need --output' --io shared
wrong 2 '--io stream or --io shared' --output x --io none
wrong 2 'no rank is left' --consumers 1
wrong_2 2 'no rank is left' --consumers 2
wrong 2 'need a consumer' --output x
wrong 2 '--slow needs' --slow 0:1
wrong 2 'does not exist' --slow 1:1 --convergence allreduce
wrong 2 'milliseconds' --slow 1 --convergence threshold
wrong 2 '--counters needs' --counters
wrong_2 1 'nowhere/x: ' --output nowhere/x
wrong 1 'nowhere/x: ' --output nowhere/x --io shared
wrong_2 1 'nowhere/x: ' --monitor nowhere/x
"$program" --help >said
grep -q -- '--imbalance-limit R' said || fail '--help does not help'
