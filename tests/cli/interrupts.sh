#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   interrupts.sh BIN_DIR [SIGNALS]    SIGINT and SIGTERM at random moments of each command, whatever runs it, and while the reader of its
#                                      output stands still: the exit code is 128 + N, without a word, and nothing has changed or is left
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$1/recgen" -q -s 1200000 -r 64 records && "$1/extsort" -q -T . records -o sorted || exit 1
python3 - "$1" "${2:-6}" <<'END' || fail 'interrupts'
import fcntl, os, random, re, signal, socket, struct, subprocess, sys, termios, time

bin, signals = sys.argv[1], int(sys.argv[2])
seed = random.randrange(1 << 32)
print("seed", seed)
chosen = random.Random(seed)
with open("many.fa", "w") as out:
    for i in range(1500):
        out.write(f">s{i}\n{''.join(chosen.choices('ARNDCQEGHILKMFPSTWYV', k=350))}\n")
with open("lines", "w") as out:
    out.writelines(f"{chosen.getrandbits(64)} {i}\n" for i in range(1_500_000))
sort = ["extsort", "-q", "-m", "16M", "-T", "tmp", "records", "-o", "other"]
commands = [
    sort + ["-j", "2", "--executor", "pool"],
    sort + ["-j", "2", "--executor", "threads"],
    sort + ["-j", "2", "--verify", "--merge", "binary"],
    sort + ["-j", "2", "--runs", "snowplow", "--executor", "threads"],
    sort + ["-j", "2", "--compress", "zstd", "-u"],
    sort + ["-j", "2", "--engine", "openmp", "--verify"],
    sort + ["--engine", "seq"],
    ["swsearch", "-q", "--top", "3", "-t", "2", "many.fa", "many.fa"],
    ["swsearch", "index", "-q", "-o", "other.swdb", "lines.fa"],
    ["wordcount", "-q", "-j", "2", "lines"],
    ["filesearch", "-j", "2", "[0-9]*7 .*[13]7$", "lines"],
    ["recgen", "-q", "-j", "2", "-s", "1200000", "-r", "64", "other"],
    ["recheck", "-j", "2", "--input", "records", "sorted"],
]
with open("lines.fa", "w") as out:
    for i in range(60000):
        out.write(f">s{i}\n{'MKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD' * 4}\n")
os.mkdir("tmp")
problems = []
for command in commands:
    results = {"other", "other.swdb"}.intersection(command)
    call = [f"{bin}/{command[0]}"] + command[1:]
    begin = time.monotonic()
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    interrupted = 0
    for number in range(signals):
        which = chosen.choice([signal.SIGINT, signal.SIGTERM])
        for name in results:
            with open(name, "w") as out:
                out.write("before")
        before = sorted(os.listdir("."))
        # One signal in each of several stretches, so that all phases are met.
        moment = seconds * (number + chosen.random()) / signals
        one = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(moment)
        one.send_signal(which)
        said = one.communicate()[1].decode()
        what = f"{' '.join(command)}: {which.name} after {moment:.3f} of {seconds:.3f} s"
        code = 128 - one.returncode if one.returncode < 0 else one.returncode
        if code == 0:  # the command was faster
            continue
        interrupted += 1
        if code != 128 + which or said:
            problems.append(f"{what}: exit code {code}, {said!r}")
        # A signal that comes once the output has its name has no effect: the output is complete.
        for name in results:
            if os.path.getsize(name) != 6 and "-u" not in command and os.path.getsize(name) < 1_000_000:
                problems.append(f"{what}: {name} was touched")
        left = os.listdir("tmp") + sorted(set(os.listdir(".")) - set(before))
        if left:
            problems.append(f"{what}: left behind {left}")
            for name in left:
                os.remove(name)
    if interrupted == 0:
        problems.append(f"{' '.join(command)}: no signal came in time")

# ---- readers that stand still: one signal is enough ----
LIMIT = 60  # seconds: for what hangs
with open("few.fa", "w") as out:
    for i in range(100):
        out.write(f">s{i}\n{''.join(chosen.choices('ARNDCQEGHILKMFPSTWYV', k=60))}\n")
