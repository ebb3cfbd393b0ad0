#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Prints apps/wordcount/word_break_table.cpp for a version of Unicode.

Usage: make_word_breaks.py [FOLDER]

FOLDER has the Unicode Character Database; the default is /usr/share/unicode,
where Debian's package unicode-data puts it.
"""
import pathlib
import re
import sys

# In the order of `word_break`.
KINDS = ["other", "cr", "lf", "newline", "extend", "zwj", "format", "regional_indicator", "katakana", "hebrew_letter", "aletter",
         "single_quote", "double_quote", "midnumlet", "midletter", "midnum", "numeric", "extendnumlet", "wsegspace"]
LETTER_OR_NUMBER = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No")
LAST = 0x10FFFF
HEAD = """// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// Made by scripts/make_word_breaks.py from version {version} of the Unicode Character Database.
#include "word_break_table.hpp"

namespace wordcount {{

const char* const unicode_version = "{version}";

namespace {{

using enum word_break;
{checks}

// clang-format off
constexpr std::uint32_t ranges[] = {{
"""


def lines_of(file: pathlib.Path):
    """First and last character, and the value, of each line."""
    for line in file.read_text(encoding="utf-8").splitlines():
        found = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if found:
            yield int(found[1], 16), int(found[2] or found[1], 16), found[3]


def main() -> None:
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    breaks = folder / "auxiliary" / "WordBreakProperty.txt"
    version = re.match(r"# WordBreakProperty-([\d.]+)\.txt", breaks.read_text(encoding="utf-8"))[1]
    kinds = ["other"] * (LAST + 1)
    pictographs = [False] * (LAST + 1)
    counts = [False] * (LAST + 1)
    for first, last, value in lines_of(breaks):
        kinds[first : last + 1] = [value.lower()] * (last + 1 - first)
    for first, last, value in lines_of(folder / "emoji" / "emoji-data.txt"):
        if value == "Extended_Pictographic":
            pictographs[first : last + 1] = [True] * (last + 1 - first)
    for first, last, value in lines_of(folder / "extracted" / "DerivedGeneralCategory.txt"):
        if value in LETTER_OR_NUMBER:
            counts[first : last + 1] = [True] * (last + 1 - first)
    ranges, begin = [], 0
    for at in range(1, LAST + 2):
        if at <= LAST and (kinds[at], pictographs[at], counts[at]) == (kinds[begin], pictographs[begin], counts[begin]):
            continue
        value = KINDS.index(kinds[begin]) | pictographs[begin] << 6 | counts[begin] << 7
        ranges.append(f"0x{begin << 8 | value:X},")
        begin = at
    checks = "\n".join(f"static_assert(static_cast<int>({kind}) == {number});" for number, kind in enumerate(KINDS))
    print(HEAD.format(version=version, checks=checks), end="")
    line = "   "
    for each in ranges:
        if len(line) + len(each) + 1 > 120:
            print(line)
            line = "   "
        line += " " + each
    print(line)
    print("};\n// clang-format on\n\n}  // namespace\n")
    print("std::span<const std::uint32_t> word_break_ranges() noexcept { return ranges; }\n\n}  // namespace wordcount")


main()
