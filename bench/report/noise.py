# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Medians with their ranges, ratios within rounds, and whether two sets of rounds differ by more than their noise."""

import math
import statistics
from dataclasses import dataclass

import bench
import suites

# Fewer rounds than these have no range to speak of.
LEAST_ROUNDS = 3


@dataclass(frozen=True)
class Spread:
    """The median of some rounds, and their smallest and largest value."""

    median: float
    low: float
    high: float
    rounds: int

    @classmethod
    def of(cls, values):
        return cls(statistics.median(values), min(values), max(values), len(values))

    def __str__(self):
        return f"{bench.number(self.median)} [{bench.number(self.low)} – {bench.number(self.high)}]"


def measured(rows, measure):
    """@return the measure, by round"""
    return [bench.measured(row, measure) for row in rows]


def ratios(rows, others, measure):
    """@return by round, how many times as good as the others these are: a speed by theirs, or their time by this one"""
    pairs = list(zip(measured(rows, measure), measured(others, measure)))
    if suites.lower_is_better(measure):
        pairs = [(b, a) for a, b in pairs]
    return [a / b for a, b in pairs if b]


SAME, BETTER, WORSE, UNKNOWN = "same", "faster", "slower", "unknown"


def verdict(old, new):
    """Whether the values of `new` differ from those of `old`, where larger is better. They do if both of these hold:

      - no value of one set lies within the range of the other;
      - the medians are further apart than either set's values are: log(median / median) is larger than log(largest / smallest) of each.

    The first is the most extreme outcome of a rank test: equal sets of n and m values have it with a probability of 2 / C(n + m, n), which is 1 in 10 for
    three rounds each and 1 in 126 for five. The second makes that rarer. @return SAME, BETTER or WORSE; UNKNOWN if there are too few rounds, or a value
    is not positive"""
    if min(len(old), len(new)) < LEAST_ROUNDS or min(*old, *new) <= 0:
        return UNKNOWN
    before, after = Spread.of(old), Spread.of(new)
    if after.low <= before.high and before.low <= after.high:
        return SAME
    noise = max(math.log(each.high / each.low) for each in (before, after))
    change = math.log(after.median / before.median)
    if abs(change) <= noise:
        return SAME
    return BETTER if change > 0 else WORSE
