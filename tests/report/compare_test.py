#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The statistics of the report, and its comparison with an earlier run. It needs only Python itself."""

import csv
import json
import pathlib
import random
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("scripts", "bench", "bench/report")]
import against  # noqa: E402
import bench  # noqa: E402
import figure  # noqa: E402
import kept  # noqa: E402
import noise  # noqa: E402
import suites  # noqa: E402


def rows(*walls, items=1000, **extra):
    return [{"items": items, "wall_ns": wall, "cpu_ns": 1, "extra": {name: values[i] for name, values in extra.items()}} for i, wall in enumerate(walls)]


def key(variant, contender):
    return variant.problem, variant.name, contender


class Statistics(unittest.TestCase):
    def test_a_spread_has_the_median_and_the_ends(self):
        spread = noise.Spread.of([5, 1, 9, 3])
        self.assertEqual((spread.median, spread.low, spread.high, spread.rounds), (4, 1, 9, 4))
        self.assertEqual(str(noise.Spread.of([1, 2, 3])), "2 [1 – 3]")

    def test_ratios_are_those_within_a_round(self):
        # The machine is half as fast in the second round, which the ratios must not show.
        self.assertEqual(noise.ratios(rows(100, 200), rows(300, 600), "items_per_s"), [3, 3])
        self.assertEqual(noise.ratios(rows(100, 200), rows(400, 800), "wall_ns_per_item"), [4, 4])
        self.assertEqual(noise.ratios(rows(1, 1, wait_us=[2, 4]), rows(1, 1, wait_us=[4, 4]), "wait_us"), [2, 1])

    def test_a_round_that_one_contender_lacks_does_not_count(self):
        self.assertEqual(noise.ratios(rows(100, 100, 100), rows(200, 400), "items_per_s"), [2, 4])

    def test_a_change_beyond_the_noise_is_told_with_its_direction(self):
        self.assertEqual(noise.verdict([10, 11, 10.5], [15, 16, 15.5]), noise.BETTER)
        self.assertEqual(noise.verdict([15, 16, 15.5], [10, 11, 10.5]), noise.WORSE)

    def test_ranges_that_overlap_are_the_same(self):
        self.assertEqual(noise.verdict([10, 11, 14], [13, 15, 16]), noise.SAME)
        self.assertEqual(noise.verdict([10, 11, 14], [14, 20, 21]), noise.SAME)

    def test_a_change_smaller_than_the_range_of_a_run_is_the_same(self):
        self.assertEqual(noise.verdict([10, 14, 15], [15.5, 16, 16.5]), noise.SAME)

    def test_few_rounds_and_values_without_a_ratio_tell_nothing(self):
        self.assertEqual(noise.verdict([10, 10], [20, 20, 20]), noise.UNKNOWN)
        self.assertEqual(noise.verdict([10, 10, 10], [20]), noise.UNKNOWN)
        self.assertEqual(noise.verdict([0, 10, 10], [20, 20, 20]), noise.UNKNOWN)

    def test_equal_runs_seldom_differ_and_real_changes_are_found(self):
        numbers = random.Random(28)

        def found(rounds, change, spread=0.05):
            tries = 2000
            runs = ([[numbers.lognormvariate(0, spread) * times for _ in range(rounds)] for times in (1, change)] for _ in range(tries))
            return sum(noise.verdict(old, new) != noise.SAME for old, new in runs) / tries

        self.assertLess(found(3, 1), 0.08)
        self.assertLess(found(5, 1), 0.004)
        # Of twice a run's usual range, almost all; a third of the noise, almost none.
        self.assertGreater(found(5, 1.35), 0.98)
        self.assertLess(found(5, 1.02), 0.02)


