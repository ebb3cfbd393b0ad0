#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""random_faults.py BIN_DIR HOSTS...: runs a program as a cluster again and again, and each time kills one of its groups,
or stops it, or has one of its nodes throw, or cuts off its host, at a random moment: while the groups come up, in the
middle, or while they end. Prints each promise that was not kept, and then how long it took until all was over; where that
is too long, it is held against runs without a fault. With three HOSTS, which `ip netns exec` leads to, the groups run on
those. Without hosts it also kills the launcher now and then, and the groups must end by themselves.

random_faults.py BIN_DIR --mpirun COMMAND: the same with groups that are ranks, which this command starts.

WEIR_FAULT_RUNS (30, on hosts 12, with MPI 15) is how many, WEIR_FAULT_SEED (printed) makes the same faults again.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

GROUPS = ["G1", "G2", "G3"]
# The first two are for runs with groups that are stopped; in all others silence must not be what ends them.
HEARTBEAT, DEAD_AFTER, NEVER_DEAD_AFTER = 0.5, 3.0, 120.0
# Seconds from the fault to the launcher's end, or to that of the groups where it was killed. Half of all faults of a kind keep
# within that; one may take as much longer as so many runs without a fault, because the machine may be busy at the moment.
ALLOWED = {"kill": 3.0, "throw": 3.0, "stop": DEAD_AFTER + 3.0, "unplug": DEAD_AFTER + 3.0, "launcher": 2.0}
CALM_RUNS = 5
PATIENCE = 60  # seconds until something that must come counts as missing
ON_HOSTS = 1.6  # more: what has started a group there asks it to end, and then kills it
BY_OPEN_MPI = 2.0  # more: its mpirun gives the ranks that are left a second, often twice

KILLED = "was killed by signal 9 (Killed)"
# Files of MPI, which other programs may use at the same time.
NOT_OURS = ("vader_segment.", "mpich_", "sm_segment.", "ucx_shm_")
# In shared memory also the folders of tests and benchmarks beside this one, if it can't have its own: see own_machine.sh.
NOT_OURS_IN_MEMORY = NOT_OURS if os.environ.get("WEIR_OWN_MACHINE") else (*NOT_OURS, "weir-")
PHASES = ["start", "middle", "drain"]


@dataclasses.dataclass
class setting:
    """How a run is started."""

    name: str
    transport: str = "auto"
    reconnect: bool = False
    hosts: bool = False
    mpirun: str = ""  # empty: weir itself starts the groups


@dataclasses.dataclass
class outcome:
    """How a run ended."""

    code: int
    output: bytes
    errors: str


