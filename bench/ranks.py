# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks that are MPI programs, of which each MPI has one."""

import argparse
import os
import pathlib
import sys

from suites import LEFT_OUT

ROOT = pathlib.Path(__file__).resolve().parent.parent


def options(description, items):
    """A parser of what all of them take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], required=True)
    parser.add_argument("--program", required=True, help="where the programs are; each MPI has one")
    parser.add_argument("--by", required=True)
    parser.add_argument("--items", default=items)
    return parser


def become_ranks(program, mpi, ranks, arguments):
    """Runs `program`_`mpi` on so many ranks of this machine, in place of this process; it prints its line itself."""
    path = f"{program}_{mpi}"
    if not os.access(path, os.X_OK):
        print(f"{path} is not built: that MPI is not installed", file=sys.stderr)
        sys.exit(LEFT_OUT)
    os.execvp("bash", ["bash", str(ROOT / "tests/support/mpirun.sh"), mpi, str(ranks), path, *arguments])
