#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs threshold on three ranks of this machine."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from ranks import become_ranks, options  # noqa: E402


def main():
    parser = options(__doc__, "100")
    parser.add_argument("--late", default="20")
    given = parser.parse_args()
    become_ranks(given.program, given.mpi, 3, [given.by, given.items, given.late])


main()
