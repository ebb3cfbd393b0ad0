#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the page that scripts/bench.sh all has written to a folder: check_page.py FOLDER

It is well-formed, needs nothing but itself, links only itself and files beside it, and has an entry for each figure of the papers: a picture and a
table, or the reason why not."""

import pathlib
import re
import sys
import xml.etree.ElementTree

# Of F1, F2, S and M, all that show measurements.
WANTED = ["f1-3", "f1-4", "f2-9", "f2-10", "f2-11", *(f"s-{n}" for n in range(1, 10)), *(f"m-{n}" for n in range(4, 8))]
# Elements and attributes that would load something.
LOADS = {"script", "link", "img", "iframe", "object", "embed", "audio", "video", "source", "base", "form"}
REFERENCES = {"href", "src", "srcset", "action", "data", "poster", "{http://www.w3.org/1999/xlink}href"}


def words_of(element):
    return " ".join("".join(element.itertext()).split())


def is_explained(entry):
    has_rows = entry.find(".//svg") is not None and entry.find(".//table") is not None
    return has_rows or any("Not run: " in words_of(each) and len(words_of(each)) > len("Not run: .") for each in entry.iter("p")) or "FAILED: " in words_of(entry)


def faults(text, folder):
    """@return what is wrong with a page, whose files are in the folder"""
    if not text.startswith("<!DOCTYPE html>"):
        return ["it does not begin with a doctype"]
    try:
        page = xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    except xml.etree.ElementTree.ParseError as error:
        return [f"it is not well-formed: {error}"]
    found = []
    names = [element.get("id") for element in page.iter() if element.get("id")]
    found += [f"the name '{name}' stands twice" for name in sorted({name for name in names if names.count(name) > 1})]
    for element in page.iter():
        if element.tag in LOADS:
            found.append(f"it has an element <{element.tag}>")
        for attribute, value in element.attrib.items():
            if attribute in REFERENCES:
                if not (value.removeprefix("#") in names if value.startswith("#") else re.fullmatch(r"[\w-]+\.csv", value) and (folder / value).is_file()):
                    found.append(f"it refers to '{value}'")
            if attribute.startswith("on"):
                found.append(f"it has a script in {attribute}")
            found += [f"it refers to '{name}'" for name in re.findall(r"url\(([^)]*)\)", value) if name.strip("\"'#") not in names]
        if element.tag == "style" and re.search(r"@import|url\((?!#)", element.text or ""):
            found.append("its style loads something")
    entries = {element.get("id"): element for element in page.iter("section")}
    found += [f"there is no entry for {key}" for key in WANTED if key not in entries]
    found += [f"the entry of {key} has neither rows nor a reason" for key in WANTED if key in entries and not is_explained(entries[key])]
    return found


def main():
    if len(sys.argv) != 2:
        print("check_page.py: takes one folder", file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    found = faults((folder / "index.html").read_text(encoding="utf-8"), folder)
    for fault in found:
        print(f"{folder / 'index.html'}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
