#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of 8 nodes and one item again and again, in turn by itself and as 8 groups, and prints one line of JSON: how long the groups
took beyond the program by itself. They are those of `weir run`, or with `--tool processes` merely 8 processes at a time."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

GROUPS = 8


def timed(commands, environment):
    """Runs the commands at the same time. @return milliseconds, and what they printed"""
    start = time.perf_counter_ns()
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for command in commands]
    printed = [one.communicate()[0] for one in running]
    took = (time.perf_counter_ns() - start) / 1e6
    for command, one in zip(commands, running):
        if one.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {one.returncode}")
    return took, printed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", choices=["weir", "processes"], required=True)
    parser.add_argument("--weir", required=True, metavar="PROGRAM", help="where that is")
    parser.add_argument("--program", required=True, help="where bench_cluster_start_weir is")
    parser.add_argument("--items", type=int, default=20, help="runs of each kind")
    given = parser.parse_args()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
    alone = []
    groups = []
    with tempfile.NamedTemporaryFile("w", suffix=".json") as configuration:
        json.dump({"groups": [{"name": f"G{i}", "nodes": [f"n{i}"]} for i in range(GROUPS)]}, configuration)
        configuration.flush()
        if given.tool == "weir":
            commands = [[given.weir, "run", configuration.name, "--", given.program]]
        else:
            commands = [[given.program]] * GROUPS
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter_ns()
        for turn in range(given.items + 1):
            took_alone, printed = timed([[given.program]], environment)
            took, outputs = timed(commands, environment)
            for output in outputs:
                if output.split()[-1:] != printed[0].split():
                    sys.exit(f"the groups say {output!r}, the program by itself {printed[0]!r}")
            if turn != 0:  # the first round reads the files from the disk
                alone.append(took_alone)
                groups.append(took)
        wall = time.perf_counter_ns() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"items": given.items, "wall_ns": wall, "cpu_ns": round(cpu * 1e9),
                      "extra": {"beyond_ms": statistics.median(b - a for a, b in zip(alone, groups)),
                                "groups_ms": statistics.median(groups), "alone_ms": statistics.median(alone)}}))


if __name__ == "__main__":
    main()
