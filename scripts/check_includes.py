#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each file of a configured build compiles without precompiled
headers, which hide missing includes.

Usage: check_includes.py BUILD [HALF]

BUILD is the folder of the build, such as build/dev. HALF is 1 or 2: only every
second file is compiled. Nothing is written.

Exit codes:
  0  all files compile
  1  a file does not compile; the compiler's errors are printed
  2  wrong usage, or there is no such build
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def command_of(entry):
    """The compiler's call for one file, without its header and output; None if the file has no precompiled header."""
    words = shlex.split(entry["command"])
    kept, precompiled, i = [], False, 0
    while i < len(words):
        following = words[i + 1] if i + 1 < len(words) else ""
        if words[i] == "-include" and "cmake_pch" in following:
            precompiled, i = True, i + 2
        elif words[i] == "-Xclang" and ("-include" in following or "cmake_pch" in following):
            precompiled, i = True, i + 2
        elif words[i] == "-o":
            i += 2
        else:
            kept.append(words[i])
            i += 1
    return [*kept, "-fsyntax-only"] if precompiled else None


def says_of(entry, command):
    ran = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return ran.stderr if ran.returncode else ""


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["1"], ["2"]):
        print("check_includes.py: takes the folder of a configured build, such as build/dev, and a half, 1 or 2", file=sys.stderr)
        return 2
    try:
        with open(os.path.join(sys.argv[1], "compile_commands.json")) as file:
            entries = json.load(file)
    except OSError as error:
        print(f"check_includes.py: {error.filename}: {error.strerror}; configure the build first", file=sys.stderr)
        return 2
    calls = [(entry, command) for entry in entries if (command := command_of(entry))]
    if not calls:
        print(f"check_includes.py: {sys.argv[1]} has no file with a precompiled header", file=sys.stderr)
        return 2
    if sys.argv[2:]:
        calls = calls[int(sys.argv[2]) - 1 :: 2]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [text for text in pool.map(lambda call: says_of(*call), calls) if text]
    for text in said:
        print(text, file=sys.stderr)
    print(f"{len(calls)} files, {len(said)} of which include too little")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
