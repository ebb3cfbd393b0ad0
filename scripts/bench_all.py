#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Repeats the figures of the papers F1, F2, S and M with programs that are
already built, and writes one report, build/report/index.html.

scripts/bench.sh all builds the programs. weir and its rivals take turns. The
page is written again after each figure, and so is there if the run is
interrupted. Rows go to one CSV file a figure beside the page.

Exit codes:
  0    success; it never depends on a time
  1    a program is missing, fails, hangs, or computes a wrong result; the
       report shows it in its place
  2    wrong usage
  130  interrupted; the report has the figures until then
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shlex
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("scripts", "bench", "bench/report", "docs/pictures")]
import against  # noqa: E402
import bench  # noqa: E402
import experiment  # noqa: E402
import external_sort  # noqa: E402
import fastflow_2010  # noqa: E402
import fastflow_2022  # noqa: E402
import kept  # noqa: E402
import machine  # noqa: E402
import mpistream_2015  # noqa: E402

FIGURES = [figure for paper in (fastflow_2010, fastflow_2022, external_sort, mpistream_2015) for figure in paper.FIGURES]
# --quick ends within this, in seconds; the end of the last run and the page need the rest.
QUICK_LIMIT, QUICK_RUNS = 600, 540
ROUNDS = {"full": 5, "quick": 5, "smoke": 1}


def arguments():
    parser = bench.one_line_parser(prog="bench.sh all", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look-at-call", action="store_true", help=argparse.SUPPRESS)  # end if the call makes sense
    parser.add_argument("--quick", action="store_true", help="less work, to end within 10 minutes (the build not included)")
    parser.add_argument("--smoke", action="store_true", help="only check results, with tiny inputs; the figures mean nothing")
    parser.add_argument("--only", default="", metavar="FIGURE,...", help=f"these figures: {', '.join(figure.key for figure in FIGURES)}")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="runs of each contender (default: 5; with --quick fewer if time is short)")
    parser.add_argument("--against", type=pathlib.Path, metavar="FOLDER", help="compare with the report in this folder")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "report", metavar="FOLDER", help="where the report goes (default: build/report)")
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build" / "bench", metavar="DIR", help="the build (default: build/bench)")
    given = parser.parse_args()
    if given.quick and given.smoke:
        parser.error("--quick and --smoke exclude each other")
    if given.rounds < 0 or (given.rounds == 0 and any(word.startswith("--rounds") for word in sys.argv)):
        parser.error("--rounds must be at least 1")
    wanted = list(filter(None, given.only.split(",")))
    unknown = [key for key in wanted if key not in {figure.key for figure in FIGURES}]
    if unknown:
        parser.error(f"no such figure: {', '.join(unknown)}; there are {', '.join(figure.key for figure in FIGURES)}")
    given.wanted = wanted or [figure.key for figure in FIGURES]
    given.mode = "smoke" if given.smoke else "quick" if given.quick else "full"
    given.rounds = given.rounds or ROUNDS[given.mode]
    given.earlier = None
    if given.against:
        try:
            # At once: it may be the folder that this run writes to.
            given.earlier = against.Earlier.read(given.against)
        except against.NoReport as why:
            parser.error(str(why))
    return given


