#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the rows of `scripts/bench.sh extsort` as tables, and draws them: S's tables 1 to 3 and figures 1 to 9, as far as one machine can show these, with what S has published beside.

    extsort.py ROWS.csv [PICTURE.svg]

The pictures are PICTURE.svg (extsort.svg beside this file unless another is named: figures 2 to 6), PICTURE-engines.svg (1 and 7), PICTURE-groups.svg (8 and 9) and PICTURE-model.svg. scripts/check_figures.py
puts the tables into docs/performance.md. Run by Debian's interpreter, for which setup.sh installs python3-matplotlib."""

import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench"), str(pathlib.Path(__file__).resolve().parent)]
import bench  # noqa: E402
import extsort_model as model  # noqa: E402
from extsort_published import PER_NODE, S_PROGRAMS, S_TABLE_1, S_TABLE_2, S_TABLE_3  # noqa: E402
import suites  # noqa: E402

NOT_MEASURED = "not measured"


def place(where):
    return "memory" if where == "memory" else "disk"


class Rows:
    """By variant, in the order of the suite, and contender: what programs printed, by round."""

    def __init__(self, path):
        self.variants = {(variant.problem, variant.name): variant for variant in suites.extsort()}
        self.rows = {}
        self.path = path.resolve().relative_to(ROOT) if path.resolve().is_relative_to(ROOT) else path
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["suite"] != "extsort":
                    sys.exit(f"{path}: its rows are not of the suite extsort")
                printed = {"items": int(row["items"]), "wall_ns": int(row["wall_ns"]), "cpu_ns": int(row["cpu_ns"]), "extra": json.loads(row["extra"])}
                self.rows.setdefault((row["problem"], row["variant"]), {}).setdefault(row["contender"], []).append(printed)
        if not self.rows:
            sys.exit(f"{path}: no rows")
        self.cores = next(iter(next(iter(self.rows.values())).values()))[0]["extra"]["cores"]

    def of(self, problem, **wanted):
        """The contenders' rows of those variants of a problem whose arguments are these, with the variant."""
        for key, contenders in self.rows.items():
            variant = self.variants.get(key)
            if variant and key[0] == f"extsort_{problem}" and all(variant.arguments.get(name) == value for name, value in wanted.items()):
                yield variant, contenders


def seconds(rows):
    return statistics.median(row["wall_ns"] for row in rows) / 1e9


def cpu_seconds(rows):
    return statistics.median(row["cpu_ns"] for row in rows) / 1e9


def extra(rows, name):
    return statistics.median(row["extra"][name] for row in rows)


def ratio(contenders, name, over, measure="gb_per_s"):
    """@return None if one of them is not there"""
    if name not in contenders or over not in contenders:
        return None
    return bench.median_ratio(contenders[name], contenders[over], measure)


def digits(value, form=".2f", after=""):
    return NOT_MEASURED if value is None else f"{value:{form}}{after}"


def took(contenders, name, with_peak=False):
    if name not in contenders:
        return NOT_MEASURED
    peak = f", {extra(contenders[name], 'peak_mb'):.0f} MB" if with_peak else ""
    return f"{seconds(contenders[name]):.2f} [{cpu_seconds(contenders[name]):.2f}]{peak}"


def limit(variant, measure, over="", of="weir"):
    """What the suite wants: at most or at least so much."""
    goal = next(goal for goal in variant.goals if (goal.measure, goal.over, goal.of) == (measure, over, of))
    return goal.at_least if goal.at_least is not None else goal.at_most


def judged(value, goal, at_most=False):
    if value is None:
        return NOT_MEASURED
    is_met = value <= goal if at_most else value >= goal
    return f"{value:.2f} ({goal:.3g}{'' if is_met else ', short'})"


def table(heads, lines):
    lines = list(lines)
    return "\n".join(["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|", *("| " + " | ".join(line) + " |" for line in lines)]) if lines else f"({NOT_MEASURED})"


