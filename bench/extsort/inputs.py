# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The files that the suite `extsort` sorts. They are made when they are first wanted, in folders that scripts/bench.py makes and removes, and go when another work begins.

A kind is the largest payload of S's records plus one, as `gen_file -r` has it (16, 64, 512, 2048), `hundred` for the sort benchmark's records of 100 bytes, or `text`.

Text is what this machine has: the files below /usr without a zero byte, in the order of their names, uncompressed where they end in .gz; then what can be read of programs and libraries, as strings(1) prints it; and only where all of that
is too little, the same again."""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import zlib

ROOT_OF_TEXT = "/usr"
PRINTABLE = re.compile(rb"[\t\x20-\x7e]{6,}")


class Missing(Exception):
    """In words what can't be here, and why."""


def mean_bytes(kind):
    """Mean size of a record: S's have a key, a length, and a payload of 8 to one less than that many bytes."""
    return 100 if kind == "hundred" else 12 + (8 + int(kind) - 1) / 2


def files_below(folder):
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def text_of(path):
    """@return what is in it, if that is text"""
    try:
        with open(path, "rb") as file:
            if b"\0" in file.read(4096) and not path.endswith(".gz"):
                return b""
            file.seek(0)
            text = file.read()
        if path.endswith(".gz"):
            text = gzip.decompress(text)
    except (OSError, EOFError, zlib.error):
        return b""
    return b"" if b"\0" in text else text


def strings_in(path):
    """@return what can be read of a program or library, a line each"""
    try:
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                return b""
            return b"\n".join(PRINTABLE.findall(file.read()))
    except OSError:
        return b""


def write_text(path, size):
    """@return how many bytes of it are of text files, of programs, and the same again"""
    shares = dict.fromkeys(["files", "programs", "again"], 0)
    left = size
    with open(path, "wb") as to:
        for share, read in (("files", text_of), ("programs", strings_in)):
            for name in files_below(ROOT_OF_TEXT):
                if left == 0:
                    return shares
                text = read(name)
                if not text:
                    continue
                if not text.endswith(b"\n") or len(text) > left:
                    text = text[:left - 1] + b"\n"
                shares[share] += to.write(text)
                left -= len(text)
    if left == size:
        raise Missing(f"there is no text below {ROOT_OF_TEXT}")
    with open(path, "rb") as once, open(path, "r+b") as to:
        to.seek(size - left)
        while left != 0:
            text = once.read(min(left, 1 << 24))
            shares["again"] += to.write(text)
            left -= len(text)
        to.seek(size - 1)
        to.write(b"\n")
    return shares


def room(folder):
    free = shutil.disk_usage(folder).free
    if str(folder).startswith("/dev/shm"):
        with open("/proc/meminfo", encoding="ascii") as about:
            free = min(free, next(int(line.split()[1]) * 1024 for line in about if line.startswith("MemAvailable:")))
    return free


class Work:
    """A folder that holds the forms of the data to be sorted."""

    def __init__(self, scratch, kind, size, keys, programs, bench):
        self.kind, self.size, self.keys, self.programs, self.bench = kind, size, keys, programs, bench
        self.records = 0 if kind == "text" else round(size / mean_bytes(kind))
        self.folder = pathlib.Path(scratch) / f"{kind}-{size}"
        if not self.folder.exists():
            for other in pathlib.Path(scratch).iterdir():
                if other.name != "bound":
                    shutil.rmtree(other)
            self.folder.mkdir()

    def made(self, name, write):
        """A file of this work, written by `write(path)` if it is not there. @return its path, and what `write` said of it"""
        path = self.folder / name
        about = path.with_name(name + ".json")
        if not about.exists():
            # Beside it there will be runs, and an output.
            if room(self.folder) < 3.2 * self.size:
                raise Missing(f"there is no room for {3.2 * self.size / 1e9:.1f} GB in {self.folder}")
            said = write(path)
            with open(path, "rb") as file:
                os.fsync(file.fileno())
            about.write_text(json.dumps(said), encoding="ascii")
        return path, json.loads(about.read_text(encoding="ascii"))

    def write_records(self, path):
        form = ["--record", 100] if self.kind == "hundred" else ["-r", self.kind]
        words = [self.programs / "recgen", "-q", "-s", self.records, *form, "--keys", self.keys, path]
        subprocess.run([str(word) for word in words], check=True)
        return {}

    def file(self):
        """@return the file to sort, and what is known of it"""
        if self.kind == "text":
            return self.made("text", lambda path: write_text(path, self.size))
        return self.made(f"records-{self.keys}", self.write_records)

    def lines(self):
        """@return S's records as lines of as many bytes each, which begin with their key's ten digits"""
        records, _ = self.file()

        def write(path):
            with open(path, "wb") as to:
                subprocess.run([self.bench / "bench_extsort_lines", records], stdout=to, check=True)
            if path.stat().st_size != records.stat().st_size:
                raise RuntimeError(f"{path} is not of the size of {records}")
            return {}

        return self.made(f"lines-{self.keys}", write)
