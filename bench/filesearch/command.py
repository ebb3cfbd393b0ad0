#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one whole command that searches a tree, and prints one line of JSON. Items are the bytes of the tree's files; `result` is
a digest of the lines found, in whatever order, so that contenders can be compared."""

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def command(given):
    """The three are told to do the same: to look into every file, hidden ones too, as text or not at all where it is binary."""
    if given.tool == "rg":
        mode = ["-a"] if given.binary == "text" else []
        unicode = ["--no-unicode"] if given.locale == "C" else []
        return ["rg", "--no-config", "--no-ignore", "--hidden", "--no-heading", "--no-messages", *mode, *unicode]
    program = ["grep", "-E"] if given.tool == "grep" else [given.filesearch]
    return [*program, "-r", "-s", "-a" if given.binary == "text" else "-I"]


def bytes_in(tree):
    sizes = (os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(tree) for name in names)
    return max(1, sum(sizes))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", choices=["filesearch", "grep", "rg"], required=True)
    parser.add_argument("--filesearch", metavar="PROGRAM", help="where that is")
    parser.add_argument("--path", required=True, help="the tree to search")
    parser.add_argument("--pattern", required=True)
    parser.add_argument("--flags", default="", help="letters of further options, which mean the same to all")
    parser.add_argument("--binary", choices=["text", "skip"], default="text")
    parser.add_argument("--locale", default="C")
    given = parser.parse_args()
    words = [*command(given), *(f"-{flag}" for flag in given.flags), "-e", given.pattern, given.path]
    if shutil.which(words[0]) is None:
        sys.exit(f"{words[0]}: is not installed; run scripts/setup.sh bench")
    size = bytes_in(given.path)
    environment = {**os.environ, "LC_ALL": given.locale}
    environment.pop("GREP_COLORS", None)
    with tempfile.TemporaryFile() as output:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter_ns()
        code = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=output, env=environment, check=False).returncode
        wall = time.perf_counter_ns() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if code not in (0, 1):
            sys.exit(f"{' '.join(words)}: exit code {code}")
        output.seek(0)
        lines = output.read().split(b"\n")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    digest = hashlib.sha256(b"\n".join(sorted(lines))).hexdigest()[:16]
    print(json.dumps({"items": size, "wall_ns": wall, "cpu_ns": round(cpu * 1e9),
                      "extra": {"wall_ms": wall / 1e6, "cpu_ms": cpu * 1e3, "lines": len(lines) - 1, "result": digest}}))


if __name__ == "__main__":
    main()
