#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""What the output of tagged particles costs those who move them: plasma with no output, with the stream, and with MPI_File_write_shared by each mover, in
turn. Prints medians over the rounds, and their ratios. The usual setting has about 1 % of the particles tagged in every step.

  compare_io.py --mpirun 'mpirun -n 2' build/plasma"""

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
    for name in ("particles", "steps", "consumers", "buffer", "electric", "threshold"):
        command += [f"--{name}", str(getattr(said, name))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compare_io.py: {shlex.join(command)} ended with {done.returncode}")
    output.unlink(missing_ok=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--mpirun", default="mpirun -n 2", metavar="COMMAND", help="what starts the ranks (mpirun -n 2)")
    arguments.add_argument("--rounds", type=int, default=7, metavar="N", help="(7)")
    arguments.add_argument("--folder", metavar="FOLDER", help="for the files (a temporary one)")
    arguments.add_argument("--csv", metavar="FILE", help="for each run's numbers, in addition")
    arguments.add_argument("--particles", type=int, default=400000, metavar="N")
    arguments.add_argument("--steps", type=int, default=100, metavar="N")
    arguments.add_argument("--consumers", type=int, default=1, metavar="N")
    arguments.add_argument("--buffer", type=int, default=4096, metavar="N", help="records that are written together, in both ways (4096)")
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

    first = runs["none"][0]
    percent = 100 * first["tagged_records"] / (first["particles"] * first["steps"])
    print(f"{first['movers']} movers, {first['consumers']} consumers, {first['particles']} particles, {first['steps']} steps, {percent:.2f} % tagged, "
          f"{said.buffer} records a write, {said.rounds} rounds")
    median = {way: {name: statistics.median(one[name] for one in runs[way]) for name in ("step_seconds", "io_seconds")} for way in WAYS}
    print("         step [ms]   over none   I/O of a mover [ms a step]")
    for way in WAYS:
        step, io = median[way]["step_seconds"], median[way]["io_seconds"] / first["steps"]
        print(f"{way:7} {1e3 * step:10.3f} {step / median['none']['step_seconds']:11.3f} {1e3 * io:12.4f}")
    if median["stream"]["io_seconds"] > 0:
        print(f"I/O of a mover, shared over stream: {median['shared']['io_seconds'] / median['stream']['io_seconds']:.2f}")


if __name__ == "__main__":
    main()
