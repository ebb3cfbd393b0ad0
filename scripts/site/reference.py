#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of the site from the comments of the public headers.

Usage: reference.py --check

  --check  fail if a layer is not described, or a public name has no contract

A public name is one of a public header that is in no namespace `detail`. Its
contract is the comment (`///`) in front of its first declaration.

Exit codes:
  0  success
  1  something is not described
  2  wrong usage
"""

import itertools
import pathlib
import posixpath
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import contracts  # noqa: E402
import repository  # noqa: E402
import signatures  # noqa: E402
from names import Names, anchor_of, by_name, is_described, kind_of  # noqa: E402

# The layers, those first that programs begin with, and a word on each.
LAYERS = {
    "blocks": "Networks: nodes, pipelines, farms, loops, splits, and joining them.",
    "run": "Running networks, and what a run tells.",
    "io": "Sources and sinks.",
    "patterns": "Loops, reductions, sorting, windows and other patterns.",
    "serve": "Networks that others feed: accelerators and servers.",
    "cluster": "The same network in several processes.",
    "item": "Items as bytes.",
    "graph": "Graphs as the layers above build them.",
    "passes": "Changes of a graph before it runs.",
    "channel": "Channels between two threads.",
    "mpistream": "Streams in MPI programs: MPIStream for C, its interface for C++, and the nodes that join its streams to networks.",
}
INTRODUCTION = """# Reference

Every public name, with its contract. `scripts/site.sh` makes these pages from the headers. The
[list of all names](names.md) is in alphabetical order. The search finds names, too.

| layer | contents |
|---|---|
{layers}

`#include <weir/weir.hpp>` has blocks and run, `<weir/all.hpp>` all but the cluster, the codecs for cereal, and the untyped
builder of graphs. A program that includes `weir/weir.hpp` and only the headers of `io/`, `patterns/` and `serve/` that it uses
compiles several times faster.