def about(rows):
    rounds = {len(found) for contenders in rows.rows.values() for found in contenders.values()}
    return f"Medians of {' or '.join(map(str, sorted(rounds)))} round{'' if rounds == {1} else 's'} on {rows.cores} cores, seconds elapsed and in brackets seconds of CPU time; raw rows in `{rows.path}`."


def sort_table(rows):
    def line(variant, contenders):
        payload = variant.arguments["kind"]
        openmp, fastflow = S_PROGRAMS[payload]
        than_s = openmp[0] * variant.arguments["size"] / 250e6 / seconds(contenders["weir"]) if "weir" in contenders else None
        return (str(payload), took(contenders, "weir", True), took(contenders, "gnu_sort", True),
                judged(ratio(contenders, "weir", "gnu_sort"), limit(variant, "gb_per_s", "gnu_sort")),
                judged(ratio(contenders, "weir", "gnu_sort", "cpu_gb_per_s"), limit(variant, "cpu_gb_per_s", "gnu_sort")),
                *(f"{s:g} [{cpu:g}], {peak} MB" for s, cpu, peak in (openmp, fastflow)), judged(than_s, 20 if payload <= 64 else 5))
    return table(["payloads below", "extsort, s [CPU s], peak", "GNU sort", "times as fast (goal)", "times fewer CPU seconds (goal)", "S with OpenMP", "S with FastFlow", "times as fast as S with OpenMP (goal)"],
                 (line(*each) for each in rows.of("sort")))


def disk_table(rows):
    def line(variant, contenders):
        bound = contenders.get("bound")
        speeds = ", ".join(f"{extra(bound, f'{name}_gb_per_s'):.2f}" for name in ("read", "write", "mixed")) if bound else NOT_MEASURED
        weir = contenders.get("weir")
        confined = weir and all(row["extra"]["confined"] for row in weir)
        return (f"{variant.arguments['size'] / 1e9:g} GB", speeds, digits(bound and seconds(bound)), took(contenders, "weir"), digits(weir and extra(weir, "gb_per_s")),
                judged(ratio(contenders, "weir", "bound"), limit(variant, "gb_per_s", "bound")),
                judged(weir and extra(weir, "peak_share"), limit(variant, "peak_share"), True) + ("" if confined else ", resident, without a cgroup"))
    return table(["input", "read, write, mixed, GB/s", "bound, s", "extsort, s [CPU s]", "GB/s", "share of the bound (goal)", "peak of the cgroup / -m (goal)"], (line(*each) for each in rows.of("disk")))


WAYS = ["weir_1", "weir_2", "weir_4", "openmp_1", "openmp_2", "openmp_4"]


def threads_table(rows):
    def line(variant, contenders):
        goal = [goal for goal in variant.goals if goal.over == "weir_1"]
        two = ratio(contenders, "weir_2", "weir_1")
        return (variant.name.split(": ")[0].removeprefix("S's "), str(variant.arguments["kind"]), variant.name.split(": ")[1].split(" records")[0],
                digits(seconds(contenders["seq"]) if "seq" in contenders else None),
                *(digits(ratio(contenders, way, "seq")) if way in contenders else "" for way in WAYS),
                judged(two, goal[0].at_least) if goal else digits(two))
    return table(["S's", "payloads below", "records", "`seq`, s", *(way.replace("_", ", ") for way in WAYS), "weir, two threads over one (goal)"],
                 (line(*each) for each in rows.of("threads")))


def table_1(rows):
    heads, columns = ["threads"], []
    for where, name in (("memory", "in memory"), ("disk", "S: NFS, here: a disk")):
        found = next((contenders for variant, contenders in rows.of("threads", kind=64, where=where) if "50000000" in variant.name), {})
        heads += [f"{name}: weir", "OpenMP", "S with OpenMP", "FastFlow", "FastFlow, blocking"]
        columns.append((found, S_TABLE_1[where]))
    def line(threads):
        for found, published in columns:
            for name in ("weir", "openmp"):
                way = f"{name}_{threads}"
                yield digits(ratio(found, way, "seq")) if way in found else ""
            yield from (f"{value:g}" for value in published.get(threads, ("",) * 3)) if threads in published else [""] * 3
    return table(heads, ([str(threads), *line(threads)] for threads in S_TABLE_1["memory"]))