class Report:
    """The figures of one run, and the page about them."""

    def __init__(self, given):
        self.given = given
        self.start = time.monotonic()
        self.machine = machine.described(given.build_dir)
        self.outcomes = {figure.key: experiment.Outcome(left_out=[] if figure.key in given.wanted else ["--only left it out"]) for figure in FIGURES}
        self.entries = {}
        self.state = "partial"
        words = [word for word in sys.argv[1:] if not word.startswith("--build-dir")]
        self.command = shlex.join(["scripts/bench.sh", "all", *words])

    def run(self):
        settings = argparse.Namespace(build_dir=self.given.build_dir, smoke=self.given.smoke, quick=self.given.mode != "full", rounds=self.given.rounds)
        chosen = [figure for figure in FIGURES if figure.key in self.given.wanted]
        self.write()
        for i, figure in enumerate(chosen):
            seconds = None
            if self.given.quick:
                # Time that one figure leaves goes to those after it.
                weight = figure.quick_seconds / sum(each.quick_seconds for each in chosen[i:])
                seconds = (QUICK_RUNS - (time.monotonic() - self.start)) * weight
            print(f"{figure.key}: {figure.title}" + (f", at most {seconds:.0f} s" if seconds is not None else ""), flush=True)
            work = experiment.Run(figure, settings, self.path(figure), seconds)
            self.outcomes[figure.key] = work.outcome
            try:
                work.run()
            finally:
                self.entries.pop(figure.key, None)
                self.tell(figure)
            self.write()
        self.state = "failed" if any(each.failures for each in self.outcomes.values()) else "done"

    def tell(self, figure):
        outcome = self.outcomes[figure.key]
        entry = self.entry(figure)
        for ratio in entry.ratios[:3]:
            print(f"  {bench.number(ratio.spread.median)}{' ' + ratio.unit if ratio.unit else ''}  {ratio.text}" + (f"; published: {ratio.published}" if ratio.published else ""))
        for change in entry.changes:
            if change.verdict in ("faster", "slower"):
                print(f"  {against.in_words(change)}")
        for failure in outcome.failures:
            print(f"  FAILED: {failure}", file=sys.stderr)
        print(f"  {outcome.state} after {outcome.seconds:.0f} s" + (f"; {len(outcome.left_out)} left out" if outcome.left_out else ""), flush=True)

    def path(self, figure):
        return self.given.output / f"{figure.key}.csv"

    def entry(self, figure):
        if figure.key not in self.entries:
            import page
            outcome = self.outcomes[figure.key]
            read = kept.read(self.path(figure)) if outcome.state != "not run" else {}
            earlier = self.given.earlier
            can_compare = earlier and not earlier.refusal(self.given.mode)
            self.entries[figure.key] = page.entry(figure, outcome, read, earlier.rows.get(figure.key, {}) if can_compare else None)
        return self.entries[figure.key]

    def comparison(self, entries):
        earlier = self.given.earlier
        if earlier is None:
            return None
        changes = [change.verdict for entry in entries for change in entry.changes]
        import page
        return {"date": earlier.about.get("machine", {}).get("date", "an unknown date"), "refusal": earlier.refusal(self.given.mode),
                "machine": against.machine_changed(earlier.about, self.machine), "counts": {mark: changes.count(mark) for mark in page.MARKS}}

    def tell_comparison(self):
        compared = self.comparison(self.entries.values())
        if compared is None:
            return
        counts = ", ".join(f"{count} {mark}" for mark, count in compared["counts"].items())
        print(f"beside the run of {compared['date']}: " + (compared["refusal"] or counts))

    def write(self):
        """The page and what is known about the run, each complete or not at all."""
        import page
        entries = [self.entry(figure) for figure in FIGURES]
        seconds = time.monotonic() - self.start
        about = {"mode": self.given.mode, "state": self.state, "command": self.command, "seconds": round(seconds, 1), "rounds": self.given.rounds, "machine": self.machine,
                 "figures": {key: dataclasses.asdict(outcome) for key, outcome in self.outcomes.items()}}
        text = page.made(entries=entries, machine=self.machine, mode=self.given.mode, state=self.state, seconds=seconds, command=self.command, limit=QUICK_LIMIT, compared=self.comparison(entries))
        for name, content in ((against.ABOUT, json.dumps(about, indent=1) + "\n"), ("index.html", text)):
            part = self.given.output / f".{name}"
            part.write_text(content, encoding="utf-8")
            part.replace(self.given.output / name)


def ended(number, _):
    raise KeyboardInterrupt


def main():
    given = arguments()
    if given.look_at_call:
        return 0
    given.output.mkdir(parents=True, exist_ok=True)
    for figure in FIGURES:
        # Rows of an earlier run are not this one's.
        (given.output / f"{figure.key}.csv").unlink(missing_ok=True)
    try:
        import page  # noqa: F401
    except ModuleNotFoundError as missing:
        print(f"bench.sh all: Python's {missing.name} is not installed; run scripts/setup.sh bench", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, ended)
    report = Report(given)
    code = 0
    try:
        report.run()
        code = 1 if report.state == "failed" else 0
    except KeyboardInterrupt:
        code = 130
        print("bench.sh all: interrupted; the report has the figures until here", file=sys.stderr)
    report.write()
    report.tell_comparison()
    print(f"{report.state} after {time.monotonic() - report.start:.0f} s: {os.path.relpath(given.output / 'index.html')}")
    return code


if __name__ == "__main__":
    sys.exit(main())
