#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks a built site.

Usage: check.py FOLDER

Each link, anchor, picture, style sheet and script of a page must exist in the
folder, and nothing that a page loads may come from another host. Links that
people follow may lead elsewhere.

Exit codes:
  0  the site is right
  1  it is not
  2  wrong usage
"""

import html
import pathlib
import posixpath
import re
import sys
import urllib.parse

ELEMENT = re.compile(r"<(?P<tag>a|link|img|script|iframe|use|image|source|video|audio|embed|object|input|track)\b(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
ATTRIBUTE = re.compile(r"""([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
URL_IN_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
# What a browser loads by itself; a link of another relation is only named.
LOADED = {"src", "srcset", "poster", "data"}
LOADING_RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "manifest", "modulepreload"}


class Page:
    """A file of the site: its anchors, and where it leads."""

    def __init__(self, text):
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        self.anchors, self.links, self.loads = {"", "__top"}, [], []
        self.anchors.update(re.findall(r'\s(?:id|name)="?([^"\s>]*)', text))
        for script in re.finditer(r"<script\b[^>]*>(.*?)</script>", text, re.S):
            text = text.replace(script[1], "", 1) if script[1] else text
        for style in re.finditer(r"<style\b[^>]*>(.*?)</style>", text, re.S):
            self.loads += in_style(style[1])
        self.loads += [each for style in re.findall(r'\sstyle="([^"]*)"', text) for each in in_style(style)]
        for element in ELEMENT.finditer(text):
            attributes = {name: html.unescape(first or second) for name, first, second in ATTRIBUTE.findall(element["attributes"])}
            self.loads += [attributes[name].split(" ")[0] for name in LOADED if name in attributes]
            if "href" in attributes:
                loading = element["tag"] in ("link", "use", "image") and (element["tag"] != "link" or LOADING_RELATIONS & set(attributes.get("rel", "").split()))
                (self.loads if loading else self.links).append(attributes["href"])


def in_style(text):
    return [first or second for first, second in URL_IN_STYLE.findall(text)]


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print("check.py: takes the folder of a built site", file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    pages = {path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    if not pages:
        print(f"check.py: there is no page in {folder}; build the site first", file=sys.stderr)
        return 1
    wrong = []
    loads = {name: page.loads for name, page in pages.items()}
    loads.update({name: in_style((folder / name).read_text(encoding="utf-8")) for name in files if name.endswith(".css")})
    for name, targets in sorted(loads.items()):
        for target in targets:
            if re.match(r"(?!data:)[a-z]+:|//", target):
                wrong.append(f"{name}: loads {target} from another host")
    for name, page in sorted(pages.items()):
        for target in dict.fromkeys(page.links + page.loads):
            if re.match(r"[a-z]+:|//", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            path = path.partition("?")[0]
            # The page for what is not there is served at any address, so its own links begin at the root.
            there = path.lstrip("/") if path.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if there in (".", "") or (folder / there).is_dir():
                there = posixpath.normpath(posixpath.join(there, "index.html"))
            if there not in files:
                wrong.append(f"{name}: '{target}' does not exist")
            elif there in pages and anchor not in pages[there].anchors:
                wrong.append(f"{name}: '{target}': the page has no such anchor")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
