#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a suite of benchmark programs that are already built, and compares them.

scripts/bench.sh builds the programs. The contenders of a variant take turns
(A B C A B C ...), so that a slow phase of the machine affects all of them. The
table shows medians; ratios are medians of the ratios within a round. Raw rows
go to bench/results/<date>-<suite>.csv. A suite with a picture draws it to
docs/pictures/<suite>.svg, or beside the file of --output. `bench.sh all` is no
suite: it repeats the figures of papers, and has a --help of its own.

Exit codes:
  0  success; it never depends on a time
  1  a program is missing, fails, hangs, or computes a wrong result, or the
     picture can't be drawn
  2  wrong usage
"""

import argparse
import contextlib
import csv
import datetime
import json
import os
import pathlib
import statistics
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import suites  # noqa: E402

COLUMNS = ["suite", "problem", "variant", "contender", "round", "items", "wall_ns", "cpu_ns", "extra"]
# Seconds that a program gets to end its own processes before it is killed.
ENDS_WITHIN = 2


class Failure(Exception):
    pass


class LeftOut(Exception):
    """A contender that can't be here, in words why."""


def ended(command, timeout):
    """Runs a command to its end, as subprocess.run does. What it has started ends with it if the time is over, or this program is interrupted."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
        except BaseException:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(ENDS_WITHIN)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def run(variant, contender, given):
    """One run of one program; the row it printed."""
    folder = given.no_counters_dir if contender.build == "no-counters" else given.build_dir
    where = variant.folder or variant.problem
    if contender.script:
        program = ROOT / "bench" / where / contender.script
    else:
        program = folder / "bench" / f"bench_{where}_{contender.program or contender.name}"
    arguments = {**variant.arguments, **contender.arguments}
    if given.smoke:
        arguments.update(variant.smoke)
    elif "items" in arguments:
        arguments["items"] = max(1, round(arguments["items"] * given.scale))
    arguments.update((name, value) for name, value in given.set if name in arguments)
    command = [str(program)]
    for name, value in arguments.items():
        value = str(value).replace("{bin}", str(folder / "bin")).replace("{bench}", str(folder / "bench"))
        command += [f"--{name}", value.replace("{memory}", given.memory).replace("{disk}", given.disk)]
    if not program.exists():
        raise Failure(f"{program} is not built")
    try:
        done = ended(command, given.timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(command)}: still running after {given.timeout:g} s") from None
    if contender.script and done.returncode == suites.LEFT_OUT:
        raise LeftOut(done.stderr.strip())
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    try:
        row = json.loads(done.stdout)
        row["items"], row["wall_ns"], row["cpu_ns"], row["extra"]  # noqa: B018
        return row
    except (ValueError, KeyError, TypeError):
        raise Failure(f"{' '.join(command)}: printed no result line: {done.stdout.strip()!r}") from None


@contextlib.contextmanager
def hosts(wanted):
    """Makes the hosts that a variant needs, and removes them. @return why that can't be; empty: it could"""
    if not wanted:
        yield ""
        return
    script = ROOT / "scripts" / "cluster.sh"

    def call(*words):
        return subprocess.run([str(script), *words], capture_output=True, text=True, check=False)

    possible = call("possible")
    if possible.returncode != 0:
        yield possible.stderr.strip()
        return
    made = call("up", *wanted.split())
    if made.returncode != 0:
        yield made.stderr.strip()  # those of somebody else, which stay
        return
    try:
        yield ""
    finally:
        call("down")


@contextlib.contextmanager
def scratch(given):
    """Makes the folders of a suite that needs some, in memory and on the disk, and removes them, whatever ends the run but SIGKILL."""
    given.memory = given.disk = ""
    if given.suite not in suites.SCRATCH:
        yield
        return
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="weir-bench-", dir="/dev/shm") as given.memory, \
            tempfile.TemporaryDirectory(prefix="weir-bench-", dir=ROOT / "build") as given.disk:
        yield


def same_result(row, seen):
    """Holds what a program says of its result against what the others of its variant have said."""
    result = row["extra"].get("result")
    if result is not None and seen.setdefault("result", result) != result:
        raise Failure(f"its result is {result}, and not {seen['result']} as before")


def measured(row, measure):
    if measure == "items_per_s":
        return row["items"] / row["wall_ns"] * 1e9
    if measure == "cpu_ns_per_item":
        return row["cpu_ns"] / row["items"]
    if measure == "wall_ns_per_item":
        return row["wall_ns"] / row["items"]
    return row["extra"][measure]


def median(rows, measure):
    return statistics.median(measured(row, measure) for row in rows)


