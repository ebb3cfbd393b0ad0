# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks that are MPI programs, of which each MPI has one."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

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


def built(program, mpi):
    """@return `program`_`mpi`. Ends the script if that is not there"""
    path = f"{program}_{mpi}"
    if not os.access(path, os.X_OK):
        print(f"{path} is not built: that MPI is not installed", file=sys.stderr)
        sys.exit(LEFT_OUT)
    return path


def become_ranks(program, mpi, ranks, arguments):
    """Runs `program`_`mpi` on so many ranks of this machine, in place of this process; it prints its line itself."""
    path = built(program, mpi)
    os.execvp("bash", ["bash", str(ROOT / "tests/support/mpirun.sh"), mpi, str(ranks), path, *arguments])


def ranks_on_hosts(program, mpi, ranks, arguments):
    """Runs `program`_openmpi with rank i on the host weir-h<i + 1> of scripts/cluster.sh, and ends the script as it ends; it prints its line itself."""
    path = built(program, mpi)
    # These hosts have the name and the folders of this machine, which Open MPI must not take for shared memory, or as one place for the files of its daemons.
    network = ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "e0", "--mca", "oob_tcp_if_include", "e0", "--mca", "rtc", "^hwloc"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        agent = str(ROOT / "bench" / "on_host.sh")
        environment = {**os.environ, "WEIR_HOST_FOLDERS": folder, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PMIX_MCA_gds": "hash"}
        names = ",".join(f"weir-h{i + 1}:1" for i in range(ranks))
        words = ["mpirun.openmpi", "--host", names, "--mca", "plm_rsh_agent", agent, *network, "-n", str(ranks), path, *arguments]
        sys.exit(subprocess.run([agent, "weir-h1", *words], stdin=subprocess.DEVNULL, env=environment, check=False).returncode)
