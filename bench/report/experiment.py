# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the variants of a figure: their contenders take turns, and each round is a row of the figure's CSV file as soon as it is there."""

import argparse
import csv
import json
import time
from dataclasses import dataclass, field

import bench

# Letters of a failure that the report shows; an MPI may print pages.
LONGEST_FAILURE = 1500
# What a run may take at most where the figure's time does not limit it, in seconds.
LONGEST_RUN = 300
# A run that began before the end of a figure's time may take this longer, and then fails.
GRACE = 5


@dataclass
class Outcome:
    """How a figure went. It has rows if the file beside the page has some."""

    state: str = "not run"  # done, partial, failed, not run
    left_out: list = field(default_factory=list)  # in words what did not run, and why
    failures: list = field(default_factory=list)
    seconds: float = 0
    limit: float | None = None  # seconds that it could take; None: no limit


def shortened(text):
    return text if len(text) <= LONGEST_FAILURE else text[:LONGEST_FAILURE] + " ..."


class Clock:
    """The time until an end. None: there is no end."""

    def __init__(self, seconds):
        self.end = None if seconds is None else time.monotonic() + seconds

    def left(self):
        return float("inf") if self.end is None else self.end - time.monotonic()


class Run:
    """One figure, from its first round to its last.

    @param settings builds, smoke, quick, rounds: as scripts/bench_all.py has them
    @param path of the CSV file, which is made anew"""

    def __init__(self, figure, settings, path, seconds):
        self.figure, self.settings, self.path = figure, settings, path
        self.clock = Clock(seconds)
        self.outcome = Outcome(limit=seconds)
        self.count = 0  # of rows

    def run(self):
        start = time.monotonic()
        self.outcome.state = "partial"  # until the end is reached
        try:
            with self.path.open("w", newline="", encoding="utf-8") as file:
                self.table = csv.writer(file)
                self.table.writerow(bench.COLUMNS)
                parts = [(part, variant) for part in self.figure.parts for variant in part.variants(self.settings.quick)]
                for i, (part, variant) in enumerate(parts):
                    self.variant(part, variant, Clock(None if self.clock.end is None else self.clock.left() / (len(parts) - i)))
                    file.flush()
            if self.outcome.failures:
                self.outcome.state = "failed"
            elif self.count == 0:
                self.outcome.state = "not run"
            elif not any("time of this figure" in each for each in self.outcome.left_out):
                self.outcome.state = "done"
        finally:
            self.outcome.seconds = time.monotonic() - start
        return self.outcome

    def leave_out(self, name, why):
        self.outcome.left_out.append(f"{name}: {why}")

    def variant(self, part, variant, share):
        """@param share the time that the variant may take"""
        name = f"{variant.problem}: {variant.name}"
        if self.settings.smoke and variant.smoke is None:
            self.leave_out(name, "a test of results leaves it out")
        elif self.clock.left() <= 0:
            self.leave_out(name, "the time of this figure was over")
        else:
            given = argparse.Namespace(suite=part.suite, build_dir=self.settings.build_dir, no_counters_dir=None, smoke=self.settings.smoke, set=[], timeout=LONGEST_RUN,
                                       scale=part.quick_scale if self.settings.quick else 1)
            with bench.scratch(given), bench.hosts(variant.hosts) as impossible:
                if impossible:
                    self.leave_out(name, impossible)
                else:
                    self.rounds(given, variant, share)

    def rounds(self, given, variant, share):
        there = list(variant.contenders)
        seen = {}
        longest = 0.0
        for turn in range(1, self.settings.rounds + 1):
            start = time.monotonic()
            # Another round begins if it is likely to end in time.
            if turn > 1 and share.left() < longest:
                return
            for contender in list(there):
                if turn > 1 and self.clock.left() <= 0:
                    return
                row = self.row(given, variant, contender, seen)
                if row is None:
                    # Out of the comparison from here on, so that the rounds of the others stay pairs.
                    there.remove(contender)
                    continue
                self.count += 1
                self.table.writerow([given.suite, variant.problem, variant.name, contender.name, turn, row["items"], row["wall_ns"], row["cpu_ns"],
                                     json.dumps(row["extra"], separators=(",", ":"))])
            longest = max(longest, time.monotonic() - start)

    def row(self, given, variant, contender, seen):
        """@return what a run printed; None: it did not run, or failed"""
        name = f"{variant.problem}: {variant.name}: {contender.name}"
        left = self.clock.left()
        if left <= 0:
            self.leave_out(name, "the time of this figure was over")
            return None
        given.timeout = min(LONGEST_RUN, left + GRACE)
        try:
            row = bench.run(variant, contender, given)
            bench.same_result(row, seen)
            return row
        except bench.LeftOut as why:
            self.leave_out(name, str(why))
        except bench.Failure as failure:
            if given.timeout < LONGEST_RUN and "still running" in str(failure):
                self.leave_out(name, "the time of this figure was over")
            else:
                self.outcome.failures.append(shortened(f"{name}: {failure}"))
        return None