ENGINES = {"weir": "pool", "pinned": "pool, pinned", "threads": "a thread a node", "threads_pinned": "these, pinned", "openmp": "OpenMP", "openmp_less": "OpenMP, one thread fewer"}


def engines_table(rows):
    def line(variant, contenders):
        threads, where = variant.arguments["threads"], variant.arguments["where"]
        published = (S_TABLE_1["memory"][threads], S_TABLE_2[threads]) if where == "memory" else None
        return (f"{threads}, {'in memory' if where == 'memory' else 'on the disk'}", digits(seconds(contenders["seq"]) if "seq" in contenders else None),
                *(digits(ratio(contenders, name, "seq")) for name in ENGINES),
                *((f"{published[0][2]:g}", f"{published[0][0]:g}", f"{published[1]:g}") if published else ("not published",) * 3))
    return table(["threads", "`seq`, s", *ENGINES.values(), "S: FastFlow, blocking", "S: OpenMP", "S: one fewer"], (line(*each) for each in rows.of("engines")))


def hundred_table(rows):
    lines = []
    for variant, contenders in rows.of("hundred"):
        where = "in memory" if variant.arguments["where"] == "memory" else "on the disk"
        for name, threads in (("weir", 2), ("one", 1)):
            if name in contenders:
                speed = extra(contenders[name], "gb_per_s")
                said = judged(speed, limit(variant, "gb_per_s")) if name == "weir" and variant.goals else f"{speed:.2f}"
                lines.append((f"extsort, one machine, {threads} thread{'s' if threads > 1 else ''}, 1 GB {where}", said, took(contenders, name)))
    return table(["", "GB/s of a node (goal)", "s [CPU s]"], [*lines, *((f"{name}, published, a node of many", f"{speed:g}", "") for name, speed in PER_NODE.items())])


def text_table(rows):
    def line(variant, contenders):
        return (variant.name.split("memory, ")[1], took(contenders, "weir", True), took(contenders, "gnu_sort", True),
                judged(ratio(contenders, "weir", "gnu_sort"), limit(variant, "gb_per_s", "gnu_sort")), digits(ratio(contenders, "weir", "gnu_sort", "cpu_gb_per_s")))
    found = list(rows.of("text"))
    about = ""
    if found:
        row = next(iter(found[0][1].values()))[0]
        shares = {name: row["extra"][name] / row["items"] * 100 for name in ("files", "programs", "again")}
        about = f"\n\nOf these bytes {shares['files']:.0f} % were of text files, {shares['programs']:.0f} % of programs and libraries as `strings` prints them, and {shares['again']:.0f} % the same again."
    return table(["keys", "extsort, s [CPU s], peak", "GNU sort", "times as fast (goal)", "times fewer CPU seconds"], (line(*each) for each in found)) + about


def keys_table(rows):
    lines = []
    for variant, contenders in rows.of("keys"):
        for name in contenders:
            speed = ratio(contenders, name, "weir")
            lines.append(("uniform" if name == "weir" else name, took(contenders, name), "" if name == "weir" else judged(speed, limit(variant, "gb_per_s", "weir", name))))
    return table(["keys", "s [CPU s]", "times as fast as uniform (goal)"], lines)


def methods_table(rows):
    lines = []
    for problem, other in (("runs", "snowplow"), ("merge", "binary")):
        for variant, contenders in rows.of(problem):
            shape = [f"{extra(contenders[name], 'runs'):.0f}, {extra(contenders[name], 'passes'):.0f}" if name in contenders else NOT_MEASURED for name in ("weir", other)]
            lines.append((f"--{problem} {other}", variant.name, took(contenders, "weir"), took(contenders, other), digits(ratio(contenders, other, "weir")), *shape))
    return table(["", "work", "default, s [CPU s]", "with it", "times as fast with it", "runs, passes", "with it"], lines)