def median_ratio(rows, others, measure):
    return statistics.median(measured(a, measure) / measured(b, measure) for a, b in zip(rows, others))


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def best_of(goal, rows):
    """Whom the goal's measure is divided by: of those it names, who are here, the best, or the worst; empty: there is nobody."""
    there = [name for name in goal.over.split(",") if name in rows]
    wanted = min if suites.lower_is_better(goal.measure) != goal.worst else max
    return wanted(there, key=lambda name: median(rows[name], goal.measure), default="")


def judged(goal, rows):
    """The goal in words, the value that counts, and whether it is met (None if something did not run)."""
    limit = goal.at_most if goal.at_most is not None else goal.at_least
    sign = "<=" if goal.at_most is not None else ">="
    whose = "" if goal.of == "weir" else f"{goal.of}: "
    over = best_of(goal, rows)
    text = f"{whose}{goal.measure} {sign} {limit:g}" + (f" x {over or goal.over}" if goal.over else "")
    if goal.of not in rows or (goal.over and not over):
        return text, None, None
    if over:
        value = median_ratio(rows[goal.of], rows[over], goal.measure)
    else:
        value = median(rows[goal.of], goal.measure)
    return text, value, value <= limit if goal.at_most is not None else value >= limit


def print_variant(variant, rows):
    """The block of one variant; returns (met, missed) goals in words."""
    print(f"\n{variant.problem}: {variant.name}")
    print(f"  {'contender':<18} {'M items/s':>10} {'CPU ns/item':>12} {variant.base + ' is':>9} {'spread':>7}")
    for name, mine in rows.items():
        ratio = "-"
        if variant.base in rows:
            base = rows[variant.base]
            pair = (base, mine) if not suites.lower_is_better(variant.rank) else (mine, base)
            ratio = number(median_ratio(*pair, variant.rank)) + "x"
        ranks = [measured(row, variant.rank) for row in mine]
        middle = statistics.median(ranks)
        spread = f"{(max(ranks) - min(ranks)) / middle * 100:.0f} %" if middle else "-"
        own = "  ".join(f"{measure}={number(median(mine, measure))}" for measure in variant.show)
        rate = number(median(mine, "items_per_s") / 1e6)
        cpu = number(median(mine, "cpu_ns_per_item"))
        print(f"  {name:<18} {rate:>10} {cpu:>12} {ratio:>9} {spread:>7}  {own}".rstrip())
    outcomes = []
    for goal in variant.goals:
        text, value, met = judged(goal, rows)
        outcome = "not measured" if met is None else "met" if met else "MISSED"
        print(f"  goal {text}: {number(value)}, {outcome}")
        outcomes.append((met, f"{variant.problem}: {variant.name}: {text}, is {number(value)}"))
    return outcomes


def machine():
    model = "unknown CPU"
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def results_file(suite):
    stem = f"{datetime.date.today().isoformat()}-{suite}"
    folder = ROOT / "bench" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    candidates = [folder / f"{stem}.csv", *(folder / f"{stem}-{n}.csv" for n in range(2, 1000))]
    return next(path for path in candidates if not path.exists())


def assignment(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


class one_line_parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see {self.prog.replace('bench.py', 'bench.sh')} --help\n")


def arguments():
    parser = one_line_parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", metavar="SUITE", choices=sorted(suites.SUITES), help=", ".join(sorted(suites.SUITES)))
    parser.add_argument("--look-at-call", action="store_true", help=argparse.SUPPRESS)  # end if the call makes sense
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each contender (default: 5)")
    parser.add_argument("--only", default="", metavar="PROBLEM,...", help="run these problems only")
    parser.add_argument("--contenders", default="", metavar="NAME,...", help="run these contenders only")
    parser.add_argument("--scale", type=float, default=1.0, metavar="F", help="multiply the usual number of items by F")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", type=assignment,
                        help="another value for an argument of the programs that have it")
    parser.add_argument("--smoke", action="store_true", help="run each once with few items, to check results only")
    parser.add_argument("--skip-missing", action="store_true", help="skip programs that are not built")
    parser.add_argument("--timeout", type=float, default=300, metavar="S",
                        help="seconds one run may take (default: 300)")
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build" / "release", metavar="DIR", help="the build (default: build/release)")
    parser.add_argument("--no-counters-dir", metavar="DIR", type=pathlib.Path, default=ROOT / "build" / "no-counters",
                        help="the build with -DWEIR_COUNTERS=OFF")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="the CSV file (default: bench/results/<date>-<suite>.csv)")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    return parser, given


