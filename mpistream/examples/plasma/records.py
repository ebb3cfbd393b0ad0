#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks an output file of plasma, and compares two of them.

Usage: records.py FILE          check FILE and describe it
       records.py FILE OTHER    also check that OTHER has the same records, in
                                any order

A record is eight doubles: position, velocity, identity, step.

Exit codes:
  0  success
  1  a particle that was once put out is missing in a later step, a record is
     there twice, or the files differ
  2  wrong usage
"""

import pathlib
import struct
import sys

RECORD = struct.Struct("8d")


def read(name):
    data = pathlib.Path(name).read_bytes()
    if len(data) % RECORD.size:
        sys.exit(f"records.py: {name} ends within a record")
    return sorted(data[at : at + RECORD.size] for at in range(0, len(data), RECORD.size))


def examine(name, records):
    steps = {}
    for record in records:
        *_, identity, step = RECORD.unpack(record)
        steps.setdefault(int(identity), []).append(int(step))
    last = max((max(of) for of in steps.values()), default=0)
    for identity, of in steps.items():
        if sorted(of) != list(range(min(of), last + 1)):
            sys.exit(f"records.py: {name}: particle {identity} is not there exactly once in each step from {min(of)} to {last}")
    print(f"{name}: {len(records)} records of {len(steps)} particles, up to step {last}")


def main(names):
    if len(names) not in (1, 2) or names[0].startswith("-"):
        print(__doc__)
        sys.exit(0 if names in (["-h"], ["--help"]) else 2)
    files = [read(name) for name in names]
    for name, records in zip(names, files):
        examine(name, records)
    if len(files) == 2:
        if files[0] != files[1]:
            only = [len(set(a) - set(b)) for a, b in (files, files[::-1])]
            sys.exit(f"records.py: they differ: {only[0]} records are only in {names[0]}, {only[1]} only in {names[1]}")
        print("the same records")


if __name__ == "__main__":
    main(sys.argv[1:])
