#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""top_screens.py BIN_DIR: `weir top` on pseudo-terminals that an emulator (pyte) shows; run by top.sh in a folder of its own.

Programs are real ones, and servers here that say what no program would."""

import contextlib
import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import sys
import termios
import threading
import time

import pyte

BIN = sys.argv[1]
WEIR = BIN + "/weir"
WORDCOUNT = BIN + "/wordcount"
PATIENCE = 60  # seconds until something that must come counts as missing
FIRST_SCREEN = b"\x1b[?1049l"
SECOND_SCREEN = b"\x1b[?1049h"
SHOWN_CURSOR = b"\x1b[?25h"


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, arguments, columns=80, lines=24, environment=None):
        self.emulator = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.emulator)
        self.raw = b""
        self.status = None
        ready, go = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.read(ready, 1)  # the terminal has its size
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})})
            os.execvp(arguments[0], arguments)
        self.resize(columns, lines)
        self.before = termios.tcgetattr(self.fd)
        os.write(go, b".")
        os.close(go)
        os.close(ready)

    def resize(self, columns, lines):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.emulator.resize(lines, columns)

    def press(self, keys):
        os.write(self.fd, keys)

    def look(self):
        """Reads what there is; false at the end."""
        if not select.select([self.fd], [], [], 0.05)[0]:
            return True
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            return False
        self.raw += got
        self.stream.feed(got)
        return bool(got)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.emulator.display)

    def await_that(self, what):
        until = time.monotonic() + PATIENCE
        while not what(self):
            assert self.look() and time.monotonic() < until, f"never came; the screen:\n{self.text}\nall: {self.raw[-200:]!r}"

    def await_text(self, *words):
        self.await_that(lambda self: all(word in self.text for word in words))

    def line_with(self, word):
        return next(line for line in self.text.split("\n") if word in line)

    def end(self):
        """Waits for the end, and looks whether the terminal is as before. Returns the exit code, or -signal."""
        while self.look():
            pass
        after = termios.tcgetattr(self.fd)
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if SECOND_SCREEN in self.raw:
            assert self.raw.rindex(FIRST_SCREEN) > self.raw.rindex(SECOND_SCREEN), "the screen is not given back"
            assert self.raw.rindex(SHOWN_CURSOR) > self.raw.rindex(SECOND_SCREEN), "the cursor stays hidden"
            assert after == self.before, "the terminal is left in another mode"
        os.close(self.fd)
        return self.status

    def printed_after(self):
        return self.raw[self.raw.rindex(FIRST_SCREEN) :].decode()


class Program:
    """Stands for a watched program of weir: `say` gives the document for the n-th request; None ends it."""

    def __init__(self, say):
        self.path = os.path.abspath("said.sock")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.path)
        self.listening.listen()
        self.say = say
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        caller, _ = self.listening.accept()
        with caller, caller.makefile("rb") as requests, contextlib.suppress(ConnectionError):
            for number, _ in enumerate(requests):
                said = self.say(number)
                if said is None:
                    return
                caller.sendall((said if isinstance(said, bytes) else json.dumps(said).encode()) + b"\n")


def node(path, busy, number, kind="node"):
    second = 10**9
    return {"path": path, "kind": kind, "items": 1000 * (number + 1), "sent": 1000, "steps": 10,
            "busy_ns": int(busy * second * (number + 1)), "ready_ns": 0,
            "waiting_input_ns": int((1 - busy) * second * (number + 1)), "waiting_room_ns": 0}  # fmt: skip


def document(number, runs):
    """runs: lists of (path, busy); each a pipeline of its nodes"""
    made = []
    for run, nodes in enumerate(runs):
        report = {"wall_ns": (number + 1) * 10**9, "cpu_ns": (number + 1) * 10**9, "workers": 0, "ended": False,
                  "bottleneck": "", "nodes": [node(path, busy, number) for path, busy in nodes],
                  "channels": [{"from": a[0], "to": b[0], "items": 1, "capacity": 16, "waiting": 4, "room": 16, "fill": 0.5}
                               for a, b in zip(nodes, nodes[1:])]}  # fmt: skip
        made.append({"run": run + 1, "report": report})
    return {"live_view": 1, "pid": 77, "program": "made", "cores": 4, "at_ns": (number + 1) * 10**9,
            "cpu_ns": (number + 1) * 10**9, "runs": made}  # fmt: skip


def watch(say, *options, **how):
    return Terminal([WEIR, "top", "--interval", "0.1", *options, Program(say).path], **how)


def whole_program(columns, lines):
    """A real program, from its beginning to its end."""
    t = Terminal([WEIR, "top", "--interval", "0.1", "--", "sh", "-c", f"{WORDCOUNT} -q -k 1 - <input; echo said; exit 7"], columns, lines)
    feed = open("input", "w")
    feed.write("a b a " * 10000)
    feed.flush()
    t.await_text("wordcount (", "per s", "/split[0]", "/rank", "Ctrl-C: end the program")
    heading = t.line_with("per s")
    places = {word: heading.index(word) for word in ("node", "per s", "busy", "input", "room", "queue", "fill")}
    seen = len(t.raw)
    for _ in range(3):  # refreshed, everything stays where it is
        feed.write("c d e " * 10000)
        feed.flush()
        t.await_that(lambda t: len(t.raw) > seen + 500)
        seen = len(t.raw)
        t.await_text("per s", "/rank")
        heading = t.line_with("per s")
        assert places == {word: heading.index(word) for word in places}, heading
    rows = [line for line in t.text.split("\n") if "/split[" in line or "/count[" in line]
    assert all(line.index("%") == rows[0].index("%") for line in rows), rows
    assert all(line.rstrip().endswith("%") or columns > 80 for line in rows), rows
    assert ("busy for" in t.text) == (columns > 80), t.text
    if columns > 80:
        assert "/ room" in t.text and "ready" in t.text and len(t.line_with("/split[0]")) > 120, t.text
    feed.close()
    assert t.end() == 7
    after = t.printed_after()
    assert "30000 " in after and "said" in after, after
    assert after.index("said") < after.index("ended"), after
    assert "/split[0]" in after and "Ctrl-C" not in after, after


def programs_and_their_ends():
    for command, code in (("exit 3", 3), ("kill -KILL $$", 137), ("true", 0)):
        assert Terminal([WEIR, "top", "--", "sh", "-c", command]).end() == code, command
    t = Terminal([WEIR, "top", "--", "./missing"])
    assert t.end() == 1 and b"can't start ./missing: No such file" in t.raw, t.raw
    # Neither the terminal nor the end of it is the program's input; its other streams stay what they are.
    t = Terminal(["sh", "-c", f"{WEIR} top -- sh -c 'cat; echo to a file' >file.out"])
    assert t.end() == 0 and open("file.out").read() == "to a file\n"
    # The output so far is shown at the foot.
    t = Terminal([WEIR, "top", "--", "sh", "-c", "echo half a line; printf '\\033[2Jof it'; read line <input"])
    t.await_text("has run no network yet", "half a line", "[2Jof it")
    with open("input", "w") as feed:
        feed.write("on\n")
    assert t.end() == 0
    assert "half a line\r\n\x1b[2Jof it" in t.printed_after()


def ended_by_the_user():
    t = Terminal([WEIR, "top", "--interval", "0.1", "--", "sh", "-c", f"echo $$ >pid; exec {WORDCOUNT} -q - <input"])
    with open("input", "w"):
        t.await_text("/split[0]")
        t.press(b"\x03")
        assert t.end() == -signal.SIGINT
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(open("pid").read()), 0)
        raise AssertionError("the program goes on")
    # Without the view, what the program says is shown as it comes.
    t = Terminal([WEIR, "top", "--", "sh", "-c", "echo before; read a <input; echo between; read a <more; echo after; exit 5"])
    t.await_text("before", "q: leave")
    t.press(b"q")
    t.await_that(lambda t: FIRST_SCREEN in t.raw)
    with open("input", "w") as feed:
        feed.write("on\n")
    t.await_that(lambda t: FIRST_SCREEN in t.raw and "between" in t.printed_after())
    with open("more", "w") as feed:
        feed.write("on\n")
    assert t.end() == 5
    assert t.printed_after().count("before") == 1 and "after" in t.printed_after()
    # One who only looks leaves the program alone.
    for key, code in ((b"q", 0), (b"\x03", -signal.SIGINT)):
        t = watch(lambda n: document(n, [[("/a", 0.9)]]))
        t.await_text("made (77)")
        t.press(key)
        assert t.end() == code
    # Stopped, and on again.
    t = watch(lambda n: document(n, [[("/a", 0.9)]]))
    t.await_text("made (77)")
    t.press(b"\x1a")
    t.await_that(lambda t: FIRST_SCREEN in t.raw)
    while not os.WIFSTOPPED(os.waitpid(t.pid, os.WUNTRACED)[1]):
        pass
    os.kill(t.pid, signal.SIGCONT)
    t.await_that(lambda t: t.raw.count(SECOND_SCREEN) == 2)
    t.press(b"q")
    assert t.end() == 0


def ended_on_a_terminal_that_stands_still():
    """Ctrl-S stops it; a signal still ends the view, and the former screen comes back."""
    t = watch(lambda n: document(n, [[("/a", 0.9)]]))
    t.await_text("made (77)")
    t.press(b"\x13")
    time.sleep(0.3)  # some frames
    os.kill(t.pid, signal.SIGTERM)
    until = time.monotonic() + PATIENCE
    while (got := os.waitpid(t.pid, os.WNOHANG))[0] == 0:
        if time.monotonic() > until:
            os.kill(t.pid, signal.SIGKILL)
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(got[1]) == -signal.SIGTERM, got
    while t.look() and FIRST_SCREEN not in t.raw:
        assert time.monotonic() < until, t.raw[-200:]
    assert t.raw.endswith(SHOWN_CURSOR + FIRST_SCREEN), t.raw[-200:]
    os.close(t.fd)


def farms_and_runs():
    farm = [("/read", 0.1)] + [(f"/work[{i}]", 0.9 + i / 1000) for i in range(64)] + [("/end", 0.2)]
    t = watch(lambda n: document(n, [farm]))
    t.await_text("/work[0-63]", "/end", "the 64 of /work are busy 93 %")
    assert t.line_with("/work").startswith("▶") and "/work[0] " not in t.text, t.text
    assert "25 %" in t.line_with("/end")
    t.resize(120, 80)  # here all of them fit
    t.await_text("/work[0]", "/work[63]", "of 4 cores")
    t.resize(150, 20)
    t.await_text("90-96 %")
    t.resize(40, 20)
    t.await_text("at least 60 columns and 10 line")
    t.resize(80, 24)
    t.await_text("/work[0-63]")
    t.press(b"q")
    assert t.end() == 0
    # A set whose nodes have different names, more than there are lines.
    t = watch(lambda n: document(n, [[(f"/node{i}", 0.9 if i == 77 else 0.1) for i in range(100)]]))
    t.await_text("/node77", "more, less busy", "q: leave")
    assert t.line_with("/node77").startswith("▶")
    t.press(b"q")
    assert t.end() == 0
    # Several runs, and more than there are lines.
    for runs, last in ((2, "run 2"), (30, "more runs")):
        t = watch(lambda n, runs=runs: document(n, [[("/one", 0.6), (f"/two{i}", 0.2)] for i in range(runs)]))
        t.await_text("run 1", "/one", "/two0", f"{runs} runs under way", last)
        t.press(b"q")
        assert t.end() == 0


def whatever_is_said():
    hostile = "/\x1b[31m\x9b2J\x07" + "long" * 40 + "end"
    t = watch(lambda n: document(n, [[(hostile, 0.9), ("/é\u4e2d", 0.1)]]))
    t.await_text("longend", "/é")
    assert all(len(line) <= 80 for line in t.text.split("\n"))
    assert b"\x1b[31m\x9b" not in t.raw and b"\x07" not in t.raw and b"\xc2\x9b" not in t.raw
    t.press(b"q")
    assert t.end() == 0
    # The program ends while it is watched.
    t = watch(lambda n: document(n, [[("/a", 0.9)]]) if n < 5 else None)
    assert t.end() == 0
    assert "made (77), ended" in t.printed_after() and "5.00 k" in t.printed_after(), t.printed_after()
    # In the middle of a word.
    t = watch(lambda n: document(n, [[("/a", 0.9)]]) if n < 2 else b'{"live_view":1,"pid":')
    t.await_text("/a")
    assert t.end() == 1
    assert "weir top: the listener is no weir program" in t.printed_after()
    for said, words in ((b"SSH-2.0", "no weir program"), (b"[]", "no weir program"), (b"{}", "of this version of weir"),
                        ({"error": "too many are watching"}, "the program refuses: too many are watching"),
                        ({"live_view": 2}, "has another version of weir"), (None, "ended before it answered")):  # fmt: skip
        t = watch(lambda n, said=said: said)
        assert t.end() == 1, said
        assert words in t.raw.decode() and t.raw.count(b"\n") == 1 and SECOND_SCREEN not in t.raw, t.raw


def inputs_of_a_zip():
    def say(number, nodes=0):
        ends = [(f"/end[{i}]", 0) for i in range(nodes)]
        said = document(number, [[("/quick", 0.1), ("/slow", 0.9), ("/zip", 0.1), *ends]])
        channel = {"items": 1, "capacity": 8, "room": 8, "fill": 0}
        said["runs"][0]["report"]["channels"] = [
            {"from": "/quick", "to": "/zip", "waiting": 8, "input": 0, **channel},
            {"from": "/slow", "to": "/zip", "waiting": 0, "input": 1, **channel},
            {"from": "/quick", "to": "/slow", "waiting": 2, "input": 0, **channel}]  # fmt: skip
        return said

    t = watch(say)
    t.await_text("/zip", "  from /quick", "  from /slow")
    assert " 50 %" in t.line_with("/zip ") and "100 %" in t.line_with("from /quick"), t.text
    assert t.line_with("from /slow").split()[2:] == ["░░░░░░░░░░", "0", "%"], t.text
    lines = t.text.split("\n")
    below = lines.index(t.line_with("/zip ")) + 1
    assert [line.split()[:2] for line in lines[below : below + 2]] == [["from", "/quick"], ["from", "/slow"]], t.text
    t.resize(80, 13)  # here they have no place
    t.await_that(lambda t: "from /slow" not in t.text and "/zip" in t.text)
    t.press(b"q")
    assert t.end() == 0
    # Farms are folded first.
    t = watch(lambda n: say(n, 40))
    t.await_text("/end[0-39]", "from /quick", "from /slow")
    t.press(b"q")
    assert t.end() == 0


def stacks_on_demand():
    thread = 2**22 + 1  # more than Linux has

    def say(number):
        said = document(number, [[("/a", 0.1), ("/stays", 0.9)]])
        said["runs"][0]["report"]["nodes"][1].update(in_own_code_ns=3 * 10**9, in_own_code_cpu_ns=0, thread=thread)
        return said

    t = watch(say)
    t.await_text("/stays", "q: leave   s: stacks")
    t.press(b"s")
    t.await_text("made (77)", f"/stays, thread {thread}, inside its own code for 3.0 s:", "b: back   s: again",
                 "its stack can't be seen: the thread has ended, or is on another machine")  # fmt: skip
    assert "per s" not in t.text, t.text
    t.press(b"b")
    t.await_text("per s", "s: stacks")
    t.press(b"q")
    assert t.end() == 0


def one_that_stops_answering():
    go_on = threading.Event()
    t = watch(lambda n: document(n, [[("/a", 0.9)]]) if n < 2 or go_on.wait() else None)
    t.await_text("made (77)", "the program has not answered for")
    go_on.set()
    t.await_that(lambda t: "made (77)" in t.text and "answered" not in t.text)
    t.press(b"q")
    assert t.end() == 0


def plain_terminals():
    say = lambda n: document(n, [[("/é", 0.9), ("/b", 0.1)]])  # noqa: E731
    t = watch(say, environment={"LC_ALL": "C"})
    t.await_text("/?", "###.......")
    assert t.raw.isascii()
    t.press(b"q")
    t.end()
    t = watch(say, environment={"NO_COLOR": "1"})
    t.await_text("▶ /é", "███░░░░░░░")
    t.press(b"q")
    t.end()
    assert not [code for code in t.raw.split(b"\x1b[")[1:] if code.split(b"m")[0].replace(b";", b"").isdigit() and b"m" in code[:6]]
    for how in ({"columns": 50}, {"lines": 9}, {"environment": {"TERM": "dumb"}}):
        t = watch(say, **how)
        assert t.end() == 1 and t.raw.count(b"\n") == 1 and b"weir top --once" in t.raw, t.raw


for pipe in "input", "more":
    with contextlib.suppress(FileNotFoundError):
        os.unlink(pipe)
    os.mkfifo(pipe)
for check in (lambda: whole_program(80, 24), lambda: whole_program(200, 50), programs_and_their_ends, ended_by_the_user,
              ended_on_a_terminal_that_stands_still,
              farms_and_runs, inputs_of_a_zip, stacks_on_demand, whatever_is_said, one_that_stops_answering, plain_terminals):  # fmt: skip
    check()
assert not os.listdir("weir"), os.listdir("weir")
