#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Prints figures of the library's sources.

Usage: tree.py

For each layer, or room of one, these are its files, their lines, and the
layers and files that it includes; then the number of public headers, and the
share of comments.
"""

import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"(?:weir/(?:detail/)?)?([a-z]+)/((?:[a-z_]+/)?)([a-z0-9_]+)\.hpp"', re.M)
COMMENT = re.compile(r"^\s*//")


def layer_of(path):
    parts = [part for part in path.relative_to(ROOT).parts if part not in ("include", "weir", "src", "detail")]
    return "/".join(parts[:-1]) or None


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if sys.argv[1:]:
        print(f"tree.py: takes no arguments; '{sys.argv[1]}' is too much", file=sys.stderr)
        return 2
    files = [path for folder in ("include", "src") for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    layers = sorted({layer_of(path) for path in files} - {None})
    print(f"{'layer':<21} {'files':>5} {'median':>6} {'largest':>7} {'inside':>6}  includes from")
    for layer in layers:
        own = [path for path in files if layer_of(path) == layer]
        lines = [len(texts[path].splitlines()) for path in own]
        inside, outside = set(), set()
        for path in own:
            for layer_there, room_there, name in INCLUDE.findall(texts[path]):
                target = f"{layer_there}/{room_there}".rstrip("/")
                if target == layer and name != path.stem:
                    inside.add((path.stem, name))
                elif target in layers and target != layer:
                    outside.add(target)
        print(f"{layer:<21} {len(own):>5} {statistics.median(lines):>6.0f} {max(lines):>7} {len(inside):>6}  {' '.join(sorted(outside))}")
    lines = [line for path in files for line in texts[path].splitlines() if line.strip()]
    comments = [line for line in lines if COMMENT.match(line) and "SPDX" not in line]
    public = [path for path in files if path.suffix == ".hpp" and "include" in path.parts and "detail" not in path.parts]
    print(f"\n{len(files)} files, {len(lines)} lines that are not empty, of which {len(comments) / len(lines):.1%} are comments")
    print(f"{len(public)} public headers, {len([p for p in files if 'detail' in p.parts])} of the engine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
