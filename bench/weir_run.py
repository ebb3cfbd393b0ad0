# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Starts a program as the groups of a cluster, with weir run: over TCP, or as ranks of an MPI. Shared by the scripts command.py of several problems."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from suites import LEFT_OUT

# MPICH 4.0 over UCX's TCP may wait for ever in MPI_Finalize for a rank that is further in it; a plain MPI program does, too.
FINALIZED_WITHIN_S = 3
# The launcher of each MPI: for groups that are all on this host, and for groups on other hosts. The hosts that scripts/cluster.sh makes have
# one name and one file system, so both MPIs would take them for one machine, and use shared memory.
LAUNCHERS = {
    "openmpi": ("mpirun.openmpi", "mpirun.openmpi --mca btl tcp,self --mca rtc ^hwloc --mca btl_tcp_if_include e0 --mca oob_tcp_if_include e0"),
    "mpich": ("mpirun.mpich", "mpirun.mpich -iface e0 -genv MPIR_CVAR_NOLOCAL 1 -genv UCX_TLS tcp,self -genv UCX_NET_DEVICES e0"),
    "openmpi_tcp": ("mpirun.openmpi --mca btl tcp,self", ""),  # not through shared memory
    "mpich_tcp": ("mpirun.mpich -genv MPIR_CVAR_NOLOCAL 1 -genv UCX_TLS tcp,self -genv UCX_NET_DEVICES lo", ""),
}


def parser(description):
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument("--over", choices=["tcp", *LAUNCHERS], required=True, help="what carries the items")
    made.add_argument("--weir", type=pathlib.Path, required=True, metavar="PROGRAM", help="where that is")
    made.add_argument("--program", required=True, help="what each group runs")
    made.add_argument("--hosts", type=int, default=0, help="so many of scripts/cluster.sh; 0: this one")
    return made


def words_of_launcher(given):
    """Options of weir run beside the configuration. Ends the script if the MPI is not installed."""
    if given.over == "tcp":
        return []
    command = LAUNCHERS[given.over][given.hosts != 0]
    program = command.split()[0]
    plugin = f"weir_mpi_{program.removeprefix('mpirun.')}.so"
    for missing in ([program] if shutil.which(program) is None else []) + \
                   ([plugin] if not (given.weir.parent.parent / "lib" / "weir" / plugin).exists() else []):
        print(f"{missing} is not there", file=sys.stderr)
        sys.exit(LEFT_OUT)
    return ["--mpirun", command]


def lines_of(command, environment, count, folder, leaves_mpich):
    """Runs the command. @return the `count` lines that it printed
    @param leaves_mpich it may be ended when it has printed them. Ends the script with 1 if it fails, or prints others"""
    lines = []
    with open(f"{folder}/errors", "w+", encoding="utf-8") as errors, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment) as running:
        while len(lines) != count and (line := running.stdout.readline()):
            lines.append(line)
        try:
            running.wait(FINALIZED_WITHIN_S if leaves_mpich and len(lines) == count else None)
        except subprocess.TimeoutExpired:
            running.terminate()
            running.wait()
            return lines
        lines += running.stdout.readlines()
        if running.returncode != 0 or len(lines) != count:
            errors.seek(0)
            sys.exit(f"{' '.join(command)}: exit code {running.returncode}, {len(lines)} lines: {errors.read().strip()}")
    return lines


def run(given, groups, speakers, numbers):
    """Runs the program with the numbers as its arguments, group i on host i % hosts + 1. Ends the script with 1 if that fails.
    @return what each of the speakers has printed, a line of JSON"""
    launcher = words_of_launcher(given)
    over = "tcp" if given.over == "tcp" else "mpi"
    # Many processes share the cores of one machine: a process that is silent for a while is not dead.
    configuration = {"protocol": "MPI" if over == "mpi" else "TCP", "transport": over, "dead_after": 60,
                     "groups": [{"name": name} for name in groups]}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = []
        there = []
        if given.hosts != 0:
            # From the first host, since MPICH's launcher wants an interface that all hosts have. Open MPI's daemons have a folder each.
            command = ["ip", "netns", "exec", "weir-h1"]
            there = ["--via", f"env TMPDIR={folder}/{{host}} ip netns exec {{host}}", "--address", "10.213.0.1"]
            for i, group in enumerate(configuration["groups"]):
                group["endpoint"] = f"weir-h{i % given.hosts + 1}"
            for i in range(given.hosts):
                os.mkdir(f"{folder}/weir-h{i + 1}")
        file = pathlib.Path(folder) / "groups.json"
        file.write_text(json.dumps(configuration), encoding="utf-8")
        # The run has a limit of its own, because ending this script does not end the groups.
        command += [str(given.weir), "run", "--prefix", "--timeout", "240", *launcher, *there, str(file), "--", given.program]
        for name, value in numbers.items():
            command += [f"--{name}", str(value)]
        lines = lines_of(command, environment, len(speakers), folder, given.over.startswith("mpich"))
    printed = {}
    for line in lines:
        name, _, text = line.removeprefix("[").partition("] ")
        printed[name] = json.loads(text)
    if set(printed) != set(speakers):
        sys.exit(f"nothing is said by {', '.join(sorted(set(speakers) - set(printed)))}")
    return printed
