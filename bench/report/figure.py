# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""A figure of a paper in the report: which variants of which suites repeat it, what the paper says, and how its ratios and pictures come from rows."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field

import noise
import suites


def every(_):
    return True


@dataclass(frozen=True)
class Part:
    """Variants of a suite, and some or all of their contenders. --quick takes some of these variants, with other arguments, and `items` times `quick_scale`."""

    suite: str
    wanted: Callable = every  # of a variant
    contenders: tuple = ()  # empty: all
    quick: Callable = every
    quick_contenders: tuple = ()
    quick_arguments: Callable = lambda variant: {}
    quick_scale: float = 1

    def variants(self, quick):
        """As they are to be run."""
        for variant in suites.SUITES[self.suite]():
            if not self.wanted(variant) or (quick and not self.quick(variant)):
                continue
            names = (quick and self.quick_contenders) or self.contenders
            chosen = [each for each in variant.contenders if not names or each.name in names]
            arguments = {**variant.arguments, **(self.quick_arguments(variant) if quick else {})}
            yield dataclasses.replace(variant, contenders=chosen, arguments=arguments)


@dataclass(frozen=True)
class Figure:
    key: str  # of its entry and its files: f1-3
    paper: str
    number: str
    title: str
    measured: str  # one sentence
    parts: tuple
    published: str  # what the paper says in numbers, and where they stand in it
    ratios: Callable  # of Rows: Ratio, the most telling one first
    panels: Callable  # of Rows: Panel
    here: str = ""  # how the experiment differs from the paper's
    quick: str = ""  # how that of --quick differs from the full one
    quick_seconds: int = 30  # which it may take
    commands: tuple = ()  # that repeat its parts without a report
    missing: tuple = ()  # pairs: what can't be run at all, and why


class Rows:
    """The rows of a figure: by variant, what each contender printed, by round."""

    def __init__(self, figure, read):
        """@param read by problem and variant, as kept.read returns them"""
        self.of_variants = [(variant, read[variant.problem, variant.name]) for part in figure.parts for variant in part.variants(quick=False)
                            if read.get((variant.problem, variant.name))]

    def of(self, problem, name="", **arguments):
        """The variants of a problem whose names contain this and whose arguments are these, each with its rows by contender."""
        return [(variant, rows) for variant, rows in self.of_variants
                if variant.problem == problem and name in variant.name and all(variant.arguments.get(each) == value for each, value in arguments.items())]


@dataclass(frozen=True)
class Ratio:
    text: str  # what by what
    spread: noise.Spread
    published: str = ""  # the paper's, if it has one
    unit: str = "x"


def beside(rows, one, other, measure, text, published=""):
    """@return how many times as good as `other` a contender is, within rounds, as a list of one Ratio; none if one of them did not run"""
    if one not in rows or other not in rows:
        return []
    values = noise.ratios(rows[one], rows[other], measure)
    return [Ratio(text, noise.Spread.of(values), published)] if values else []


@dataclass(frozen=True)
class Series:
    name: str
    role: str  # ours, rival, ideal or published
    points: list  # of x and Spread, or of x and a number


@dataclass(frozen=True)
class Panel:
    title: str
    x: str
    y: str
    series: list
    log_x: bool = False
    log_y: bool = False
    levels: list = field(default_factory=list)  # pairs: a name, and the height of a published value
    marks: list = field(default_factory=list)  # pairs: a name, and the place of a published value on x
    bars: bool = False  # x are names