FastFlow's headers are described in [Coming from FastFlow](../from-fastflow.md), MPIStream for Fortran in
[MPIStream](../mpistream.md).
"""


def with_shared_contracts(declarations):
    """@return groups of neighbouring declarations, of which the first has the contract"""
    groups = []
    for each in declarations:
        if len(declarations) > 1 and each.text.endswith("delete") and not each.contract:
            continue  # the class shows that there is none
        if each.contract or not groups:
            groups.append([each])
        else:
            groups[-1].append(each)
    return groups


def enumerators(declaration, link):
    """@return a list of the enumerators; empty if none has a contract"""
    if not any(contract for _, _, contract in declaration.enumerators):
        return ""
    lines = []
    for value, _, contract in declaration.enumerators:
        about = contracts.markdown(contract, link)
        lines.append(contracts.indented("- ", f"`{value}`" + (f": {about}" if about else "")))
    return "\n".join(lines)


def breakable(path):
    """@return Markdown of a path that may be broken behind its slashes and underscores"""
    return contracts.escaped(path).replace("/", "/<wbr>").replace("_", "_<wbr>")


def file_name(path):
    return path.split("/")[-1]


class Reference:
    """All pages of the reference."""

    def __init__(self, headers):
        self.headers = headers
        self.names = Names(headers)

    def wrong(self):
        """@return lines that say what is not described"""
        there = {layer for _, layer in self.headers.values() if layer}
        found = [f"scripts/site/reference.py: LAYERS does not tell of {layer}; add it" for layer in sorted(there - set(LAYERS))]
        found += [f"scripts/site/reference.py: there is no layer {layer}; remove it from LAYERS" for layer in sorted(set(LAYERS) - there)]
        return found + self.names.wrong()

    def layer_headers(self, layer):
        return [path for path, (included, of) in self.headers.items() if of == layer and included not in repository.COLLECTIONS]

    def pages(self):
        """@return by file of the site: its Markdown"""
        self.texts = signatures.of(self.names.everything())
        layers = "\n".join(f"| [{layer}]({layer}/index.md) | {about} |" for layer, about in LAYERS.items())
        found = {"reference/index.md": INTRODUCTION.format(layers=layers), "reference/names.md": self.names_page()}
        for layer in ["", *LAYERS]:
            found.update({repository.page_of_header(path, self.headers): self.header_page(path) for path in self.layer_headers(layer)})
        found.update({f"reference/{layer}/index.md": self.layer_page(layer) for layer in LAYERS})
        return found

    def navigation(self):
        """@return the entries of mkdocs' navigation"""
        pages = {layer: [repository.page_of_header(path, self.headers) for path in self.layer_headers(layer)] for layer in ["", *LAYERS]}
        return ["reference/index.md", "reference/names.md", *pages[""]] + [{layer: [f"reference/{layer}/index.md", *pages[layer]]} for layer in LAYERS]

    # ---- pages ----

    def names_page(self):
        listed = {}
        for full, place in self.names.places.items():
            scope, _, name = full.rpartition("::")
            if name[0].isalpha() and not name.startswith("operator"):
                scope = scope.removeprefix("weir").removeprefix("::")
                listed.setdefault(name, []).append((f"{scope}::{name}" if scope else name, place))
        parts = ["---\ntitle: All names\n---\n# All names\n\nA name without a class before it is one of namespace `weir`, or of MPIStream.h."]
        for letter, names in itertools.groupby(sorted(listed, key=lambda name: (name.lower(), name)), key=lambda name: name[0].upper()):
            lines = [f"- [`{shown}`]({posixpath.relpath(place.page, 'reference')}#{place.anchor}) ({place.kind}) {place.about}"
                     for name in names for shown, place in sorted(listed[name], key=lambda each: each[0])]
            parts.append(f"## {letter}\n\n" + "\n".join(lines))
        return "\n\n".join(parts) + "\n"

    def layer_page(self, layer):
        rows = []
        for path in self.layer_headers(layer):
            page = posixpath.basename(repository.page_of_header(path, self.headers))
            names = ", ".join(f"[`{name}`]({page}#{anchor_of(name)})" for name in by_name(self.names.by_header[path]))
            rows.append(f"| [{contracts.escaped(file_name(path))}]({page}) | {names} |")
        return f"---\ntitle: {layer}\n---\n# The layer {layer}\n\n{LAYERS[layer]}\n\n| header | names |\n|---|---|\n" + "\n".join(rows) + "\n"

    def header_page(self, path):
        included, _ = self.headers[path]
        page = repository.page_of_header(path, self.headers)
        source = posixpath.relpath(repository.source_of(path), posixpath.dirname(page))
        groups = by_name(self.names.by_header[path])
        parts = [f"---\ntitle: {file_name(path)}\n---\n# {breakable(included)}", ", ".join(f"[`{name}`](#{anchor_of(name)})" for name in groups),
                 f"```cpp\n#include <{included}>\n```", f"[{path}]({source})\n{{: .weir-source }}",
                 contracts.markdown(self.names.abouts.get(path, []), self.names.link_from(page, ""))]
        parts += [self.section(page, group, [name]) for name, group in groups.items()]
        return "\n\n".join(part for part in parts if part) + "\n"

    # ---- names ----

    def section(self, page, group, names):
        """@return the Markdown of a name, with its members"""
        scope, kind = group[0].scope, kind_of(group)
        classes = [each for each in group if each.kind in signatures.CLASSES]
        link = self.names.link_from(page, "::".join(part for part in (scope, names[-1] if classes else "") if part))
        parts = [f"{'#' * (len(names) + 1)} `{names[-1]}` {{ #{anchor_of(*names)} }}"]
        for number, together in enumerate(with_shared_contracts(group)):
            if kind == "variable" and len(names) > 1:
                # The declaration stands in that of the class.
                declared = " ".join(self.texts[id(together[0])].split()).rstrip(";")
                parts.append(f"{contracts.code(declared, lambda _: None)}, {self.line(page, together[0])}")
            else:
                parts.append("```cpp\n" + "\n".join(self.texts[id(each)] for each in together) + "\n```")
                parts.append(f"{kind + ', ' if number == 0 else ''}{self.line(page, together[0])}")
            if not together[0].contract:
                elsewhere = self.names.place_of_contract(together[0])
                parts.append(f"As {contracts.code(elsewhere, link)}." if elsewhere else "")
            parts += [contracts.markdown(together[0].contract, link)] + [enumerators(each, link) for each in together]
        for each in classes:
            parts += [self.section(page, members, names + [name]) for name, members in by_name(each.members).items() if is_described(members)]
        return "\n\n".join(part for part in parts if part)

    def line(self, page, declaration):
        """@return a link to the line of the header"""
        target = posixpath.relpath(repository.source_of(declaration.header), posixpath.dirname(page))
        return f"[{file_name(declaration.header)}, line {declaration.line}]({target}#L-{declaration.line})\n{{: .weir-source }}"


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if sys.argv[1:] != ["--check"]:
        wrong = f"unknown option '{sys.argv[1]}'" if sys.argv[1:] else "an option is missing"
        print(f"reference.py: {wrong}; there is only --check", file=sys.stderr)
        return 2
    headers = repository.public_headers()
    if not shutil.which("doxygen"):
        print("reference.py: there is no doxygen; run scripts/setup.sh site", file=sys.stderr)
        return 1
    found = Reference(headers).wrong()
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
