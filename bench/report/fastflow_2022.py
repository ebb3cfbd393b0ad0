# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""F2: figures 9, 10 and 11. Its measurements are of 16 nodes with 20 cores each, joined at 1 Gbit/s."""

import noise
from figure import Figure, Panel, Part, Ratio, Series, beside

LINK = "a link of 1 Gbit/s"
# Section 4: MB/s of all to all with 16 producers, and its share of what the links carry.
ALL_TO_ALL_SHARE = 0.93
# Tweets a second: of one pair without a limit, and by pairs that send a sixteenth of that each.
ONE_PAIR, BY_PAIRS = 120_000, {13: 97_000, 16: 101_000}
MPIS = (("tcp", "weir over TCP", "ours"), ("openmpi", "weir over Open MPI", "ours"), ("mpich", "weir over MPICH", "ours"))


def spread_of(rows, name, measure):
    return noise.Spread.of(noise.measured(rows[name], measure))


def by(rows, place, names, measure):
    """Series of the contenders of several variants. @param place of a variant on x"""
    made = []
    for name, label, role in names:
        points = sorted(((place(variant), spread_of(contenders, name, measure)) for variant, contenders in rows if name in contenders), key=lambda each: each[0])
        if points:
            made.append(Series(label, role, points))
    return made


def size_of(variant):
    return variant.arguments["size"]


def senders_of(variant):
    return variant.arguments["senders"]


def batches(rows):
    return rows.of("cluster_stream", " by batch, ")


def over_mpi(rows):
    """Over a link, and if this machine makes none, on one host."""
    return [each for each in rows.of("cluster_stream", LINK) if "tcp" in each[1]] or [each for each in rows.of("cluster_stream", "one host") if "tcp" in each[1]]


def all_to_all(rows):
    return [each for each in rows.of("cluster_all_to_all") if "tcp" in each[1]]


def stream_ratios(rows):
    found = []
    for variant, contenders in batches(rows):
        found += beside(contenders, "weir", "bare", "items_per_s", f"weir : bare TCP, speed of messages of {size_of(variant)} bytes, {LINK}", "“close to nominal bandwidth”")
    for variant, contenders in rows.of("cluster_stream", "by cereal"):
        found += beside(contenders, "weir", "raw", "items_per_s", f"cereal : plain bytes, speed of messages of {size_of(variant)} bytes on one machine", "1 x below 8 KB")
    for variant, contenders in over_mpi(rows):
        for name in ("openmpi", "mpich"):
            found += beside(contenders, name, "tcp", "items_per_s", f"weir over {name} : weir over TCP, speed of messages of {size_of(variant)} bytes", "“no appreciable differences”")
    for variant, contenders in all_to_all(rows):
        for name in ("tcp", "openmpi", "mpich"):
            if name in contenders:
                found.append(Ratio(f"share of the links that all to all fills, {senders_of(variant)} senders, {name}", spread_of(contenders, name, "link_share"),
                                   f"{ALL_TO_ALL_SHARE} with 16 senders", ""))
    return found


def stream_panels(rows):
    names = [("weir", "weir, a batch that adapts", "ours"), *((f"batch_{n}", f"weir, a batch of {n}", "ours") for n in (1, 8, 32, 256)), ("bare", "bare TCP (F2: netcat)", "rival")]
    if batches(rows):
        yield Panel("Throughput by batch, " + LINK, "bytes of a message", "MB/s", by(batches(rows), size_of, names, "MB_per_s"), log_x=True)
    cereal = rows.of("cluster_stream", "by cereal")
    if cereal:
        yield Panel("Serialization, one machine", "bytes of a message", "MB/s", by(cereal, size_of, (("weir", "weir with cereal", "ours"), ("raw", "weir, plain bytes", "ours")), "MB_per_s"), log_x=True)
    found = over_mpi(rows)
    if found:
        yield Panel("TCP and MPI over TCP, " + (LINK if LINK in found[0][0].name else "one host"), "bytes of a message", "MB/s", by(found, size_of, MPIS, "MB_per_s"), log_x=True)
    if all_to_all(rows):
        yield Panel("All to all, 16 receivers", "senders", "share of the links that is filled", by(all_to_all(rows), senders_of, MPIS, "link_share"),
                    levels=[("F2, 16 senders", ALL_TO_ALL_SHARE)])


def master_ratios(rows):
    found = []
    for variant, contenders in rows.of("cluster_master"):
        if "weir" in contenders:
            found.append(Ratio(f"share of the ideal, {variant.name}", spread_of(contenders, "weir", "efficiency"), unit=""))
        found += beside(contenders, "weir", "threads", "efficiency", f"weir : threads of one process, {variant.name}")
    return found


def master_panels(rows):
    names = (("weir", "weir", "ours"), ("threads", "threads of one process", "rival"))
    for work, title in ((1_000_000, "Tasks of 1 ms"), (100_000, "Tasks of 0.1 ms"), (5_000_000, "Tasks of 5 ms")):
        found = rows.of("cluster_master", work=work)
        if len(found) > 1:
            yield Panel(title, "groups of 4 workers", "share of the ideal", by(found, lambda variant: variant.arguments["groups"], names, "efficiency"))
    found = [each for each in rows.of("cluster_master") if each[0].arguments["groups"] >= 4]
    if found:
        yield Panel("By the grain, 4 groups or more", "ms of a task", "share of the ideal",
                    by(found, lambda variant: variant.arguments["work"] / 1e6, names, "efficiency"), log_x=True)


def pairs_of(variant):
    return variant.arguments["pairs"]


