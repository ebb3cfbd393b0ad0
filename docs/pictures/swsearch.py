#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the rows of `scripts/bench.sh swsearch` by query length as tables, and draws them: F1's figure 4.

    swsearch.py ROWS.csv [PICTURE.svg]

The picture is swsearch.svg beside this file unless another is named. Run by Debian's interpreter, for which setup.sh installs
python3-matplotlib."""

import csv
import json
import pathlib
import statistics
import sys

PROBLEM = "swsearch_lengths"
# The contenders in the order of the legend: label, colour, marker.
STYLES = {
    "weir": ("swsearch, a weir farm", "tab:blue", "o"),
    "pipes": ("its kernel in processes, over pipes, as SWPS3", "tab:orange", "s"),
}
# Of F1 only the peaks are in its text: by gaps.
PUBLISHED = {"10-2": (("FastFlow", 34.38), ("SWPS3", 29.19)), "5-2": (("FastFlow", 18.94), ("SWPS3", 16.31))}


def read(path):
    """@return the cores that there were, and by gaps, contender and length of the query the medians of GCUPS, elapsed time"""
    cores = 0
    gaps = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["problem"] != PROBLEM:
                continue
            extra = json.loads(row["extra"])
            cores = int(extra["cores"])
            lengths = gaps.setdefault(extra["gaps"], {}).setdefault(row["contender"], {})
            lengths.setdefault(int(extra["queries"]), []).append(float(extra["gcups"]))
    return cores, {of: {name: {length: statistics.median(all) for length, all in sorted(lengths.items())}
                        for name, lengths in contenders.items()} for of, contenders in gaps.items()}


def print_tables(gaps):
    for of, contenders in gaps.items():
        names = [name for name in STYLES if name in contenders]
        print(f"gaps {of}k, GCUPS")
        print("| query | " + " | ".join(STYLES[name][0] for name in names) + " |")
        print("|---" * (len(names) + 1) + "|")
        for length in sorted({length for name in names for length in contenders[name]}):
            values = [contenders[name].get(length) for name in names]
            print(f"| {length} | " + " | ".join("-" if value is None else f"{value:.1f}" for value in values) + " |")
        print()


def draw(cores, gaps, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plot
    plot.rcParams["svg.hashsalt"] = "weir"
    figure, planes = plot.subplots(1, len(gaps), figsize=(1 + 5.2 * len(gaps), 5), sharey=True, squeeze=False)
    # Equally far apart, as in F1: half of the lengths are below 1000.
    lengths = sorted({length for contenders in gaps.values() for values in contenders.values() for length in values})
    places = {length: place for place, length in enumerate(lengths)}
    for plane, (of, contenders) in zip(planes[0], gaps.items()):
        for name, (label, colour, marker) in STYLES.items():
            values = contenders.get(name, {})
            plane.plot([places[length] for length in values], list(values.values()), color=colour, marker=marker, markersize=5, label=label)
        for (name, peak), style in zip(PUBLISHED.get(of, ()), ("--", ":")):
            plane.axhline(peak, color="tab:gray", linestyle=style, linewidth=1.2, label=f"{name}, its peak in F1: on 8 cores, 2009")
            # The lower of two that are close stands below its line.
            plane.text(len(lengths) - 0.7, peak, f"{peak:g}", color="dimgray", fontsize="small", ha="right", va="bottom" if style == "--" else "top")
        plane.set(title=f"a gap of k residues costs {of.replace('-', ' + ')}k", xlabel="residues of the query", ylim=(0, None))
        plane.set_xticks(range(len(lengths)), [str(length) for length in lengths], rotation=90)
        plane.grid(alpha=0.3)
    planes[0, 0].set_ylabel("GCUPS: 10⁹ cells a second")
    figure.suptitle(f"Search of 471 472 sequences of 167 326 533 residues by the length of the query, on {cores} cores, BLOSUM50")
    handles, labels = planes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=2, fontsize="small", frameon=False)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: swsearch.py ROWS.csv [PICTURE.svg]")
    try:
        cores, gaps = read(sys.argv[1])
    except KeyError as missing:
        sys.exit(f"{sys.argv[1]}: its rows are not of the suite swsearch: they have no {missing}")
    if not gaps:
        sys.exit(f"{sys.argv[1]}: no rows of the problem {PROBLEM}")
    print_tables(gaps)
    draw(cores, gaps, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else pathlib.Path(__file__).with_suffix(".svg"))


main()
