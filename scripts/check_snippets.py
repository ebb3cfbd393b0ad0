#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when a C++ block of the documentation does not stand, indentation aside, in a file that is compiled and run.

A block after a line `<!-- not compiled -->` is left alone."""

import pathlib
import re
import sys

if sys.argv[1:]:
    print(f"check_snippets.py: takes no arguments; '{sys.argv[1]}' is too much", file=sys.stderr)
    sys.exit(2)
root = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- not compiled -->\s*)?^```cpp\n(.*?)^```", re.M | re.S)


def folded(text):
    return "\n".join(line.strip() for line in text.strip().splitlines() if line.strip())


sources = [folded(p.read_text()) for d in ["docs/snippets", "examples", "examples/cluster"] for p in sorted((root / d).glob("*.cpp"))]
wrong = 0
for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        if not block.group(1) and not any(folded(block.group(2)) in source for source in sources):
            line = text.count("\n", 0, block.start(2)) + 1
            print(f"{page.relative_to(root)}:{line}: this code stands in no file of docs/snippets or examples")
            wrong += 1
sys.exit(1 if wrong else 0)
