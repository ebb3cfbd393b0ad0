#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the cost of the ways of output for the movers of plasma.

The script runs plasma in turn without output, with the stream, and with
MPI_File_write_shared by each mover. It prints medians over the rounds, their
ratios, and in brackets the least. With the usual settings, about 1 % of the
particles are tagged in every step.

  compare_io.py --mpirun 'mpirun -n 2' build/plasma
"""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

WAYS = ("none", "shared", "stream")


def run(said, way, folder):
    output = pathlib.Path(folder) / way
    command = [*shlex.split(said.mpirun), said.program, "--json", "--io", way]
    command += ["--output", str(output)] if way != "none" else []
    for name in ("particles", "steps", "electric", "threshold"):
        command += [f"--{name}", str(getattr(said, name))]
    command += ["--consumers", str(0 if said.all_move and way != "stream" else said.consumers)]
    command += ["--buffer", str(said.shared_buffer or said.buffer) if way == "shared" else str(said.buffer)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compare_io.py: {shlex.join(command)} ended with {done.returncode}")
    output.unlink(missing_ok=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--mpirun", default="mpirun -n 2", metavar="COMMAND", help="command that starts the ranks (mpirun -n 2)")
    arguments.add_argument("--rounds", type=int, default=7, metavar="N", help="number of rounds (7)")
    arguments.add_argument("--folder", metavar="FOLDER", help="folder for the files (a temporary one)")
    arguments.add_argument("--csv", metavar="FILE", help="also write the numbers of each run to this file")
    arguments.add_argument("--particles", type=int, default=400000, metavar="N")
    arguments.add_argument("--steps", type=int, default=100, metavar="N")
    arguments.add_argument("--consumers", type=int, default=1, metavar="N")
    arguments.add_argument("--buffer", type=int, default=4096, metavar="N", help="number of records written together (4096)")
    arguments.add_argument("--shared-buffer", type=int, metavar="N", help="the same for movers that write (as --buffer)")
    arguments.add_argument("--all-move", action="store_true", help="without the stream, ranks that would consume move particles, too")
    arguments.add_argument("--electric", type=float, default=0.01, metavar="E")
    arguments.add_argument("--threshold", type=float, default=1.43, metavar="E")
    said = arguments.parse_args()

    runs = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(dir=said.folder) as folder:
        for number in range(said.rounds):
            for turn in range(len(WAYS)):
                way = WAYS[(number + turn) % len(WAYS)]
                runs[way].append(run(said, way, folder))
    if said.csv:
        with open(said.csv, "w", encoding="utf-8") as file:
            print("way,round,step_seconds,io_seconds,file_seconds,records", file=file)
            for way in WAYS:
                for number, one in enumerate(runs[way]):
                    print(way, number, one["step_seconds"], one["io_seconds"], one["file_seconds"], one["written_records"], sep=",", file=file)

    first = runs["stream"][0]
    percent = 100 * first["tagged_records"] / (first["particles"] * first["steps"])
    print(f"{first['movers']} movers, {first['consumers']} consumers, {first['particles']} particles, {first['steps']} steps, {percent:.2f} % tagged, "
          f"{said.buffer} records a write, by movers {said.shared_buffer or said.buffer}, {said.rounds} rounds")
    if said.all_move:
        print(f"without the stream {runs['none'][0]['movers']} movers")
    print("         step [ms]              over none   a mover's I/O [ms a step]")
    median = {way: {} for way in WAYS}
    for way in WAYS:
        for name, per in (("step_seconds", 1), ("io_seconds", first["steps"])):
            of_rounds = [1e3 * one[name] / per for one in runs[way]]
            median[way][name] = statistics.median(of_rounds)
            median[way][name + "_least"] = min(of_rounds)
        step, io, step_least, io_least = (median[way][name] for name in ("step_seconds", "io_seconds", "step_seconds_least", "io_seconds_least"))
        over = [step / median["none"]["step_seconds"], step_least / median["none"]["step_seconds_least"]]
        print(f"{way:7} {step:8.3f} ({step_least:8.3f})  {over[0]:6.3f} ({over[1]:6.3f})  {io:8.4f} ({io_least:8.4f})")
    if median["stream"]["io_seconds_least"] > 0:
        over, over_least = (median["shared"][name] / median["stream"][name] for name in ("io_seconds", "io_seconds_least"))
        print(f"a mover's I/O, shared over stream: {over:.2f} ({over_least:.2f})")


if __name__ == "__main__":
    main()
