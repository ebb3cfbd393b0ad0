#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs parallel_stream on some ranks of this machine, or each of them on a host of its own."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from ranks import become_ranks, options, ranks_on_hosts  # noqa: E402


def main():
    parser = options(__doc__, "1000")
    parser.add_argument("--kernel", default="scale")
    parser.add_argument("--doubles", default="1")
    parser.add_argument("--producers", type=int, default=1)
    parser.add_argument("--consumers", type=int, default=1)
    parser.add_argument("--repeats", default="1")
    parser.add_argument("--hosts", type=int, default=0, help="so many of scripts/cluster.sh, one for each rank; 0: this one")
    given = parser.parse_args()
    become = ranks_on_hosts if given.hosts else become_ranks
    become(given.program, given.mpi, given.producers + given.consumers,
           [given.by, given.kernel, given.doubles, given.items, str(given.producers), given.repeats])


main()
