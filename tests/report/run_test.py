#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench_all.py with figures of its own, whose programs fail, hang, and change their speed; and the page of the kept rows.

It needs what `scripts/setup.sh bench` installs. With the word `drive` first it is bench_all.py with these figures."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("scripts", "tests/report")]
import bench_all  # noqa: E402
import check_page  # noqa: E402
import experiment  # noqa: E402
import figure  # noqa: E402
import kept  # noqa: E402
import noise  # noqa: E402
import page  # noqa: E402
import suites  # noqa: E402

# A program of a benchmark: it takes as many nanoseconds as the file beside it says.
PROGRAM = """#!/bin/sh
echo "{\\"items\\": 1000, \\"wall_ns\\": $(cat "$0.ns"), \\"cpu_ns\\": 1, \\"extra\\": {\\"result\\": 7}}"
"""
FAILS = "#!/bin/sh\necho 'no such <file>' >&2\nexit 3\n"
WRONG = PROGRAM.replace("7", "8")
# It has a child of its own, which must end with it.
HANGS = """#!/bin/sh
sleep 1000 &
echo $! >"$0.pid"
wait
"""
LEAST, LONGEST = 0.02, 60  # seconds between two looks, and of a whole test


def figures():
    def made(key, problem):
        def rows(found):
            return [contenders for _, contenders in found.of(problem)]

        def ratios(found):
            return [ratio for contenders in rows(found) for ratio in figure.beside(contenders, "weir", "rival", "items_per_s", "weir : rival", "2 x")]

        def panels(found):
            for contenders in rows(found):
                yield figure.Panel("Speed", "", "items/s", [figure.Series("here", "ours", [(name, noise.Spread.of(noise.measured(each, "items_per_s"))) for name, each in contenders.items()])], bars=True)

        return figure.Figure(key, "F1", key[3:], f"Of {problem}", "Two programs take turns.", (figure.Part("made", lambda variant: variant.problem == problem),), "2 x.", ratios, panels, quick_seconds=10)

    return [made("f1-3", "first"), made("f1-4", "second"), made("f1-5", "third")]


def drive():
    contenders = [suites.Contender("weir"), suites.Contender("rival")]
    suites.SUITES["made"] = lambda: [suites.Variant(problem, "a variant", contenders, []) for problem in ("first", "second", "third")]
    suites.SCRATCH.add("made")
    bench_all.FIGURES[:] = figures()
    bench_all.QUICK_RUNS, experiment.GRACE = 9, 0.2
    sys.exit(bench_all.main())


