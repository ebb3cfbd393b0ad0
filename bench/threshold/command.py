#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs threshold on three ranks of this machine."""

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
    parser.add_argument("--items", default="100")
    parser.add_argument("--late", default="20")
    given = parser.parse_args()
    become_ranks(given.program, given.mpi, 3, [given.by, given.items, given.late])


main()
