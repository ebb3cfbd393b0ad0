#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The model of docs/scaling.md: prints its table, and draws scaling.svg beside this file. Run by Debian's interpreter, for which setup.sh installs
python3-matplotlib."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench")]
import bench  # noqa: E402
import kept  # noqa: E402

ELEMENT = 512 * 8  # bytes, as in M's figure 7
# M's machines: pairs on a node, the bandwidth of these by ping-pong (figure 6), and what the text says of figure 7: pairs, and bytes per second.
MACHINES = {
    "Cray XC40": (32, 15e9, [(32, 8e9), (2048, 80e9)]),
    "Blue Gene/Q": (16, 3.5e9, [(32, 3.25e9), (2048, 200e9)]),
}
PAIRS = [2 ** i for i in range(5, 12)]


def of_a_pair(rows_of):
    """Bytes per second of one producer and one consumer, each with a core of this machine, with the slower of both MPIs."""
    pairs = [rows_of.newest("parallel_stream", f"producers of a consumer, elements of {ELEMENT // 8} doubles, {mpi}", "from_1")[1] for mpi in ("openmpi", "mpich")]
    return min(bench.median(rows["from_1"], "items_per_s") * ELEMENT for rows in pairs if rows)


def predicted(pairs, machine, pair):
    per_node, link, _ = MACHINES[machine]
    return pairs * min(pair, link / per_node)


def model(rows_of):
    pair = of_a_pair(rows_of)
    lines = ["| pairs | " + " | ".join(f"{name}, model | M" for name in MACHINES) + " |", "|---" * (1 + 2 * len(MACHINES)) + "|"]
    for pairs in PAIRS:
        cells = []
        for name, (_, _, measured) in MACHINES.items():
            seen = dict(measured).get(pairs)
            cells += [f"{predicted(pairs, name, pair) / 1e9:.0f} GB/s", f"{seen / 1e9:g} GB/s" if seen else ""]
        lines.append(f"| {pairs} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


TABLES = {"model": model}


def main():
    rows_of = kept.Kept()
    pair = of_a_pair(rows_of)
    print(model(rows_of))

    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plot
    plot.rcParams["svg.hashsalt"] = "weir"
    figure, axes = plot.subplots(figsize=(7, 4.2))
    for name, colour in zip(MACHINES, ("tab:blue", "tab:orange")):
        axes.plot(PAIRS, [predicted(n, name, pair) / 1e9 for n in PAIRS], color=colour, label=f"model, links of the {name}")
        measured = MACHINES[name][2]
        axes.plot([n for n, _ in measured], [rate / 1e9 for _, rate in measured], "o", color=colour, label=f"M, {name}")
    axes.plot(PAIRS, [n * pair / 1e9 for n in PAIRS], "--", color="tab:gray", label="model, no links: the cores")
    axes.set(xscale="log", yscale="log", xlabel="producers, and as many consumers", ylabel="GB/s", xticks=PAIRS, xticklabels=PAIRS)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(pathlib.Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
