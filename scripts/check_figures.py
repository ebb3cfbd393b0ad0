#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each figure of the documentation agrees with the rows in
bench/results, and that each goal of bench/suites.py stands in the pages as met
or short.

Usage: check_figures.py [--fill|--self-test]

  --fill       make the tables and docs/goals.md again, then check the rest
  --self-test  prove that the script finds wrong figures

A page has its figures in one of these ways:

  - In a table that this script makes. It stands between one of these lines and
    `<!-- end -->`: `<!-- rows: SUITE: PROBLEM, ... -->`, to which
    `: MEASURE, ...` may be added; `<!-- goals -->`; `<!-- extsort: NAME -->`
    and `<!-- scaling: NAME -->`, from the scripts of docs/pictures.
  - In the text, followed by its row:
    `0.73 us<!-- row: PROBLEM; VARIANT; CONTENDER; MEASURE -->`. It is the
    median of that measure. With `/ OTHER` after the measure, it is the median
    of the ratios to that contender. All its digits must agree.
  - In a block, up to the next empty line, after a line
    `<!-- figures: KIND -->`, if it is no measurement. KINDS has the kinds.
  - In the section of docs/performance.md with a line `<!-- measured once -->`:
    its rows were not kept.

Figures are numbers with a unit of time, speed or ratio, and numbers with a
point that fill a cell of a table; in the pages of MEASURED, all numbers with a
point or that fill a cell. Code and docs/decisions are not checked, nor are
figures in words ("a third").

The script needs python3-numpy, which setup.sh installs for Debian's
interpreter.

Exit codes:
  0  all figures agree, and all goals are there
  1  a figure does not agree or has no row, or a goal is not there
  2  wrong usage