def groups_table(rows):
    """Table 3, and figure 9: the time of two groups by that of n, of n times the records."""
    strong = next((contenders for _, contenders in rows.of("strong")), {})
    weak = {variant.arguments["size"]: contenders for variant, contenders in rows.of("weak")}
    base = weak.get(min(weak), {}) if weak else {}
    one = min(weak) / 2 if weak else 1

    def line(count):
        many = weak.get(round(count * one), {})
        for name in ("groups", "mpi_openmp"):
            yield digits(ratio(strong, f"{name}_{count}", "seq"))
        yield judged(ratio(strong, f"groups_{count}", "weir", "cpu_ms"), 1.4, True)
        yield judged(extra(strong[f"groups_{count}"], "wire_share") if f"groups_{count}" in strong else None, 1.05, True)
        for name in ("groups", "mpi_openmp"):
            yield digits(seconds(base[name]) / seconds(many[name]) if name in many and name in base else None) if count % 2 == 0 else ""
        yield f"{S_TABLE_3['memory'][count]:g}"
        yield f"{S_TABLE_3['disk'][count]:g}"
    return table(["groups, nodes of S", "speedup over `seq`: weir", "mpi-openmp", "CPU seconds of weir over one process (goal)", "bytes sent / B (p - 1) / p (goal)", "weak scaling: weir", "mpi-openmp", "S, speedup in memory", "S, NFS"],
                 ([str(count), *line(count)] for count in S_TABLE_3["memory"]))


def hosts_table(rows):
    def line(variant, contenders):
        weir = contenders.get("weir")
        return (str(variant.arguments["hosts"]), took(contenders, "weir"), judged(weir and extra(weir, "link_share"), limit(variant, "link_share")), digits(weir and extra(weir, "wire_share")))
    return table(["hosts", "s [CPU s]", "share of the network bound (goal)", "bytes sent / B (p - 1) / p"], (line(*each) for each in rows.of("hosts")))


# S sorts 50 million records with payloads below 64, with 32 threads a node and a tenth of the file as memory. Its chunk is not published: here, a thread's share of that.
S_WORK = {"records": 50e6, "size": 50e6 * 47.5, "chunk": 50e6 * 47.5 / 320, "memory": 50e6 * 4.75, "threads": 32}


def sorted_of(row, threads, processes=1):
    size, memory = row["items"], row["extra"]["cap"]
    runs = row["extra"].get("runs")
    return model.Sorted(row["extra"]["records"], size, size / runs if runs else memory / threads, memory, threads, processes)


def model_fits(rows):
    """By name: whether times are seconds, the measurements, and the fits as printed and corrected."""
    sets = {}
    engines = {}
    for _, contenders in rows.of("threads", where="memory"):
        for name, found in contenders.items():
            engine, _, threads = name.partition("_")
            if not threads or int(threads) <= rows.cores:
                engines.setdefault(engine, []).append((sorted_of(found[0], int(threads or 1)), seconds(found)))
    for engine in ("weir", "openmp"):
        if engine in engines:
            sets[f"one process, `--engine {engine}`, 1 and {rows.cores} threads, in memory"] = (True, model.one_process, engines[engine])
    for where, name in (("memory", "in memory"), ("disk", "on NFS")):
        sets[f"S's table 3, {name}, in times of its sequential program"] = (
            False, model.master_worker, [(model.Sorted(**S_WORK, processes=count), 1 / speedup) for count, speedup in S_TABLE_3[where].items()])
    for _, contenders in rows.of("strong"):
        found = [(sorted_of(each[0], 1, int(name.rpartition("_")[2])), seconds(each)) for name, each in contenders.items() if name.startswith("mpi_openmp_")]
        if found:
            sets["`--engine mpi-openmp`, by ranks, on one machine, in memory"] = (True, model.master_worker, found)
    return {name: (is_time, measured, *(model.fitted(terms, is_corrected, measured) for is_corrected in (False, True))) for name, (is_time, terms, measured) in sets.items()}