def word_ratios(rows):
    found = []
    for _, contenders in rows.of("cluster_words", "one pair, without"):
        for name in ("weir", "shm"):
            if name in contenders:
                values = [value / ONE_PAIR for value in noise.measured(contenders[name], "tweets_per_s")]
                found.append(Ratio(f"weir's tweets : FastFlow's, one pair{' through shared memory' if name == 'shm' else ''}", noise.Spread.of(values), f"{ONE_PAIR} tweets/s"))
    for variant, contenders in rows.of("cluster_words", "each a sixteenth"):
        if "weir" in contenders:
            said = {16: "0.84 of the rate of one pair", 1: "", 4: "linear", 8: "linear"}.get(pairs_of(variant), "")
            found.append(Ratio(f"share of linear, {pairs_of(variant)} pair{'s' if pairs_of(variant) > 1 else ''} on this machine", spread_of(contenders, "weir", "linear"), said, ""))
    return found


def word_panels(rows):
    found = rows.of("cluster_words", "each a sixteenth")
    if not found:
        return
    shares = []
    for variant, contenders in found:
        if "weir" in contenders:
            values = [row["extra"]["tweets_per_s"] / row["extra"]["ceiling"] for row in contenders["weir"]]
            shares.append((pairs_of(variant), noise.Spread.of(values)))
    yield Panel("Tweets counted, by the rate of one pair without a limit", "pairs of source and splitter", "share", [
        Series("weir", "ours", sorted(shares, key=lambda each: each[0])), Series("F2", "published", [(n, rate / ONE_PAIR) for n, rate in BY_PAIRS.items()]),
        Series("linear", "ideal", [(1, 1 / 16), (16, 1)])])


FIGURES = [
    Figure("f2-9", "F2", "9", "Streams between groups: batches, serialization, MPI, all to all",
           "Two groups, which are processes, pass messages of several sizes over a link of 1 Gbit/s or on one machine, and up to 16 groups send to 16 others.",
           (Part("papers", lambda each: each.problem == "cluster_stream", quick=lambda each: size_of(each) in (64, 4096), quick_contenders=("weir", "batch_1", "batch_32", "bare"), quick_scale=0.1),
            Part("cluster", lambda each: "by cereal" in each.name, quick=lambda each: size_of(each) in (512, 8192), quick_scale=0.2),
            Part("mpi", lambda each: each.problem == "cluster_stream", ("tcp", "openmpi", "mpich"),
                 quick=lambda each: LINK in each.name and size_of(each) in (64, 65_536), quick_scale=0.1),
            Part("mpi", lambda each: each.problem == "cluster_all_to_all" and each.arguments["hosts"] == 16,
                 quick=lambda each: senders_of(each) == 4, quick_contenders=("tcp", "openmpi"), quick_scale=0.1)),
           "F2's text (section 4): a batch of 8 to 32 reaches the most that is possible and matters below 512 bytes; cereal is as fast as plain bytes below 8 KB; no appreciable differences between TCP and "
           "MPI; all to all reaches 1780 MB/s, 93 % of the links. It prints no other numbers of this figure.",
           stream_ratios, stream_panels,
           "Hosts are network namespaces on this machine (scripts/cluster.sh), whose cores they share. Links of all to all carry 200 Mbit/s here, 1 Gbit/s in F2. The ideal is a bare TCP program, netcat in F2.",
           "Two sizes, a tenth of the messages, 4 senders only.", 85, ("scripts/bench.sh papers --only cluster_stream", "scripts/bench.sh cluster --only cluster_stream",
                                                                       "scripts/bench.sh mpi --only cluster_stream,cluster_all_to_all"),
           (("16 nodes", "One machine with namespaces as hosts; its cores are the limit where many groups compute at the same time."),
            ("FastFlow's distributed blocks", "FastFlow is not part of this tree."))),
    Figure("f2-10", "F2", "10", "Master and workers in groups, by the grain of tasks",
           "A master sends tasks of 128 bytes on demand to groups of four workers, which sleep for each task; the ideal is tasks times grain by the number of workers.",
           (Part("cluster", lambda each: each.problem == "cluster_master", quick=lambda each: (each.arguments["work"], each.arguments["groups"]) in ((1_000_000, 1), (1_000_000, 4), (100_000, 4), (5_000_000, 8)),
                 quick_scale=0.08),),
           "The tables of this figure are pictures in F2. Its text says that the speedup grows with the grain, on up to 320 cores.",
           master_ratios, master_panels,
           "Workers sleep instead of computing, so that they may outnumber the cores. F2 has 20 workers in each group, here there are 4.",
           "A twelfth of the tasks, so start and end weigh more.", 30, ("scripts/bench.sh cluster --only cluster_master",),
           (("320 cores", "Tasks that compute can't be spread over more cores than this machine has."), ("FastFlow's distributed blocks", "FastFlow is not part of this tree."))),
    Figure("f2-11", "F2", "11", "Words of tweets, by the number of sources",
           "Pairs of a source and a splitter, each in a group of its own, send words by key to four counters in one group; each pair sends a sixteenth of what one pair without a limit reaches.",
           (Part("cluster", lambda each: each.problem == "cluster_words", quick_scale=0.1),),
           "F2's text (section 4): 120 000 tweets a second with one pair, linear up to 13 pairs with 97 000, and 101 000 with 16, about 84 % of the most.",
           word_ratios, word_panels, "All groups share this machine's cores; each pair of F2 has a node of its own.", "A tenth of the tweets.", 35, ("scripts/bench.sh cluster --only cluster_words",),
           (("a node for each pair", "16 pairs and the counters share the cores of this machine, which they use up."),)),
]
