#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one search by one program, and prints one line of JSON. Items are cells: residues of the queries times residues of the database. `result` is a digest of what was found.

--by weir, weir_avx2, ssw, parasail, parasail_16, diamond: one query on one thread, of which the computation alone is measured; scores are held against weir's, one by one.
--by swsearch, loop, pipes, index: a whole command, from its start to its end. `loop` calls the kernel for the same batches as the network of `swsearch` does, `pipes` has processes do it (F1, section 3.2),
`index` makes the index.

Gaps are named as in F1: of 10-2, a gap of k residues costs 10 + 2k. SSW and parasail call that 12 and 2; DIAMOND, as BLAST, 10 and 2."""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import inputs

LEFT_OUT = 77
PEERS = inputs.ROOT / "build" / "bench-peers"  # made by scripts/bench.sh
TOP = 10
COLUMNS = "qseqid,sseqid,score"


def left_out(why):
    print(why, file=sys.stderr)
    sys.exit(LEFT_OUT)


class Usage:
    """Time and memory that commands took, one after the other."""

    def __init__(self):
        self.wall_ns = self.cpu_ns = self.peak_kib = 0

    @contextlib.contextmanager
    def process(self, words, **how):
        start = time.perf_counter_ns()
        with subprocess.Popen([str(word) for word in words], **how) as started:
            yield started
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
        self.wall_ns += time.perf_counter_ns() - start
        self.cpu_ns += round((used.ru_utime + used.ru_stime) * 1e9)
        self.peak_kib = max(self.peak_kib, used.ru_maxrss)
        if started.returncode != 0:
            sys.exit(f"{' '.join(str(word) for word in words)}: exit code {started.returncode}")

    def run(self, words):
        """@return what it printed"""
        with tempfile.TemporaryFile() as output:
            with self.process(words, stdin=subprocess.DEVNULL, stdout=output):
                pass
            output.seek(0)
            return output.read()


def records(fasta):
    """@return heading and residues of each, each with the line's end"""
    lines = pathlib.Path(fasta).read_text(encoding="ascii").splitlines(keepends=True)
    return list(zip(lines[::2], lines[1::2]))


