# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""M: figures 4 to 7. Its measurements are of a Cray XC40 and a Blue Gene/Q. All numbers are from its text (section 4.2), which describes the curves."""

import noise
from figure import Figure, Panel, Part, Ratio, Series, beside

MPIS = (("openmpi", "Open MPI"), ("mpich", "MPICH"))
CRAY, BLUE_GENE = "M, Cray XC40", "M, Blue Gene/Q"
# Figure 4, GB/s by producers of a consumer: doubles of an element, then where.
PRODUCERS = {256: {CRAY: {1: 9, 16: 9, 25: 0.9}, BLUE_GENE: {1: 1.5, 5: 0.8, 25: 0.8}}, 512: {CRAY: {1: 9, 16: 9, 25: 0.9}, BLUE_GENE: {1: 3.2, 5: 1.5, 25: 1.5}},
             1024: {CRAY: {1: 5, 25: 3}, BLUE_GENE: {1: 3.2, 5: 5, 25: 5}}}
# Figure 5: up to how many operations on an element the rate is constant.
CONSTANT_UP_TO = {CRAY: 10_000, BLUE_GENE: 100}
# Figure 6: the largest share of the bandwidth of ping-pong, and GB/s of the stream and of ping-pong.
SHARES = {CRAY: 0.65, BLUE_GENE: 0.52}
PEAKS = {CRAY: (9, 15), BLUE_GENE: (3.5, 7)}
# Figure 7, GB/s by pairs; those of 32 are from the text about figure 5.
PAIRS = {CRAY: {32: 8, 2048: 80}, BLUE_GENE: {32: 3.25, 2048: 200}}


def variants(rows, name, mpi):
    return [each for each in rows.of("parallel_stream", name, mpi=mpi)]


def doubles_of(variant):
    return variant.arguments["doubles"]


def numbers(contenders, before):
    """By the number at the end of their names: contenders whose names begin with this."""
    return sorted((int(name.rpartition("_")[2]), name) for name in contenders if name.startswith(before))


def producer_ratios(rows):
    found = []
    for mpi, label in MPIS:
        for variant, contenders in variants(rows, "producers of a consumer", mpi):
            for n, name in numbers(contenders, "from_")[-1:]:
                said = PRODUCERS[doubles_of(variant)]
                published = ", ".join(f"{values[25] / values[1]:.2g} x ({where.removeprefix('M, ')})" for where, values in said.items()) if n == 25 else ""
                found += beside(contenders, name, "from_1", "items_per_s", f"{n} producers : one, rate of a consumer, elements of {doubles_of(variant)} doubles, {label}", published)
    return found


def producer_panels(rows):
    for doubles in (256, 512, 1024):
        series = []
        for mpi, label in MPIS:
            for _, contenders in [each for each in variants(rows, "producers of a consumer", mpi) if doubles_of(each[0]) == doubles and "from_1" in each[1]]:
                points = [(n, noise.Spread.of(noise.ratios(contenders[name], contenders["from_1"], "items_per_s"))) for n, name in numbers(contenders, "from_")]
                series.append(Series(f"here, {label}", "ours", points))
        if series:
            series += [Series(where, "published", [(n, rate / values[1]) for n, rate in values.items()]) for where, values in PRODUCERS[doubles].items()]
            yield Panel(f"Elements of {doubles} doubles", "producers of a consumer", "rate by that of one producer", series)


def operations_of(variant, contenders):
    """An operation on each double, so often."""
    repeats = next(each.arguments["repeats"] for each in variant.contenders if each.name == "both")
    return doubles_of(variant) * repeats


def operation_ratios(rows):
    found = []
    for mpi, label in MPIS:
        for variant, contenders in variants(rows, "operations on each", mpi):
            found += beside(contenders, "both", "communication", "wall_ms", f"rate with {operations_of(variant, contenders)} operations on each element : without, {label}",
                            ", ".join(f"1 x up to {limit} ({where.removeprefix('M, ')})" for where, limit in CONSTANT_UP_TO.items()))
    return found


