#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Sorts one file by one program, and prints one line of JSON. Items are bytes of the input. `result` is what recheck says of sorted records, or a digest of sorted lines.

--by extsort: the whole command, with the options that --how names.
--by groups: the same as so many groups of one thread, by `weir run`, on this host or each on one that scripts/cluster.sh has made, or with --how engine=mpi-openmp as ranks, by mpirun.
--by gnu_sort: `sort --parallel`, of the same lines; of S's records, of lines with as many bytes each, which begin with the key's digits and are compared as bytes, which is the fastest way to have sort compare.
--by bound: nothing is sorted; what reads and writes past the page cache could do, by fio: each of two passes reads and writes every byte, one after the other or both at a time, whichever is faster.

Memory that is about to be needed is taken and given back before: a virtual machine may get it from its host only then."""

import argparse
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import inputs

LEFT_OUT = 77
LEAST_MEMORY = 16 << 20  # of extsort
CGROUPS = pathlib.Path("/sys/fs/cgroup")


def left_out(why):
    print(why, file=sys.stderr)
    sys.exit(LEFT_OUT)


class Cgroup:
    """A limit for the memory of commands, the kernel's page cache and tmpfs counted: of version 2 or 1, whichever this machine has."""

    def __init__(self, limit):
        version_1 = (CGROUPS / "memory").is_dir()
        parent = CGROUPS / "memory" if version_1 else CGROUPS
        self.peak_in = "memory.max_usage_in_bytes" if version_1 else "memory.peak"
        for left in parent.glob("weir-bench-*"):
            with contextlib.suppress(OSError):  # somebody's who is at work
                left.rmdir()
        self.folder = parent / f"weir-bench-{os.getpid()}"
        self.folder.mkdir()
        try:
            (self.folder / ("memory.limit_in_bytes" if version_1 else "memory.max")).write_text(str(limit), encoding="ascii")
            self.peak()
        except OSError:
            self.remove()
            raise

    def peak(self):
        return int((self.folder / self.peak_in).read_text(encoding="ascii"))

    def remove(self):
        self.folder.rmdir()


@contextlib.contextmanager
def confined(limit):
    """@return None if there can be no such limit here"""
    try:
        cgroup = Cgroup(limit)
    except OSError:
        yield None
        return
    try:
        yield cgroup
    finally:
        cgroup.remove()


class Run:
    """One command, what it took, and what it printed."""

    def __init__(self, words, cgroup=None):
        # It ends with this script, whatever ends that. Of the peaks of memory that the kernel tells, that of who starts a command is one, so time(1) does.
        mortal = ["setpriv", "--pdeathsig", "KILL"]
        command = [*mortal, *map(str, words)]
        if cgroup:
            command = ["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(cgroup.folder / "cgroup.procs"), *command]
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, tempfile.NamedTemporaryFile() as peak:
            command = [*mortal, "/usr/bin/time", "-q", "-o", peak.name, "-f", "%M", *command]
            start = time.perf_counter_ns()
            environment = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
            started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env={**environment, "LC_ALL": "C"})
            _, status, used = os.wait4(started.pid, 0)
            self.wall_ns = time.perf_counter_ns() - start
            started.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            errors.seek(0)
            self.printed = output.read()
            if started.returncode != 0:
                sys.exit(f"{' '.join(map(str, words))}: exit code {started.returncode}: {errors.read().decode(errors='replace').strip()}")
            self.peak = int(peak.read()) * 1024
        self.cpu_ns = round((used.ru_utime + used.ru_stime) * 1e9)


@functools.cache
def help_of(program):
    return Run([program, "--help"]).printed.decode()


def take_and_give_back(size):
    with tempfile.TemporaryFile(dir="/dev/shm") as file:
        os.posix_fallocate(file.fileno(), 0, size)


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def fio(folder, seconds, **jobs):
    """@param jobs names of files, and `read` or `write` @return GB/s of all of them together"""
    words = ["fio", "--direct=1", "--ioengine=io_uring", "--bs=1M", "--iodepth=8", "--time_based", f"--runtime={round(seconds * 1000)}ms", "--output-format=json",
             f"--size={round(min(1, seconds) * (1 << 10))}M"]
    for name, kind in jobs.items():
        words += [f"--name={name}", f"--rw={kind}", f"--filename={folder / name}"]
    found = json.loads(Run(words).printed)["jobs"]
    return sum(job[kind]["bw_bytes"] for job, kind in zip(found, jobs.values())) / 1e9