class Search:
    """The data to be searched, and the programs of this build that search them."""

    def __init__(self, given):
        self.given = given
        self.bench = pathlib.Path(given.bench)
        self.swsearch = pathlib.Path(given.bin) / "swsearch"
        self.open, self.extend = map(int, given.gaps.split("-"))
        with inputs.alone():
            self.fasta = inputs.database_file(given.database, self.bench)
            self.index = inputs.index_file(given.database, self.bench, self.swsearch)
            self.queries = inputs.query_file(given.queries)
        self.cells = inputs.residues_in(self.queries) * inputs.residues_of(given.database, self.fasta)

    def costs(self):
        return ["--gap-open", self.open, "--gap-extend", self.extend]

    # Computation of one thread

    def own_scores(self, avx2=0, to=None):
        """@return the row of the kernel's program, and its scores"""
        with inputs.alone():
            path = to or inputs.DATA / f"scores-{self.given.database}-{self.given.queries}-{self.open}-{self.extend}.txt"
            printed = subprocess.run([str(word) for word in [self.bench / "bench_swsearch_weir", "--query", self.queries, "--database", self.index,
                                                             *self.costs(), "--scores", path, "--avx2", avx2]],
                                     check=True, capture_output=True, text=True).stdout
            return json.loads(printed), path.read_text(encoding="ascii").split()

    def expected(self):
        path = inputs.DATA / f"scores-{self.given.database}-{self.given.queries}-{self.open}-{self.extend}.txt"
        needed = max((self.bench / "bench_swsearch_weir").stat().st_mtime, self.index.stat().st_mtime, self.queries.stat().st_mtime)
        if path.exists() and path.stat().st_mtime > needed:
            return path.read_text(encoding="ascii").split()
        return self.own_scores()[1]

    def held(self, theirs):
        """@return the share of scores that are equal; the others may be lower: striped programs allow no insertion next to a deletion"""
        ours = self.expected()
        equal = sum(a == b for a, b in zip(ours, theirs))
        if len(ours) != len(theirs) or equal < 0.999 * len(ours) or any(int(a) < int(b) for a, b in zip(ours, theirs)):
            first = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), len(ours))
            sys.exit(f"{equal} scores of {len(ours)} are equal, and the first that is not is number {first}")
        return equal / len(ours)

    def compared(self, program, *more):
        """A peer that is a library, in a program of this folder."""
        with tempfile.TemporaryDirectory() as folder:
            scores = pathlib.Path(folder) / "scores"
            words = [self.bench / program, "--query", self.queries, "--database", self.fasta, *self.costs(), "--scores", scores, *more]
            done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
            return json.loads(done.stdout), self.held(scores.read_text(encoding="ascii").split())

    def one_thread(self):
        by = self.given.by
        equal = 1.0
        if by in ("weir", "weir_avx2"):
            with tempfile.TemporaryDirectory() as folder:
                row, scores = self.own_scores(avx2=int(by == "weir_avx2"), to=None if by == "weir" else pathlib.Path(folder) / "scores")
            if by == "weir_avx2" and scores != self.expected():
                sys.exit("with AVX2 the scores are not the same")
        elif by == "ssw":
            if not (self.bench / "bench_swsearch_ssw").exists():
                left_out("libssw-dev is not installed; run scripts/setup.sh bench")
            row, equal = self.compared("bench_swsearch_ssw")
        elif by in ("parasail", "parasail_16"):
            found = sorted(PEERS.glob("lib/python*/site-packages/parasail/libparasail.so"))
            if not found:
                left_out("parasail's wheel is not installed; scripts/bench.sh does that if PyPI can be reached")
            row, equal = self.compared("bench_swsearch_parasail", "--library", found[0], "--bits", 16 if by == "parasail_16" else 0)
        else:
            row, equal = self.diamond()
        self.print(row["items"], row["wall_ns"], row["cpu_ns"], {"equal": equal})

    def diamond(self):
        """Loading is not charged: what three times the query take more than one time. With its usual threshold and one hit to print, for speed; once more without either, for the scores."""
        if shutil.which("diamond") is None:
            left_out("diamond-aligner is not installed; run scripts/setup.sh bench")
        with inputs.alone():
            database = inputs.derived(self.fasta, ".dmnd", shutil.which("diamond"),
                                      lambda path, new: ["diamond", "makedb", "--in", path, "-d", new, "-p1", "--quiet"])
        words = ["diamond", "blastp", "--swipe", "-d", database, "-p1", "--matrix", "BLOSUM50", "--gapopen", self.open, "--gapextend", self.extend,
                 "--comp-based-stats", "0", "--masking", "0", "--quiet", "--outfmt", "6", "sseqid", "score"]
        (heading, residues), = records(self.queries)
        with tempfile.TemporaryDirectory() as folder:
            three = pathlib.Path(folder) / "three.fa"
            three.write_text("".join(f">{i}\n{residues}" for i in range(3)), encoding="ascii")
            once, thrice, every = Usage(), Usage(), Usage()
            once.run([*words, "-q", self.queries, "-k", 1])
            thrice.run([*words, "-q", three, "-k", 1])
            found = every.run([*words, "-q", self.queries, "--evalue", "1e300", "--min-score", 1, "-k", 10**9]).decode().split()
        scores = dict(zip(found[::2], found[1::2]))
        names = [line[1:].split()[0] for line in self.fasta.open(encoding="ascii") if line.startswith(">")]
        # A sequence that is not printed has a score of 0.
        equal = self.held([scores.get(name, "0") for name in names])
        used = {"items": self.cells, "wall_ns": (thrice.wall_ns - once.wall_ns) // 2, "cpu_ns": (thrice.cpu_ns - once.cpu_ns) // 2}
        return used, equal

    # Whole commands

    def words(self, queries):
        database = self.fasta if self.given.source == "fasta" else self.index
        threads = ["-t", self.given.threads] if self.given.threads else []
        return [self.swsearch, "-q", *threads, "-m", "BLOSUM50", *self.costs(), "--top", TOP, "--columns", COLUMNS, queries, database]

    def separately(self, usage):
        printed = b""
        with tempfile.TemporaryDirectory() as folder:
            for i, (heading, residues) in enumerate(records(self.queries)):
                one = pathlib.Path(folder) / f"{i}.fa"
                one.write_text(heading + residues, encoding="ascii")
                printed += usage.run(self.words(one))
        return printed

    def drained(self, usage):
        """The next query comes once the hits of the one before have."""
        printed = b""
        with usage.process(self.words("-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as search:
            all_of_them = records(self.queries)
            search.stdin.write(all_of_them[0][0].encode())
            for i, (_, residues) in enumerate(all_of_them):
                # A query is complete where the next one begins.
                search.stdin.write(residues.encode() + (all_of_them[i + 1][0].encode() if i + 1 != len(all_of_them) else b""))
                search.stdin.flush()
                if i + 1 == len(all_of_them):
                    search.stdin.close()
                printed += b"".join(search.stdout.readline() for _ in range(TOP))
        return printed

    def whole(self):
        usage = Usage()
        by = self.given.by
        if by == "swsearch":
            feed = {"together": lambda used: used.run(self.words(self.queries)), "separately": self.separately, "drained": self.drained}
            printed = feed[self.given.feed](usage)
        elif by == "index":
            with tempfile.TemporaryDirectory(dir=inputs.DATA) as folder:
                usage.run([self.swsearch, "index", "-q", self.fasta, "-o", pathlib.Path(folder) / "made.swdb"])
            printed = b""
        else:
            program, more = ("weir", []) if by == "loop" else ("pipes", ["--workers", self.given.threads])
            printed = usage.run([self.bench / f"bench_swsearch_{program}", "--query", self.queries, "--database", self.index, *self.costs(),
                                 "--top", TOP, *more])
        extra = {"peak_mib": usage.peak_kib / 1024, "bytes_per_residue": usage.peak_kib * 1024 / inputs.residues_of(self.given.database, self.fasta)}
        if printed:
            extra["result"] = hashlib.sha256(printed).hexdigest()[:16]
        self.print(self.cells, usage.wall_ns, usage.cpu_ns, extra)

    def print(self, cells, wall_ns, cpu_ns, extra):
        speed = {"gcups": cells / wall_ns, "cpu_gcups": cells / max(1, cpu_ns), "wall_ms": wall_ns / 1e6, "cpu_ms": cpu_ns / 1e6}
        about = {"queries": self.given.queries, "gaps": self.given.gaps, "cores": len(os.sched_getaffinity(0))}
        print(json.dumps({"items": cells, "wall_ns": wall_ns, "cpu_ns": cpu_ns, "extra": {**speed, **extra, **about}}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", required=True)
    parser.add_argument("--bin", required=True, metavar="FOLDER", help="where swsearch is")
    parser.add_argument("--bench", required=True, metavar="FOLDER", help="where the programs of this folder are")
    parser.add_argument("--database", required=True, help="real, copies, smoke, long, f1 or billion: see inputs.py")
    parser.add_argument("--queries", required=True, help="a length, `all`, or `20x144`: see inputs.py")
    parser.add_argument("--gaps", default="10-2")
    parser.add_argument("--threads", type=int, default=0, help="0: one a core")
    parser.add_argument("--source", choices=["index", "fasta"], default="index")
    parser.add_argument("--feed", choices=["together", "separately", "drained"], default="together")
    given = parser.parse_args()
    try:
        search = Search(given)
        if given.by in ("swsearch", "loop", "pipes", "index"):
            search.whole()
        else:
            search.one_thread()
    except inputs.Missing as why:
        left_out(str(why))


main()
