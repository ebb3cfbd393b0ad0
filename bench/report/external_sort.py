# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""S: figures 1 to 9. Its measurements are of a server with two eight-core Xeon E5-2650 v2, and of a cluster with 32 threads on each node.
docs/pictures/extsort_published.py has its tables."""

import noise
from extsort_published import S_TABLE_1, S_TABLE_2, S_TABLE_3
from figure import Figure, Panel, Part, Ratio, Series, beside

ENGINES = {"weir": "weir's pool", "pinned": "weir's pool, pinned", "threads": "a thread a node", "threads_pinned": "a thread a node, pinned", "openmp": "OpenMP", "seq": "sequential"}
PUBLISHED_WAYS = ("OpenMP", "FastFlow", "FastFlow, blocking")  # the columns of table 1
NONE = "S prints no numbers of this figure."
# --quick sorts so many bytes; memory is a tenth of that.
QUICK_BYTES = 170_000_000
AGAIN = "scripts/bench.sh extsort --only extsort_{}"
FASTFLOW = ("S's FastFlow program", "FastFlow and S's programs are not part of this tree; extsort has S's algorithm with OpenMP as --engine openmp.")
SERVER = ("16 cores with 32 threads", "No speedup above the cores of this machine is possible.")


def speedup(contenders, name):
    return noise.Spread.of(noise.ratios(contenders[name], contenders["seq"], "gb_per_s"))


def both(contenders, *names):
    return all(name in contenders for name in names)


# ---- by threads ----


def of_figure(rows, number):
    return rows.of("extsort_threads", f"S's figure {number},")


def where(variant):
    return "in memory" if variant.arguments["where"] == "memory" else "on the disk"


def thread_ratios(number):
    def made(rows):
        found = []
        for variant, contenders in of_figure(rows, number):
            published = S_TABLE_1["memory" if variant.arguments["where"] == "memory" else "disk"]
            said = f"{published[2][0] / published[2][1]:.2f} x: OpenMP by FastFlow" if number == 2 else ""
            found += beside(contenders, "weir_2", "openmp_2", "gb_per_s", f"weir : S's algorithm with OpenMP, speed with two threads, {where(variant)}", said)
            if both(contenders, "weir_2", "seq"):
                said = f"{published[2][1]} with FastFlow, {published[2][2]} blocking, {published[2][0]} with OpenMP" if number == 2 else ""
                found.append(Ratio(f"weir with two threads : the sequential engine, {where(variant)}", speedup(contenders, "weir_2"), said))
        return found

    return made


def thread_panels(number):
    def made(rows):
        for variant, contenders in of_figure(rows, number):
            series = []
            for engine, label, role in (("weir", "weir, here", "ours"), ("openmp", "OpenMP, here", "rival")):
                points = [(n, speedup(contenders, f"{engine}_{n}")) for n in (1, 2, 4) if both(contenders, f"{engine}_{n}", "seq")]
                series.append(Series(label, role, points))
            if number == 2:
                published = S_TABLE_1["memory" if variant.arguments["where"] == "memory" else "disk"]
                series += [Series(f"S, {way}", "published", [(n, values[column]) for n, values in published.items()]) for column, way in enumerate(PUBLISHED_WAYS)]
            yield Panel(where(variant).capitalize() + (", S: on NFS" if number == 2 and variant.arguments["where"] == "disk" else ""), "threads", "speedup over the sequential engine", series, log_x=number == 2)

    return made


def by_threads(number, title, measured, published, here, seconds=18):
    return Figure(f"s-{number}", "S", str(number), title, measured,
                  (Part("extsort", lambda each: each.problem == "extsort_threads" and f"S's figure {number}," in each.name, quick_arguments=lambda each: {"size": QUICK_BYTES}),),
                  published, thread_ratios(number), thread_panels(number), here, "170 MB.", seconds, (AGAIN.format("threads"),), (FASTFLOW, SERVER))


def payloads(number, payload, records, caption=""):
    return by_threads(number, f"Payloads below {payload}", f"{records} records with payloads below {payload} bytes are sorted in memory (tmpfs), with a tenth of their size as memory, on 1, 2 and 4 threads.",
                      NONE + " Its text says that the largest speedup falls as payloads grow, and that OpenMP and FastFlow come closer.", caption)


# ---- by engine ----


def engine_rows(rows, threads=2):
    return [each for each in rows.of("extsort_engines", threads=threads)]


def engine_ratios(rows):
    return [ratio for variant, contenders in engine_rows(rows) for other, label in ENGINES.items() if other != "weir"
            for ratio in beside(contenders, "weir", other, "gb_per_s", f"weir's pool : {label}, speed {where(variant)}, two threads")]


def engine_panels(rows):
    for variant, contenders in engine_rows(rows):
        points = [(label, noise.Spread.of(noise.measured(contenders[name], "gb_per_s"))) for name, label in ENGINES.items() if name in contenders]
        yield Panel(f"Two threads, {where(variant)}", "", "GB/s", [Series("here", "ours", points)], bars=True)


def gap_rows(rows):
    return sorted(((variant.arguments["threads"], contenders) for variant, contenders in rows.of("extsort_engines", where="memory")), key=lambda each: each[0])


def gap_ratios(rows):
    found = []
    for threads, contenders in gap_rows(rows):
        for name, label, published in (("openmp", "OpenMP", S_TABLE_1["memory"][threads][0]), ("openmp_less", "OpenMP on one thread fewer", S_TABLE_2[threads])):
            found += beside(contenders, "weir", name, "gb_per_s", f"weir : {label}, speed with {threads} threads", f"{S_TABLE_1['memory'][threads][2] / published:.2f} x: FastFlow, blocking")
    return found


def gap_panels(rows):
    series = []
    for name, label, role in (("weir", "weir, here", "ours"), ("openmp", "OpenMP, here", "rival"), ("openmp_less", "OpenMP on one fewer, here", "rival")):
        points = [(threads, speedup(contenders, name)) for threads, contenders in gap_rows(rows) if both(contenders, name, "seq")]
        series.append(Series(label, role, points))
    if any(each.points for each in series):
        series += [Series("S, OpenMP", "published", [(n, values[0]) for n, values in S_TABLE_1["memory"].items()]), Series("S, OpenMP on one fewer", "published", list(S_TABLE_2.items())),
                   Series("S, FastFlow, blocking", "published", [(n, values[2]) for n, values in S_TABLE_1["memory"].items()])]
        yield Panel("In memory", "threads", "speedup over the sequential engine", series, log_x=True)


# ---- in groups ----


def counts(contenders, before):
    return sorted((int(name.rpartition("_")[2]), name) for name in contenders if name.startswith(before + "_"))


def strong_ratios(rows):
    found = []
    for _, contenders in rows.of("extsort_strong"):
        for n, name in counts(contenders, "groups"):
            found += beside(contenders, name, f"mpi_openmp_{n}", "gb_per_s", f"weir : S's algorithm with MPI and OpenMP, speed of {n} groups")
        for n, name in counts(contenders, "groups"):
            if "seq" in contenders:
                found.append(Ratio(f"weir in {n} groups : the sequential engine", speedup(contenders, name), f"{S_TABLE_3['memory'][n]} in memory, {S_TABLE_3['disk'][n]} on NFS"))
    return found


def strong_panels(rows):
    for _, contenders in rows.of("extsort_strong"):
        series = [Series(label, role, [(n, speedup(contenders, name)) for n, name in counts(contenders, before) if "seq" in contenders])
                  for before, label, role in (("groups", "weir, here", "ours"), ("mpi_openmp", "MPI and OpenMP, here", "rival"))]
        series += [Series(f"S, MPI and OpenMP, {label}", "published", list(S_TABLE_3[place].items())) for place, label in (("memory", "in memory"), ("disk", "NFS"))]
        yield Panel("Strong scaling", "groups on this machine; nodes of S", "speedup over the sequential engine", series)


def groups_of(variant):
    return next(each.arguments["groups"] for each in variant.contenders)


def weak_rows(rows):
    return sorted(((groups_of(variant), contenders) for variant, contenders in rows.of("extsort_weak")), key=lambda each: each[0])


def scaled(found, name):
    """By groups: the time of the fewest by that of n, within rounds."""
    base = found[0][1]
    return [(n, noise.Spread.of(noise.ratios(contenders[name], base[name], "wall_ms"))) for n, contenders in found if name in contenders and name in base]


def weak_ratios(rows):
    found = weak_rows(rows)
    made = [ratio for n, contenders in found for ratio in beside(contenders, "groups", "mpi_openmp", "gb_per_s", f"weir : S's algorithm with MPI and OpenMP, speed of {n} groups")]
    return made + [Ratio(f"weir's time, {found[0][0]} groups : {n} groups", spread) for n, spread in (scaled(found, "groups") if found else []) if n != found[0][0]]


def weak_panels(rows):
    found = weak_rows(rows)
    if found:
        yield Panel("Weak scaling", "groups, each with as many records", f"time of {found[0][0]} groups by that of n",
                    [Series("weir, here", "ours", scaled(found, "groups")), Series("MPI and OpenMP, here", "rival", scaled(found, "mpi_openmp")),
                     Series("ideal: the same cores", "ideal", [(n, found[0][0] / n) for n, _ in found])])


TMPFS = "RAID10 of S is this machine's disk here."
FIGURES = [
    Figure("s-1", "S", "1", "Engines, pinned or not", "475 MB of records with payloads below 64 bytes are sorted in memory and on the disk, by two threads of each engine; memory is a tenth of that.",
           (Part("extsort", lambda each: each.problem == "extsort_engines" and each.arguments["threads"] == 2, ("weir", "pinned", "threads", "threads_pinned", "openmp", "seq"),
                 quick_arguments=lambda each: {"size": QUICK_BYTES}),),
           NONE + " Its text says that FastFlow gains from being unpinned, and with more threads than cores from blocking.", engine_ratios, engine_panels,
           "S compares FastFlow pinned or not, blocking or not; weir's engines are its pool and a thread for each node, pinned or not. " + TMPFS, "170 MB.", 25, (AGAIN.format("engines"),), (FASTFLOW, SERVER)),
    by_threads(2, "By threads, 50 million records", "50 million records with payloads below 64 bytes, 2.4 GB, are sorted in memory and on the disk, with a tenth of that as memory.", "S's table 1.",
               "S's cluster has up to 32 threads on a node, and NFS instead of a disk.", 25),
    payloads(3, 16, "20 million"),
    payloads(4, 64, "10 million"),
    payloads(5, 512, "1.25 million", "S's caption has 12.5 million records, which contradicts its text, by which all these files have almost one size."),
    payloads(6, 2048, "312 500", "S's caption has 31 250 records, which contradicts its text, by which all these files have almost one size."),
    Figure("s-7", "S", "7", "OpenMP on one thread fewer", "475 MB of records with payloads below 64 bytes are sorted in memory, with OpenMP on as many threads as weir and on one fewer, as FastFlow's master does not merge in S.",
           (Part("extsort", lambda each: each.problem == "extsort_engines" and each.arguments["where"] == "memory", ("weir", "openmp", "openmp_less", "seq"),
                 quick_arguments=lambda each: {"size": QUICK_BYTES}),),
           "S's table 2, on a cluster, for 50 million records.", gap_ratios, gap_panels, "10 million records are sorted, in memory only.", "170 MB.", 20, (AGAIN.format("engines"),), (FASTFLOW, SERVER)),
    Figure("s-8", "S", "8", "Strong scaling over groups", "10 million records with payloads below 64 bytes are sorted in memory by two to eight groups of one thread, with weir and with MPI and OpenMP.",
           (Part("extsort", lambda each: each.problem == "extsort_strong", quick_contenders=("weir", "seq", "groups_2", "groups_4", "mpi_openmp_2", "mpi_openmp_4"),
                 quick_arguments=lambda each: {"size": QUICK_BYTES}),),
           "S's table 3, for 50 million records.", strong_ratios, strong_panels, "All groups share this machine's cores; S has up to eight nodes of 32 threads.", "170 MB, two and four groups.", 30, (AGAIN.format("strong"),),
           (("eight nodes", "The groups are processes of one machine; scripts/bench.sh extsort --only extsort_hosts limits links instead."), FASTFLOW)),
    Figure("s-9", "S", "9", "Weak scaling over groups", "2.5 million records for each group are sorted in memory by two to eight groups of one thread, with weir and with MPI and OpenMP.",
           (Part("extsort", lambda each: each.problem == "extsort_weak", quick=lambda each: groups_of(each) <= 4, quick_arguments=lambda each: {"size": each.arguments["size"] // 3}),),
           NONE + " Its text says that the factor falls as nodes are added, because of communication and the master's input and output.", weak_ratios, weak_panels, "All groups share this machine's cores, so the ideal falls with their number; S's nodes have cores of their own, and 50 million records each.",
           "A third of the records, two and four groups.", 25, (AGAIN.format("weak"),), (("eight nodes", "The groups are processes of one machine."), FASTFLOW)),
]