class Run(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.report = self.folder / "report"
        (self.folder / "bench").mkdir()
        for problem in ("first", "second", "third"):
            for name, ns in (("weir", 1000), ("rival", 2000)):
                self.program(problem, name, PROGRAM, ns)

    def program(self, problem, name, text, ns=1000):
        path = self.folder / "bench" / f"bench_{problem}_{name}"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        path.with_name(path.name + ".ns").write_text(str(ns), encoding="utf-8")
        return path

    def words(self, *options):
        return [sys.executable, __file__, "drive", "--build-dir", str(self.folder), "--output", str(self.report), *options]

    def run_it(self, *options):
        return subprocess.run(self.words(*options), capture_output=True, text=True, timeout=LONGEST, check=False)

    def about(self):
        return json.loads((self.report / "report.json").read_text(encoding="utf-8"))

    def states(self):
        return {key: of_it["state"] for key, of_it in self.about()["figures"].items()}

    def entry(self, key):
        page_of_it = xml.etree.ElementTree.fromstring((self.report / "index.html").read_text(encoding="utf-8").removeprefix("<!DOCTYPE html>"))
        return check_page.words_of(next(each for each in page_of_it.iter("section") if each.get("id") == key))

    def test_all_figures_run_and_stand_in_the_page(self):
        done = self.run_it("--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.states(), {"f1-3": "done", "f1-4": "done", "f1-5": "done"})
        self.assertIn("2 x weir : rival; published: 2 x", " ".join(done.stdout.split()))
        self.assertIn("2 x [2 – 2] weir : rivalpublished: 2 x", self.entry("f1-4"))
        rows = kept.read(self.report / "f1-4.csv")["second", "a variant"]
        self.assertEqual({name: len(of_it) for name, of_it in rows.items()}, {"weir": 3, "rival": 3})
        about = self.about()
        self.assertEqual((about["mode"], about["state"]), ("full", "done"))
        self.assertIn("processor", about["machine"])

    def test_a_program_that_fails_is_shown_and_the_others_go_on(self):
        self.program("second", "weir", FAILS)
        self.program("third", "rival", WRONG)
        done = self.run_it("--rounds", "2")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.states(), {"f1-3": "done", "f1-4": "failed", "f1-5": "failed"})
        self.assertIn("exit code 3: no such <file>", self.entry("f1-4"))
        self.assertIn("its result is 8, and not 7 as before", self.entry("f1-5"))
        self.assertIn("FAILED", done.stderr)

    def test_a_program_that_is_missing_fails(self):
        (self.folder / "bench" / "bench_second_rival").unlink()
        self.assertEqual(self.run_it("--rounds", "1").returncode, 1)
        self.assertIn("is not built", self.entry("f1-4"))

    def test_an_interrupted_run_leaves_what_it_has(self):
        self.interrupted_by(signal.SIGINT)

    def test_so_does_one_that_is_terminated(self):
        self.interrupted_by(signal.SIGTERM)

    def interrupted_by(self, number):
        hangs = self.program("second", "rival", HANGS)
        pid = hangs.with_name(hangs.name + ".pid")
        with subprocess.Popen(self.words("--rounds", "2"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
            end = time.monotonic() + LONGEST
            while not (pid.exists() and pid.read_text(encoding="utf-8").strip()) and time.monotonic() < end:
                time.sleep(LEAST)
            running.send_signal(number)
            _, said = running.communicate(timeout=LONGEST)
        self.assertEqual(running.returncode, 130)
        self.assertIn("interrupted", said)
        self.assertNotIn("Traceback", said)
        self.assertEqual(self.states(), {"f1-3": "done", "f1-4": "partial", "f1-5": "not run"})
        self.assertEqual(self.about()["state"], "partial")
        self.assertIn("Not run: this run did not reach it.", self.entry("f1-5"))
        self.assertIn("This run was interrupted", (self.report / "index.html").read_text(encoding="utf-8"))
        self.ended(int(pid.read_text(encoding="utf-8")))

    def ended(self, pid):
        """Waits until a process of a program is gone, or only its exit code is left."""
        end = time.monotonic() + LONGEST
        stat = pathlib.Path(f"/proc/{pid}/stat")
        while time.monotonic() < end:
            try:
                if stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                    return
            except OSError:
                return
            time.sleep(LEAST)
        self.fail(f"process {pid} goes on")

    def test_quick_ends_in_time_whatever_hangs(self):
        pids = [hangs.with_name(hangs.name + ".pid") for hangs in (self.program("second", "weir", HANGS), self.program("third", "rival", HANGS))]
        start = time.monotonic()
        done = self.run_it("--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.states(), {"f1-3": "done", "f1-4": "not run", "f1-5": "partial"})
        self.assertIn("the time of this figure was over", self.entry("f1-4"))
        self.assertLess(time.monotonic() - start, LONGEST)
        for pid in pids:
            self.ended(int(pid.read_text(encoding="utf-8")))

    def test_a_run_beside_itself_and_beside_a_faster_one(self):
        self.assertEqual(self.run_it("--rounds", "3").returncode, 0)
        self.program("second", "weir", PROGRAM, 3000)
        done = self.run_it("--rounds", "3", "--against", str(self.report))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("second: a variant: weir : rival: 2, now 0.667 (-67 %): slower", done.stdout)
        self.assertIn("0 faster, 1 slower, 2 same, 0 unknown", done.stdout)
        self.assertIn("▼ slower (-67 %)", self.entry("f1-4"))
        self.assertIn("same (+0 %)", self.entry("f1-3"))

    def test_a_run_of_another_mode_is_not_compared(self):
        self.assertEqual(self.run_it("--rounds", "3").returncode, 0)
        self.assertEqual(self.run_it("--quick", "--against", str(self.report)).returncode, 0)
        self.assertIn("Not compared: the earlier run was full, and this one is quick", (self.report / "index.html").read_text(encoding="utf-8"))

    def test_figures_that_are_not_wanted_say_so(self):
        self.assertEqual(self.run_it("--rounds", "1", "--only", "f1-4").returncode, 0)
        self.assertEqual(self.states(), {"f1-3": "not run", "f1-4": "done", "f1-5": "not run"})
        self.assertIn("Not run: --only left it out.", self.entry("f1-3"))


class Page(unittest.TestCase):
    def made(self, with_rows):
        rows_of, entries = kept.Kept(), []
        for each in bench_all.FIGURES:
            read = {}
            for part in each.parts:
                for variant in part.variants(quick=False):
                    found = rows_of.newest(variant.problem, variant.name, variant.base)[1] if with_rows else {}
                    if found:
                        read[variant.problem, variant.name] = found
            outcome = experiment.Outcome(state="done" if read else "not run", left_out=[] if read else ["there is no row"])
            entries.append(page.entry(each, outcome, read, earlier=read))
        return page.made(entries=entries, machine={"date": "today"}, mode="full", state="done", seconds=1, command="scripts/bench.sh all", limit=600, compared=None)

    def test_the_page_of_the_kept_rows_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            for each in bench_all.FIGURES:
                (pathlib.Path(folder) / f"{each.key}.csv").touch()
            text = self.made(with_rows=True)
            self.assertEqual(check_page.faults(text, pathlib.Path(folder)), [])
            self.assertGreater(text.count("<svg"), 20)
            for fault, wrong in [("well-formed", text.replace("</section>", "", 1)), ("stands twice", text.replace('id="f1-4"', 'id="f1-3"')), ("no entry for f1-4", text.replace('id="f1-4"', 'id="f1-9"')),
                                 ("element <script>", text.replace("</body>", "<script>0</script></body>")), ("refers to 'https", text.replace("f1-3.csv", "https://example.org/a.csv", 1)),
                                 ("style loads", text.replace("<style>", "<style>@import 'a.css';")), ("neither rows nor a reason", text.replace("there is no row", ""))]:
                self.assertTrue(any(fault in each for each in check_page.faults(wrong, pathlib.Path(folder))), fault)

    def test_a_page_without_rows_has_the_reasons(self):
        self.assertEqual(check_page.faults(self.made(with_rows=False), pathlib.Path("/nonexistent")), [])

    def test_each_figure_of_the_papers_is_there(self):
        self.assertEqual([each.key for each in bench_all.FIGURES], check_page.WANTED)
        for each in bench_all.FIGURES:
            self.assertTrue(each.published and each.measured.endswith("."), each.key)
            self.assertTrue([variant for part in each.parts for variant in part.variants(quick=True)], f"--quick has nothing of {each.key}")
            for part in each.parts:
                for variant in part.variants(quick=True):
                    self.assertTrue(variant.contenders, f"{each.key}: {variant.name}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["drive"]:
        del sys.argv[1]
        drive()
    unittest.main()
