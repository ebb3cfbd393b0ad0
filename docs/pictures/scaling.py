#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The model of docs/scaling.md: prints its table, and draws scaling.svg beside this file (python3-matplotlib)."""

import pathlib

ELEMENT = 512 * 8  # bytes, as in M's figure 7
# Measured on one host (docs/performance.md): what one producer and one consumer do when each has a core, bytes per second, the slower of both MPIs.
PAIR = 1.5e9
# M's machines: pairs on a node, the bandwidth of these by ping-pong (figure 6), and what the text says of figure 7: pairs, and bytes per second.
MACHINES = {
    "Cray XC40": (32, 15e9, [(32, 8e9), (2048, 80e9)]),
    "Blue Gene/Q": (16, 3.5e9, [(32, 3.25e9), (2048, 200e9)]),
}
PAIRS = [2 ** i for i in range(5, 12)]


def predicted(pairs, machine):
    per_node, link, _ = MACHINES[machine]
    return pairs * min(PAIR, link / per_node)


def main():
    print("| pairs | " + " | ".join(f"{name}, model | M" for name in MACHINES) + " |")
    print("|---" * (1 + 2 * len(MACHINES)) + "|")
    for pairs in PAIRS:
        cells = []
        for name, (_, _, measured) in MACHINES.items():
            seen = dict(measured).get(pairs)
            cells += [f"{predicted(pairs, name) / 1e9:.0f} GB/s", f"{seen / 1e9:g} GB/s" if seen else ""]
        print(f"| {pairs} | " + " | ".join(cells) + " |")

    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plot
    plot.rcParams["svg.hashsalt"] = "weir"
    figure, axes = plot.subplots(figsize=(7, 4.2))
    for name, colour in zip(MACHINES, ("tab:blue", "tab:orange")):
        axes.plot(PAIRS, [predicted(n, name) / 1e9 for n in PAIRS], color=colour, label=f"model, links of the {name}")
        measured = MACHINES[name][2]
        axes.plot([n for n, _ in measured], [rate / 1e9 for _, rate in measured], "o", color=colour, label=f"M, {name}")
    axes.plot(PAIRS, [n * PAIR / 1e9 for n in PAIRS], "--", color="tab:gray", label="model, no links: the cores")
    axes.set(xscale="log", yscale="log", xlabel="producers, and as many consumers", ylabel="GB/s", xticks=PAIRS, xticklabels=PAIRS)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(pathlib.Path(__file__).with_suffix(".svg"), metadata={"Date": None})


main()
