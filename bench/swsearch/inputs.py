# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The databases and queries of the suite `swsearch`. They are made when they are first wanted, in build/swsearch-data, and stay there.

Real proteins are the 20 000 of UniProt that Debian's package mmseqs2-examples has. Queries have the lengths that papers on such searches have used since SWIPE's: each is the beginning of the shortest real protein that
is long enough. The one of 5478 is, as theirs, a mucin: Mucin-17 of the real ones, and its own beginning behind it. The one of 35213 is made of proteins behind each other, and the database `long` is one such sequence, of others."""

import contextlib
import fcntl
import gzip
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "build" / "swsearch-data"
REAL = pathlib.Path("/usr/share/doc/mmseqs2/example-data/DB.fasta.gz")
LENGTHS = [144, 189, 222, 375, 464, 567, 657, 729, 850, 1000, 1500, 2005, 2504, 3005, 3564, 4061, 4548, 4743, 5147, 5478]
MUCIN = "E7EPM4"
LONG = 35_213  # residues of titin, the longest protein known

# Synthetic ones: how many sequences and residues. `f1` is of the size of F1's, `billion` has as many sequences as Swiss-Prot would.
SYNTHETIC = {"smoke": (700, 220_000), "f1": (471_472, 167_326_533), "billion": (2_816_901, 1_000_000_000)}


class Missing(Exception):
    """In words what can't be here, and why."""


@contextlib.contextmanager
def made(path):
    """A name to write the file to, which has its own once it is complete."""
    beside = path.with_name(f"part-{os.getpid()}-{path.name}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextlib.contextmanager
def alone():
    """Two runs at the same time make nothing twice."""
    DATA.mkdir(parents=True, exist_ok=True)
    with (DATA / "lock").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def real_proteins():
    if not REAL.exists():
        raise Missing(f"{REAL} is not there; run scripts/setup.sh bench")
    name, parts = "", []
    with gzip.open(REAL, "rt", encoding="ascii") as file:
        for line in [*file, ">"]:
            if line.startswith(">"):
                if name:
                    yield name, "".join(parts)
                name, parts = (line[1:].split() or [""])[0], []
            else:
                parts.append(line.strip())


def real_file():
    path = DATA / "real.fa"
    if not path.exists():
        with made(path) as beside, beside.open("w", encoding="ascii") as file:
            for name, residues in real_proteins():
                file.write(f">{name}\n{residues}\n")
    return path


def long_sequence(number, proteins):
    """@return 35213 residues of every second protein, from that number on"""
    return "".join(residues for _, residues in proteins[number::2])[:LONG]


def query_of(length, number, proteins):
    """@param number of those that begin with the shortest protein that is long enough @return name and residues"""
    if length == LENGTHS[-1]:
        name, mucin = next((name, residues) for name, residues in proteins if MUCIN in name)
        return name, (mucin + mucin)[:length]
    if length == LONG:
        return "long", long_sequence(0, proteins)
    name, residues = sorted((each for each in proteins if len(each[1]) >= length), key=lambda each: len(each[1]))[number]
    return name, residues[:length]


def query_file(wanted):
    """@param wanted a length, or `all` for the twenty, or `20x144` for twenty of that length @return a FASTA file"""
    path = DATA / f"queries-{wanted}.fa"
    if not path.exists():
        count, _, length = wanted.rpartition("x")
        chosen = [(length, 0) for length in LENGTHS] if wanted == "all" else [(int(length), i) for i in range(int(count or 1))]
        proteins = list(real_proteins())
        with made(path) as beside, beside.open("w", encoding="ascii") as file:
            for i, (length, number) in enumerate(chosen):
                name, residues = query_of(length, number, proteins)
                file.write(f">q{i}_{length} {name}\n{residues}\n")
    return path


def residues_in(fasta):
    with open(fasta, encoding="ascii") as file:
        return sum(len(line) - 1 for line in file if not line.startswith(">"))


def residues_of(name, fasta):
    return SYNTHETIC[name][1] if name in SYNTHETIC else residues_in(fasta)


def database_file(name, programs):
    """@param programs the folder of the benchmarks @return a FASTA file of that database"""
    if name == "real":
        return real_file()
    path = DATA / f"{name}.fa"
    if path.exists():
        return path
    if name == "long":
        with made(path) as beside:
            beside.write_text(f">long\n{long_sequence(1, list(real_proteins()))}\n", encoding="ascii")
        return path
    if name == "copies":
        arguments = ["--copies", "2", "--relatives", real_file()]
    else:
        sequences, residues = SYNTHETIC[name]
        arguments = ["--sequences", str(sequences), "--residues", str(residues), "--relatives", query_file("all")]
    with made(path) as beside, beside.open("wb") as file:
        subprocess.run([programs / "bench_swsearch_generate", *arguments], stdout=file, check=True)
    return path


def derived(path, suffix, maker, command):
    """A file that `command(path, new)` makes of a database; it is made again when its maker has changed."""
    new = path.with_suffix(suffix)
    if not new.exists() or new.stat().st_mtime < max(path.stat().st_mtime, pathlib.Path(maker).stat().st_mtime):
        with made(new.with_name("new-" + new.name)) as beside:
            subprocess.run(command(path, beside.with_suffix(suffix)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        new.with_name("new-" + new.name).replace(new)
    return new


def index_file(name, programs, swsearch):
    return derived(database_file(name, programs), ".swdb", swsearch, lambda path, new: [swsearch, "index", "-q", path, "-o", new])
