# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Compares a run with an earlier one, figure by figure: ratios to rivals of the same round where there are some, because both runs' machines may differ in speed, else the measure itself."""

import json
from dataclasses import dataclass

import bench
import kept
import noise
import suites

ABOUT = "report.json"
# Contenders that others are measured by, without being rivals.
YARDSTICKS = ("sequential", "seq")


class NoReport(Exception):
    """In words why a folder has no report that can be compared."""


@dataclass(frozen=True)
class Change:
    what: str
    old: noise.Spread
    new: noise.Spread
    verdict: str

    @property
    def percent(self):
        return 100 * (self.new.median / self.old.median - 1) if self.old.median else 0


@dataclass(frozen=True)
class Earlier:
    """An earlier run: what its report.json says, and by figure its rows, as kept.read returns them."""

    about: dict
    rows: dict

    @classmethod
    def read(cls, folder):
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            rows = {key: kept.read(folder / f"{key}.csv") for key in about["figures"] if (folder / f"{key}.csv").exists()}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NoReport(f"{folder} has no report of bench.sh all: {error}") from None
        return cls(about, rows)

    def refusal(self, mode):
        """Why it can't be compared with a run of this mode; empty: it can"""
        theirs = self.about.get("mode", "")
        return "" if theirs == mode else f"the earlier run was {theirs}, and this one is {mode}: their work is not the same"


def compared(variant, rows):
    """By what it is: values by round, of which larger ones are better."""
    found = {}
    measure, base = variant.rank, variant.base
    name = f"{variant.problem}: {variant.name}: "
    for other in rows:
        if other == base or base not in rows:
            continue
        one, by = (other, base) if base in YARDSTICKS else (base, other)
        found[f"{name}{one} : {by}"] = noise.ratios(rows[one], rows[by], measure)
    if not found:
        for only, of_it in rows.items():
            values = noise.measured(of_it, measure)
            found[f"{name}{only}, {measure}"] = [1 / value for value in values if value] if suites.lower_is_better(measure) else values
    return found


def changes(of_variants, earlier):
    """@param of_variants pairs: a variant, and its rows by contender, as figure.Rows has them
    @param earlier rows of the same figure, as kept.read returns them"""
    found = []
    for variant, rows in of_variants:
        before = compared(variant, earlier.get((variant.problem, variant.name), {}))
        for what, new in compared(variant, rows).items():
            if before.get(what) and new:
                found.append(Change(what, noise.Spread.of(before[what]), noise.Spread.of(new), noise.verdict(before[what], new)))
    return found


def machine_changed(about, machine):
    """What differs between the machines of both runs, in words, so that a reader knows."""
    theirs = about.get("machine", {})
    return [f"{name}: {theirs.get(name, 'unknown')} then, {value} now" for name, value in machine.items()
            if name in ("processor", "cores", "compiler", "kernel", "libraries") and theirs.get(name) != value]


def in_words(change):
    return f"{change.what}: {bench.number(change.old.median)}, now {bench.number(change.new.median)} ({change.percent:+.0f} %): {change.verdict}"