subprocess.run(["head", "-n", "100000", "lines"], stdout=open("some", "w"), check=True)
subprocess.run([f"{bin}/recgen", "-q", "-s", "100000", "some.records"], check=True)
short_sort = ["extsort", "-q", "-T", "tmp", "some.records"]
stalled = [
    short_sort,
    short_sort + ["-o", "/dev/stdout"],
    short_sort + ["-o", "other", "--json"],
    ["swsearch", "-q", "few.fa", "few.fa"],
    ["swsearch", "few.fa", "few.fa"],
    ["swsearch", "--table", "few.fa", "few.fa"],
    ["swsearch", "index", "--help"],
    ["wordcount", "-k", "0", "some"],
    ["wordcount", "-k", "0", "--listen", "127.0.0.1:0", "--connections", "1"],
    ["filesearch", "7", "some"],
    ["recheck", "sorted"],
    ["weir", "graph", "--", f"{bin}/wordcount", "some"],
    ["weir", "plan", "--on", "2", "--", f"{bin}/wordcount", "some"],
    ["weir", "run", "--on", "2", "--", f"{bin}/wordcount", "some"],
]
# These write their last lines only, on standard error.
on_error = [
    ["swsearch", "index", "-o", "other.swdb", "few.fa"],
    ["recgen", "-s", "1000", "other"],
]


def send_words(process):
    port = int(re.search(rb"port (\d+)", process.stderr.readline()).group(1))
    with socket.create_connection(("127.0.0.1", port)) as client, open("some", "rb") as words:
        client.sendfile(words)


def wait_until_full(pipe):
    size, until = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ), time.monotonic() + LIMIT
    while time.monotonic() < until:
        held = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"0000"))[0]
        if held > size - 4096:
            return
        time.sleep(0.01)


def states_of(pid):
    """States of the threads of a process and of those that it has started."""
    states = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            states.append(open(f"/proc/{pid}/task/{task}/stat").read().rpartition(")")[2].split()[0])
            for child in open(f"/proc/{pid}/task/{task}/children").read().split():
                states += states_of(child)
    except OSError:  # it has ended
        pass
    return states


def settle(process):
    """Waits until all threads have slept in each of some looks: they wait for the reader."""
    looks, until = 0, time.monotonic() + LIMIT
    while looks < 10 and process.poll() is None and time.monotonic() < until:
        states = states_of(process.pid)
        looks = looks + 1 if states and set(states) == {"S"} else 0
        time.sleep(0.03)


for command in stalled + on_error:
    call = [f"{bin}/{command[0]}"] + command[1:]
    listens = "--listen" in command
    # The pipe is full, or has room for some of the output; standard error may be the same pipe, or be read.
    cases = [(0, False), (0, True), (8192, False)]
    if listens:  # the room shows that it prints
        cases = [(4096, False)]
    elif command in on_error:
        cases = [(0, True)]
    for room, both in cases:
        which = chosen.choice([signal.SIGINT, signal.SIGTERM])
        near, far = os.pipe()
        os.set_blocking(far, False)
        try:
            while True:
                os.write(far, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(far, True)
        if room:
            os.read(near, room)
        one = subprocess.Popen(call, stdout=far, stderr=far if both else subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        os.close(far)
        if listens:
            send_words(one)
        what = f"{' '.join(command)}: {which.name} while nobody reads its output{' and error' if both else ''}, with room for {room}"
        if listens:
            wait_until_full(near)
        settle(one)
        has_ended = one.poll() is not None  # a little output fits
        one.send_signal(which)
        try:
            code = one.wait(LIMIT)
            if code not in (128 + which, -which) and not (room and has_ended and code == 0):
                problems.append(f"{what}: exit code {code}")
        except subprocess.TimeoutExpired:
            problems.append(f"{what} is not answered")
            one.kill()
            one.wait()
        os.close(near)
        if one.stderr:
            one.stderr.close()
        if os.listdir("tmp"):
            problems.append(f"{what}: left behind {os.listdir('tmp')}")
for problem in problems[:20]:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
END
[ $failures = 0 ]