def summaries_in(printed):
    """The output of each group; weir run puts the name of the group in front of each line."""
    texts = {}
    for line in printed.decode().splitlines():
        name, _, text = line.removeprefix("[").partition("] ")
        texts[name] = texts.get(name, "") + text
    return [json.loads(text) for text in texts.values()]


class Sort:
    def __init__(self, given):
        self.given = given
        self.programs, self.bench = pathlib.Path(given.bin), pathlib.Path(given.bench)
        self.scratch = pathlib.Path(given.memory if given.where == "memory" else given.disk)
        self.work = inputs.Work(self.scratch, given.kind, given.size, given.keys, self.programs, self.bench)
        self.cap = max(LEAST_MEMORY, given.cap or given.size // 10)

    def how(self):
        """The options of --how. Ends the script if this extsort does not have them."""
        words = []
        for option in filter(None, self.given.how.split(",")):
            name, _, value = option.partition("=")
            if f"--{name}" not in help_of(self.programs / "extsort") or (value and not value.isdigit() and value not in help_of(self.programs / "extsort")):
                left_out(f"this extsort has no --{name} {value}".rstrip())
            words += [f"--{name}", *([value] if value else [])]
        return words

    def format(self):
        """Options of the file's format, which recheck has, too."""
        if self.given.kind == "hundred":
            return ["--record", 100, "--key", "0:10"]
        return ["--lines", *self.sort_keys()] if self.given.kind == "text" else []

    def sort_keys(self):
        return [*(["-n"] if self.given.numeric else []), *(["-k", self.given.key] if self.given.key else [])]

    def prepared(self, path):
        size = path.stat().st_size
        if self.given.where == "disk":
            os.sync()
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            take_and_give_back(self.cap)
        else:
            take_and_give_back(2 * size + self.cap)
        return path

    def sorted_by(self, words, cgroup=None):
        """@return the run, and the output, which goes with the next"""
        output = self.work.folder / "sorted"
        output.unlink(missing_ok=True)
        return Run([*words, "-o", output], cgroup), output

    def extsort(self):
        path, about = self.work.file()
        words = [self.programs / "extsort", "-q", "--json", "-m", self.cap, "-T", self.work.folder, *self.format(), *self.how()]
        if self.given.threads:
            words += ["-j", self.given.threads]
        with confined(self.cap * 11 // 10) if self.given.confined else contextlib.nullcontext() as cgroup:
            run, output = self.sorted_by([*words, self.prepared(path)], cgroup)
            peak = max(run.peak, cgroup.peak()) if cgroup else run.peak
        summary = json.loads(run.printed)
        self.print(run, path, {**about, **{name: value for name, value in summary.items() if name not in ("seconds", "bytes")},
                               "confined": int(cgroup is not None), "peak_mb": peak / 1e6, "peak_share": peak / self.cap,
                               **self.checked(path, output)})

    def groups(self):
        path, about = self.work.file()
        count = self.given.groups
        options = ["-q", "--json", "-m", self.cap, "-j", 1, "-T", self.work.folder, *self.format()]
        if self.given.how == "engine=mpi-openmp":
            program = self.programs / "extsort_mpi_openmp_openmpi"
            if shutil.which("mpirun.openmpi") is None or not program.exists():
                left_out("there is no Open MPI; run scripts/setup.sh bench")
            root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
            start = ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", *root, "-n", count]
        else:
            if "weir run" not in help_of(self.programs / "extsort"):
                left_out("this extsort does not sort in groups")
            # Hosts are those of scripts/cluster.sh.
            where = ["--hosts", ",".join(f"weir-h{i + 1}" for i in range(count)), "--via", "ip netns exec {host}", "--address", "10.213.0.254"] if self.given.hosts else ["--on", count]
            start = [self.programs / "weir", "run", "--prefix", *where, "--"]
            program = self.programs / "extsort"
            options += self.how()
        run, output = self.sorted_by([*start, program, *options, self.prepared(path)])
        extra = {"records": self.work.records, "groups": count, "peak_mb": run.peak / 1e6, **self.checked(path, output)}
        size = path.stat().st_size
        if self.given.how != "engine=mpi-openmp":
            extra["wire_share"] = sum(each["bytes_sent"] for each in summaries_in(run.printed)) / (size * (count - 1) / count)
        if self.given.hosts:
            # The share of its link that the data coming into each host take.
            extra["link_share"] = size * (count - 1) / count ** 2 / (self.given.rate * 1e6 / 8) / (run.wall_ns / 1e9)
        self.print(run, path, {**about, **extra})

    def gnu_sort(self):
        path, about = self.work.file() if self.given.kind == "text" else self.work.lines()
        words = ["sort", "-s", f"--parallel={self.given.threads}", "-S", f"{self.cap}b", "-T", self.work.folder, *self.sort_keys()]
        run, output = self.sorted_by([*words, self.prepared(path)])
        if output.stat().st_size != path.stat().st_size:
            sys.exit(f"{output} is not of the size of {path}")
        result = {"result": digest_of(output)} if self.given.kind == "text" else {}
        self.print(run, path, {**about, "peak_mb": run.peak / 1e6, "peak_share": run.peak / self.cap, **result})

    def bound(self):
        if shutil.which("fio") is None:
            left_out("fio is not installed; run scripts/setup.sh bench")
        path, _ = self.work.file()
        size = path.stat().st_size
        folder = self.scratch / "bound"
        folder.mkdir(exist_ok=True)
        self.prepared(path)
        seconds = self.given.seconds
        write, read = fio(folder, seconds, written="write"), fio(folder, seconds, read="read")
        mixed = fio(folder, seconds, read="read", written="write")
        # In nanoseconds, by GB/s.
        in_turn, at_a_time = size / read + size / write, 2 * size / mixed
        self.print_times(2 * min(in_turn, at_a_time), 0, size, {"read_gb_per_s": read, "write_gb_per_s": write, "mixed_gb_per_s": mixed})

    def checked(self, path, output):
        """Ends the script unless it is sorted and has the input's records. @return what is the same for all ways to sort it, as `result`"""
        if self.given.kind == "text":
            return {"result": digest_of(output)}
        # Whether the input has the same records is checked only once.
        seen = self.work.folder / f"sum-{self.given.keys}"
        words = [self.programs / "recheck", "--stable", *self.format(), *([] if seen.exists() else ["--input", path]), output]
        found = Run(words).printed.decode().split(":")[0]
        if not seen.exists():
            seen.write_text(found, encoding="ascii")
        if seen.read_text(encoding="ascii") != found:
            sys.exit(f"{output} has other records: {found}, and not {seen.read_text(encoding='ascii')}")
        return {"result": found} if self.given.same else {}

    def print(self, run, path, extra):
        size = path.stat().st_size
        self.print_times(run.wall_ns, run.cpu_ns, size, {"cpu_gb_per_s": size / max(1, run.cpu_ns), **extra})

    def print_times(self, wall_ns, cpu_ns, size, extra):
        given = self.given
        about = {"kind": given.kind, "where": given.where, "keys": given.keys, "cap": self.cap, "size": given.size, "cores": len(os.sched_getaffinity(0))}
        print(json.dumps({"items": size, "wall_ns": round(wall_ns), "cpu_ns": cpu_ns,
                          "extra": {"gb_per_s": size / wall_ns, "wall_ms": wall_ns / 1e6, "cpu_ms": cpu_ns / 1e6, **about, **extra}}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", required=True, choices=["extsort", "groups", "gnu_sort", "bound"])
    parser.add_argument("--bin", required=True, metavar="FOLDER", help="where extsort, recgen and recheck are")
    parser.add_argument("--bench", required=True, metavar="FOLDER", help="where the programs of this folder are")
    parser.add_argument("--memory", required=True, metavar="FOLDER", help="a folder for files, on a tmpfs")
    parser.add_argument("--disk", required=True, metavar="FOLDER", help="a folder for files, on a disk")
    parser.add_argument("--where", choices=["memory", "disk"], required=True, help="in which of them")
    parser.add_argument("--kind", required=True, help="16, 64, 512, 2048, hundred or text: see inputs.py")
    parser.add_argument("--size", type=int, required=True, help="bytes of the input, about")
    parser.add_argument("--cap", type=int, default=0, help="bytes of memory; 0: a tenth of the size; never less than 16 MiB")
    parser.add_argument("--keys", default="uniform", help="their distribution, as of recgen")
    parser.add_argument("--same", type=int, default=1, help="0: the contenders of this variant sort other files")
    parser.add_argument("--key", default="", help="of text, as -k of sort")
    parser.add_argument("--numeric", type=int, default=0, help="1: as -n of sort")
    parser.add_argument("--how", default="", metavar="NAME[=VALUE],...", help="further options of extsort")
    parser.add_argument("--threads", type=int, default=0, help="0: one a core")
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=0, help="as many as groups, of scripts/cluster.sh; 0: this one")
    parser.add_argument("--rate", type=int, default=0, help="of their links, in Mbit/s")
    parser.add_argument("--confined", type=int, default=0, help="1: in a memory cgroup of 1.1 times the cap, where that can be")
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement of the bound")
    given = parser.parse_args()
    try:
        getattr(Sort(given), given.by)()
    except inputs.Missing as why:
        left_out(str(why))


main()
