# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The suites that scripts/bench.py runs: variants, the contenders of each, and the goals that weir has set itself.

A measure is `items_per_s`, `cpu_ns_per_item`, `wall_ns_per_item`, or a name in the program's `extra`. Where that has a `result`, all
contenders of a variant must have the same."""

import os
from dataclasses import dataclass, field

# The exit code of a script that says it can't be run here, and why.
LEFT_OUT = 77


@dataclass(frozen=True)
class Contender:
    name: str
    program: str = ""  # bench/<problem>/<program>.cpp; empty: the same as the name
    arguments: dict = field(default_factory=dict)  # take precedence over the variant's
    build: str = "main"  # or "no-counters"
    script: str = ""  # bench/<problem>/<script> instead of a program: it times a whole command


@dataclass(frozen=True)
class Goal:
    measure: str
    at_most: float | None = None
    at_least: float | None = None
    over: str = ""  # the measure is divided by this contender's, round by round; of several, with commas between, by the best one's
    of: str = "weir"
    worst: bool = False  # of several by the worst one's instead


@dataclass(frozen=True)
class Variant:
    problem: str
    name: str
    contenders: list
    goals: list
    arguments: dict = field(default_factory=dict)
    smoke: dict | None = field(default_factory=lambda: {"items": 2000})  # instead of the above, where names agree; None: others show as much
    show: list = field(default_factory=list)  # measures of its own
    rank: str = "items_per_s"  # what the ratio is about; a measure of time is better when lower
    base: str = "weir"  # whose ratio to each
    folder: str = ""  # of its programs in bench/, and their names; empty: the problem's name
    hosts: str = ""  # what to make them with, after `scripts/cluster.sh up`; the argument `hosts` is their number


def lower_is_better(measure):
    return measure not in ("items_per_s", "efficiency", "linear", "link_share", "gcups", "cpu_gcups", "gb_per_s", "cpu_gb_per_s")


def core():
    def spsc():
        few = {"items": 2_000_000}
        for capacity in [1024, 65536]:
            yield Variant(
                "spsc", f"8-byte items, room for {capacity}",
                [Contender("weir_batched"), Contender("weir", arguments=few), Contender("readerwriterqueue"),
                 Contender("boost", arguments=few), Contender("boost_batched"), Contender("mutex_queue", arguments=few)],
                [Goal("wall_ns_per_item", at_most=2, of="weir_batched"),
                 Goal("items_per_s", at_least=1.5, over="readerwriterqueue", of="weir_batched")],
                {"items": 20_000_000, "capacity": capacity}, {"items": 2000, "capacity": capacity},
                show=["wall_ns_per_item"])
        yield Variant(
            "roundtrip", "one item there and back",
            [Contender("weir"), Contender("atomics"), Contender("readerwriterqueue"), Contender("boost"),
             Contender("mutex_queue", arguments={"items": 50_000})],
            [Goal("round_trip_ns", at_most=1.25, over="atomics")],
            {"items": 1_000_000}, show=["round_trip_ns"], rank="round_trip_ns")

    def pipeline():
        for nodes, cpu, times, items in [(3, 11, 50, 20_000_000), (5, 14, 60, 15_000_000), (16, 36, 35, 6_000_000),
                                         (64, 130, 20, 2_000_000)]:
            rivals = [Contender("tbb_pipeline", arguments={"items": 600_000 if nodes < 64 else 200_000})]
            if nodes <= 16:
                rivals.append(Contender("tbb_flow", arguments={"items": 100_000}))
            yield Variant(
                "pipeline", f"{nodes} nodes", [Contender("weir"), *rivals],
                [Goal("cpu_ns_per_item", at_most=cpu), Goal("items_per_s", at_least=times, over="tbb_pipeline")],
                {"nodes": nodes, "items": items})
        yield Variant(
            "pipeline", "5 nodes, 0.65 us each",
            [Contender("weir"), Contender("ideal"), Contender("tbb_pipeline"), Contender("tbb_flow")],
            [Goal("efficiency", at_least=0.96), Goal("items_per_s", at_least=0.96, over="ideal")],
            {"nodes": 5, "items": 300_000, "work": 650}, show=["efficiency"])

    def farm():
        yield Variant(
            "farm", "4 workers",
            [Contender("weir"), Contender("tbb_pipeline", arguments={"items": 1_000_000})],
            [Goal("cpu_ns_per_item", at_most=15), Goal("items_per_s", at_least=28, over="tbb_pipeline")],
            {"items": 20_000_000})
        with_work = [Contender("weir"), Contender("ideal"), Contender("tbb_pipeline")]
        for work, goals in [(650, [Goal("items_per_s", at_least=1.75, over="tbb_pipeline")]), (500, [])]:
            yield Variant(
                "farm", f"4 workers, {work / 1000:g} us", with_work,
                [*goals, Goal("efficiency", at_least=0.96), Goal("items_per_s", at_least=0.96, over="ideal")],
                {"items": 1_500_000, "work": work}, show=["efficiency"])
        yield Variant(
            "farm", "4 workers, 1 us, one in 100 is 1 ms", with_work,
            [Goal("efficiency", at_least=0.93), Goal("items_per_s", at_least=0.93, over="ideal")],
            {"items": 100_000, "work": 1000, "dear": 1_000_000, "every": 100}, show=["efficiency"])
        yield Variant(
            "all_to_all", "4 x 4, 8-byte items by key",
            [Contender("weir"), Contender("tbb_flow", arguments={"items": 400_000})],
            [Goal("cpu_ns_per_item", at_most=25)], {"items": 10_000_000})

    def waiting():
        for nodes, limit in [(5, 14), (64, 36)]:
            yield Variant(
                "latency", f"one item through {nodes} idle nodes",
                [Contender("weir"), Contender("tbb_pipeline"), Contender("tbb_flow")],
                [Goal("median_us", at_most=limit)],
                {"items": 500, "nodes": nodes}, {"items": 20}, ["median_us", "p99_us"], "median_us")
        yield Variant("idle", "16 nodes, nothing to do", [Contender("weir")], [Goal("idle_cores", at_most=0.005)],
                      {"nodes": 16, "milliseconds": 2000}, {"milliseconds": 50}, ["idle_cores"], "idle_cores")
        for name, items, brief in [("every call computes on for 1 ms", 500, 0),
                                   ("one call in 1001 computes on for 1 ms", 200_200, 1000)]:
            limit = [Contender("bare_wake")] if brief == 0 else []
            yield Variant("late", name, [Contender("weir"), Contender("tbb_flow"), *limit], [Goal("p99_us", at_most=100)],
                          {"items": items, "brief": brief}, {"items": 40 if brief == 0 else 4004},
                          ["p50_us", "p99_us", "lengthy_p99_us"], "p99_us")
        yield Variant("startup", "16 nodes, no items", [Contender("weir"), Contender("threads")],
                      [Goal("median_ms", at_most=0.3)],
                      {"items": 50, "nodes": 16}, {"items": 3}, ["median_ms", "p90_ms"], "median_ms")

        for name, workers in [("a pipeline of 3", 0), ("a farm of 4", 4)]:
            yield Variant("rerun", f"{name}, from run to the first process",
                          [Contender("weir"), Contender("cold", "weir", arguments={"cold": 1})],
                          [Goal("first_us", at_most=20)],
                          {"items": 500, "workers": workers}, {"items": 20}, ["first_us", "first_p90_us", "run_us"],
                          "first_us")

    def accelerator():
        for name, items, others, limit in [("after a millisecond of nothing", 500, 0, 15),
                                           ("while another caller keeps it busy", 50_000, 1, 3)]:
            yield Variant("accelerator", f"a round trip, {name}", [Contender("weir"), Contender("mutex_queue")],
                          [Goal("median_us", at_most=limit)],
                          {"items": items, "others": others}, {"items": 40}, ["median_us", "p99_us"], "median_us")
        yield Variant("offload", "a stream through one node", [Contender("weir")], [Goal("cpu_ns_per_item", at_most=20)],
                      {"items": 10_000_000})

    def graphs():
        yield Variant("fuse", "16 nodes fused", [Contender("weir")], [Goal("cpu_ns_per_node", at_most=0.3)],
                      {"items": 8_000_000}, show=["cpu_ns_per_node"])
        yield Variant("fuse", "16 nodes fused when they run", [Contender("weir")], [Goal("cpu_ns_per_node", at_most=1)],
                      {"items": 8_000_000, "run_time": 1}, show=["cpu_ns_per_node"])
        yield Variant("tuning", "16 light nodes", [Contender("weir")], [Goal("times_as_fast", at_least=1.2)],
                      {"items": 5_000_000}, {"items": 100_000}, ["times_as_fast"])
        yield Variant("random_graph", "1000 nodes", [Contender("weir")], [Goal("ratio", at_most=1.5)],
                      {"nodes": 1000, "items": 5_000_000},
                      show=["cpu_ns_per_hop", "pipe64_cpu_ns_per_hop", "ratio"])
        yield Variant("counters", "farm of 4 workers, 0.65 us",
                      [Contender("weir"), Contender("without", "weir", build="no-counters")],
                      [Goal("cpu_ns_per_item", at_most=1.01, over="without")],
                      {"items": 1_500_000, "work": 650}, show=["efficiency"])

    def limits():
        for tokens, items in [(4, 500_000), (64, 2_000_000), (1000, 5_000_000)]:
            yield Variant("farm", f"2 workers, at most {tokens} items inside",
                          [Contender("weir"), Contender("limited"), Contender("tbb_pipeline")],
                          [Goal("items_per_s", at_least=1, of="limited", over="tbb_pipeline")],
                          {"items": items, "workers": 2, "tokens": tokens})
        for at_once, items in [(1, 1000), (100, 100_000), (1000, 1_000_000)]:
            yield Variant("waits", f"operations of 1 ms, {at_once} at a time", [Contender("weir"), Contender("asio")],
                          [Goal("items_per_s", at_least=0.95, over="asio"),
                           Goal("cpu_ns_per_item", at_most=1.5, over="asio")],
                          {"items": items, "at_once": at_once}, {"items": 20})

    def files():
        ways = [Contender("weir"), Contender("line_chunks", "weir", {"how": 2}), Contender("chunks", "weir", {"how": 3}),
                Contender("getline")]
        for size, items in [(10, 10_000_000), (80, 5_000_000)]:
            yield Variant("lines", f"lines of {size} bytes from a file", ways,
                          [Goal("gb_per_s", at_least=1, of="line_chunks")] if size == 80 else [],
                          {"bytes": size, "items": items}, show=["ns_per_line", "gb_per_s"])

    def loops_and_order():
        yield Variant("loop", "a master and 4 workers, 10 rounds", [Contender("weir")],
                      [Goal("cpu_ns_per_item", at_most=40), Goal("end_us", at_most=100)],
                      {"items": 10_000_000}, {"items": 2000, "ends": 3}, ["end_us", "end_p99_us"])
        yield Variant("ordered", "4 workers", [Contender("weir")], [Goal("cpu_ns_per_item", at_most=22)],
                      {"items": 10_000_000})
        for name, least, arguments in [("0.65 us", 0.95, {"items": 1_500_000, "work": 650}),
                                       ("0.65 us, one in 1000 is 1 ms", 0.90,
                                        {"items": 500_000, "work": 650, "dear": 1_000_000, "every": 1000})]:
            yield Variant("ordered", f"4 workers, {name}", [Contender("weir")], [Goal("efficiency", at_least=least)],
                          arguments, show=["efficiency"])
        for shape, name in enumerate(["split", "merge", "tee", "zip"]):
            yield Variant("streams", name, [Contender("weir")], [Goal("cpu_ns_per_hop", at_most=12)],
                          {"items": 10_000_000, "shape": shape}, {"items": 2000, "shape": shape}, ["cpu_ns_per_hop"])

    return [*spsc(), *pipeline(), *farm(), *waiting(), *accelerator(), *graphs(), *loops_and_order(), *limits(), *files()]


def grain():
    """F1's figure 3, the speedup of a farm by its workers and the grain of its tasks, beside what F1 announces to compare with."""
    cores = len(os.sched_getaffinity(0))
    widths = [n for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128) if n <= max(8, 2 * cores)]
    contenders = [Contender(name) for name in ("weir", "mutex_queue", "tbb_pipeline", "openmp", "sequential")]
    # Tasks of a second: where threads are woken on the core of who wakes them, a tenth of that may pass until the kernel parts them.
    # One worker of long tasks is a loop with a source and a sink.
    alone = [Goal("items_per_s", at_least=0.98, over="sequential"), Goal("cpu_ns_per_item", at_most=1.05, over="sequential")]
    return [Variant("farm", f"{work / 1000:g} us, {workers} worker{'s' if workers > 1 else ''}", contenders, alone if (work, workers) == (50_000, 1) else [],
                    {"items": 1_000_000_000 // work, "work": work, "workers": workers}, {"items": 200}, ["efficiency"], base="sequential")
            for work in [500, 5000, 50_000] for workers in widths]


def patterns():
    def variants():
        # The rivals' schedules are those that their manuals advise for such loops.
        rivals = [Contender("openmp"), Contender("tbb")]
        better = [Goal("items_per_s", at_least=1, over="openmp"), Goal("items_per_s", at_least=1, over="tbb")]
        for kind, name, arguments in [(0, "parallel_for, 10 M trivial bodies", {"items": 10_000_000, "rounds": 40}),
                                      (1, "parallel_for, 10 k uneven bodies", {"items": 10_000, "rounds": 10}),
                                      (2, "parallel_reduce, 10 M trivial bodies", {"items": 10_000_000, "rounds": 40}),
                                      (3, "parallel_reduce, 10 k uneven bodies", {"items": 10_000, "rounds": 10})]:
            yield Variant("parallel", name, [Contender("weir"), *rivals], better, {"kind": kind, **arguments},
                          {"items": 2000, "rounds": 2}, show=["us_per_loop"])
        yield Variant("parallel", "launch of an empty loop, every worker taking part",
                      [Contender("weir"), *rivals, Contender("openmp_active", "openmp", {"active": 1})],
                      [Goal("us_per_loop", at_most=1.5, over="openmp")], {"kind": 4, "rounds": 20_000}, {"rounds": 20},
                      show=["us_per_loop"])
        sorters = [Contender("weir"), Contender("tbb"), Contender("tbb_std_par"), Contender("std")]
        for name, distinct in [("50 M random numbers", 0), ("50 M numbers, 100 different ones", 100)]:
            yield Variant("sort", name, sorters, [Goal("items_per_s", at_least=1, over="tbb")],
                          {"items": 50_000_000, "distinct": distinct}, {"items": 20_000, "distinct": distinct})
        for name, work, items in [("prefix sums of 20 M numbers", 0, 20_000_000), ("the same of 200 k, each sum takes 100 ns", 100, 200_000)]:
            yield Variant("scan", name, sorters, [Goal("items_per_s", at_least=1, over="tbb")],
                          {"items": items, "work": work, "rounds": 5}, {"items": 2000, "rounds": 1})
        for name, signals, samples in [("2000 signals of 20 k samples", 2000, 20_000), ("40 signals of 1 M samples", 40, 1_000_000)]:
            yield Variant("map", name, [Contender("weir"), Contender("openmp"), Contender("tbb_pipeline")],
                          [Goal("items_per_s", at_least=1, over="openmp"), Goal("items_per_s", at_least=1, over="tbb_pipeline")],
                          {"signals": signals, "samples": samples}, {"signals": 20, "samples": 2000})
        yield Variant("map_reduce", "sums of 10 M orders by 10 k customers",
                      [Contender("weir"), Contender("openmp"), Contender("plain")], [], {"items": 10_000_000},
                      {"items": 20_000})
        for name, population, cities, generations in [("200 tours of 100 cities", 200, 100, 500),
                                                      ("2000 tours of 400 cities", 2000, 400, 20)]:
            yield Variant("evolve", name, [Contender("weir"), Contender("openmp")],
                          [Goal("items_per_s", at_least=0.95, over="openmp")],
                          {"population": population, "cities": cities, "generations": generations}, {"generations": 5},
                          show=["us_per_generation", "best"])
        for tile in [64, 128]:
            yield Variant("cholesky", f"20 x 20 tiles of {tile}",
                          [Contender("weir"), Contender("openmp"), Contender("one_thread")],
                          [Goal("items_per_s", at_least=0.95, over="openmp")], {"items": 20, "tile": tile, "rounds": 5},
                          {"items": 3, "rounds": 1}, show=["gflops"])
        for kind, name, arguments, brief in [(0, "Fibonacci of 40, cut off at 20", {"items": 40, "cut_off": 20}, {"items": 22}),
                                             (1, "14 queens, cut off at row 4", {"items": 14, "cut_off": 4}, {"items": 8}),
                                             (2, "merge sort of 20 M, cut off at 2000", {"items": 20_000_000, "cut_off": 2000}, {})]:
            yield Variant("divide", name, [Contender("weir"), Contender("tbb")], [Goal("items_per_s", at_least=1, over="tbb")],
                          {"kind": kind, **arguments}, brief or {"items": 20_000}, show=["ms"])
        for side, steps in [(1000, 500), (4000, 50)]:
            yield Variant("stencil", f"heat in {side} x {side} doubles, {steps} steps with the largest change",
                          [Contender("weir"), Contender("openmp")], [Goal("items_per_s", at_least=0.95, over="openmp")],
                          {"side": side, "steps": steps}, {"side": 50, "steps": 5}, show=["us_per_step"])

        for size, slide in [(100, 10), (100, 1), (10_000, 100)]:
            yield Variant("windows", f"sums of {size}, every {slide}, of 1000 keys",
                          [Contender("weir"), Contender("farm", "weir", {"workers": 2}), Contender("plain")], [],
                          {"items": 10_000_000, "size": size, "slide": slide},
                          {"items": 20_000, "sensors": 10, "size": size, "slide": slide}, ["cpu_ns_per_item"])

    # All of them are weir's farm; the allocators are linked in place of malloc, and `weir` takes its items from an object_pool.
    def heap_items():
        by_value = Contender("by_value")
        allocators = [Contender("malloc"), Contender("mimalloc"), Contender("tbbmalloc")]
        for size, name, items, capacity in [(80, "80 bytes", 2_000_000, 0), (1024, "1 KiB", 500_000, 0),
                                            (65_536, "64 KiB", 30_000, 32), (1_048_576, "1 MiB", 2000, 8)]:
            yield Variant("heap_items", f"items of {name}",
                          [Contender("weir"), *allocators, *([by_value] if size <= 1024 else [])], [],
                          {"items": items, "size": size, "capacity": capacity}, {"items": 500},
                          rank="cpu_ns_per_item")
        yield Variant("heap_items", "records of 16 strings of 80 bytes", [Contender("weir"), *allocators],
                      [Goal("cpu_ns_per_item", at_most=0.75, over="mimalloc")],
                      {"items": 200_000, "size": 80, "fields": 1, "capacity": 256}, {"items": 500},
                      rank="cpu_ns_per_item")

    return [*variants(), *heap_items()]


def filesearch():
    """Whole commands over a tree of files in the page cache; `--set path=<tree>` takes another tree."""
    searches = [("a rare word", "pseudoterminal", ""), ("a common word", "the", ""), ("-i", "copyright", "i"),
                ("one of three words", "license|warranty|copyright", ""), ("a class of characters", "[A-Z][a-z]+ [0-9]{4}", ""),
                ("-w", "file", "w"), ("-n", "return", "n")]
    contenders = [Contender("weir", script="command.py", arguments={"tool": "filesearch", "filesearch": "{bin}/filesearch"}),
                  Contender("grep", script="command.py", arguments={"tool": "grep"}),
                  Contender("ripgrep", script="command.py", arguments={"tool": "rg"})]
    def variants():
        for locale, binary, kind in [("C", "skip", "text files"), ("C.UTF-8", "text", "all files")]:
            for name, pattern, flags in searches:
                yield Variant(
                    "filesearch", f"{name}, {locale}, {kind}", contenders,
                    [Goal("items_per_s", at_least=1.5, over="grep"), Goal("items_per_s", at_least=0.7, over="ripgrep")],
                    {"path": "/usr/share/doc", "pattern": pattern, "flags": flags, "locale": locale, "binary": binary},
                    {"path": "/usr/share/common-licenses"}, show=["wall_ms", "cpu_ms", "lines"])

    # Patterns whose literal part is frequent in some files, and of no help there.
    def headers():
        for name, pattern, flags in [("a literal", "pthread_mutex_lock", ""), ("a short literal", "date", ""),
                                     ("-w, one of three words", "size_t|ssize_t|off_t", "w"),
                                     ("an anchored pattern", "^#define.*_H", ""),
                                     ("a class of characters", "[A-Z][a-z]+_[0-9]+", "")]:
            yield Variant("filesearch_headers", name, contenders,
                          [Goal("cpu_ms", at_most=1.2, over="ripgrep")],
                          {"path": "/usr/include", "pattern": pattern, "flags": flags, "locale": "C", "binary": "skip"},
                          smoke=None, show=["wall_ms", "cpu_ms", "lines"], rank="cpu_ms", folder="filesearch")

    return [*variants(), *headers()]


def swsearch():
    """Smith-Waterman searches, with BLOSUM50: the kernel beside other libraries, and whole commands. What is searched, and for what, is in bench/swsearch/inputs.py."""
    def contender(name, by, **arguments):
        return Contender(name, script="command.py", arguments={"by": by, **arguments})

    def variant(problem, name, contenders, goals, arguments, show, rank):
        # The shortest problem by length, and the longest kernel, whose scores overflow.
        length = arguments["queries"]
        shown = problem in ("queries", "memory") or length == "144" or (problem == "kernel" and length == "5478")
        smoke = {"database": "smoke", "queries": "20x144" if problem == "queries" else length} if shown else None
        return Variant(f"swsearch_{problem}", name, contenders, goals, {"bin": "{bin}", "bench": "{bench}", **arguments}, smoke, show, rank,
                       folder="swsearch")

    def kernel():
        # GCUPS of a core with 512 and with 256 bits, and times the best peer.
        goals = {("10-2", 144): (28, 24, 2.0), ("10-2", 375): (33, 31, 2.1), ("10-2", 1000): (35, 32, 1.75), ("10-2", 5478): (31, 30, 1.4),
                 ("5-2", 144): (26, 0, 2.0), ("5-2", 375): (32, 0, 2.0), ("5-2", 1000): (23, 0, 1.9), ("5-2", 5478): (23, 0, 1.45)}
        for (gaps, length), (speed, narrow, times) in goals.items():
            peers = [contender("parasail", "parasail"), contender("ssw", "ssw")]
            if length == 5478 or gaps == "5-2":
                peers.append(contender("parasail_16", "parasail_16"))
            if gaps == "10-2":
                # The nearest gaps that it has with BLOSUM50.
                peers.append(contender("diamond_12_2", "diamond", gaps="12-2"))
            yield variant("kernel", f"a query of {length}, gaps {gaps}k, one thread",
                          [contender("weir", "weir"), contender("weir_avx2", "weir_avx2"), *peers],
                          [Goal("cpu_gcups", at_least=speed), *([Goal("cpu_gcups", at_least=narrow, of="weir_avx2")] if narrow else []),
                           Goal("cpu_gcups", at_least=times, over=",".join(peer.name for peer in peers))],
                          {"database": "real" if length == 5478 else "copies", "queries": str(length), "gaps": gaps}, ["cpu_gcups", "equal"], "cpu_gcups")

    def one_pair():
        """Lanes of a vector without other sequences to fill them, beside full ones."""
        yield variant("pair", "a pair of 35213 residues each, and full vectors, one thread",
                      [contender("weir", "weir"), contender("full", "weir", database="real", queries="1000")],
                      [Goal("cpu_gcups", at_least=0.5, over="full")], {"database": "long", "queries": "35213", "gaps": "10-2"}, ["cpu_gcups"], "cpu_gcups")

    def whole():
        for length, least in [(144, 0.97), (375, 0.99), (1000, 0.99)]:
            yield variant("network", f"a query of {length}, the whole command beside the kernel alone, one thread",
                          [contender("weir", "swsearch"), contender("kernel", "loop")], [Goal("cpu_gcups", at_least=least, over="kernel")],
                          {"database": "f1", "queries": str(length), "threads": 1}, ["cpu_gcups", "gcups"], "cpu_gcups")
        for length in [144, 375, 1000]:
            yield variant("threads", f"a query of {length}, two threads and one",
                          [contender("weir", "swsearch", threads=2), contender("one", "swsearch", threads=1)],
                          [Goal("gcups", at_least=1.95, over="one")], {"database": "f1", "queries": str(length), "threads": 2}, ["gcups"], "gcups")
        for queries, name in [("20x144", "20 queries of 144"), ("all", "the 20 lengths")]:
            yield variant("queries", f"{name}, together, drained in between, and in runs of their own",
                          [contender("weir", "swsearch"), contender("drained", "swsearch", feed="drained"),
                           contender("separately", "swsearch", feed="separately")],
                          [Goal("wall_ms", at_most=1, over="separately"), Goal("wall_ms", at_most=1, over="drained")],
                          {"database": "real", "queries": queries}, ["wall_ms", "cpu_ms"], "wall_ms")
        yield variant("memory", "10^9 residues, a query of 144",
                      [contender("weir", "swsearch"), contender("from_fasta", "swsearch", source="fasta"), contender("indexing", "index")],
                      [Goal("bytes_per_residue", at_most=4, of=of) for of in ("weir", "from_fasta", "indexing")],
                      {"database": "billion", "queries": "144"}, ["bytes_per_residue", "wall_ms", "gcups"], "wall_ms")

    def lengths():
        """F1's figure 4, and the kernel driven as F1 says that SWPS3 does it."""
        for gaps in ["10-2", "5-2"]:
            for length in [144, 189, 222, 375, 464, 567, 657, 729, 850, 1000, 1500, 2005, 2504, 3005, 3564, 4061, 4548, 4743, 5147, 5478]:
                yield variant("lengths", f"a query of {length}, gaps {gaps}k, F1's size, all cores",
                              [contender("weir", "swsearch"), contender("pipes", "pipes")], [],
                              {"database": "f1", "queries": str(length), "gaps": gaps}, ["gcups", "cpu_gcups"], "gcups")

    return [*kernel(), *one_pair(), *whole(), *lengths()]


def extsort():
    """Sorts of files that are ten times as large as the memory that they may take, in memory (tmpfs) and on a disk. What is sorted is in bench/extsort/inputs.py."""
    million = 1_000_000

    def contender(name, by="extsort", **arguments):
        return Contender(name, script="command.py", arguments={"by": by, **arguments})

    def variant(problem, name, contenders, goals, arguments, shown=True, show=(), base="weir", hosts=""):
        smoke = {"size": 20 * million, "seconds": 0.1} if shown else None
        return Variant(f"extsort_{problem}", name, contenders, goals,
                       {"bin": "{bin}", "bench": "{bench}", "memory": "{memory}", "disk": "{disk}", "where": "memory", "threads": 2, **arguments},
                       smoke, ["wall_ms", "cpu_ms", "gb_per_s", *show], "gb_per_s", base, "extsort", hosts)

    def comparison():
        # GNU sort's elapsed and CPU time beside extsort's; S's seconds for the same, and how many times as fast is wanted.
        goals = {16: (6, 6, 10.6, 20), 64: (7.5, 6, 6.83, 20), 512: (2.5, 2, 1.88, 5), 2048: (1.3, 1.2, 1.65, 5)}
        for payload, (faster, cheaper, seconds, than_s) in goals.items():
            yield variant("sort", f"250 MB in memory, payloads below {payload}", [contender("weir"), contender("gnu_sort", "gnu_sort")],
                          [Goal("gb_per_s", at_least=faster, over="gnu_sort"), Goal("cpu_gb_per_s", at_least=cheaper, over="gnu_sort"),
                           Goal("gb_per_s", at_least=round(than_s * 0.25 / seconds, 3))],
                          {"kind": payload, "size": 250 * million}, payload in (16, 2048), ["peak_mb"])

    def by_threads():
        """S's figures 3 to 6 and 2."""
        ways = [contender("seq", how="engine=seq", threads=1),
                *(contender(f"{name}_{n}", how=how, threads=n) for n in (1, 2, 4) for name, how in (("weir", ""), ("openmp", "engine=openmp")))]
        for figure, payload, records in [(3, 16, 20_000_000), (4, 64, 10_000_000), (5, 512, 1_250_000), (6, 2048, 312_500)]:
            size = round(records * (12 + (7 + payload) / 2))
            goals = [Goal("gb_per_s", at_least=1.8, over="weir_1", of="weir_2")] if payload <= 64 else []
            yield variant("threads", f"S's figure {figure}, in memory: {records} records with payloads below {payload}", ways, goals,
                          {"kind": payload, "size": size}, payload == 64, base="seq")
        few = [way for way in ways if way.name in ("seq", "weir_2", "openmp_2")]
        for where, name in [("memory", "in memory"), ("disk", "on the disk")]:
            yield variant("threads", f"S's figure 2, {name}: 50000000 records with payloads below 64", few, [],
                          {"kind": 64, "size": 50_000_000 * 95 // 2, "where": where}, False, base="seq")

    def by_engine():
        """S's figures 1 and 7."""
        for where, name, most in [("memory", "in memory", 4), ("disk", "on the disk", 2)]:
            for threads in (2, 4)[:most // 2]:
                yield variant("engines", f"10000000 records with payloads below 64 {name}, {threads} threads",
                              [contender("weir"), contender("pinned", how="pin"), contender("threads", how="executor=threads"),
                               contender("threads_pinned", how="executor=threads,pin"), contender("openmp", how="engine=openmp"),
                               contender("openmp_less", how="engine=openmp", threads=threads - 1), contender("seq", how="engine=seq", threads=1)], [],
                              {"kind": 64, "size": 475 * million, "where": where, "threads": threads}, where == "memory" and threads == 2, base="seq")

    def on_disk():
        for size in (2, 8):
            yield variant("disk", f"{size} GB on the disk, payloads below 64, in a memory cgroup", [contender("bound", "bound"), contender("weir", confined=1)],
                          [Goal("gb_per_s", at_least=0.85, over="bound"), Goal("peak_share", at_most=1.05)],
                          {"kind": 64, "size": size * 1000 * million, "where": "disk"}, size == 2)

    def of_the_benchmark():
        for where, name in [("memory", "in memory"), ("disk", "on the disk")]:
            yield variant("hundred", f"1 GB of records of 100 bytes {name}", [contender("weir"), contender("one", threads=1)],
                          [Goal("gb_per_s", at_least=0.8)] if where == "memory" else [], {"kind": "hundred", "size": 1000 * million, "where": where},
                          where == "memory", ["peak_mb"])

    def text():
        for name, arguments in [("whole lines", {}), ("-k 2,2", {"key": "2,2"}), ("-n", {"numeric": 1})]:
            yield variant("text", f"2 GB of text in memory, {name}", [contender("weir"), contender("gnu_sort", "gnu_sort")],
                          [Goal("gb_per_s", at_least=2, over="gnu_sort")], {"kind": "text", "size": 2000 * million, **arguments}, show=["peak_mb"])

    def by_keys():
        others = ("zipf", "sorted", "reversed", "equal", "few")
        yield variant("keys", "250 MB in memory, payloads below 64", [contender("weir"), *(contender(keys, keys=keys) for keys in others)],
                      [Goal("gb_per_s", at_least=1 / 1.05, over="weir", of=keys) for keys in others], {"kind": 64, "size": 250 * million, "same": 0})

    def by_method():
        """When runs of twice the memory pay (S, appendix A.1), and merging two at a time (S, -k)."""
        ways = [contender("weir"), contender("snowplow", how="runs=snowplow")]
        for where, name in [("memory", "in memory"), ("disk", "on the disk")]:
            for keys in ("uniform", "sorted", "reversed"):
                yield variant("runs", f"475 MB {name}, payloads below 64, keys {keys}", ways, [], {"kind": 64, "size": 475 * million, "keys": keys, "where": where},
                              where == "memory" and keys == "uniform", ["runs", "passes"])
        for payload in (64, 2048):
            yield variant("merge", f"475 MB in memory, payloads below {payload}", [contender("weir"), contender("binary", how="merge=binary")], [],
                          {"kind": payload, "size": 475 * million}, payload == 64, ["passes"])

    def by_groups():
        """S's figures 8 and 9, on one machine: what S gives to each node, 50 million records, is a twentieth here."""
        counts = (2, 3, 4, 5, 6, 7, 8)
        one = 2_500_000 * 95 // 2
        yield variant("strong", "S's figure 8: 10000000 records with payloads below 64, in memory, groups of one thread",
                      [contender("weir"), contender("seq", how="engine=seq", threads=1), *(contender(f"groups_{n}", "groups", groups=n) for n in counts),
                       *(contender(f"mpi_openmp_{n}", "groups", groups=n, how="engine=mpi-openmp") for n in counts)],
                      [goal for n in counts for goal in (Goal("cpu_ms", at_most=1.4, over="weir", of=f"groups_{n}"), Goal("wire_share", at_most=1.05, of=f"groups_{n}"))],
                      {"kind": 64, "size": 4 * one}, False, base="seq")
        for n in counts[::2]:
            yield variant("weak", f"S's figure 9: {n} times 2500000 records with payloads below 64, in memory, {n} groups of one thread",
                          [contender("groups", "groups", groups=n), contender("mpi_openmp", "groups", groups=n, how="engine=mpi-openmp")], [],
                          {"kind": 64, "size": n * one}, n == 2, base="groups")
        for n in (2, 4, 8):
            yield variant("hosts", f"400 MB in memory, payloads below 64, {n} hosts of 200 Mbit/s", [contender("weir", "groups", groups=n)], [Goal("link_share", at_least=0.9)],
                          {"kind": 64, "size": 400 * million, "hosts": n, "rate": 200}, False, ["link_share", "wire_share"], hosts=f"{n} --rate 200mbit")

    return [*comparison(), *by_threads(), *by_engine(), *on_disk(), *of_the_benchmark(), *text(), *by_keys(), *by_method(), *by_groups()]


def cluster():
    """The cost of groups that are processes, beside bare processes that do the same (F2 §5). Some variants need hosts, which scripts/cluster.sh
    makes."""
    def streams():
        # Between two groups: over TCP, and through shared memory, with and without a batch size. `weir` and `shm` adapt.
        batches = [1, 8, 32, 256]
        for size, items, goals in [
                (8, 50_000_000, [Goal("items_per_s", at_least=50e6), Goal("items_per_s", at_least=80e6, of="shm")]),
                (64, 20_000_000, [Goal("items_per_s", at_least=12e6), Goal("items_per_s", at_least=4, over="weir", of="shm")]),
                (512, 5_000_000, [Goal("items_per_s", at_least=0.9, over="bare")]),
                (4096, 1_000_000, [Goal("items_per_s", at_least=0.9, over="bare"), Goal("MB_per_s", at_least=10_000, of="shm")]),
                (65_536, 60_000, [Goal("items_per_s", at_least=0.9, over="bare"),
                                  Goal("items_per_s", at_least=4, over="weir", of="shm")]),
                (1_048_576, 6000, [Goal("items_per_s", at_least=0.95, over="bare")])]:
            kind = 2 if size == 1_048_576 else 0
            few = [Contender(f"batch_{n}", "weir", {"batch": n, "items": max(items // 20, 2000) if n == 1 else items // 4})
                   for n in batches if size < 1_048_576 or n <= 32]
            yield Variant(
                "cluster_stream", f"{'buffers' if kind else 'messages'} of {size} bytes",
                [Contender("weir"), *few, Contender("bare"), Contender("shm", "weir", {"shm": 1}),
                 *([Contender("shm_batch_32", "weir", {"shm": 1, "batch": 32, "items": items // 4})] if size <= 4096 else []), Contender("ring")],
                goals, {"items": items, "size": size, "kind": kind}, {"items": 200 if size == 1_048_576 else 2000, "kind": kind, "size": size},
                show=["MB_per_s"])
        yield Variant("cluster_stream", "copies of buffers of 1 MiB", [Contender("weir", "copies")], [Goal("copies", at_most=0.01)],
                      {"items": 2000, "size": 1_048_576, "kind": 2}, {"items": 100}, ["copies", "MB_per_s"], "copies")
        for size, items in [(64, 10_000_000), (512, 4_000_000), (4096, 800_000), (8192, 400_000)]:
            yield Variant("cluster_stream", f"messages of {size} bytes by cereal",
                          [Contender("weir", arguments={"kind": 1}), Contender("raw", "weir")],
                          [Goal("items_per_s", at_least=0.9, over="raw")], {"items": items, "size": size, "kind": 0},
                          {"items": 2000, "size": size}, show=["MB_per_s"])
        # 2.5 s of what the link carries.
        for size, kind in [(64, 0), (512, 0), (4096, 0), (65_536, 0), (1_048_576, 2)]:
            yield Variant("cluster_stream", f"{'buffers' if kind else 'messages'} of {size} bytes, a link of 1 Gbit/s",
                          [Contender("weir"), Contender("bare")], [Goal("items_per_s", at_least=0.97, over="bare")],
                          {"items": 300_000_000 // size, "size": size, "kind": kind, "hosts": 2},
                          {"items": 2_000_000 // size, "size": size, "kind": kind, "hosts": 2}, ["MB_per_s"], hosts="2 --rate 1gbit")

    def neighbours():
        for shm in [0, 1]:
            yield Variant("cluster_neighbour", f"messages of 512 bytes beside a consumer that sleeps, {'shared memory' if shm else 'TCP'}",
                          [Contender("weir", arguments={"asleep": 1}), Contender("alone", "weir")],
                          [Goal("items_per_s", at_least=0.9, over="alone"), Goal("grown_kib", at_most=4096)],
                          {"items": 5_000_000, "shm": shm}, {"items": 2000, "shm": shm}, ["grown_kib"])

    def all_to_all():
        for senders in [1, 4, 16]:
            yield Variant("cluster_all_to_all", f"{senders} x 16 groups on 16 hosts of 200 Mbit/s, messages of 64 KiB",
                          [Contender("weir"), Contender("bare")], [Goal("link_share", at_least=0.95)],
                          {"items": 3200, "senders": senders, "hosts": 16, "rate": 200},
                          {"items": 16, "senders": min(senders, 2), "hosts": 16}, ["link_share", "MB_per_s"], hosts="16 --rate 200mbit")

    def incast():
        # The receiver's link is the narrow place: 6 s of it.
        for congestion in ["cubic", "bbr"]:
            yield Variant("cluster_incast", f"15 groups to one, hosts of 200 Mbit/s with {congestion}, messages of 64 KiB",
                          [Contender("weir"), Contender("bare")],
                          [Goal("link_share", at_least=0.95), Goal("least_share", at_least=0.9, over="bare"), Goal("grown_kib", at_most=1024)],
                          {"items": 150, "hosts": 16, "rate": 200}, {"items": 4, "hosts": 16},
                          ["link_share", "least_share", "most_share", "grown_kib"], "link_share",
                          hosts=f"16 --rate 200mbit --congestion {congestion}")

    def master_worker():
        for microseconds, groups, items in [(1000, 1, 40_000), (1000, 2, 100_000), (1000, 4, 100_000), (1000, 8, 100_000),
                                            (100, 4, 100_000), (5000, 8, 40_000)]:
            yield Variant("cluster_master", f"{items} tasks of {microseconds / 1000:g} ms, {groups} groups of 4 workers",
                          [Contender("weir"), Contender("threads")],
                          [Goal("efficiency", at_least=0.95)] if microseconds >= 1000 else [],
                          {"items": items, "work": microseconds * 1000, "groups": groups},
                          {"items": 400, "work": 100_000, "groups": min(groups, 2)},
                          ["efficiency", "asleep", "cores"], "efficiency")

    def words():
        yield Variant("cluster_words", "one pair, without a limit",
                      [Contender("weir"), Contender("shm", "weir", {"shm": 1}), Contender("plain")],
                      [Goal("tweets_per_s", at_least=600_000), Goal("tweets_per_s", at_least=600_000, of="shm")],
                      {"items": 1_000_000}, {"items": 5000}, ["tweets_per_s", "words_per_tweet"])
        for pairs in [1, 4, 8, 16]:
            yield Variant("cluster_words", f"{pairs} pairs, each a sixteenth of one without a limit", [Contender("weir")],
                          [Goal("linear", at_least=0.97)], {"items": 500_000, "share": 16, "pairs": pairs},
                          {"items": 2000, "pairs": min(pairs, 2), "milliseconds": 50}, ["linear", "tweets_per_s", "ceiling", "cores"], "linear")

    def waiting():
        yield Variant("cluster_latency", "64 bytes there and back",
                      [Contender("weir"), Contender("shm", "weir", {"shm": 1}), Contender("bare")],
                      [Goal("median_us", at_most=1.5, over="bare"), Goal("median_us", at_most=1.5, over="bare", of="shm")],
                      {"items": 50_000}, {"items": 100}, ["median_us", "p99_us"], "median_us")
        yield Variant("cluster_start", "8 groups up, connected, and down again, beyond the program's own time",
                      [Contender(tool, script="command.py",
                                 arguments={"tool": tool, "weir": "{bin}/weir", "program": "{bench}/bench_cluster_start_weir"})
                       for tool in ["weir", "processes"]],
                      [Goal("beyond_ms", at_most=200)], {"items": 20}, {"items": 1}, ["beyond_ms", "groups_ms", "alone_ms"], "beyond_ms")

    return [*streams(), *neighbours(), *all_to_all(), *incast(), *master_worker(), *words(), *waiting()]


def mpi():
    """The same groups over TCP and as ranks of each MPI that is installed (F2 §5.1, figure 9, bottom). weir run starts them all."""
    def contenders(problem, names):
        return [Contender(name, script="command.py",
                          arguments={"over": name, "weir": "{bin}/weir", "program": f"{{bench}}/bench_{problem}_group"}) for name in names]

    def streams():
        # On one host both MPIs would use memory that the ranks share, but for `…_tcp`.
        for hosts, where, names, bytes_each in [(0, "one host", ["tcp", "openmpi", "mpich", "openmpi_tcp", "mpich_tcp"], 3_000_000_000),
                                                (2, "a link of 1 Gbit/s", ["tcp", "openmpi", "mpich"], 300_000_000)]:
            for size in [64, 512, 4096, 65_536, 1_048_576]:
                kind = 2 if size == 1_048_576 else 0
                items = min(bytes_each // size, 20_000_000)
                yield Variant(
                    "cluster_stream", f"{'buffers' if kind else 'messages'} of {size} bytes, {where}", contenders("cluster_stream", names),
                    [Goal("items_per_s", at_least=0.95, over="tcp", of=name) for name in names[1:]],
                    {"items": items, "size": size, "kind": kind, "hosts": hosts}, {"items": 200 if kind else 2000, "kind": kind, "size": size},
                    ["MB_per_s"], base="tcp", hosts=f"{hosts} --rate 1gbit" if hosts else "")

    def all_to_all():
        names = ["tcp", "openmpi", "mpich"]
        for senders, hosts in [(2, 2), (4, 4), (1, 16), (4, 16), (16, 16)]:
            yield Variant(
                "cluster_all_to_all", f"{senders} x {hosts} groups on {hosts} hosts of 200 Mbit/s, messages of 64 KiB",
                contenders("cluster_all_to_all", names), [Goal("link_share", at_least=0.95, of=name) for name in names],
                {"items": 3200, "senders": senders, "receivers": hosts, "hosts": hosts, "rate": 200},
                {"items": 16, "senders": min(senders, 2), "receivers": min(hosts, 4), "hosts": min(hosts, 4)}, ["link_share", "MB_per_s"],
                "link_share", "tcp", hosts=f"{hosts} --rate 200mbit")

    def parallel_streams():
        # M's figures 6, 4 and 5, on as many ranks as there are cores where that is possible.
        def contender(name, by, **arguments):
            return Contender(name, script="command.py", arguments={"by": by, **arguments})

        for mpi in ["openmpi", "mpich"]:
            program = {"mpi": mpi, "program": "{bench}/bench_parallel_stream"}
            three = [contender("stream", "stream"), contender("messages", "messages"), contender("ping_pong", "ping_pong")]
            for doubles, items in [(1, 10_000_000), (16, 5_000_000), (256, 1_000_000), (1024, 250_000), (4096, 60_000), (32_768, 8000),
                                   (262_144, 1000), (4_194_304, 60)]:
                limit = 10 if doubles == 1 else 0.9
                yield Variant("parallel_stream", f"elements of {doubles} doubles, {mpi}", three,
                              [Goal("items_per_s", at_least=limit, over="messages", of="stream")] if doubles not in (16,) else [],
                              {"items": items, "doubles": doubles, **program}, {"items": 20, "doubles": min(doubles, 262_144)}, ["MB_per_s"],
                              base="stream")
            for kernel in ["copy", "add", "triad"]:
                yield Variant("parallel_stream", f"{kernel}, elements of 1024 doubles, {mpi}", three,
                              [Goal("items_per_s", at_least=0.9, over="messages", of="stream")],
                              {"items": 250_000, "doubles": 1024, "kernel": kernel, **program}, {"items": 20}, ["MB_per_s"], base="stream")
            for doubles in [256, 512, 1024]:
                yield Variant("parallel_stream", f"producers of a consumer, elements of {doubles} doubles, {mpi}",
                              [contender(f"from_{n}", "stream", producers=n) for n in (1, 2, 4, 8, 16, 25)],
                              [Goal("items_per_s", at_least=0.9, over="from_1", of=f"from_{n}") for n in (2, 4, 8, 16, 25)],
                              {"items": 400_000 * 256 // doubles, "doubles": doubles, **program}, {"items": 200}, ["MB_per_s"], base="from_1")
            for repeats in [1, 10, 100]:
                yield Variant("parallel_stream", f"512 doubles, {repeats} operations on each, {mpi}",
                              [contender("both", "stream", repeats=repeats), contender("communication", "stream", repeats=0),
                               contender("computation", "computation", repeats=repeats)],
                              [Goal("wall_ms", at_most=1.1, over="computation,communication", of="both", worst=True)],
                              {"items": 100_000, "doubles": 512, **program}, {"items": 20}, ["wall_ms"], "wall_ms", "both")

    def thresholds():
        for mpi in ["openmpi", "mpich"]:
            yield Variant("threshold", f"the second of two ranks contributes 20 ms late, {mpi}",
                          [Contender(by, script="command.py", arguments={"by": by}) for by in ("threshold", "allreduce", "round_trip")],
                          [Goal("wait_us", at_most=1.5, over="round_trip", of="threshold")],
                          {"items": 100, "mpi": mpi, "program": "{bench}/bench_threshold"}, {"items": 3}, ["wait_us", "wait_us_90"], "wait_us", "threshold")

    return [*streams(), *all_to_all(), *parallel_streams(), *thresholds()]


def compile_times():
    """The cost of a program for its author: CPU seconds of the compiler, and bytes of text in the object file."""
    rivals = [Contender(name, script="command.py", arguments={"library": name, "archive": "{bin}/../lib/libweir.a"})
              for name in ("weir", "tbb_pipeline")]
    show = ["cpu_s", "text_bytes", "memory_mb"]
    for compiler in ("g++", "clang++-16"):
        for level, most in (("0", 1.0), ("2", 1.2)):
            yield Variant("compile", f"hello world, {compiler} -O{level}", rivals,
                          [Goal("cpu_s", at_most=most, over="tbb_pipeline"), Goal("text_bytes", at_most=1, over="tbb_pipeline")],
                          {"workers": 4, "level": level, "compiler": compiler}, {}, show, "cpu_s")
    yield Variant("compile", "each further node of another lambda, g++ -O2", rivals, [Goal("cpu_s", at_most=0.04)],
                  {"nodes": 31, "less": 1, "level": "2", "compiler": "g++"}, {"nodes": 4}, ["cpu_s"], "cpu_s")


def fastflow():
    """Programs with FastFlow's headers, which are weir's here, beside weir's own. The limits for trivial nodes are half of what FastFlow
    takes itself in blocking mode, on two cores and a quiet machine (../docs/performance.md)."""
    own = Contender("weir")
    compat = Contender("ff_headers")

    def goal(measure, **limit):
        return Goal(measure, of="ff_headers", **limit)

    for nodes, cpu, items in [(3, 12, 20_000_000), (5, 25, 15_000_000), (16, 101, 6_000_000), (64, 560, 2_000_000)]:
        yield Variant("pipeline", f"{nodes} trivial nodes", [own, compat], [goal("cpu_ns_per_item", at_most=cpu)],
                      {"nodes": nodes, "items": items})
    yield Variant("farm", "4 trivial workers", [own, compat], [goal("cpu_ns_per_item", at_most=43)], {"items": 10_000_000})
    for problem, name, arguments in [("pipeline", "4 nodes, 5 us each", {"nodes": 4}), ("farm", "4 workers, 5 us", {"workers": 4})]:
        yield Variant(problem, name, [own, compat, Contender("ideal")], [goal("items_per_s", at_least=0.95, over="ideal")],
                      {"items": 100_000, "work": 5000, **arguments}, show=["efficiency"])
    yield Variant("idle", "16 nodes that wait", [own, compat], [goal("idle_cores", at_most=0.005)],
                  {"nodes": 16, "milliseconds": 2000}, {"milliseconds": 50}, ["idle_cores"], "idle_cores")
    yield Variant("startup", "16 nodes, from start to end", [own, compat], [goal("median_ms", at_most=0.5)],
                  {"items": 50, "nodes": 16}, {"items": 3}, ["median_ms", "p90_ms"], "median_ms")
    yield Variant("compile", "ff.hpp, above iostream alone, g++ -O2",
                  [Contender("ff_headers", script="command.py", arguments={"library": "ff_headers", "archive": "{bin}/../lib/libweir.a"})],
                  [goal("cpu_s", at_most=1.2)], {"level": "2", "compiler": "g++"}, {}, ["cpu_s"], "cpu_s", "ff_headers")


def papers():
    """What figures of the papers show beyond the other suites. `scripts/bench.sh all` runs these, and the papers' parts of the others."""
    def batches():
        # F2's figure 9, top left: 2.5 s of what the link carries.
        for size in [8, 64, 512, 4096, 65_536]:
            yield Variant("cluster_stream", f"messages of {size} bytes by batch, a link of 1 Gbit/s",
                          [Contender("weir"), *(Contender(f"batch_{n}", "weir", {"batch": n}) for n in (1, 8, 32, 256)), Contender("bare")], [],
                          {"items": 300_000_000 // size, "size": size, "kind": 0, "hosts": 2}, {"items": 2_000_000 // size, "size": size, "hosts": 2},
                          ["MB_per_s"], hosts="2 --rate 1gbit")

    def pairs():
        # M's figure 7, with a link for each rank: 2 s of what that carries.
        yield Variant("parallel_stream", "pairs on hosts with links of 200 Mbit/s, elements of 512 doubles, openmpi",
                      [Contender(f"pairs_{n}", script="command.py", arguments={"by": "stream", "producers": n, "consumers": n, "items": 12_000 * n}) for n in (1, 2, 4)], [],
                      {"hosts": 8, "doubles": 512, "mpi": "openmpi", "program": "{bench}/bench_parallel_stream"}, {"items": 200}, ["MB_per_s"], base="pairs_1",
                      hosts="8 --rate 200mbit")
        # The same on one host: as many elements for each number of pairs.
        for mpi in ["openmpi", "mpich"]:
            yield Variant("parallel_stream", f"pairs of a producer and a consumer, elements of 512 doubles, {mpi}",
                          [Contender(f"pairs_{n}", script="command.py", arguments={"by": "stream", "producers": n, "consumers": n}) for n in (1, 2, 4)], [],
                          {"items": 400_000, "doubles": 512, "mpi": mpi, "program": "{bench}/bench_parallel_stream"}, {"items": 200}, ["MB_per_s"], base="pairs_1")

    return [*batches(), *pairs()]


# Goals that documentation names and no suite measures, so that no row can say whether they are met: the work, the goal, and whether it was met when it was
# measured once (docs/performance.md).
WITHOUT_ROWS = [
    ("nodes as tables of functions, by the nodes before them (decision 0018)", "an item takes at most as long", False),
    ("library, applications and tools for release, on two cores", "at most 7 minutes of CPU time", True),
    ("library, applications and tools for release, by what it was before decision 0018", "at most a third of the CPU time", False),
    ("the largest source file", "at most 8 s to compile", False),
    ("the landing run of scripts/test.sh", "at most 720 s", False),
    ("two farms of hundreds of nodes, all to all between two groups of a machine", "at most 1.5 times the CPU time of one process", False),
    ("output of the plasma example, MPI_File_write_shared by the stream", "a mover's time is at least halved", False),
    ("a step of the plasma example with the stream, by one without output", "at most 1.05", True),
    ("weir tune on wordcount", "never slower", True),
    ("a trace of a farm of 4 workers of 0.65 us", "at most 2 % of CPU time", True),
    ("a trace of 16 trivial nodes", "at most 2 % of CPU time", False),
]
# Suites of which a problem's rows are drawn: the script that does, and the problem.
PICTURES = {"grain": ("docs/pictures/grain.py", "farm"), "swsearch": ("docs/pictures/swsearch.py", "swsearch_lengths"),
            "extsort": ("docs/pictures/extsort.py", "extsort_threads")}
# Suites whose files are in folders that are made for a run.
SCRATCH = {"extsort"}
SUITES = {"core": core, "grain": grain, "patterns": patterns, "filesearch": filesearch, "swsearch": swsearch, "extsort": extsort,
          "cluster": cluster, "mpi": mpi, "compile": lambda: list(compile_times()), "fastflow": lambda: list(fastflow()), "papers": papers}
