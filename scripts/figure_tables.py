# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The tables that documentation has of kept rows: figures of benchmarks beside those of their rivals, and goals, met or not."""

import pathlib
import re
import statistics
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "bench")]
import bench  # noqa: E402
import kept  # noqa: E402
import suites  # noqa: E402

# ---- figures in words ----

SCALES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MB/s": 1e6, "GB/s": 1e9, "k/s": 1e3, "M/s": 1e6, "G/s": 1e9,
          "tweets/s": 1, "bytes": 1, "GCUPS": 1, "Gflop/s": 1, "x": 1, "times": 1, "%": 0.01, "": 1}
UNIT_WORDS = {"mb": "MB", "gb": "GB", "kib": "KiB", "gcups": "GCUPS", "gflops": "Gflop/s"}
TIMES = ("ns", "us", "ms", "s")


def parts(measure):
    """@return the words before the unit, the unit, those after it; 'cpu' counts as neither, and goes before the unit"""
    words = measure.split("_")
    if words[-2:] == ["per", "s"] and len(words) > 2:
        rate = " ".join(words[:-2])
        return [], {"gb": "GB/s", "MB": "MB/s", "cpu gb": "GB/s", "items": "/s", "tweets": "tweets/s"}.get(rate, rate + "/s"), ["of CPU time"] if "cpu" in words else []
    for at, word in enumerate(words):
        if word in TIMES or word in UNIT_WORDS:
            before = [each for each in words[:at] if each not in ("wall", "cpu")]
            after = words[at + 1:]
            if after[:1] != ["per"]:
                before, after = before + after, []
            return before, ("CPU " if "cpu" in words and word in TIMES else "") + UNIT_WORDS.get(word, word), [] if after == ["per", "item"] else \
                ["of CPU time"] if "cpu" in words and word not in TIMES else after
        if word == "bytes" and words[0] != "text":
            return [], "bytes", words[at + 1:]
    return (["text"], "bytes", []) if measure == "text_bytes" else (words, "", [])


def in_units(value, unit):
    """@return the value in the unit of its kind that reads best, and that unit"""
    cpu = "CPU " if unit.startswith("CPU ") else ""
    unit = unit.removeprefix("CPU ")
    for kind in (TIMES, ("/s", "k/s", "M/s", "G/s"), ("MB/s", "GB/s")):
        if unit in kind:
            base = value * SCALES.get(unit, 1)
            unit = next((each for each in reversed(kind) if abs(base) >= 0.9995 * SCALES.get(each, 1)), kind[0])
            return base / SCALES.get(unit, 1), cpu + unit
    return value, cpu + unit


def said(measure, value, named=True):
    """A measure and its value in words. Its name is left out where it is the one that a table is about."""
    before, unit, after = parts(measure)
    value, unit = in_units(value, unit)
    named = named or not unit
    number = f"{float(f'{value:.3g}'):,.0f}".replace(",", " ") if abs(value) >= 10_000 else bench.number(value)
    if unit == "/s":
        number, unit = number + "/s", ""
    return " ".join([*(before if named else []), number, *([unit] if unit else []), *after])


# ---- tables of rows ----


def table(heads, lines):
    return "\n".join("| " + " | ".join(line) + " |" if line[0] != "---" else "|---" * len(heads) + "|" for line in [heads, ["---"], *lines])


STANDARD = ("items_per_s", "cpu_ns_per_item", "wall_ns_per_item")


def has(rows, measure):
    return measure in STANDARD or measure in rows[0]["extra"]


def cell(variant, rows, name, wanted):
    """The measures of a contender of a variant, and their ratio to the base."""
    if name not in rows:
        return ""
    mine = rows[name]
    measures = wanted or [variant.rank, *(["cpu_ns_per_item"] if variant.rank == "items_per_s" else []), *variant.show]
    shown = [each for each in dict.fromkeys(measures) if (each in (*STANDARD, variant.rank, *variant.show)) and has(mine, each)]
    text = ", ".join(said(measure, bench.median(mine, measure), at > 0 or measure != variant.rank) for at, measure in enumerate(shown))
    if name != variant.base:
        pair = (rows[variant.base], mine) if (variant.base == "weir") != suites.lower_is_better(variant.rank) else (mine, rows[variant.base])
        return f"{text} ({bench.number(bench.median_ratio(*pair, variant.rank))} x)"
    ranks = [bench.measured(row, variant.rank) for row in mine]
    spread = (max(ranks) - min(ranks)) / statistics.median(ranks) if statistics.median(ranks) else 0
    return text + (f" (spread {100 * spread:.0f} %)" if spread >= 0.2 else "")


