# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""standard_streams.py BIN_DIR [NAMES...]: each way in which `weir run` ends, with a standard output or error that is
closed, full, read by nobody, read by nobody any more, or a terminal that stands still. The run ends, with the exit code
of the documentation; it says why, where anybody hears it; the launcher takes little memory; and nothing is left. Prints
what fails. With NAMES only those rows.
"""

import concurrent.futures
import fcntl
import os
import pty
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import termios
import threading
import time

bin_dir = os.path.abspath(sys.argv[1])
program = bin_dir + "/prints_and_ends"
support = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support")
LITTLE = 400
MUCH = 1 << 26  # more than all buffers on its way hold
LIMIT = 120  # seconds: for what hangs
MOST_MEMORY = 40 << 10  # KiB: two streams of 1 MiB, a line of 8 MiB, and the launcher itself


class Stream:
    """A standard stream of the launcher."""

    def __init__(self, kind):
        self.kind = kind
        self.near = self.far = self.reader = None  # the far end is the launcher's
        self.got = b""
        if kind in ("read", "stalled", "head", "gone"):
            self.near, self.far = os.pipe()
        elif kind == "terminal":
            self.near, self.far = pty.openpty()
        elif kind == "full":
            self.far = os.open("/dev/full", os.O_WRONLY)
        if kind == "gone":
            os.close(self.near)
            self.near = None
        if kind == "stalled":  # and full from the beginning
            os.set_blocking(self.far, False)
            try:
                while True:
                    os.write(self.far, b"x" * 4096)
            except BlockingIOError:
                os.set_blocking(self.far, True)

    def started(self):
        if self.far is not None:
            os.close(self.far)
        if self.kind in ("read", "head"):
            self.reader = threading.Thread(target=self.read)
            self.reader.start()

    def read(self):
        while part := os.read(self.near, 1 << 16):
            self.got = (self.got + part)[-(1 << 16):]
            if self.kind == "head":
                break
        os.close(self.near)
        self.near = None

    def end(self):
        if self.reader is not None:
            self.reader.join(LIMIT)
        if self.near is not None:
            os.close(self.near)
        return self.got.decode(errors="replace")


def of_proc(process, name, pattern, otherwise):
    try:
        with open(f"/proc/{process}/{name}") as file:
            return int(re.search(pattern, file.read())[1])
    except (OSError, TypeError):
        return otherwise


def processes_with(token):
    made = []
    for each in os.listdir("/proc"):
        try:
            with open(f"/proc/{each}/environ", "rb") as file:
                if token.encode() in file.read():
                    made.append(int(each))
        except OSError:
            pass
    return made


def run(arguments, output, error, configuration, sent=0, descriptors=None):
    """@return the exit code, as subprocess has it (none: it hangs), standard error, and what is wrong"""
    wrong = []
    token = "OF_TEST_" + secrets.token_hex(16)
    streams = Stream(output), Stream(error)
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/two.json", "w") as file:
            file.write(configuration)

        def lead():
            for each in ("PIPE", "INT", "TERM", "HUP", "QUIT"):  # some are ignored in the background of a script
                signal.signal(getattr(signal, "SIG" + each), signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number, stream in zip((1, 2), streams):
                if stream.far is None:
                    os.close(number)
                else:
                    os.dup2(stream.far, number)
            if descriptors is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        child = subprocess.Popen([bin_dir + "/weir", "run", *arguments], stdin=subprocess.DEVNULL, cwd=folder,
                                 preexec_fn=lead, start_new_session=True, env={**os.environ, "OF_TEST": token})
        for each in streams:
            each.started()
        began = time.monotonic()
        highest = quiet = 0
        told = False
        written = None
        while child.poll() is None and time.monotonic() - began < LIMIT:
            highest = max(highest, of_proc(child.pid, "status", r"VmHWM:\s+(\d+)", 0))
            # Once all that can be has been printed, the run may end: the launcher, its guard, and two groups.
            running = processes_with(token)
            before, written = written, [of_proc(each, "io", r"wchar: (\d+)", 0) for each in running]
            quiet = quiet + 1 if len(running) >= 4 and written == before else 0
            if quiet >= 4 and not told:
                told = True
                if sent:
                    child.send_signal(sent)
                else:
                    open(folder + "/go", "w").close()
            time.sleep(0.05)
        code = child.poll()
        if code is None:
            wrong.append(f"still runs after {LIMIT} s")
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        if highest > MOST_MEMORY:
            wrong.append(f"took {highest} KiB")
        said = [each.end() for each in streams]
        # It has waited for them itself.
        if left := processes_with(token):
            wrong.append("is left: " + " ".join(map(str, left)))
            for each in left:
                os.kill(each, signal.SIGKILL)
        return code, said[1], wrong


def row(name, code, words="", arguments=None, groups="", **how):
    return dict(name=name, code=code, words=words, arguments=arguments, groups=groups, how=how)


# The cause of the end of the run, its exit code, and the words of the message.
ENDS = [
    row("well", 0),
    row("exit 3", 3, "group B: has ended with exit code 3"),
    row("throw 7", 7, "(group B): was told to throw"),
    row("throw 0", 70, "(group B): was told to throw"),
    row("late", 7, "(group B): was told to throw"),
    row("kill 9", 137, "group B: was killed by signal 9"),
    row("kill 19", 69, "nothing was heard of it for 1000 ms"),
    row("--timeout", 124, "has taken longer than 2 s", arguments=["--timeout", "2"], sent=signal.SIGCONT),
    *(row(f"SIG{each}", -getattr(signal, "SIG" + each), sent=getattr(signal, "SIG" + each))
      for each in ("INT", "TERM", "HUP", "QUIT")),
]
# Before the groups run a network, or before there are groups.
BEGINNINGS = [
    row("no program", 64, "can't start ./nothing", ["two.json", "--", "./nothing"]),
    row("no configuration", 64, "none.json", ["none.json", "--", program]),
    row("wrong call", 64, "say one of them", ["--prefix", "--no-prefix", "two.json", "--", program]),
    row("no network", 69, "has ended before it ran a network", ["two.json", "--", "true"]),
    row("does not come up", 69, "has not come up within 1 s", ["--start-within", "1", "two.json", "--", "sleep", "60"]),
    row("few descriptors", 70, "Too many open files", ["two.json", "--", program, "1", "0", "well"], descriptors=12),
    row("damage", 65, "group B: ", ["two.json", "--", program, "1", "0", "never"],
        ', "pre_command": "python3 %s/damaging_proxy.py"' % support, sent=signal.SIGCONT),
    row("another network", 76, "runs another network", ["two.json", "--", program, "1", "0", "well"],
        ', "environment": {"ANOTHER": "1"}'),
    row("another secret", 77, "does not know the secret", ["two.json", "--", program, "1", "0", "well"],
        ', "pre_command": "env WEIR_SECRET=another"'),
]
WHY_NOT = {"closed": "Bad file descriptor", "full": "No space left on device"}


def rows():
    for stream, kinds in ((1, ("closed", "full", "gone", "head", "stalled", "terminal")),
                          (2, ("closed", "full", "gone", "stalled", "terminal"))):
        for kind in kinds:
            waits = kind in ("stalled", "terminal")
            for end in ENDS:
                amounts = [MUCH if waits else 0]
                if end["name"] == "well":
                    amounts = [0] if waits else [0, MUCH] if kind == "head" else [0, LITTLE, MUCH]
                if end["name"] == "late":
                    amounts = [MUCH]
                for amount in amounts:
                    yield stream, kind, amount, end
    for kind in ("closed", "full", "gone", "stalled", "terminal"):
        for end in BEGINNINGS:
            yield 2, kind, None, end


def check(of):
    stream, kind, amount, end = of
    output, error = (kind, "read") if stream == 1 else ("read", kind)
    configuration = ('{"heartbeat": 0.2, "dead_after": 1, "groups": [{"name": "A"}, {"name": "B"%s}]}' % end["groups"])
    arguments = end["arguments"] or []
    if amount is not None:
        how = end["name"] if end["name"][0].islower() else "never"
        arguments = [*arguments, "two.json", "--", program, str(stream), str(amount), how]
    code, said, wrong = run(arguments, output, error, configuration, **end["how"])
    expected, words = end["code"], end["words"]
    # A failure of the run itself takes precedence over a failure of its output.
    lost = stream == 1 and kind in WHY_NOT and (amount or 0) > 0
    if end["name"] == "well" and amount:
        expected = -signal.SIGPIPE if stream == 1 and kind in ("head", "gone") else 1
    if code != expected:
        wrong.append(f"ended with {code}, expected {expected}")
    if error == "read":
        if words not in said:
            wrong.append(f"does not say '{words}'")
        if lost and f"weir run: can't write standard output: {WHY_NOT[kind]}" not in said:
            wrong.append("does not say that standard output can't be written")
        if expected <= 0 and said:
            wrong.append("says something")
    return [(each, said) for each in wrong]


def title(of):
    stream, kind, amount, end = of
    return f"{end['name']}, {amount or 'no'} bytes, standard {'output' if stream == 1 else 'error'} {kind}"


def main():
    wanted = [each for each in rows() if not sys.argv[2:] or title(each) in sys.argv[2:]]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(4) as workers:
        for of, wrong in zip(wanted, workers.map(check, wanted)):
            for what, said in wrong:
                failures += 1
                print(f"FAILED: {title(of)}: {what}; it said: {said[-500:]}", flush=True)
    print(f"{len(wanted)} rows, {failures} failures")
    sys.exit(0 if wanted and failures == 0 else 1)


main()