def model_table(rows):
    lines = []
    for name, (is_time, measured, *fits) in model_fits(rows).items():
        for fit in fits:
            if fit:
                worst = max(fit.residuals, key=abs)
                lines.append((name, "corrected" if fit.is_corrected else "as printed", model.in_words(fit, "s" if is_time else "times"), f"{fit.error * 100:.0f} %", f"{worst * 100:+.0f} %", str(len(measured))))
    return table(["measurements", "model", "parameters that are not 0", "root of the mean squared relative error", "worst", "measurements"], lines)


TABLES = {"about": about, "sort": sort_table, "disk": disk_table, "threads": threads_table, "table 1": table_1, "engines": engines_table, "hundred": hundred_table, "text": text_table,
          "keys": keys_table, "methods": methods_table, "groups": groups_table, "hosts": hosts_table, "model": model_table}


# Pictures

STYLES = {"weir": ("weir", "tab:blue", "o"), "openmp": ("OpenMP", "tab:green", "^")}
S_STYLES = (("S with OpenMP", "tab:green", ":"), ("S with FastFlow", "tab:red", ":"), ("S with FastFlow, blocking", "tab:orange", ":"))


def by_threads(contenders, engine):
    found = {int(name.rpartition("_")[2]): ratio(contenders, name, "seq") for name in contenders if name.startswith(engine + "_") and name[-1].isdigit()}
    return {threads: value for threads, value in sorted(found.items()) if value is not None}


def finish(plot, figure, planes, path, title, note=""):
    entries = {}
    for plane in planes:
        entries.update(zip(*reversed(plane.get_legend_handles_labels())))
        plane.grid(alpha=0.3)
    figure.suptitle(title)
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=4, fontsize="small", frameon=False, bbox_to_anchor=(0.5, 0.035 if note else 0))
    if note:
        figure.text(0.5, 0.008, note, ha="center", fontsize="x-small", color="dimgray")
    rows = math.ceil(len(entries) / 4)
    figure.tight_layout(rect=(0, (0.25 * rows + (0.35 if note else 0.15)) / figure.get_figheight(), 1, 1))
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)


def log2_axis(plane, ticks):
    plane.set_xscale("log", base=2)
    plane.set_xticks(ticks, [str(tick) for tick in ticks])
    plane.minorticks_off()


def draw_threads(plot, rows, path):
    figure, planes = plot.subplots(2, 3, figsize=(12, 7.6))
    planes = [*planes[0], *planes[1]]
    found = sorted(rows.of("threads"), key=lambda each: each[0].name)
    for plane, (variant, contenders) in zip(planes, found):
        where, kind = variant.arguments["where"], variant.arguments["kind"]
        figure_name = variant.name.split(": ")[0]
        widest = rows.cores
        for engine, (label, colour, marker) in STYLES.items():
            values = by_threads(contenders, engine)
            widest = max([widest, *values])
            plane.plot(list(values), list(values.values()), color=colour, marker=marker, markersize=5, label=f"{label}, here")
        ticks = [n for n in (1, 2, 4, 8, 16, 32) if n <= widest]
        plane.plot([1, rows.cores, widest], [1, rows.cores, rows.cores], "--", color="tab:gray", linewidth=1, label=f"ideal on {rows.cores} cores")
        if "figure 2" in figure_name:
            ticks = [1, 2, 4, 8, 16, 32]
            published = S_TABLE_1[place(where)]
            for column, (label, colour, line) in enumerate(S_STYLES):
                plane.plot(list(published), [values[column] for values in published.values()], line, color=colour, label=f"{label}, published")
        else:
            plane.text(0.98, 0.03, "S: drawn, no numbers published", transform=plane.transAxes, ha="right", fontsize="x-small", color="dimgray")
        log2_axis(plane, ticks)
        count = variant.name.split(": ")[1].split(" records")[0]
        plane.set(title=f"{figure_name}\n{int(count):_} records, payloads below {kind}".replace("_", " "), xlabel="threads", ylim=(0, None))
        plane.title.set_fontsize("medium")
    for plane in planes[len(found):]:
        plane.set_visible(False)
    for plane in planes[::3]:
        plane.set_ylabel("speedup over the sequential engine")
    finish(plot, figure, planes[:max(1, len(found))], path, f"Sorting by threads and payload, on {rows.cores} cores",
           "The captions of S's figures 5 and 6 (12.5M records below 512, 31250 below 2048) contradict its text, by which files are of about one size: drawn are 1.25M and 312500. S's on NFS stand beside a disk here.")


