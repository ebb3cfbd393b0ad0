#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Breaks the lines of C++ comments at 100 columns.

Usage: reflow_comments.py [--check] FILE...

  --check  write nothing, and report lines that are too long and comments that
           begin with a word such as "What", which hides the subject

A paragraph with a longer line is filled again; each command, such as @param,
then begins a line. A paragraph ends before an empty line, a command, an item of
a list, and a line that is indented by three spaces or more. Such a line is not
changed and may have 120 columns, as code may. Comments behind code are not
changed.

Exit codes:
  0  success
  1  with --check: a line is too long, or a comment begins with such a word
"""

import pathlib
import re
import sys
import textwrap

COMMENT_MOST = 100
CODE_MOST = 120
LINE = re.compile(r"^(\s*)(///?!?)( .*|)$")
# The text of a program, such as its --help, has lines as it needs them.
RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)
# Openings that make a reader guess.
RIDDLE = re.compile(r"^\s*(?://[/!]?|/?\*\*?)<? *(What|Where|Of|That) ")
# Text that a script reads stays one line.
FIXED = re.compile(r"^ (SPDX-|test:|test-output:|expect:|NOLINT|clang-format)")
ITEM = re.compile(r"^ ([-*] |\d+\. )")
BEGINS = re.compile(r"^ ([-*@\\|] ?|\d+\. )")
PREFORMATTED = re.compile(r"^ {3,}")


def filled(indent, marker, texts):
    """The lines of one paragraph, of at most COMMENT_MOST columns."""
    commands = re.split(r" (?=@(?:param|return|throws)\b)", " ".join(text.strip() for text in texts))
    if len(commands) > 1:
        return [line for command in commands for line in filled(indent, marker, [" " + command])]
    start = f"{indent}{marker} "
    item = ITEM.match(texts[0])
    hanging = start + " " * (len(item.group(1)) if item else 0)
    words = " ".join(text.strip() for text in texts)
    return textwrap.wrap(words, COMMENT_MOST, initial_indent=start, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def paragraphs(lines):
    """Runs of lines: (lines, None) to be left alone, or (lines, (indent, marker, texts))."""
    run, about, is_item = [], None, False

    for line in lines:
        found = LINE.match(line)
        text = found.group(3) if found else ""
        if not found or text.strip() == "" or FIXED.match(text):
            if run:
                yield run, about
            yield [line], None
            run, about = [], None
            continue
        begins = BEGINS.match(text) or about is None or about[:2] != (found.group(1), found.group(2))
        if not begins and PREFORMATTED.match(text) and not is_item:
            begins = True
        if not begins and about[2] is None:
            begins = True
        if begins:
            if run:
                yield run, about
            run, is_item = [], bool(ITEM.match(text))
            about = (found.group(1), found.group(2), None if PREFORMATTED.match(text) else [])
        run.append(line)
        if about[2] is not None:
            about[2].append(text)
    if run:
        yield run, about


def reflowed(text):
    made = []
    for run, about in paragraphs(text.split("\n")):
        if about is not None and about[2] is not None and any(len(line) > COMMENT_MOST for line in run):
            run = filled(*about)
        made += run
    return "\n".join(made)


def too_long(path, text):
    text = RAW.sub(lambda raw: re.sub(r"[^\n]+", "", raw.group(0)), text)
    for number, line in enumerate(text.split("\n"), 1):
        comment = LINE.match(line)
        if comment and FIXED.match(comment.group(3)):
            continue
        most = COMMENT_MOST if comment and not PREFORMATTED.match(comment.group(3)) else CODE_MOST
        riddle = RIDDLE.match(line)
        if riddle:
            yield f"{path}:{number}: the comment opens with '{riddle.group(1)}'; make it a plain sentence"
        if len(line) > most:
            yield f"{path}:{number}: has {len(line)} columns; {most} are allowed" + (": run scripts/format.sh" if most == COMMENT_MOST else "")


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    check = sys.argv[1:2] == ["--check"]
    wrong = []
    for name in sys.argv[2 if check else 1:]:
        path = pathlib.Path(name)
        text = path.read_text(encoding="utf-8")
        made = reflowed(text)
        if not check and made != text:
            path.write_text(made, encoding="utf-8")
        wrong += too_long(name, text if check else made)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
