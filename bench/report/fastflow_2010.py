# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""F1: figures 3 and 4. Its measurements are of 2010, on two quad-core Xeon E5420 of 2.5 GHz."""

import bench
import noise
from figure import Figure, Panel, Part, Ratio, Series, beside

GRAINS = (500, 5000, 50_000)  # ns
FARMS = (("weir", "weir, farm", "ours"), ("mutex_queue", "threads, queues with mutexes", "rival"), ("tbb_pipeline", "oneTBB, parallel_pipeline", "rival"),
         ("openmp", "OpenMP, tasks", "rival"))
# Section 3.1: ns of a put or get on a queue, from and to.
LOCK_FREE, LOCKED = (30, 40), (90, 110)
# Section 3.2: the peaks in GCUPS, by gaps.
PEAKS = {"10-2": (("FastFlow's peak in F1", 34.38), ("SWPS3's peak in F1", 29.19)), "5-2": (("FastFlow's peak in F1", 18.94), ("SWPS3's peak in F1", 16.31))}


def farms(rows):
    """By grain, and then by workers: the rows of the contenders."""
    return {grain: {variant.arguments["workers"]: contenders for variant, contenders in rows.of("farm", work=grain)} for grain in GRAINS}


def grain_ratios(rows):
    found = []
    for grain, by_workers in farms(rows).items():
        # Two workers, or the next number that there is.
        for workers in sorted(by_workers, key=lambda n: (n < 2, n))[:1]:
            contenders = by_workers[workers]
            found += beside(contenders, "weir", "mutex_queue", "items_per_s",
                            f"weir : queues with mutexes, speed of a farm of {workers}, tasks of {grain / 1000:g} µs",
                            "no speedup with locks, “reasonable” with FastFlow" if grain < 50_000 else "“almost ideal” with FastFlow")
    for _, contenders in rows.of("spsc"):
        found += beside(contenders, "weir", "mutex_queue", "wall_ns_per_item", "weir's ring : a queue with a mutex, speed of an item through it", "at least 3 x")
    return found


def grain_panels(rows):
    for grain, by_workers in farms(rows).items():
        series = []
        for name, label, role in FARMS:
            points = [(workers, noise.Spread.of(noise.ratios(each[name], each["sequential"], "items_per_s")))
                      for workers, each in sorted(by_workers.items()) if name in each and "sequential" in each]
            series.append(Series(label, role, points))
        cores = next((row["extra"]["cores"] for each in by_workers.values() for of in each.values() for row in of), 1)
        series.append(Series(f"ideal on {cores:g} cores", "ideal", [(n, min(n, cores)) for n in sorted({*by_workers, min(cores, max(by_workers, default=1))})]))
        if by_workers:
            yield Panel(f"Tasks of {grain / 1000:g} µs", "workers", "speedup over a plain loop", series)
    for _, contenders in rows.of("spsc"):
        times = [(label, noise.Spread.of(noise.measured(contenders[name], "wall_ns_per_item")))
                 for name, label in (("weir", "weir's ring"), ("mutex_queue", "queue with a mutex")) if name in contenders]
        published = [("F1, lock-free", sum(LOCK_FREE) / 2), ("F1, with a lock", sum(LOCKED) / 2)]
        yield Panel("A put and a get", "", "ns", [Series("here", "ours", times), Series("F1, the middle of its range", "published", published)], bars=True)


def lengths(rows, gaps):
    return sorted(((int(variant.arguments["queries"]), contenders) for variant, contenders in rows.of("swsearch_lengths", gaps=gaps)), key=lambda each: each[0])


def search_ratios(rows):
    found = []
    for gaps, peaks in PEAKS.items():
        by_length = lengths(rows, gaps)
        for length, contenders in {each[0]: each for each in by_length[:1] + by_length[-1:]}.values():
            found += beside(contenders, "weir", "pipes", "gcups", f"weir : processes over pipes, speed of a query of {length}, gaps {gaps}k",
                            f"peaks: {peaks[0][1] / peaks[1][1]:.2f} x, more for shorter queries")
        speeds = [(bench.median(contenders["weir"], "gcups"), contenders["weir"]) for _, contenders in by_length if "weir" in contenders]
        if speeds:
            values = [speed / peaks[0][1] for speed in noise.measured(max(speeds, key=lambda each: each[0])[1], "gcups")]
            found.append(Ratio(f"weir's peak : FastFlow's, gaps {gaps}k (8 cores of 2009 there)", noise.Spread.of(values), f"{peaks[0][1]} GCUPS"))
    return found


def search_panels(rows):
    for gaps, peaks in PEAKS.items():
        by_length = lengths(rows, gaps)
        series = [Series(label, role, [(length, noise.Spread.of(noise.measured(each[name], "gcups"))) for length, each in by_length if name in each])
                  for name, label, role in (("weir", "swsearch, a weir farm", "ours"), ("pipes", "its kernel in processes, over pipes", "rival"))]
        if by_length:
            yield Panel(f"A gap of k costs {gaps.replace('-', ' + ')}k", "residues of the query", "GCUPS", series, log_x=True, levels=list(peaks))


FIGURES = [
    Figure("f1-3", "F1", "3", "Speedup of a farm by its workers and the grain of its tasks",
           "A source, a farm and a sink pass tasks of three sizes, for several numbers of workers; a plain loop over the same tasks is the base.",
           (Part("grain", quick=lambda each: each.arguments["workers"] in (1, 2, 4), quick_scale=0.08),
            Part("core", lambda each: each.problem == "spsc" and each.arguments["capacity"] == 1024, ("weir", "mutex_queue"), quick_scale=0.5)),
           "F1 prints no numbers of this figure. Its text (section 3.1) says that the farm over Pthread queues has no speedup with fine grain, and that a put or get takes "
           "0.09 – 0.11 µs with a lock and 0.03 – 0.04 µs without.",
           grain_ratios, grain_panels,
           "F1's Pthread farm is threads over queues with a mutex here. oneTBB and OpenMP are those that F1 announces to compare with. Both ends of the ring count in the time of an item.",
           "A twelfth of the tasks; farms of 1, 2 and 4.", 75, ("scripts/bench.sh grain", "scripts/bench.sh core --only spsc"),
           (("FastFlow itself", "It is not part of this tree; weir's headers for FastFlow programs run weir."),
            ("eight cores", "F1's machine has two processors of four cores; no speedup above the cores of this machine is possible."))),
    Figure("f1-4", "F1", "4", "Smith-Waterman searches by the length of the query",
           "Whole commands search a protein database for one query, on all cores, with BLOSUM50; a cell is a residue by a residue, and GCUPS are 10⁹ cells a second.",
           (Part("swsearch", lambda each: each.problem == "swsearch_lengths", quick=lambda each: each.arguments["queries"] in ("144", "375", "1000", "2005"),
                 quick_arguments=lambda each: {"database": "copies"}),),
           "The peaks in F1's text (section 3.2). It prints no other numbers of this figure.",
           search_ratios, search_panels,
           "The database is synthetic, of the size and the distribution of F1's (471 472 sequences, 167 326 533 residues); its rival passes batches over pipes to processes with this kernel, as F1 says that SWPS3 does.",
           "27 million residues, and four lengths; so a command's start weighs more.", 45, ("scripts/bench.sh swsearch --only swsearch_lengths",),
           (("SWPS3", "Its program is not installed and not packaged by Debian."), ("FastFlow's version", "F1's port of SWPS3 is not published."))),
]