"""

import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("scripts", "bench", "docs/pictures")]
import bench  # noqa: E402
import extsort  # noqa: E402
import figure_tables  # noqa: E402
import kept  # noqa: E402
import scaling  # noqa: E402

PAGES = ["*.md", "docs/*.md", "docs/how-to/*.md", "docs/tools/*.md", "docs/snippets/*.md", "apps/**/*.md", "examples/**/*.md", "mpistream/**/*.md", "plugins/**/*.md"]
MEASURED = {"docs/performance.md", "docs/scaling.md", "docs/goals.md"}
ONCE = "docs/performance.md"
KINDS = {
    "limits",  # what the code or a machine is set to: time-outs, budgets, links
    "published",  # what a paper says
    "computed",  # what a model makes of other figures
    "input",  # what is searched, sorted or sent
    "sections",  # seconds of scripts/test.sh, which prints them
}

OPENING = re.compile(r"^<!-- (?:rows|extsort|scaling|goals)\b", re.M)
BLOCK = re.compile(r"(<!-- (rows|extsort|scaling|goals)(?:: ([^\n]*?))? -->\n)(.*?)(<!-- end -->)", re.S)
MARK = re.compile(r"<!-- row: (.*?) -->")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)", re.M | re.S)
OTHER = re.compile(r"^<!-- figures: (\w+) -->\n(?:(?!\n\n).)*", re.M | re.S)
SECTION_ONCE = re.compile(r"^<!-- measured once -->.*?(?=^## |\Z)", re.M | re.S)
NUMBER = r"\d[\d ]*(?:[.,]\d+)?"
UNIT = r"(?:CPU )?(?:ns|us|µs|ms|s|seconds|minutes|microseconds|milliseconds|GB/s|MB/s|[kMG]/s|tweets/s|[MG]flop/s|GCUPS|x(?! \d)|times|%)(?![\w/])"
FIGURE = re.compile(rf"(?<![\w.,/-])({NUMBER}) ?({UNIT})")
DECIMAL = re.compile(r"(?<![\w.,/-])(\d+\.\d+)(?![\w.])")
CELL = re.compile(rf"(?<=\|) *(\**[\d.,/ ()\[\]~x%*-]*\d[\d.,/ ()\[\]~x%*-]*\**) *(?=\|)")
# In other pages only cells that have a point: they are hardly codes or counts.
POINTED = re.compile(rf"(?<=\|) *((?=[^|]*\d\.\d)\**[\d.,/ ()\[\]~x%*-]+) *(?=\|)")
BEFORE = re.compile(rf"({NUMBER}) ?(?:CPU )?([A-Za-zµ/%]*)\**$")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def generated(kind, words, rows_of, sorts):
    if kind == "rows":
        return figure_tables.rows_block(words, rows_of)
    if kind == "goals":
        return figure_tables.goals_block(rows_of)
    return scaling.TABLES[words](rows_of) if kind == "scaling" else extsort.TABLES[words](sorts)


def untrue(shown, key, rows_of):
    """@return what is wrong with a figure, as BEFORE finds it, whose row is named; empty: nothing"""
    if not shown:
        return f"there is no figure before this row: {key}"
    words = [word.strip() for word in key.split(";")]
    if len(words) != 4:
        return f"'{key}' is not PROBLEM; VARIANT; CONTENDER; MEASURE"
    problem, variant, contender, measure = words
    measure, _, over = (word.strip() for word in measure.partition(" / "))
    file, rows = rows_of.newest(problem, variant, contender, *([over] if over else []))
    if not rows:
        return f"no kept row: {key}"
    if not figure_tables.has(rows[contender], measure):
        return f"its rows have no {measure}: {key}"
    number, unit = shown.groups()
    if unit not in figure_tables.SCALES:
        return f"'{unit}' is no unit of a figure"
    if over:
        value, scale = bench.median_ratio(rows[contender], rows[over], measure), 1
    else:
        value, scale = bench.median(rows[contender], measure), figure_tables.SCALES.get(figure_tables.parts(measure)[1].removeprefix("CPU "), 1)
    number = number.replace(" ", "")
    places = len(number.partition(".")[2])
    is_value = value * scale / figure_tables.SCALES.get(unit, 1)
    if abs(is_value - float(number)) > 0.5001 * 10 ** -places:
        return f"{shown[0]} is {bench.number(is_value)} in {file}: {key}"
    return ""


def faults(page, text, rows_of, sorts):
    """@return what is wrong with a page, with the line"""
    found = []

    def wrong(place, what):
        found.append((text.count("\n", 0, place) + 1, what))

    for block in BLOCK.finditer(text):
        try:
            if block[4] != f"\n{generated(block[2], block[3], rows_of, sorts)}\n\n":
                wrong(block.start(), "the table is not what the rows say: run scripts/check_figures.py --fill")
        except LookupError as error:
            wrong(block.start(), f"no such table: {error}")
    for block in OTHER.finditer(text):
        if block[1] not in KINDS:
            wrong(block.start(), f"there is no kind '{block[1]}'; there are {', '.join(sorted(KINDS))}")

    # All that is accounted for becomes blanks, so that places stay.
    for accounted in (BLOCK, OTHER, CODE, *([SECTION_ONCE] if page == ONCE else [])):
        text = accounted.sub(lambda each: blank(each[0]), text)
    for opening in OPENING.finditer(text):
        wrong(opening.start(), "this table has no end")
    marked = []
    for mark in MARK.finditer(text):
        start = max(text.rfind(before, 0, mark.start()) + len(before) for before in ("\n", "-->"))
        shown = BEFORE.search(text, start, mark.start())
        if shown:
            marked.append((shown.start(), mark.end()))
        what = untrue(shown, mark[1], rows_of)
        if what:
            wrong(mark.start(), what)
    text = MARK.sub(lambda mark: blank(mark[0]), text)
    for pattern in (FIGURE, *((CELL, DECIMAL) if page in MEASURED else (POINTED,))):
        for figure in pattern.finditer(text):
            if not any(start < figure.end(1) and figure.start(1) < end for start, end in marked):
                wrong(figure.start(1), f"a figure without a row: {' '.join(figure[0].split())}")
    return sorted(set(found))


def pages():
    """But for those of a build."""
    found = {path for pattern in PAGES for path in ROOT.glob(pattern)}
    return sorted(path for path in found if "build" not in path.relative_to(ROOT).parts)


def fill(path, rows_of, sorts):
    text = path.read_text(encoding="utf-8")
    made = BLOCK.sub(lambda block: f"{block[1]}\n{generated(block[2], block[3], rows_of, sorts)}\n\n{block[5]}", text)
    if made != text:
        path.write_text(made, encoding="utf-8")


def self_test():
    header = ",".join(bench.COLUMNS) + "\n"
    row = "core,fuse,16 nodes fused,{},1,1000,{},2000,\"{{\"\"cpu_ns_per_node\"\":{}}}\"\n"
    with tempfile.TemporaryDirectory() as folder:
        for name, of_weir in (("2026-01-01-core-9.csv", "0.5"), ("2026-01-02-core.csv", "0.25"), ("2026-01-02-core-2.csv", "0.125")):
            (pathlib.Path(folder) / name).write_text(header + row.format("weir", 4000, of_weir) + row.format("other", 1000, "1"), encoding="utf-8")
        rows_of = kept.Kept(pathlib.Path(folder))
        if [name for name, _ in rows_of.files] != ["2026-01-02-core-2", "2026-01-02-core", "2026-01-01-core-9"]:
            sys.exit("check_figures.py: the self-test found the files in another order than that of their age")
    key = "<!-- row: fuse; 16 nodes fused; {} -->"
    table = f"<!-- rows: core: fuse -->\n\n{figure_tables.rows_block('core: fuse', rows_of)}\n\n<!-- end -->\n"
    for is_right, text in [
            (True, "It takes 0.13 ns" + key.format("weir; cpu_ns_per_node") + ", and 0.12 x" + key.format("weir; cpu_ns_per_node / other") + " of it.\n"),
            (True, "Code, as in `5 ms`:\n```\n5 ms\n```\n"),
            (True, table),
            (True, "<!-- figures: limits -->\n- after 5 s\n- after 6 s\n\n1000 x 1000\n"),
            (True, "<!-- measured once -->\n\n5 s, 1.5\n"),
            (False, "It takes 0.14 ns" + key.format("weir; cpu_ns_per_node") + ".\n"),
            (False, "It takes 0.13 us" + key.format("weir; cpu_ns_per_node") + ".\n"),
            (False, "It takes 0.13 apples" + key.format("weir; cpu_ns_per_node") + ".\n"),
            (False, "It takes 0.13 ns" + key.format("nobody; cpu_ns_per_node") + ".\n"),
            (False, "It takes 0.13 ns" + key.format("weir; nothing") + ".\n"),
            (False, "It takes long" + key.format("weir; cpu_ns_per_node") + ".\n"),
            (False, table.replace("0.125", "0.126")),
            (False, table.replace("<!-- end -->", "")),
            (False, table.replace("fuse -->", "nonsense -->")),
            (False, "<!-- figures: nonsense -->\nafter 5 s\n"),
            (False, "<!-- figures: limits -->\nafter 5 s\n\nafter 6 s\n"),
            (False, "<!-- measured once -->\n\n## Another\n\nafter 6 s\n"),
            (False, "| of a kind | 1.5 |\n"), (False, "twice: 1.5 of it\n"), (False, "30 % less\n"), (False, "5 to 6 CPU ns\n")]:
        found = faults(ONCE, text, rows_of, None)
        if bool(found) == is_right:
            sys.exit(f"check_figures.py: the self-test found {found} in {text!r}")
    goals = f"<!-- goals -->\n\n{figure_tables.goals_block(rows_of)}\n\n<!-- end -->\n"
    line = "| fuse: 16 nodes fused | weir: cpu_ns_per_node <= 0.3 | 0.125 | met | `2026-01-02-core-2` |\n"
    unmeasured = "| fuse: 16 nodes fused when they run | weir: cpu_ns_per_node <= 1 | - | short, not measured |  |\n"
    for is_right, texts in [(True, ["no goals\n", goals]), (False, ["no goals\n"]), (False, [goals, goals]), (False, [goals.replace(line, "")]), (False, [goals.replace(line, line + line)]),
                            (False, [goals.replace(line, line.replace("| met |", "|  |"))]), (False, [goals.replace(line, line.replace("<= 0.3", "<= 3"))]),
                            (False, [goals.replace(unmeasured, unmeasured.replace("short, not", "not"))])]:
        found = figure_tables.goal_faults(texts, rows_of)
        if bool(found) == is_right or (not is_right and texts == [goals]):
            sys.exit(f"check_figures.py: the self-test found {found} in a page of {len(texts[-1].splitlines())} lines of goals")


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if sys.argv[1:] not in ([], ["--fill"], ["--self-test"]):
        print(f"check_figures.py: unknown option '{sys.argv[1]}'; there are --fill and --self-test", file=sys.stderr)
        return 2
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    rows_of = kept.Kept()
    sorts = extsort.Rows(next(path for path in sorted(kept.FOLDER.glob("*-extsort*.csv"), key=kept.age, reverse=True)))
    is_wrong = False
    texts = []
    for path in pages():
        if sys.argv[1:]:
            fill(path, rows_of, sorts)
        page = str(path.relative_to(ROOT))
        texts.append(path.read_text(encoding="utf-8"))
        for line, what in faults(page, texts[-1], rows_of, sorts):
            print(f"{page}:{line}: {what}")
            is_wrong = True
    for what in figure_tables.goal_faults(texts, rows_of):
        print(f"docs/goals.md: {what}; run scripts/check_figures.py --fill")
        is_wrong = True
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
