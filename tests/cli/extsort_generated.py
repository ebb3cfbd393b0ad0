# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""extsort_generated.py EXTSORT CASES SEED    sorts CASES small inputs with options drawn at random, beside `LC_ALL=C sort -s`.

The output and whether the call is refused must be the same. To look for longer: extsort_generated.py build/dev/bin/extsort 5000 2
"""
import random
import subprocess
import sys

WORDS = [
    *"a B b A Z z ~ . .. - _ , : 0 00 1 01 9 10 100 1.5 -1 -0 +1 1K 1k 2M 1G -1K 0K 0.0M 5.K .5T 1,000K 1m 3E 2Z 1Y 1R".split(),
    *"jan FEB mar Jun july Augx xjan DEC .tar .gz .t~ ~a a1 a01 a1b v1.2 v1.10 v1.9~rc1 file.txt file1.txt file.1txt".split(),
    *"abcdefgh ABCDEFGHI 12345678901234567 123456789012345678901".split(),
    *["- 1", " ", "  ", "\t", "\x01", "\x7f", "\xe9", "\xff"],
]
ORDERS = ["", "", "n", "h", "M", "V", "d", "i", "f", "df", "if", "fV", "dV", "iV", "dfV", "fh", "fn", "fM", "nM", "dn", "hV"]


def line(draw: random.Random, is_zero: bool) -> str:
    gaps = ["", " ", "", "\t", ",", ":"] + (["\n"] if is_zero else [])
    return "".join(draw.choice(WORDS) + draw.choice(gaps) for _ in range(draw.choice([0, 1, 1, 2, 3, 4, 6, 10])))


def order(draw: random.Random) -> str:
    letters = list(draw.choice(ORDERS) + draw.choice(["", "", "r"]) + draw.choice(["", "", "b"]))
    draw.shuffle(letters)
    return "".join(letters)


def key(draw: random.Random) -> str:
    made = str(draw.randint(1, 3))
    if draw.random() < 0.3:
        made += f".{draw.randint(1, 4)}"
    if draw.random() < 0.5:
        made += order(draw)
    if draw.random() < 0.6:
        made += f",{draw.randint(1, 4)}"
        if draw.random() < 0.3:
            made += f".{draw.randint(0, 4)}"
        made += draw.choice(["", "", "b", "r"])
    return made


def case(draw: random.Random) -> tuple[list[str], bytes]:
    is_zero = draw.random() < 0.3
    options = ["-z"] if is_zero else []
    letters = order(draw) if draw.random() < 0.6 else ""
    if letters:
        options.append("-" + letters)
    if draw.random() < 0.3:
        options.append("-u")
    if draw.random() < 0.3:
        options += ["-t", draw.choice([",", ":", " ", "1", "\n" if is_zero else "a"])]
    for _ in range(draw.choice([0, 0, 1, 1, 2, 3])):
        options += ["-k", key(draw)]
    end = "\0" if is_zero else "\n"
    lines = end.join(line(draw, is_zero) for _ in range(draw.choice([5, 30, 60])))
    return options, (lines + draw.choice([end, ""])).encode("latin-1")


def main() -> None:
    extsort, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(seed)
    refused = 0
    for number in range(cases):
        options, text = case(draw)
        method = draw.choice([[], [], ["--engine", "seq"], ["--runs", "snowplow"]])
        expected = subprocess.run(["sort", "-s", *options], input=text, capture_output=True, env={"LC_ALL": "C"})
        got = subprocess.run([extsort, "-q", "-l", "-T", ".", *method, *options], input=text, capture_output=True)
        refused += expected.returncode != 0
        if (expected.returncode, expected.stdout) == (got.returncode, got.stdout):
            continue
        with open("generated_input", "wb") as kept:
            kept.write(text)
        sys.exit(f"case {number} of seed {seed}: sort -s {options} < generated_input: sort ends with {expected.returncode}, "
                 f"{extsort} {method} with {got.returncode} {got.stderr.decode()}, and their outputs differ: "
                 f"{expected.stdout[:300]!r} {got.stdout[:300]!r}")
    if refused * 2 > cases:
        sys.exit(f"{refused} of {cases} calls were refused: too few were compared")


main()
