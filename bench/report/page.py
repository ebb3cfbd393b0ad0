# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the page of a report: one file, beside which lie the CSV files that it links."""

import pathlib
from dataclasses import dataclass, field

import against
import bench
import figure_tables
import jinja2
import noise
import pictures
from figure import Rows

# So many ratios stand before a figure's picture, the others below it.
FIRST_RATIOS = 4
PAPERS = {"F1": "FastFlow and Smith-Waterman searches, 2010", "F2": "FastFlow's distributed blocks, 2022", "S": "An external merge sort, project report", "M": "MPIStream, 2015"}
MARKS = {noise.BETTER: "▲ faster", noise.WORSE: "▼ slower", noise.SAME: "same", noise.UNKNOWN: "too few rounds"}


def template():
    """Read once, so that all pages of a run are of one kind."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).resolve().parent), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    environment.globals.update(papers=PAPERS, marks=MARKS, first_ratios=FIRST_RATIOS, number=bench.number)
    return environment.get_template("page.html")


TEMPLATE = template()


@dataclass
class Line:
    """A contender of a variant, in a table."""

    name: str
    value: str  # median and range
    rounds: int
    ratio: str = ""  # the base by it


@dataclass
class Entry:
    """What stands in a figure's place."""

    figure: object
    outcome: object
    ratios: list = field(default_factory=list)
    pictures: list = field(default_factory=list)
    tables: list = field(default_factory=list)  # triples: variant, measure, lines
    changes: list = field(default_factory=list)
    csv: str = ""

    @property
    def changed(self):
        return [change for change in self.changes if change.verdict in (noise.BETTER, noise.WORSE)]

    @property
    def rounds(self):
        return sorted({line.rounds for _, _, lines in self.tables for line in lines})


def shown(spread, measure):
    """A median and its range in the unit that suits it."""
    before, unit, after = figure_tables.parts(measure)
    scale = figure_tables.in_units(spread.median, unit)
    factor = scale[0] / spread.median if spread.median else 1
    low, high = (bench.number(value * factor) for value in (spread.low, spread.high))
    words = " ".join(filter(None, [scale[1], *after])) or " ".join(before)
    return f"{bench.number(scale[0])} [{low} – {high}] {words}".strip()


def lines_of(variant, rows):
    lines = []
    for name, of_it in rows.items():
        ratio = ""
        if name != variant.base and variant.base in rows:
            values = noise.ratios(rows[variant.base], of_it, variant.rank)
            ratio = f"{noise.Spread.of(values)} x" if values else ""
        lines.append(Line(name, shown(noise.Spread.of(noise.measured(of_it, variant.rank)), variant.rank), len(of_it), ratio))
    return lines


def entry(figure, outcome, read, earlier=None):
    """@param read the figure's rows, as kept.read returns them
    @param earlier those of the run to be compared with, if there is one"""
    rows = Rows(figure, read)
    made = Entry(figure, outcome)
    made.ratios = figure.ratios(rows)
    made.pictures = [(panel.title, pictures.drawn(panel, f"{figure.key}-{i}")) for i, panel in enumerate(figure.panels(rows)) if any(series.points for series in panel.series)]
    made.tables = [(variant, "" if variant.base not in contenders else variant.base, lines_of(variant, contenders)) for variant, contenders in rows.of_variants]
    if read:
        made.csv = f"{figure.key}.csv"
    if earlier is not None:
        made.changes = sorted(against.changes(rows.of_variants, earlier), key=lambda change: change.verdict in (noise.SAME, noise.UNKNOWN))
    return made


def made(**words):
    """The page as text. @param words what the template names: entries, machine, mode, state, command, seconds, and about a comparison"""
    return TEMPLATE.render(**words)
