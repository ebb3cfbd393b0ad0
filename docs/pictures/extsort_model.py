# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""S's cost model (its section 3), as printed and corrected, fitted to measurements. extsort.py beside this prints and draws it.

The parameters are seconds: of a byte read, written and sent, of a message, and of a comparison, which S leaves out where it writes n log n. All of S's terms are linear in them, so they are fitted by least squares of the
relative errors, none below 0. Where terms grow alike, measurements can't tell their parameters apart; what a fit says then is how well the terms together explain the times.

As printed, S's total has in its first superstep the reading and sending of the first chunk of each worker, `b (p - 1) (T_read + g)`, and in its second the master receiving `B g / (p - 1)`. But the master reads and sends
all of B, and all of B comes in over its one link. Corrected, the first superstep has `B T_read + C (l + b g)` (S's own form before it simplifies), and the second `B g`."""

import dataclasses
import itertools
import math

import numpy


@dataclasses.dataclass(frozen=True)
class Sorted:
    """What was sorted, and how: N, B, b, M, t and p of S."""

    records: float
    size: float
    chunk: float
    memory: float
    threads: int
    processes: int = 1


def log(value):
    return math.log2(value) if value > 1 else 0


def merging(records, runs, threads):
    """Comparisons one after the other of a merge by threads, each of its share, and then by one of what these made (S, T_merge)."""
    if runs >= 2 * threads:
        return records / threads * log(runs / threads) + records * log(threads)
    return records * log(runs)


def master_worker(of, is_corrected):
    """How often each parameter counts in S's distributed algorithm: T_read, T_write, g, l, and a comparison's."""
    workers = of.processes - 1
    chunks = of.size / of.chunk
    of_worker = of.size / workers
    return [
        (of.size if is_corrected else of.chunk * workers) + of_worker + of.size,
        of_worker + of_worker + of.size + of.size,
        of.size + of.size if is_corrected else of.chunk * workers + of_worker,
        (chunks if is_corrected else workers) + max(of.size / of.memory, 1) * workers,
        of.records / workers * log(of.records / chunks) + merging(of.records / workers, chunks / workers, of.threads) + of.records * log(workers),
    ]


def one_process(of, is_corrected):
    """The same terms for one process, which reads and writes all twice and sends nothing: T_read + T_write, and a comparison's.

    As printed, a thread reads and writes at a time and the last merge is one thread's. Corrected, all of that is shared: for files in memory, and ranges that are cut exactly."""
    runs = of.size / of.chunk
    share = of.threads if is_corrected else 1
    merge = of.records / of.threads * log(runs) if is_corrected else merging(of.records, runs, of.threads)
    return [2 * of.size / share, of.records / of.threads * log(of.records / runs) + merge]


PARAMETERS = {master_worker: ["T_read", "T_write", "g", "l", "comparison"], one_process: ["T_read + T_write", "comparison"]}


@dataclasses.dataclass(frozen=True)
class Fit:
    parameters: dict  # by name, those that are not 0
    residuals: list  # relative, of each measurement: positive: the model says more
    terms: object
    is_corrected: bool

    @property
    def error(self):
        return math.sqrt(sum(each * each for each in self.residuals) / len(self.residuals))

    def predicted(self, of):
        return sum(self.parameters.get(name, 0) * often for name, often in zip(PARAMETERS[self.terms], self.terms(of, self.is_corrected)))


def fitted(terms, is_corrected, measured):
    """@param measured pairs of what was sorted, and the seconds that took @return the best fit; None: too few measurements"""
    if len(measured) <= 2:
        return None
    weighted = numpy.array([terms(of, is_corrected) for of, _ in measured], dtype=float) / numpy.array([[seconds] for _, seconds in measured])
    columns = range(weighted.shape[1])
    scale = weighted.max(axis=0)
    best = (math.inf, (), ())
    # The best of all that are not negative is the best with some of them 0, which is found by trying them all. Those that differ by rounding are one: then the fewest.
    for count in range(1, len(columns) + 1):
        for chosen in itertools.combinations(columns, count):
            matrix = weighted[:, chosen] / scale[list(chosen)]
            found, _, rank, _ = numpy.linalg.lstsq(matrix, numpy.ones(len(measured)), rcond=1e-9)
            error = float(numpy.sum((matrix @ found - 1) ** 2))
            if rank == count and (found >= 0).all() and error < best[0] * (1 - 1e-6):
                best = (error, chosen, found)
    _, chosen, found = best
    made = {PARAMETERS[terms][column]: float(value / scale[column]) for column, value in zip(chosen, found)}
    fit = Fit(made, [], terms, is_corrected)
    return dataclasses.replace(fit, residuals=[fit.predicted(of) / seconds - 1 for of, seconds in measured])


def in_words(fit, unit="s"):
    """Its parameters. @param unit of the times: seconds, or those of something else that took 1"""
    factors = [("", 1), ("m", 1e-3), ("u", 1e-6), ("n", 1e-9), ("p", 1e-12)]

    def value(number):
        if unit != "s":
            return f"{number:.3g}"
        prefix, factor = next(((prefix, factor) for prefix, factor in factors if number >= factor), factors[-1])
        return f"{number / factor:.3g} {prefix}s"
    return ", ".join(f"{name} {value(number)}" for name, number in fit.parameters.items())
