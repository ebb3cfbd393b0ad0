# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Draws a panel as SVG that stands in a page: text is text, its colour and that of the axes is the page's, and its names are no other picture's."""

import io
import math
import re

import matplotlib
import noise

matplotlib.use("svg")
import matplotlib.pyplot as plot  # noqa: E402
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator  # noqa: E402

# Inches; a picture is about as wide as a phone, so that its text keeps its size there.
SIZE = (3.7, 2.7)
# The share of an axis that a label takes.
LABEL = 0.12
# Longer names stand in a legend of one column.
LONG_NAME = 24
# It becomes the colour of the page's text.
TEXT = "#010203"
# Readable on light and on dark: those of weir, of others, and of what is published.
OURS = ("#1f83d6", "#12a08a", "#8b6fe0", "#5aa5e8", "#2f6f9f", "#66c2b0")
RIVALS = ("#dd6b20", "#c99a06", "#c2528b", "#a0522d")
PUBLISHED = ("#d6453d", "#7a8a99", "#9a7b4f", "#b06fb0")
MARKERS = "osD^vP*X"


def number(value, _=None):
    for least, name in ((1e9, "G"), (1e6, "M")):
        if value >= least:
            return f"{value / least:.3g}{name}"
    return f"{value / 1e3:.3g}k" if value >= 1000 else f"{value:.3g}"


class Colours:
    """One after the other, by role."""

    def __init__(self):
        self.left = {"ours": list(OURS), "rival": list(RIVALS), "published": list(PUBLISHED), "ideal": ["#8c8c8c"]}

    def next(self, role):
        colours = self.left[role]
        return colours.pop(0) if len(colours) > 1 else colours[0]


def middle(value):
    return value.median if isinstance(value, noise.Spread) else value


def top(value):
    return value.high if isinstance(value, noise.Spread) else value


def apart(xs):
    """Those of some places on a logarithmic axis whose labels don't touch."""
    kept = []
    for x in xs:
        if not kept or math.log(x / kept[-1]) > LABEL * math.log(xs[-1] / xs[0]):
            kept.append(x)
    return kept


def bars(axes, panel, colours):
    names = list(dict.fromkeys(name for series in panel.series for name, _ in series.points))
    for series in panel.series:
        colour = colours.next(series.role)
        points = [(names.index(name), value) for name, value in series.points]
        hatch = {"hatch": "//", "alpha": 0.55} if series.role == "published" else {}
        axes.barh([y for y, _ in points], [middle(value) for _, value in points], color=colour, label=series.name, height=0.6, **hatch)
        for y, value in points:
            if isinstance(value, noise.Spread):
                axes.plot([value.low, value.high], [y, y], color=TEXT, linewidth=1.2, marker="|", markersize=5)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlabel=panel.y, xlim=(0, None))
    axes.xaxis.set_major_formatter(FuncFormatter(number))
    axes.grid(axis="x", alpha=0.25, color=TEXT)


def lines(axes, panel, colours):
    styles = {"ours": {"linewidth": 1.8, "zorder": 3}, "rival": {"linewidth": 1.2}, "published": {"linestyle": ":", "linewidth": 1.5, "markerfacecolor": "none"}, "ideal": {"linestyle": "--", "linewidth": 1.0}}
    for at, series in enumerate(each for each in panel.series if each.points):
        colour = colours.next(series.role)
        xs, values = zip(*series.points)
        marker = "" if series.role == "ideal" else MARKERS[at % len(MARKERS)]
        axes.plot(xs, [middle(value) for value in values], color=colour, marker=marker, markersize=4.5, label=series.name, **styles[series.role])
        spreads = [(x, value) for x, value in zip(xs, values) if isinstance(value, noise.Spread)]
        if spreads:
            axes.vlines([x for x, _ in spreads], [each.low for _, each in spreads], [each.high for _, each in spreads], color=colour, linewidth=1.0, alpha=0.7)
    for name, height in panel.levels:
        axes.axhline(height, color=colours.next("published"), linestyle=":", linewidth=1.5, label=f"{name}: {height:g}")
    for name, place in panel.marks:
        axes.axvline(place, color=colours.next("published"), linestyle=":", linewidth=1.5, label=f"{name}: {place:g}")
    if panel.log_x:
        axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.07 * max((top(value) for series in panel.series for _, value in series.points), default=0) or None)
        for _, height in panel.levels:
            axes.set_ylim(0, max(axes.get_ylim()[1], 1.07 * height))
    xs = sorted({x for series in panel.series for x, _ in series.points})
    if panel.log_x:
        axes.set_xticks(apart(xs))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    for axis, logarithmic in ((axes.xaxis, panel.log_x), (axes.yaxis, panel.log_y)):
        axis.set_major_formatter(FuncFormatter(number))
        if logarithmic:
            axis.set_minor_locator(NullLocator())
    axes.set(xlabel=panel.x, ylabel=panel.y)
    axes.grid(alpha=0.25, color=TEXT)


def drawn(panel, key):
    """@param key begins all names within the picture. @return an element <svg>, whose width is that of what it stands in"""
    with plot.rc_context({"svg.fonttype": "none", "svg.hashsalt": "weir", "font.family": "sans-serif", "font.size": 9.5, "text.color": TEXT, "axes.edgecolor": TEXT, "axes.labelcolor": TEXT,
                          "xtick.color": TEXT, "ytick.color": TEXT, "axes.spines.top": False, "axes.spines.right": False, "hatch.linewidth": 0.6}):
        names = [each.name for each in panel.series if each.points] + [name for name, _ in (*panel.levels, *panel.marks)]
        columns = 1 if max(map(len, names), default=0) > LONG_NAME else 2
        below = 0.17 * -(-len(names) // columns) + 0.05
        figure, axes = plot.subplots(figsize=(SIZE[0], SIZE[1] + below))
        (bars if panel.bars else lines)(axes, panel, Colours())
        figure.legend(loc="lower center", ncol=columns, fontsize=8.5, frameon=False, borderaxespad=0.1, columnspacing=1.2, labelspacing=0.25)
        figure.tight_layout(rect=(0, below / figure.get_figheight(), 1, 1), pad=0.4)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
        plot.close(figure)
    return inline(text.getvalue(), panel.title, key)


def inline(svg, title, key):
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg"):], flags=re.S)
    svg = re.sub(r'\b(id|xlink:href)="(#?)([^"]+)"', rf'\1="\2{key}-\3"', svg)
    svg = svg.replace("url(#", f"url(#{key}-").replace("xlink:href", "href").replace(TEXT, "currentColor")
    opening = re.match(r"<svg[^>]*>", svg)[0]
    box = re.search(r'viewBox="[^"]*"', opening)[0]
    label = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    # Browsers take an inline <svg> for SVG without its namespace.
    # Its style would be that of the whole page.
    svg = re.sub(r"<defs>\s*<style[^>]*>[^<]*</style>\s*</defs>", "", svg)
    return f'<svg {box} role="img" aria-label="{label}" style="stroke-linejoin: round; stroke-linecap: butt">' + re.sub(r"<!--.*?-->", "", svg[len(opening):], flags=re.S).strip()
