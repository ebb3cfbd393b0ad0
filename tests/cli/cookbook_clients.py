#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""cookbook_clients.py FOLDER: the clients of the cookbook's services, and the user who interrupts its video. The programs are in the path.

FOLDER is docs/cookbook. Prints what is wrong.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families

LIMIT = 60  # seconds: for what hangs
cookbook = pathlib.Path(sys.argv[1])
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def make(kind, count):
    return subprocess.run([sys.executable, cookbook / "make_input.py", kind, str(count)], capture_output=True, check=True).stdout


def started(arguments, ports):
    """Starts a program that listens on so many ports of its choice, and waits until it does. Returns the process and the ports."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        held = [socket.create_server(("127.0.0.1", 0)) for _ in range(ports)]
        numbers = [each.getsockname()[1] for each in held]
        for each in held:
            each.close()
        one = subprocess.Popen(arguments + [str(n) for n in numbers], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        for port in numbers:
            while one.poll() is None and time.monotonic() < until:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.01)
        if one.poll() is None:
            return one, numbers
    sys.exit(f"{arguments}: does not listen")


def ends(one, code, what):
    one.send_signal(signal.SIGINT)
    found = one.wait(LIMIT)
    check(found == code, f"{what}: exit code {found} after Ctrl-C instead of {code}")


# ---- the spelling service: several clients at a time, one of which says nothing, and one of which goes away ----
words = sorted(set(re.findall(rb"[a-z]{4,}", (cookbook / "../patterns.md").read_bytes())))[:400]
pathlib.Path("words").write_bytes(b"\n".join(words))
asked = [word[:1] + word[2:] for word in words[::10]] + [b"x", b""]
expected = subprocess.run(["before", "spelling_service", "words"], input=b"\n".join(a for a in asked if a), capture_output=True).stdout.split()
service, (port,) = started(["spelling_service", "words"], 1)
silent = socket.create_connection(("127.0.0.1", port))
gone = socket.create_connection(("127.0.0.1", port))
gone.sendall(b"unanswered\n" * 50)
gone.close()


def client():
    with socket.create_connection(("127.0.0.1", port), LIMIT) as one, one.makefile("rb") as answers:
        one.sendall(b"\n".join(a for a in asked if a)[:20])
        one.sendall(b"\n".join(a for a in asked if a)[20:] + b"\n")
        check([answers.readline().strip() for _ in expected] == expected, "spelling_service: other answers than those of the pool")


clients = [threading.Thread(target=client) for _ in range(4)]
for each in clients:
    each.start()
for each in clients:
    each.join()
busy = subprocess.run(["spelling_service", "words", str(port)], capture_output=True, text=True)
check(busy.returncode == 1 and busy.stderr == f"spelling_service: port {port}: Address already in use\n", f"spelling_service on a port in use: {busy}")
ends(service, 130, "spelling_service")
check(silent.recv(1) == b"", "spelling_service: has ended, but not closed a connection")


# ---- sensors: the same numbers as those of the program in Python, as Prometheus' own parser reads them ----
def metrics(port):
    text = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Accept": "application/openmetrics-text"})).read()
    families = {f.name: f for f in text_string_to_metric_families(text.decode())}
    means = {s.labels["sensor"]: round(s.value, 3) for s in families["sensor_mean"].samples}
    return means, [s.value for s in families["ignored_lines"].samples if s.name == "ignored_lines_total"]


def values_of(program):
    one, (sensors, shown) = started(program, 2)
    lines = make("readings", 95).splitlines(keepends=True)
    for part in (lines[:200], [b"1764400000 two words 3\n", b"1764400000 late x\n", b"no reading\n"], lines[200:]):
        with socket.create_connection(("127.0.0.1", sensors)) as client:
            client.sendall(b"".join(part))
            client.shutdown(socket.SHUT_WR)
            client.recv(1)  # it is closed when all is taken
    return one, shown


last = {}
for line in make("readings", 95).decode().split("\n")[:-1]:
    at, sensor, value = line.split()
    if 80 <= int(at) - 1764400000 < 90:
        last.setdefault(sensor, []).append(float(value))
means = {sensor: sum(values) / len(values) for sensor, values in last.items()}
for program in (["sensors"], [sys.executable, str(cookbook / "before/sensors.py")]):
    one, shown = values_of(program)
    until = time.monotonic() + LIMIT
    while True:
        found, ignored = metrics(shown)
        holds = ignored == [3] and set(found) == set(means) and all(abs(found[s] - means[s]) < 2e-3 for s in means)
        if holds or time.monotonic() > until:
            break
        time.sleep(0.01)
    check(holds, f"{program[0]}: {found} instead of {means}, {ignored} lines were ignored")
    if program[0] == "sensors":
        busy = subprocess.run(["sensors", "1", str(shown)], capture_output=True, text=True)
        check(busy.returncode == 1 and busy.stderr == f"sensors: port {shown}: Address already in use\n", f"sensors on a port in use: {busy}")
        ends(one, 130, "sensors")
    else:
        one.kill()
        one.wait()

# ---- the video: whole, and interrupted when some frames are written ----
HEADER, FRAME = make("video", 1).split(b"\n", 1)[0] + b"\n", len(b"FRAME\n") + 320 * 240 * 3 // 2


def frames_of(bytes):
    check(bytes.startswith(HEADER) and (len(bytes) - len(HEADER)) % FRAME == 0, "video: the file does not end with a whole frame")
    return [bytes[at : at + FRAME] for at in range(len(HEADER), len(bytes), FRAME)]


def are_of(frames, taken, said):
    """Whether the frames are among those that the threads make of the frames taken, in order."""
    pathlib.Path("taken").write_bytes(noisy[: len(HEADER) + taken * FRAME])
    subprocess.run(["before", "video", "by_threads"], stdin=open("taken", "rb"), check=True)
    expected = frames_of(pathlib.Path("by_threads").read_bytes())
    dropped = int(re.fullmatch(r"(\d+) frames, (\d+) of them dropped\n", said).group(2))
    check(len(expected) == taken and len(frames) == taken - dropped, f"video: {len(frames)} frames of {taken}, {dropped} dropped")
    at = iter(expected)
    check(all(frame in at for frame in frames), "video: other frames than those of the threads")


noisy = make("video", 12) * 1
noisy = HEADER + noisy[len(HEADER) :] * 40  # frames for ten seconds
pathlib.Path("short").write_bytes(noisy[: len(HEADER) + 6 * FRAME])
whole = subprocess.run(["video", "short", "clean"], capture_output=True, text=True)
check(whole.returncode == 0, f"video: {whole}")
are_of(frames_of(pathlib.Path("clean").read_bytes()), 6, whole.stderr)

pathlib.Path("long").write_bytes(noisy)
os.mkdir("out")
one = subprocess.Popen(["video", "long", "out/clean"], stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
until = time.monotonic() + LIMIT
while sum(each.stat().st_size for each in pathlib.Path("out").iterdir()) < 4 * FRAME and time.monotonic() < until:
    time.sleep(0.01)
check(not os.path.exists("out/clean"), "video: the file has its name before it is complete")
ends(one, 130, "video")
said = one.stderr.read()
check(os.listdir("out") == ["clean"], f"video: leaves {os.listdir('out')}")
taken = int(said.split()[0])
check(taken < 480, "video: was not interrupted")
are_of(frames_of(pathlib.Path("out/clean").read_bytes()), taken, said)
pathlib.Path("broken").write_bytes(noisy[: len(HEADER) + FRAME + 10])
broken = subprocess.run(["video", "broken", "never"], capture_output=True, text=True)
check(broken.returncode == 1 and broken.stderr == "video: /camera: broken: ends inside a frame\n", f"video: {broken}")
check(not os.path.exists("never"), "video: a broken one has a result")

print("\n".join(problems), end="\n" if problems else "")
sys.exit(1 if problems else 0)