def selected(parser, given):
    variants = suites.SUITES[given.suite]()
    problems = {variant.problem for variant in variants}
    only = set(filter(None, given.only.split(","))) or problems
    if only - problems:
        parser.error(f"no such problem: {', '.join(sorted(only - problems))}; there are {', '.join(sorted(problems))}")
    names = {contender.name for variant in variants for contender in variant.contenders}
    wanted = set(filter(None, given.contenders.split(","))) or names
    if wanted - names:
        parser.error(f"no such contender: {', '.join(sorted(wanted - names))}; there are {', '.join(sorted(names))}")
    for variant in variants:
        if variant.problem in only and not (given.smoke and variant.smoke is None):
            chosen = [c for c in variant.contenders if c.name in wanted and not (given.smoke and c.build != "main")]
            if chosen:
                yield variant, chosen


def smoke(chosen, given):
    failures = 0
    ran = 0
    for variant, contenders in chosen:
        seen = {}
        with hosts(variant.hosts) as impossible:
            if impossible:
                print(f"left out {variant.problem}: {variant.name}: {impossible}")
                continue
            for contender in contenders:
                try:
                    same_result(run(variant, contender, given), seen)
                    ran += 1
                except LeftOut as why:
                    print(f"left out {variant.problem}: {variant.name}: {contender.name}: {why}")
                except Failure as failure:
                    if given.skip_missing and str(failure).endswith("is not built"):
                        continue
                    failures += 1
                    print(f"FAILED {variant.problem}: {variant.name}: {contender.name}: {failure}", file=sys.stderr)
    print(f"{ran} benchmark runs gave the right result, {failures} did not")
    return 1 if failures or ran == 0 else 0


def rounds_of(variant, contenders, given, table, failures):
    """Lets the contenders take turns. @return the rows of each"""
    rows = {contender.name: [] for contender in contenders}
    seen = {}
    for turn in range(1, given.rounds + 1):
        for contender in contenders:
            if contender.name not in rows:
                continue
            try:
                row = run(variant, contender, given)
                same_result(row, seen)
            except LeftOut as why:
                del rows[contender.name]
                print(f"left out {variant.problem}: {variant.name}: {contender.name}: {why}")
                continue
            except Failure as failure:
                # Out of the comparison from here on, so that the rounds of the others stay pairs.
                del rows[contender.name]
                if not (given.skip_missing and str(failure).endswith("is not built")):
                    failures.append(f"{variant.problem}: {variant.name}: {contender.name}: {failure}")
                    print(f"FAILED {failures[-1]}", file=sys.stderr)
                continue
            rows[contender.name].append(row)
            table.writerow([given.suite, variant.problem, variant.name, contender.name, turn, row["items"],
                            row["wall_ns"], row["cpu_ns"], json.dumps(row["extra"], separators=(",", ":"))])
    return rows


def draw(rows, chosen, given):
    """Draws the rows that there is a picture of. @return whether that went well"""
    name, problem = suites.PICTURES.get(given.suite, ("", ""))
    if all(variant.problem != problem for variant, _ in chosen):
        return True
    script = ROOT / name
    picture = (given.output or script).with_suffix(".svg")
    print(flush=True)
    try:
        subprocess.run([script, rows, picture], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"FAILED: the rows are not drawn: {error}", file=sys.stderr)
        return False
    print(f"drawn: {os.path.relpath(picture)}")
    return True


def compare(chosen, given):
    path = given.output or results_file(given.suite)
    failures = []
    outcomes = []
    print(f"{given.suite}: {given.rounds} rounds on {machine()}; load average {os.getloadavg()[0]:.2f} at the start")
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for variant, contenders in chosen:
            with hosts(variant.hosts) as impossible:
                rows = {} if impossible else rounds_of(variant, contenders, given, table, failures)
            if impossible:
                print(f"\nleft out {variant.problem}: {variant.name}: {impossible}")
            if rows:
                outcomes += print_variant(variant, rows)
                sys.stdout.flush()
    met = sum(1 for outcome, _ in outcomes if outcome)
    print(f"\n{met} of {len(outcomes)} goals met; raw rows in {os.path.relpath(path)}")
    for outcome, text in outcomes:
        if not outcome:
            print(f"  {'not measured' if outcome is None else 'missed'}: {text}")
    for failure in failures:
        print(f"  FAILED: {failure}")
    sys.stdout.flush()
    drawn = draw(path, chosen, given)
    return 1 if failures or not drawn else 0


def main():
    parser, given = arguments()
    chosen = list(selected(parser, given))
    if given.look_at_call:
        return 0
    with scratch(given):
        return smoke(chosen, given) if given.smoke else compare(chosen, given)


if __name__ == "__main__":
    sys.exit(main())