def operation_panels(rows):
    series = []
    for mpi, label in MPIS:
        found = [each for each in variants(rows, "operations on each", mpi) if "both" in each[1] and "communication" in each[1]]
        points = [(operations_of(variant, contenders), noise.Spread.of(noise.ratios(contenders["both"], contenders["communication"], "wall_ms"))) for variant, contenders in found]
        if points:
            series.append(Series(f"here, {label}", "ours", sorted(points, key=lambda each: each[0])))
    if series:
        yield Panel("Elements of 512 doubles", "operations on an element", "rate by that without operations", series, log_x=True,
                    marks=[(f"constant up to here: {where}", limit) for where, limit in CONSTANT_UP_TO.items()])


def sizes(rows, mpi):
    return sorted((each for each in variants(rows, "elements of", mpi) if "stream" in each[1] and "kernel" not in each[0].arguments), key=lambda each: doubles_of(each[0]))


def size_ratios(rows):
    found = []
    for mpi, label in MPIS:
        for variant, contenders in sizes(rows, mpi):
            said = "at most " + ", ".join(f"{share} x ({where.removeprefix('M, ')})" for where, share in SHARES.items())
            found += beside(contenders, "stream", "ping_pong", "items_per_s", f"stream : ping-pong, rate of elements of {doubles_of(variant)} doubles, {label}", said)
            found += beside(contenders, "stream", "messages", "items_per_s", f"stream : 16 messages under way, rate of elements of {doubles_of(variant)} doubles, {label}")
    # The largest elements first: the bandwidth that M is about.
    return found[::-1]


def size_panels(rows):
    for mpi, label in MPIS:
        found = sizes(rows, mpi)
        series = [Series(text, role, [(8 * doubles_of(variant), noise.Spread.of([rate / 1e3 for rate in noise.measured(contenders[name], "MB_per_s")])) for variant, contenders in found if name in contenders])
                  for name, text, role in (("stream", "MPIStream", "ours"), ("messages", "MPI, 16 messages under way", "rival"), ("ping_pong", "MPI, ping-pong", "rival"))]
        if found:
            yield Panel(f"Rate, {label}", "bytes of an element", "GB/s", series, log_x=True,
                        levels=[(f"{where}: {what}", peak) for where, peaks in PEAKS.items() for what, peak in zip(("the stream", "ping-pong"), peaks)])
    series = []
    for mpi, label in MPIS:
        points = [(8 * doubles_of(variant), noise.Spread.of(noise.ratios(contenders["stream"], contenders["ping_pong"], "items_per_s"))) for variant, contenders in sizes(rows, mpi) if "ping_pong" in contenders]
        if points:
            series.append(Series(f"here, {label}", "ours", points))
    if series:
        yield Panel("The stream by ping-pong", "bytes of an element", "rate by that of ping-pong", series, log_x=True, log_y=True, levels=[(f"at most: {where}", share) for where, share in SHARES.items()])


# Where pairs run: words of a variant, the MPI, and what it is called.
WHERE = (("pairs on hosts", "openmpi", "hosts with links, Open MPI"), ("pairs of a producer", "openmpi", "one host, Open MPI"), ("pairs of a producer", "mpich", "one host, MPICH"))


def pair_ratios(rows):
    said = ", ".join(f"{values[2048] / values[32] / 64:.2g} of linear from 32 to 2048 pairs ({where.removeprefix('M, ')})" for where, values in PAIRS.items())
    return [ratio for words, mpi, label in WHERE for _, contenders in variants(rows, words, mpi) for n, name in numbers(contenders, "pairs_")[1:]
            for ratio in beside(contenders, name, "pairs_1", "items_per_s", f"{n} pairs : one, rate of all, {label}", said)]