def draw_engines(plot, rows, path):
    figure, planes = plot.subplots(1, 3, figsize=(13, 4.6))
    for plane, where in zip(planes, ("memory", "disk")):
        contenders = next((contenders for _, contenders in rows.of("engines", where=where, threads=2)), {})
        names = [name for name in ENGINES if name in contenders and name != "openmp_less"]
        plane.bar(range(len(names)), [extra(contenders[name], "gb_per_s") for name in names], color=["tab:green" if name == "openmp" else "tab:blue" for name in names])
        plane.set_xticks(range(len(names)), [ENGINES[name].replace(", ", ",\n").replace("thread a", "thread\na") for name in names], fontsize="small")
        plane.set(title=f"S's figure 1, {'in memory' if where == 'memory' else 'on the disk (S: RAID10)'}, two threads", ylabel="GB/s", xlabel="S: drawn, no numbers published")
        plane.xaxis.label.set(fontsize="x-small", color="dimgray")
    plane = planes[2]
    ours = {variant.arguments["threads"]: contenders for variant, contenders in rows.of("engines", where="memory")}
    for name, label, colour, marker in (("weir", "weir, here", "tab:blue", "o"), ("openmp", "OpenMP, here", "tab:green", "^"), ("openmp_less", "OpenMP on one thread fewer, here", "tab:olive", "v")):
        values = {threads: ratio(contenders, name, "seq") for threads, contenders in sorted(ours.items()) if name in contenders}
        plane.plot(list(values), list(values.values()), color=colour, marker=marker, markersize=5, label=label)
    published = S_TABLE_1["memory"]
    for values, label, colour in (({threads: each[0] for threads, each in published.items()}, "S with OpenMP", "tab:green"), (S_TABLE_2, "S with OpenMP, one fewer", "tab:olive"),
                                  ({threads: each[2] for threads, each in published.items()}, "S with FastFlow, blocking", "tab:orange")):
        plane.plot(list(values), list(values.values()), ":", color=colour, label=f"{label}, published")
    log2_axis(plane, [2, 4, 8, 16, 32])
    plane.set(title="S's figure 7 and table 2, in memory", xlabel="threads", ylabel="speedup over the sequential engine", ylim=(0, None))
    finish(plot, figure, planes, path, f"10 000 000 records with payloads below 64, by engine, on {rows.cores} cores")