def rows_table(variants, wanted, rows_of, of_files):
    """One table of variants whose contenders are much the same: these are its columns, or, if there are many, its lines. Notes whose rows are of which files."""
    base = variants[0].base
    names = list(dict.fromkeys([base, *(contender.name for variant in variants for contender in variant.contenders)]))
    lines = []
    for variant in variants:
        line = [variant.name]
        for name in names:
            file, rows = rows_of.newest(variant.problem, variant.name, base, name)
            line.append(cell(variant, rows, name, wanted) if rows else "not measured" if name == base else "")
            if file:
                of_files.setdefault(file, {})[name] = name == base
        lines.append(line)
    heads = [variants[0].problem, *(f"`{name}`" for name in names)]
    if len(names) > 6:
        heads, *lines = [list(column) for column in zip(heads, *lines)]
        lines = [line for line in lines if any(line[1:])]
    return table(heads, lines)


def rows_block(words, rows_of):
    suite, problems, *wanted = words.split(": ")
    wanted = wanted[0].split(", ") if wanted else []
    # Problems stand in the order named, and a table holds variants of which one has no contenders that the other lacks.
    groups = []
    for problem in problems.split(", "):
        variants = [variant for variant in suites.SUITES[suite]() if variant.problem == problem]
        if not variants:
            raise LookupError(f"the suite {suite} has no problem {problem}")
        groups.append(([], set()))
        for variant in variants:
            names = {contender.name for contender in variant.contenders}
            together, seen = groups[-1]
            if together and not (names <= seen or names >= seen):
                groups.append(([variant], names))
            else:
                together.append(variant)
                seen |= names
    of_files = {}
    tables = [rows_table(variants, wanted, rows_of, of_files) for variants, _ in groups]
    # Each cell is of the newest file that has its contender beside the base.
    files = [f"`{file}`" + ("" if any(of.values()) else f" ({', '.join(f'`{name}`' for name in of)})") for file, of in of_files.items()]
    return "\n\n".join([*tables, f"Rows: {', '.join(files) or 'none'}."])


# ---- goals ----


def goals_of(suite, rows_of):
    """By goal of a suite: the work, the goal in words, the figure, whether it is met, and the file of the rows."""
    for variant in suites.SUITES[suite]():
        for goal in variant.goals:
            over = [name for name in goal.over.split(",") if name]
            candidates = [rows_of.newest(variant.problem, variant.name, goal.of, *([name] if name else [])) for name in over or [""]]
            there = [file for file, _ in candidates if file]
            newest = max(there, key=lambda stem: kept.age(pathlib.Path(stem + ".csv")), default=None)
            rows = next((rows for file, rows in candidates if file == newest), {}) if newest else {}
            text, value, met = bench.judged(goal, rows)
            text = text if goal.of != "weir" else f"weir: {text}"
            yield variant, text, bench.number(value) + (" x" if goal.over and rows else ""), met, newest


# A goal that nobody has measured is short.
OUTCOMES = {True: "met", False: "short", None: "short, not measured"}
ONCE = "[measured once](performance.md#measured-once)"


def goal_sections(rows_of):
    """The tables of goals: a title, the heads, and the lines, of which the first two cells name the goal and the fourth says whether it is met."""
    for suite in suites.SUITES:
        lines = [[f"{variant.problem}: {variant.name}", text, figure, OUTCOMES[met], f"`{file}`" if file else ""] for variant, text, figure, met, file in goals_of(suite, rows_of)]
        if lines:
            yield suite, ["benchmark", "goal", "figure", "", "rows"], lines
    yield "Goals that no suite measures", ["work", "goal", "figure", ""], [[work, goal, ONCE, OUTCOMES[met]] for work, goal, met in suites.WITHOUT_ROWS]


def goals_block(rows_of):
    sections, states = [], []
    for title, heads, lines in goal_sections(rows_of):
        of_these = [line[3] for line in lines]
        states += of_these
        sections.append(f"## {title}\n\n{of_these.count('met')} of {len(lines)} are met.\n\n" + table(heads, lines))
    met, unknown = states.count("met"), states.count(OUTCOMES[None])
    return f"Of {len(states)} goals {met} are met and {len(states) - met} are short. Of these, {unknown} are not measured.\n\n" + "\n\n".join(sections)


def goal_faults(texts, rows_of):
    """What is wrong with the goals in the pages: each goal of a suite must stand in the table of goals, once, as met or short.

    @param texts of the pages"""
    blocks = [block for text in texts for block in re.findall(r"^<!-- goals -->\n(.*?)^<!-- end -->", text, re.M | re.S)]
    if len(blocks) != 1:
        return [f"{len(blocks)} pages have a table of goals, and not one"]
    found = {}
    for line in blocks[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| ") else []
        if len(cells) >= 4:
            found.setdefault((cells[0], cells[1]), []).append(cells[3])
    faults = []
    for _, _, lines in goal_sections(rows_of):
        for work, goal, *_ in lines:
            states = found.get((work, goal), [])
            if len(states) != 1:
                faults.append(f"the goal '{work}: {goal}' stands {len(states)} times in the pages, and not once")
            elif not re.match(r"(met|short)($|,)", states[0]):
                faults.append(f"the goal '{work}: {goal}' stands in the pages as '{states[0]}', and not as met or short")
    return faults