class Comparison(unittest.TestCase):
    """Two made runs. Of the farm, weir is half as fast as before beside its rival; all else, and the speed of the machine, only seems to have changed."""

    FARM = suites.Variant("farm", "4 workers", [suites.Contender("weir"), suites.Contender("mutex_queue")], [])
    ALONE = suites.Variant("idle", "16 nodes", [suites.Contender("weir")], [], rank="idle_cores")
    LOOP = suites.Variant("farm", "a loop", [suites.Contender("sequential"), suites.Contender("weir")], [], base="sequential")

    def write(self, name, walls, mode="full"):
        """@param walls by variant and contender, of each round"""
        folder = pathlib.Path(self.scratch.name) / name
        folder.mkdir()
        with (folder / "f1-3.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(bench.COLUMNS)
            for (problem, variant, contender), values in walls.items():
                for i, value in enumerate(values):
                    table.writerow(["core", problem, variant, contender, i + 1, 1000, value, value, json.dumps({"idle_cores": value / 1e6})])
        (folder / against.ABOUT).write_text(json.dumps({"mode": mode, "machine": {"processor": "of then"}, "figures": {"f1-3": {}, "f1-4": {}}}), encoding="utf-8")
        return folder

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        old = {key(self.FARM, "weir"): [100, 104, 102], key(self.FARM, "mutex_queue"): [400, 416, 408], key(self.ALONE, "weir"): [50, 51, 52],
               key(self.LOOP, "sequential"): [200, 204, 202], key(self.LOOP, "weir"): [100, 103, 101]}
        # This machine is a third slower.
        new = {of: [round(value * 1.5) for value in values] for of, values in old.items()}
        new[key(self.FARM, "weir")] = [value * 2 for value in new[key(self.FARM, "weir")]]
        new[key(self.ALONE, "weir")] = [25, 26, 27]
        self.old, self.new = self.write("old", old), self.write("new", new)

    def changes(self, old, new):
        read = kept.read(new / "f1-3.csv")
        return {change.what: change for change in
                against.changes([(variant, read[variant.problem, variant.name]) for variant in (self.FARM, self.ALONE, self.LOOP)], against.Earlier.read(old).rows["f1-3"])}

    def test_what_really_changed_is_marked_and_nothing_else(self):
        found = self.changes(self.old, self.new)
        self.assertEqual({what: change.verdict for what, change in found.items()},
                         {"farm: 4 workers: weir : mutex_queue": noise.WORSE, "idle: 16 nodes: weir, idle_cores": noise.BETTER, "farm: a loop: weir : sequential": noise.SAME})
        self.assertAlmostEqual(found["farm: 4 workers: weir : mutex_queue"].percent, -50, delta=1)
        self.assertIn("4, now 2 (-50 %): slower", against.in_words(found["farm: 4 workers: weir : mutex_queue"]))

    def test_a_run_beside_itself_has_not_changed(self):
        self.assertEqual({change.verdict for change in self.changes(self.old, self.old).values()}, {noise.SAME})

    def test_a_figure_without_rows_then_is_not_compared(self):
        self.assertNotIn("f1-4", against.Earlier.read(self.old).rows)
        self.assertEqual(against.changes([(self.FARM, {"weir": rows(1, 1, 1)})], {}), [])

    def test_another_mode_is_refused_and_another_machine_named(self):
        earlier = against.Earlier.read(self.old)
        self.assertEqual(earlier.refusal("full"), "")
        self.assertIn("was full, and this one is quick", earlier.refusal("quick"))
        self.assertEqual(against.machine_changed(earlier.about, {"processor": "of now", "date": "today"}), ["processor: of then then, of now now"])

    def test_a_folder_without_a_report_is_refused(self):
        for content in (None, "nonsense", "{}", "[]"):
            folder = pathlib.Path(self.scratch.name) / f"of {content}"
            folder.mkdir()
            if content is not None:
                (folder / against.ABOUT).write_text(content, encoding="utf-8")
            with self.assertRaisesRegex(against.NoReport, "has no report of bench.sh all"):
                against.Earlier.read(folder)


class Figures(unittest.TestCase):
    def test_rows_are_found_by_problem_name_and_arguments(self):
        part = figure.Part("grain", quick=lambda variant: variant.arguments["workers"] == 2, quick_scale=0.5, contenders=("weir", "sequential"), quick_arguments=lambda variant: {"work": 7})
        made = figure.Figure("x-1", "X", "1", "", "", (part,), "", None, None)
        quick = list(part.variants(quick=True))
        self.assertEqual({(variant.arguments["workers"], variant.arguments["work"]) for variant in quick}, {(2, 7)})
        self.assertEqual([contender.name for contender in quick[0].contenders], ["weir", "sequential"])
        read = {(variant.problem, variant.name): {"weir": rows(1)} for variant in quick[:1]}
        found = figure.Rows(made, read)
        self.assertEqual(len(found.of("farm", work=500, workers=2)), 1)
        self.assertEqual(found.of("farm", work=5000), [])
        self.assertEqual(found.of("farm", "50 us"), [])

    def test_each_variant_of_the_suites_has_a_folder_of_programs(self):
        for name, variants in suites.SUITES.items():
            for variant in variants():
                self.assertTrue((ROOT / "bench" / (variant.folder or variant.problem)).is_dir(), f"{name}: {variant.name}")
                self.assertRegex(variant.hosts, r"^(\d+( --rate \w+)?( --congestion \w+)?)?$", f"{name}: {variant.name}")

    def test_a_ratio_needs_both_contenders(self):
        both = {"weir": rows(100), "other": rows(200)}
        self.assertEqual(figure.beside(both, "weir", "other", "items_per_s", "text", "3 x")[0].spread.median, 2)
        self.assertEqual(figure.beside({"weir": rows(100)}, "weir", "other", "items_per_s", "text"), [])


if __name__ == "__main__":
    unittest.main()