class suite:
    def __init__(self, binaries, hosts, mpirun, seed):
        self.by_open_mpi = "openmpi" in mpirun
        self.weir = os.path.join(binaries, "weir")
        self.hosts = hosts
        self.random = random.Random(seed)
        self.failures = 0
        self.took = {}  # seconds, of each kind of fault
        self.codes = {}
        self.work = pathlib.Path(os.getcwd())
        # The processes of this test have a path of their own to be found by.
        self.program = str(self.work / "words")
        self.thrower = str(self.work / "thrower")
        os.symlink(os.path.join(binaries, "wordcount"), self.program)
        os.symlink(os.path.join(binaries, "told_to_throw"), self.thrower)
        self.places = [pathlib.Path("/dev/shm"), self.work / "tmp"]
        self.places[1].mkdir()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("WEIR_")}
        self.environment |= {"TMPDIR": str(self.places[1]), "XDG_RUNTIME_DIR": str(self.places[1])}
        self.kept_files = self.files()
        self.text = b"".join(b"the weir %d regulates the flow %d of a stream\n" % (i % 97, i % 13) for i in range(3000))

    def failed(self, what, errors=""):
        self.failures += 1
        print(f"FAILED: {what}")
        for line in errors.splitlines():
            print(f"  stderr: {line}")

    def files(self):
        memory, own = self.places
        found = [each for each in memory.iterdir() if not each.name.startswith(NOT_OURS_IN_MEMORY)] if memory.is_dir() else []
        found += [each for each in own.iterdir() if not each.name.startswith(NOT_OURS)]
        return {str(each) for each in found}

    def processes(self, of=None):
        """Those of the groups, by name; all, or those that one launcher has started."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                if os.fsdecode((folder / "cmdline").read_bytes().split(b"\0")[0]) not in (self.program, self.thrower):
                    continue
                if of is not None and not descends(int(folder.name), of.launcher.pid):
                    continue
                for variable in (folder / "environ").read_bytes().split(b"\0"):
                    if variable.startswith(b"WEIR_GROUP="):
                        found[variable[len(b"WEIR_GROUP=") :].decode()] = int(folder.name)
            except OSError:  # it has just ended
                continue
        return found

    def until_alone(self):
        """Waits until all processes that runs have started have ended, also those of an MPI's launcher. Returns the rest."""
        mark = f"TMPDIR={self.places[1]}".encode()
        until = time.monotonic() + PATIENCE
        while True:
            found = {}
            for folder in pathlib.Path("/proc").iterdir():
                try:
                    if folder.name.isdigit() and mark in (folder / "environ").read_bytes().split(b"\0"):
                        found[int(folder.name)] = (folder / "cmdline").read_bytes().split(b"\0")[0]
                except OSError:  # it has just ended
                    continue
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.02)

    def configuration(self, how, dead_after):
        groups = [
            {"name": "G1", "nodes": ["read", "split[0]"]},
            {"name": "G2", "nodes": ["split[1]", "count[0]"]},
            {"name": "G3", "nodes": ["count[1]", "rank"]},
        ]
        made = {"transport": how.transport, "groups": groups}
        if dead_after:
            made["dead_after"] = dead_after
        if dead_after == DEAD_AFTER:
            made["heartbeat"] = HEARTBEAT
        if how.reconnect:
            made["reconnect_within"] = dead_after
        if how.mpirun:
            made["protocol"] = "MPI"
        if how.hosts:
            for group, host in zip(groups, self.hosts):
                group["endpoint"] = host
        path = self.work / "cluster.json"
        path.write_text(json.dumps(made))
        return path.name

    def expected(self, texts):
        """The output of one process for that much text."""
        whole = subprocess.run([self.program, "-j2", "-q"], input=self.text * texts, stdout=subprocess.PIPE, check=True)
        return whole.stdout

    def begin(self, how, dead_after=NEVER_DEAD_AFTER, program=None):
        """dead_after: None leaves the limits as they are where nobody says anything."""
        words = [self.weir, "run", "--prefix"]
        if how.mpirun:
            words += ["--mpirun", how.mpirun]
        if how.hosts:
            words += ["--via", "ip netns exec {host}", "--address", "10.213.0.254"]
        words += [self.configuration(how, dead_after), "--", *(program or [self.program, "-j2", "-q"])]
        return under_way(words, self.environment, self.text)

    def until_connected(self, run):
        """Until each group is connected to both others."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and run.launcher.poll() is None:
            ids = self.processes(run)
            if len(ids) == len(GROUPS) and are_connected(list(ids.values())):
                return ids
            time.sleep(0.005)
        return self.processes(run)

    def calm_run(self, how):
        """How many seconds a run without a fault takes now: the longest of three."""
        times = []
        for _ in range(3):
            began = time.monotonic()
            run = self.begin(how)
            run.end_input()
            code = run.launcher.wait(timeout=2 * PATIENCE)
            if code != 0:
                self.failed(f"a run without a fault ({how.name}): ended with {code}", run.errors())
                return 0
            times.append(time.monotonic() - began)
        return max(times)

    def allowed(self, kind):
        return ALLOWED[kind] + (ON_HOSTS if self.hosts else 0) + (BY_OPEN_MPI if self.by_open_mpi else 0)

    def judge(self, what, how, kind, took, errors):
        """Whether it was over soon enough."""
        self.took.setdefault(kind, []).append(took)
        allowed = self.allowed(kind)
        if took <= allowed:
            return
        calm = self.calm_run(how)
        if took > allowed + CALM_RUNS * calm:
            said = f"{took:.2f} s after the fault, and not within {allowed} s; a run without one takes {calm:.2f} s"
            self.failed(f"{what}: it was over {said}", errors)

    def judge_all(self):
        """Whether half of the faults of each kind were over soon enough: one may meet a busy moment, but not most."""
        for kind, took in self.took.items():
            if statistics.median(took) > self.allowed(kind):
                self.failed(f"{kind}: half of {len(took)} faults took {statistics.median(took):.2f} s or more, and not {self.allowed(kind)} s")

    def check_rest(self, what, run):
        """Checks that nothing is left of a run but its output."""
        run.end_input()
        others = self.until_alone()
        if others:
            self.failed(f"{what}: all groups have ended, but not {others}", run.errors())
            for id in others:
                os.kill(id, signal.SIGKILL)
        more = self.files() - self.kept_files
        if more:
            self.failed(f"{what}: files are left: {more}")
            self.kept_files |= more

    def check_end(self, what, run, how, kind, allowed_codes, began, heal=None):
        """Waits until the run has ended, and checks what is promised of all faults."""
        allowed = self.allowed(kind)
        try:
            code = run.launcher.wait(timeout=allowed + PATIENCE)
        except subprocess.TimeoutExpired:
            self.failed(f"{what}: has not ended {allowed + PATIENCE:.0f} s after the fault", run.errors())
            run.launcher.kill()
            code = run.launcher.wait()
        took = time.monotonic() - began
        if heal is not None:
            heal()
        left = self.processes()
        if left:
            self.failed(f"{what}: the launcher has ended, but not {left}", run.errors())
            for id in left.values():
                os.kill(id, signal.SIGKILL)
        self.check_rest(what, run)
        ended = outcome(code, run.output(), run.errors())
        self.codes[ended.code] = self.codes.get(ended.code, 0) + 1
        self.judge(what, how, kind, took, ended.errors)
        if ended.code not in allowed_codes:
            self.failed(f"{what}: ended with {ended.code}, expected {allowed_codes}", ended.errors)
        return ended

    def kill_launcher(self, number, how):
        what = f"run {number} ({how.name}), kill -9 of the launcher"
        run = self.begin(how)
        self.until_connected(run)
        run.feed()
        time.sleep(self.random.uniform(0, 0.2))
        began = time.monotonic()
        run.launcher.kill()
        run.launcher.wait()
        while self.processes() and time.monotonic() < began + PATIENCE:
            time.sleep(0.01)
        took = time.monotonic() - began
        self.check_rest(what, run)
        self.judge(what, how, "launcher", took, run.errors())

    def kill_one(self, number, how):
        phase = PHASES[number % len(PHASES)]
        victim = self.random.choice(GROUPS)
        what = f"run {number} ({how.name}), kill -9 of {victim} in phase {phase}"
        run = self.begin(how)
        if phase == "start":
            time.sleep(self.random.uniform(0, 0.08))
        else:
            self.until_connected(run)
            run.feed()
            time.sleep(self.random.uniform(0, 0.2))
            if phase == "drain":
                run.end_input()
                time.sleep(self.random.uniform(0, 0.04))
        id = self.until_there(run, victim)
        began = time.monotonic()
        if id is not None:
            try:
                os.kill(id, signal.SIGKILL)
            except ProcessLookupError:
                id = None
        # Only the launcher of an MPI knows the signal; it may report it later than the other groups notice the loss.
        codes = [69, 137] if how.mpirun else [137]
        if phase == "drain":
            codes = [0, *codes]
        # MPICH's launcher does not always bear it that a rank dies while it starts or ends: it fails itself, and says so.
        if "mpich" in how.mpirun and phase != "middle":
            codes = [70, *codes]
        ended = self.check_end(what, run, how, "kill", codes, began)
        if ended.code == 70:
            if f"weir run: {how.mpirun} has failed itself" not in ended.errors:
                self.failed(f"{what}: ended with 70, without a word of {how.mpirun}", ended.errors)
            return
        if ended.code == 0:
            if ended.output.replace(b"[G3] ", b"") != self.expected(run.texts):
                self.failed(f"{what}: ended well, with other words than one process finds", ended.errors)
            return
        causes = [f"weir run: group {victim}: {KILLED if ended.code == 137 else ''}"]
        # MPICH's launcher kills the others at once, and does not say which was the first.
        if how.mpirun and ended.code == 137:
            causes.append(f"weir run: a group {KILLED}")
        if not any(each in ended.errors for each in causes):
            self.failed(f"{what}: that is not the cause that is named", ended.errors)
        if phase == "middle" and not how.mpirun:
            for other in {"G2", "G3"} - {victim}:  # G1 may be asked to end while it reads
                if f"[{other}] wordcount: group {victim}: {KILLED}" not in ended.errors:
                    self.failed(f"{what}: {other} does not name it", ended.errors)

    def until_there(self, run, group):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and run.launcher.poll() is None:
            ids = self.processes(run)
            if group in ids:
                return ids[group]
            time.sleep(0.001)
        return None

    def stop_one(self, number, how):
        victim = self.random.choice(GROUPS)
        what = f"run {number} ({how.name}), SIGSTOP of {victim}"
        run = self.begin(how, DEAD_AFTER)
        ids = self.until_connected(run)
        run.feed()
        time.sleep(self.random.uniform(0, 0.2))
        began = time.monotonic()
        os.kill(ids[victim], signal.SIGSTOP)
        ended = self.check_end(what, run, how, "stop", [69], began)
        if f"weir run: group {victim}: " not in ended.errors or f"nothing was heard of it for {DEAD_AFTER * 1000:.0f} ms" not in ended.errors:
            self.failed(f"{what}: that is not the cause that is named", ended.errors)

    def have_one_throw(self, number, how):
        victim = self.random.choice(GROUPS)
        what = f"run {number} ({how.name}), {victim} throws"
        run = self.begin(how, program=[self.thrower])
        ids = self.until_connected(run)
        run.feed()
        time.sleep(self.random.uniform(0, 0.2))
        began = time.monotonic()
        os.kill(ids[victim], signal.SIGUSR1)
        # MPICH's launcher may have killed the others meanwhile, and then nobody says how the program has ended.
        ended = self.check_end(what, run, how, "throw", [1, 70] if "mpich" in how.mpirun else [1], began)
        if f" (group {victim}): was told to throw" not in ended.errors:
            self.failed(f"{what}: that is not the cause that is named", ended.errors)

    def unplug_one(self, number, how):
        at = self.random.randrange(len(GROUPS))
        victim, host = GROUPS[at], self.hosts[at]
        way = self.random.choice(["link", "route"])
        what = f"run {number} ({how.name}), the {way} of {victim} cut"
        run = self.begin(how, DEAD_AFTER)
        self.until_connected(run)
        run.feed()
        time.sleep(self.random.uniform(0, 0.2))
        began = time.monotonic()
        cut, heal = {
            "link": (["link", "set", "e0", "down"], ["link", "set", "e0", "up"]),
            "route": (["route", "add", "blackhole", "10.213.0.254/32"], ["route", "delete", "blackhole", "10.213.0.254/32"]),
        }[way]
        subprocess.run(["ip", "-n", host, *cut], check=True)
        mend = lambda: subprocess.run(["ip", "-n", host, *heal], check=True)
        ended = self.check_end(what, run, how, "unplug", [69], began, mend)
        if f"weir run: group {victim}: " not in ended.errors:
            self.failed(f"{what}: that is not the cause that is named", ended.errors)

    def survive_stalls(self, settings, attempts=5):
        """With the limits that nobody has changed, 3 s are no reason to end. All at once."""
        runs = []
        for how in settings:
            run = self.begin(how, dead_after=None)
            self.until_connected(run)
            run.feed()
            runs.append((how, run, self.processes(run)["G2"]))
        stopped = time.monotonic()
        for _, _, id in runs:
            os.kill(id, signal.SIGSTOP)
        time.sleep(3)
        for _, _, id in runs:
            os.kill(id, signal.SIGCONT)
        stalled = time.monotonic() - stopped
        for how, run, id in runs:
            what = f"a stall of {stalled:.1f} s ({how.name})"
            run.end_input()
            code = run.launcher.wait(timeout=PATIENCE)
            if code == 69 and stalled > 3.5 and attempts > 1:  # this process had no core in time
                self.survive_stalls([how], attempts - 1)
            elif code != 0:
                self.failed(f"{what}: ended with {code}", run.errors())
            elif run.output().replace(b"[G3] ", b"") != self.expected(run.texts):
                self.failed(f"{what}: other words than one process finds")


class under_way:
    """A launcher that runs, and whose standard input may be kept flowing."""

    def __init__(self, words, environment, text):
        self.texts = 0  # that were written
        self._text = text
        self._flows = True
        self._feeder = None
        self._out = tempfile.TemporaryFile()
        self._err = tempfile.TemporaryFile()
        self.launcher = subprocess.Popen(
            words, env=environment, stdin=subprocess.PIPE, stdout=self._out, stderr=self._err, bufsize=0
        )

    def feed(self):
        """Writes text until the end of the input."""

        def write():
            try:
                while self._flows:
                    rest = memoryview(self._text)
                    while rest:
                        rest = rest[self.launcher.stdin.write(rest) :]
                    self.texts += 1
                    time.sleep(0.005)
            except OSError:  # nobody reads it any more
                pass

        self._feeder = threading.Thread(target=write, daemon=True)
        self._feeder.start()

    def end_input(self):
        self._flows = False
        if self._feeder is not None:
            self._feeder.join()
        self.launcher.stdin.close()

    def output(self):
        self._out.seek(0)
        return self._out.read()

    def errors(self):
        self._err.seek(0)
        return self._err.read().decode(errors="replace")


def descends(id, ancestor):
    """Between a launcher and a group there may be what leads to its host."""
    while id > 1 and id != ancestor:
        id = int(pathlib.Path(f"/proc/{id}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return id == ancestor


def connections_of(id):
    """The established TCP connections of a process: pairs of addresses, its own first."""
    found = set()
    try:
        sockets = {os.readlink(f"/proc/{id}/fd/{each}") for each in os.listdir(f"/proc/{id}/fd")}
        for line in pathlib.Path(f"/proc/{id}/net/tcp").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "01" and f"socket:[{words[9]}]" in sockets:
                found.add((words[1], words[2]))
    except OSError:  # it has just ended
        pass
    return found


def are_connected(ids):
    """Each to each."""
    all_of_them = [connections_of(id) for id in ids]
    return all(
        any((other, own) in there for own, other in here) for here in all_of_them for there in all_of_them if here is not there
    )


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binaries")
    arguments.add_argument("hosts", nargs="*")
    arguments.add_argument("--mpirun", default="")
    given = arguments.parse_args()
    binaries, hosts, mpirun = os.path.abspath(given.binaries), given.hosts, given.mpirun
    runs = int(os.environ.get("WEIR_FAULT_RUNS", "15" if mpirun else "12" if hosts else "30"))
    seed = int(os.environ.get("WEIR_FAULT_SEED", random.randrange(1 << 32)))
    print(f"WEIR_FAULT_SEED={seed} WEIR_FAULT_RUNS={runs}", flush=True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        tests = suite(binaries, hosts, mpirun, seed)
        if hosts:
            settings = [setting("hosts", hosts=True), setting("hosts, reconnecting", reconnect=True, hosts=True)]
        elif mpirun:
            settings = [setting(f"{mpirun}, mpi", "mpi", mpirun=mpirun), setting(f"{mpirun}, shm", mpirun=mpirun)]
            tests.survive_stalls(settings)
        else:
            settings = [setting("shm"), setting("tcp", "tcp"), setting("tcp, reconnecting", "tcp", reconnect=True)]
            tests.survive_stalls(settings[:2])
        for number in range(runs):
            how = tests.random.choice(settings)
            if hosts and number % 4 == 1:
                tests.unplug_one(number, how)
            elif number % (5 if mpirun else 20) == 2:
                tests.stop_one(number, how)
            elif not hosts and not mpirun and number % 10 == 7:
                tests.kill_launcher(number, how)
            elif number % 5 == 3:
                tests.have_one_throw(number, how)
            else:
                tests.kill_one(number, how)
        tests.judge_all()
        os.chdir("/")
    slowest = ", ".join(f"{kind} {max(took):.2f} s" for kind, took in sorted(tests.took.items()))
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(tests.codes.items()))
    print(f"{runs} runs; the slowest ends after a fault: {slowest}; exit codes: {codes}")
    if tests.failures:
        sys.exit(f"{tests.failures} checks failed")


main()
