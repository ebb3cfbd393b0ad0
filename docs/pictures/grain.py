#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the rows of `scripts/bench.sh grain` as tables, and draws them: F1's figure 3, and below it what that took of the cores.

    grain.py ROWS.csv [PICTURE.svg]

The picture is grain.svg beside this file unless another is named. Run by Debian's interpreter, for which setup.sh installs
python3-matplotlib."""

import csv
import json
import pathlib
import statistics
import sys

BASE = "sequential"
# The contenders in the order of the legend: label, colour, marker.
STYLES = {
    "weir": ("weir, farm", "tab:blue", "o"),
    "tbb_pipeline": ("oneTBB, parallel_pipeline", "tab:orange", "s"),
    "openmp": ("OpenMP, tasks", "tab:green", "^"),
    "mutex_queue": ("threads, queues with mutexes", "tab:red", "D"),
}


def read(path):
    """@return the cores that there were, and by grain in ns, contender and workers the lists of wall and CPU ns an item, by round"""
    cores = 0
    grains = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            extra = json.loads(row["extra"])
            cores = int(extra["cores"])
            series = grains.setdefault(int(extra["work_ns"]), {}).setdefault(row["contender"], {})
            wall, cpu = series.setdefault(int(extra["workers"]), ([], []))
            wall.append(int(row["wall_ns"]) / int(row["items"]))
            cpu.append(int(row["cpu_ns"]) / int(row["items"]))
    return cores, grains


def speedups(contenders, name):
    """By workers: the speedup relative to the plain loop, the median of the ratios within a round."""
    base = contenders.get(BASE, {})
    return {workers: statistics.median(loop / farm for loop, farm in zip(base[workers][0], wall))
            for workers, (wall, _) in sorted(contenders[name].items()) if workers in base}


def cpu_us(contenders, name):
    """By workers: the median of the CPU time of an item in microseconds."""
    return {workers: statistics.median(cpu) / 1000 for workers, (_, cpu) in sorted(contenders[name].items())}


def print_tables(grains):
    for grain, contenders in grains.items():
        names = [name for name in STYLES if name in contenders]
        print(f"tasks of {grain / 1000:g} us: speedup, CPU us a task")
        print("| workers | " + " | ".join([STYLES[name][0] for name in names] + ["the loop"]) + " |")
        print("|---" * (len(names) + 2) + "|")
        for workers in sorted({workers for series in contenders.values() for workers in series}):
            cells = []
            for name in names:
                speedup, cpu = speedups(contenders, name).get(workers), cpu_us(contenders, name).get(workers)
                cells.append("" if cpu is None else f"{'-' if speedup is None else f'{speedup:.2f}'}, {cpu:.3g}")
            loop = cpu_us(contenders, BASE).get(workers) if BASE in contenders else None
            print(f"| {workers} | " + " | ".join([*cells, "" if loop is None else f"1, {loop:.3g}"]) + " |")
        print()


def draw(cores, grains, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plot
    from matplotlib.ticker import MaxNLocator
    plot.rcParams["svg.hashsalt"] = "weir"
    figure, axes = plot.subplots(2, len(grains), figsize=(1 + 3.2 * len(grains), 6.6), sharex=True, squeeze=False)
    for column, (grain, contenders) in enumerate(sorted(grains.items())):
        upper, lower = axes[:, column]
        widths = sorted({workers for series in contenders.values() for workers in series})
        # With a corner where all cores are in use.
        bounds = sorted({*widths, *([cores] if cores < widths[-1] else [])})
        upper.plot(bounds, [min(n, cores) for n in bounds], "--", color="tab:gray", label=f"ideal: a core a worker, {cores} at most")
        for name, (label, colour, marker) in STYLES.items():
            if name not in contenders:
                continue
            for plane, values in ((upper, speedups(contenders, name)), (lower, cpu_us(contenders, name))):
                plane.plot(list(values), list(values.values()), color=colour, marker=marker, markersize=5, label=label)
        if BASE in contenders:
            loop = cpu_us(contenders, BASE)
            lower.plot(list(loop), list(loop.values()), ":", color="black", label="the plain loop")
        upper.set(title=f"tasks of {grain / 1000:g} µs", ylim=(0, cores * 1.1))
        lower.set(xlabel="workers", ylim=(0, None))
        lower.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        for plane in (upper, lower):
            plane.axvline(cores, color="tab:gray", linewidth=0.8, alpha=0.5)
            plane.grid(alpha=0.3)
    axes[0, 0].set_ylabel("speedup over the plain loop")
    axes[1, 0].set_ylabel("CPU time of a task, all threads, µs")
    entries = {}
    for plane in axes[:, 0]:
        entries.update(zip(*reversed(plane.get_legend_handles_labels())))
    figure.suptitle(f"Speedup and CPU time of a farm, by workers and grain, on {cores} cores")
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=3, fontsize="small", frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: grain.py ROWS.csv [PICTURE.svg]")
    try:
        cores, grains = read(sys.argv[1])
    except KeyError as missing:
        sys.exit(f"{sys.argv[1]}: its rows are not of the suite grain: they have no {missing}")
    if not grains:
        sys.exit(f"{sys.argv[1]}: no rows")
    print_tables(grains)
    draw(cores, grains, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else pathlib.Path(__file__).with_suffix(".svg"))


main()
