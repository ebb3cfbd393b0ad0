#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs parallel_stream on some ranks of this machine."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from ranks import become_ranks  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], required=True)
    parser.add_argument("--program", required=True, help="where the programs are; each MPI has one")
    parser.add_argument("--by", required=True)
    parser.add_argument("--kernel", default="scale")
    parser.add_argument("--doubles", default="1")
    parser.add_argument("--items", default="1000")
    parser.add_argument("--producers", type=int, default=1)
    parser.add_argument("--consumers", type=int, default=1)
    parser.add_argument("--repeats", default="1")
    given = parser.parse_args()
    become_ranks(given.program, given.mpi, given.producers + given.consumers,
                 [given.by, given.kernel, given.doubles, given.items, str(given.producers), given.repeats])


main()