def draw_groups(plot, rows, path):
    figure, planes = plot.subplots(1, 2, figsize=(10.5, 4.6))
    strong = next((contenders for _, contenders in rows.of("strong")), {})
    weak = sorted(((variant.arguments["size"], contenders) for variant, contenders in rows.of("weak")), key=lambda each: each[0])
    for name, label, colour, marker in (("groups", "weir, here", "tab:blue", "o"), ("mpi_openmp", "mpi-openmp, here", "tab:green", "^")):
        values = {int(each.rpartition("_")[2]): ratio(strong, each, "seq") for each in strong if each.startswith(name + "_") and "seq" in strong}
        if values:
            planes[0].plot(list(values), list(values.values()), color=colour, marker=marker, markersize=5, label=label)
        measured = [(round(2 * size / weak[0][0]), seconds(contenders[name])) for size, contenders in weak if name in contenders]
        if measured:
            planes[1].plot([n for n, _ in measured], [measured[0][1] / each for _, each in measured], color=colour, marker=marker, markersize=5, label=label)
    for where, line, label in (("memory", ":", "in memory"), ("disk", "--", "NFS")):
        planes[0].plot(list(S_TABLE_3[where]), list(S_TABLE_3[where].values()), line, color="tab:gray", label=f"S with MPI and OpenMP, {label}, published")
    planes[0].set(title="S's figure 8 and table 3, strong scaling", xlabel="groups on one machine; nodes of S", ylabel="speedup over the sequential engine", ylim=(0, None))
    planes[1].set(title="S's figure 9, weak scaling", xlabel="groups, each with as many records", ylabel="time of two groups / time of n", ylim=(0, None), xlim=planes[0].get_xlim())
    planes[1].text(0.98, 0.03, "S: drawn, no numbers published", transform=planes[1].transAxes, ha="right", fontsize="x-small", color="dimgray")
    if not strong or not weak:
        planes[1].text(0.5, 0.5, NOT_MEASURED + " here", transform=planes[1].transAxes, ha="center", color="dimgray")
    finish(plot, figure, planes, path, f"Sorting in groups, all of them on the same {rows.cores} cores; S: 32 threads a node")


def draw_model(plot, rows, path):
    fits = model_fits(rows)
    times = {name: fit for name, fit in fits.items() if fit[0]}
    speedups = {name: fit for name, fit in fits.items() if not fit[0]}
    figure, planes = plot.subplots(1, 2, figsize=(11.5, 4.9))
    colours = ("tab:blue", "tab:green", "tab:red", "tab:purple")
    ends = []
    for colour, (name, (_, measured, *both)) in zip(colours, times.items()):
        for fit, marker in zip(both, ("x", "o")):
            if fit:
                ends += [seconds for _, seconds in measured]
                planes[0].plot([seconds for _, seconds in measured], [fit.predicted(of) for of, _ in measured], marker, color=colour, markersize=5, fillstyle="none",
                               label=f"{name.replace('`', '').split(', 1 and')[0]}, {'corrected' if fit.is_corrected else 'as printed'}")
    if ends:
        planes[0].plot([min(ends), max(ends)], [min(ends), max(ends)], "--", color="tab:gray", linewidth=1)
        planes[0].set(xscale="log", yscale="log")
    planes[0].set(title="fitted to what was measured here", xlabel="measured, s", ylabel="S's model, s")
    for colour, (name, (_, measured, *both)) in zip(("tab:blue", "tab:orange"), speedups.items()):
        counts = [of.processes for of, _ in measured]
        label = name.split(", in times")[0]
        planes[1].plot(counts, [1 / seconds for _, seconds in measured], "o", color=colour, markersize=5, label=label)
        for fit, line in zip(both, (":", "-")):
            planes[1].plot(counts, [1 / fit.predicted(of) for of, _ in measured], line, color=colour, label=f"{label}, model {'corrected' if fit.is_corrected else 'as printed'}")
    planes[1].set(title="fitted to S's table 3", xlabel="nodes", ylabel="speedup", ylim=(0, None))
    for plane, place in zip(planes, ("upper left", "lower right")):  # where no points are
        plane.legend(fontsize="x-small", loc=place)
        plane.grid(alpha=0.3)
    figure.suptitle("S's cost model, as printed and corrected")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)


def draw(rows, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plot
    plot.rcParams["svg.hashsalt"] = "weir"
    for suffix, drawn in (("", draw_threads), ("-engines", draw_engines), ("-groups", draw_groups), ("-model", draw_model)):
        drawn(plot, rows, path.with_name(path.stem + suffix + ".svg"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=pathlib.Path, metavar="ROWS.csv")
    parser.add_argument("picture", type=pathlib.Path, nargs="?", metavar="PICTURE.svg", default=pathlib.Path(__file__).with_suffix(".svg"))
    given = parser.parse_args()
    rows = Rows(given.rows)
    for name, made in TABLES.items():
        print(f"{name}\n{made(rows)}\n")
    draw(rows, given.picture)


if __name__ == "__main__":
    main()