def pair_panels(rows):
    series = []
    for words, mpi, label in WHERE:
        for _, contenders in variants(rows, words, mpi):
            points = [(n, noise.Spread.of([rate / 1e3 for rate in noise.measured(contenders[name], "MB_per_s")])) for n, name in numbers(contenders, "pairs_")]
            series.append(Series(label, "ours", points))
    if series:
        yield Panel("Elements of 512 doubles", "pairs of a producer and a consumer", "GB/s of all", [*series, *(Series(where, "published", list(values.items())) for where, values in PAIRS.items())],
                    log_x=True, log_y=True)


def part(words, **how):
    return Part("mpi", lambda each: each.problem == "parallel_stream" and words in each.name, **how)


AGAIN = ("scripts/bench.sh mpi --only parallel_stream",)
CORES = ("a core for each rank", "Ranks share the cores of this machine; with more ranks than cores a rate is also that of the kernel's changes between them.")
MACHINES = ("a Cray XC40 and a Blue Gene/Q", "Ranks of one machine pass messages through shared memory, not over such networks.")

FIGURES = [
    Figure("m-4", "M", "4", "The rate of a consumer by the number of its producers", "One to 25 producers stream elements of three sizes to one consumer, which scales each element.",
           (part("producers of a consumer", quick=lambda each: doubles_of(each) != 512, quick_contenders=("from_1", "from_4", "from_8"), quick_scale=0.1),),
           "M's text: on the Cray 9 GB/s up to 16 producers for 256 and 512 doubles and a tenth of that above, 5 falling to 3 for 1024; on the Blue Gene 1.5 to 0.8, 3.2 to 1.5, and 3.2 to 5 from one to five "
           "producers, then constant. These are read from sentences, so they are approximations.",
           producer_ratios, producer_panels, "M has 32 consumers at a time, here there is one. Rates are relative to one producer, because the machines have nothing in common.",
           "Two sizes, 1 to 8 producers, a tenth of the elements.", 35, AGAIN, (CORES, MACHINES)),
    Figure("m-5", "M", "5", "The rate by the operations on each element", "One producer streams elements of 512 doubles to one consumer, which computes 512 to 51 200 operations on each.",
           (part("operations on each", quick_scale=0.2),),
           "M's text: the rate is constant up to 10 000 operations on the Cray and up to 100 on the Blue Gene (1000 for 1024 doubles), and falls beyond.",
           operation_ratios, operation_panels, "M has 32 pairs and three sizes, here there is one of each.", "A fifth of the elements.", 25, AGAIN, (MACHINES,)),
    Figure("m-6", "M", "6", "The rate by the size of elements, beside ping-pong", "One producer streams elements of one double to 4 194 304 doubles to one consumer; ping-pong and plain messages do the same.",
           (Part("mpi", lambda each: each.problem == "parallel_stream" and each.name.startswith("elements of"), quick=lambda each: doubles_of(each) in (1, 256, 4096, 262_144), quick_scale=0.1),),
           "M's text: at most 9 and 3.5 GB/s, where ping-pong has 15 and 7: 65 % and 52 % (of the curves, 9 by 15 is 60 %).",
           size_ratios, size_panels, "M has 32 pairs, here there is one.", "Four sizes, a tenth of the elements.", 35, AGAIN, (MACHINES,)),
    Figure("m-7", "M", "7", "The rate of all pairs by their number", "One, two and four pairs of a producer and a consumer stream elements of 512 doubles at the same time, each rank on a host with a link of its own, and all of them on one host.",
           (Part("papers", lambda each: each.problem == "parallel_stream", quick_scale=0.2),),
           "M's text: linear up to 2048 pairs on the Blue Gene, 200 GB/s; on the Cray linear up to 256, then slower, 80 GB/s. The rates of 32 pairs are those that it gives for figure 5.",
           pair_ratios, pair_panels, "Hosts are network namespaces with links of 200 Mbit/s (scripts/cluster.sh). All pairs share this machine's cores, so without links their rate can't grow beyond what these do.", "A fifth of the elements.", 30, ("scripts/bench.sh papers --only parallel_stream",),
           (("32 to 2048 pairs", "They need two cores each, 64 to 4096; docs/scaling.md models them from the rate of one pair."), MACHINES)),
]
