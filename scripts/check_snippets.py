#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks code blocks, names of tests, and names of files in the documentation.

Usage: check_snippets.py

A C++ or Python block must stand, apart from indentation, in a file that is
compiled and run. If the block shows includes, it must have all headers of weir
that its file includes. A block after a line `<!-- not compiled -->` is not
checked. The tests in the last column of a table, "kept by", must exist:
`suite.name`, `suite.*` or `cli/name`. A source file such as `run/pool.cpp` must
exist in the tree, perhaps with a longer path; MAINTAINERS.md and
CONTRIBUTING.md are looked at for that, too. Each line of a shell block must
begin with a program that is known here.

Exit codes:
  0  all of them exist
  1  a block, test or file does not exist
  2  wrong usage
"""

import pathlib
import re
import sys

if sys.argv[1:] in (["-h"], ["--help"]):
    print(__doc__, end="")
    sys.exit(0)
if sys.argv[1:]:
    print(f"check_snippets.py: takes no arguments; '{sys.argv[1]}' is too much", file=sys.stderr)
    sys.exit(2)
root = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "apps", "tools", "tests", "bench", "examples", "support", "plugins", "mpistream", "docs", "cmake", "scripts", "packaging"]
WEIR_INCLUDE = re.compile(r"^#include <weir/.*", re.M)
BLOCK = re.compile(r"(<!-- not compiled -->\s*)?^```(?:cpp|python)\n(.*?)^```", re.M | re.S)


def folded(text):
    return "\n".join(line.strip() for line in text.strip().splitlines() if line.strip())


def lacking(block, source):
    """The includes of weir's headers in a file that its block in a page does not show."""
    return [line for line in WEIR_INCLUDE.findall(source) if line not in block]


def is_test(name):
    if name.startswith("cli/"):
        return (root / "tests" / (name + ".sh")).exists()
    suite, _, test = name.partition(".")
    return re.search(rf"TEST(_P|_F)?\({suite}, {'' if test == '*' else test + '[)]'}", TESTS) is not None


def tests_named(text):
    """The names in the columns "kept by", with their lines."""
    keeps = False
    for number, line in enumerate(text.splitlines(), 1):
        keeps = line.startswith("|") and (keeps or line.endswith("| kept by |"))
        if keeps and not line.endswith(("| kept by |", "---|")):
            for name in re.findall(r"`([^`]+)`", line.rsplit("|", 2)[1]):
                yield number, name


# Programs with which a line of a shell block may begin, beside those with a slash, and after variables.
PROGRAMS = {"weir", "dff_run", "cmake", "ctest", "openssl", "sudo", "export", "apt-get", "git", "cd", "g++", "apt", "conan", "vcpkg", "mpicc", "mpicxx", "mpirun", "salloc", "sbatch",
            "podman", "echo", "mkdir", "python3", "source", "awk", "curl", "exec", "find", "for", "grep", "gzip", "head", "printf", "sort", "zcat"}


def not_commands(text):
    """Lines of shell blocks that begin with no program: the block was filled like a paragraph."""
    for block in re.finditer(r"^```sh\n(.*?)^```", text, re.M | re.S):
        begins = True
        for number, line in enumerate(block.group(1).splitlines(), text.count("\n", 0, block.start(1)) + 1):
            first = re.sub(r"^(\w+=\S+ |\(umask \d+; )*", "", line).split(" ")[0]
            if begins and first and first[0] != "#" and "/" not in first and first not in PROGRAMS:
                yield number, first
            begins = not line.endswith("\\")


def files_named(text):
    """Names of source files in code spans and links, with their lines. Decisions tell of the past, and are left out."""
    for number, line in enumerate(BLOCK.sub(lambda block: "\n" * block.group(0).count("\n"), text).splitlines(), 1):
        if line.startswith("<!-- "):  # commands for the tests
            continue
        for name in re.findall(r"(?<![\w/.<>*-])((?:[\w-]+/)*[\w-]+\.(?:[ch]pp|cmake))\b", line):
            if "/" in name:  # else it may be a program of the reader's
                yield number, name


FILES = ["/" + str(p.relative_to(root)) for folder in FOLDERS for p in (root / folder).rglob("*.*")]
TESTS = "\n".join(p.read_text(encoding="utf-8") for p in sorted((root / "tests").rglob("*_test.cpp")))
sources = [folded(p.read_text()) for d in ["docs/snippets", "docs/cookbook", "docs/cookbook/before", "examples", "examples/cluster"] for p in sorted([*(root / d).glob("*.cpp"), *(root / d).glob("*.py")])]
wrong = 0
for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        if block.group(1):
            continue
        line = text.count("\n", 0, block.start(2)) + 1
        found = [source for source in sources if folded(block.group(2)) in source]
        if not found:
            print(f"{page.relative_to(root)}:{line}: this code stands in no file of docs/snippets, docs/cookbook or examples")
            wrong += 1
        elif "#include" in block.group(2) and not any(lacking(block.group(2), source) == [] for source in found):
            print(f"{page.relative_to(root)}:{line}: this code lacks {', '.join(lacking(block.group(2), found[0]))}")
            wrong += 1
    for line, word in not_commands(text):
        print(f"{page.relative_to(root)}:{line}: '{word}' is no program that this check knows; a line was broken, or the list in the script lacks it")
        wrong += 1
    for line, name in tests_named(text):
        if not is_test(name):
            print(f"{page.relative_to(root)}:{line}: there is no test {name}")
            wrong += 1
for page in [root / "README.md", root / "MAINTAINERS.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md")), *sorted((root / "docs/how-to").glob("*.md"))]:
    for line, name in files_named(page.read_text(encoding="utf-8")):
        if not any(path.endswith("/" + name) for path in FILES):
            print(f"{page.relative_to(root)}:{line}: there is no file {name}")
            wrong += 1
sys.exit(1 if wrong else 0)
