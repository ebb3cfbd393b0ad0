# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Links of Markdown pages, and what repository viewers understand but Python's Markdown does not."""

import posixpath
import re

import repository

LINK = re.compile(r'(?P<open>\]\(|^\[[^\]]+\]:\s+|<img [^>]*src=")(?P<target>[^\s()"]+)', re.M)
FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})[^\n]*\n.*?^(?P=indent)(?P=marks)[ \t]*$", re.M | re.S)
CODE = re.compile(r"(?<!`)(?P<marks>`+)(?!`).+?(?<!`)(?P=marks)(?!`)", re.S)
ITEM = re.compile(r"(?P<lead> *(?:[-*+]|\d+\.) +)\S")


def without_code(text):
    """@return the text, of the same length, with blanks in the place of code"""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])
    return CODE.sub(blank, FENCE.sub(blank, text))


def links(text):
    """@return of each link to a file: where its target begins, and the target"""
    found = []
    for link in LINK.finditer(without_code(text)):
        target = link["target"]
        if not re.match(r"[a-z]+:|#", target):
            found.append((link.start("target"), target))
    return found


def target_in_repository(page, target):
    """@return the path in the repository that a link of this page leads to, and its anchor"""
    path, _, anchor = target.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)), anchor


def title(page):
    """@return the heading of a page; its path if it has none"""
    file = repository.ROOT / page
    found = re.search(r"^# (.*)$", file.read_text(encoding="utf-8"), re.M) if file.exists() else None
    return found[1] if found else page


def lost(text, page):
    """@return lines that say which links lead to no file"""
    return [f"{page}:{text.count(chr(10), 0, start) + 1}: '{target}' does not exist; mend the link"
            for start, target in links(text) if not repository.exists(target_in_repository(page, target)[0])]


def rewritten(text, page, headers):
    """@return the page with links that fit the site"""
    here = posixpath.dirname(repository.page_of(page, headers))
    done, parts = 0, []  # the length of the text before, and the text made of it
    for start, target in links(text):
        path, anchor = target_in_repository(page, target)
        before = text[done:start]
        # The name of a page is its title.
        name = target.partition("#")[0]
        if path.endswith(".md") and before.endswith(f"[{name}]("):
            before = before[:-len(name) - 3] + f"[{title(path)}]("
        parts += [before, posixpath.relpath(repository.page_of(path, headers), here or ".")]
        if anchor:
            parts.append(f"#{anchor}")
        done = start + len(target)
    return "".join(parts) + text[done:]


def code_lines(text):
    """@return by number of a line in a fenced block: the number of the line that opens the block"""
    found = {}
    for block in FENCE.finditer(text):
        first = text.count("\n", 0, block.start())
        found.update(dict.fromkeys(range(first, text.count("\n", 0, block.end()) + 1), first))
    return found


def for_pythons_markdown(text):
    """Python's Markdown wants an empty line before a list or table, four blanks for each level of a list, and no backslash before a bar in the code of a table."""
    code = code_lines(text)
    lines, before = [], ""
    levels = []  # of the lists around: the indentation of their items, and of the text in them
    opened = 0  # how far the fenced block around moves to the right
    for number, line in enumerate(text.split("\n")):
        item = ITEM.match(line) if number not in code else None
        indent = len(line) - len(line.lstrip(" "))
        if item:
            while levels and indent < levels[-1][0]:
                levels.pop()
            if levels and indent == levels[-1][0]:
                levels.pop()
            elif not levels and before.strip() and not before.startswith(" "):
                lines.append("")
            levels.append((indent, len(item["lead"])))
            lines.append("    " * (len(levels) - 1) + line.lstrip(" "))
        elif number in code and code[number] != number:
            lines.append(" " * opened + line if opened >= 0 else line[min(-opened, indent):])
        else:
            if line.strip() and not before.strip():
                while levels and indent <= levels[-1][0]:
                    levels.pop()
            if number in code:
                opened = 4 * len(levels) - levels[-1][1] if levels else 0
            if line.startswith("|") and number not in code:
                if before.strip() and not before.startswith("|"):
                    lines.append("")
                line = CODE.sub(lambda found: found[0].replace("\\|", "|"), line)
            elif levels and line.strip():
                line = " " * (4 * len(levels) + max(indent - levels[-1][1], 0)) + line.lstrip(" ")
            lines.append(line)
        before = line
    return "\n".join(lines)
