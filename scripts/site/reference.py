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

import html
import itertools
import pathlib
import posixpath
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import contracts  # noqa: E402
import doxygen  # noqa: E402
import repository  # noqa: E402

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
MARK = "//@"  # between the pieces that clang-format formats together
STYLE = "{BasedOnStyle: Google, Standard: c++20, ColumnLimit: 84, PointerAlignment: Left, DerivePointerAlignment: false, RequiresClausePosition: OwnLine, " \
        "AllowShortEnumsOnASingleLine: false, AlignAfterOpenBracket: AlwaysBreak, AlwaysBreakTemplateDeclarations: Yes, MaxEmptyLinesToKeep: 0}"


def formatted(pieces):
    """@return the pieces of C++, formatted"""
    text = "".join(f"{MARK}\n{piece}\n" for piece in pieces)
    done = subprocess.run(["clang-format-16", f"--style={STYLE}", "--assume-filename=x.hpp"], input=text, text=True, capture_output=True, check=True)
    found = [piece.strip("\n") for piece in re.split(rf"^ *{re.escape(MARK)}\n", done.stdout, flags=re.M)[1:]]
    assert len(found) == len(pieces)
    return found


def entries(declarations):
    """@return the declarations by name, in the order of their first ones"""
    found = {}
    for each in declarations:
        found.setdefault(each.name, []).append(each)
    return found


def anchor_of(*names):
    return "-".join(re.sub(r"[^\w]", lambda sign: f"{ord(sign[0]):x}", name) for name in names)


def sentence_of(contract):
    try:
        return contracts.first_sentence(contract)
    except ValueError:
        return ""  # `wrong` says so


def brief_kind(declarations):
    kinds = list(dict.fromkeys(each.kind for each in declarations))
    return "function" if set(kinds) <= {"function", "friend"} else kinds[0]


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


class Reference:
    """All pages of the reference."""

    def __init__(self, headers):
        self.headers = headers
        self.declarations, self.abouts = doxygen.declarations()
        texts = {path: (repository.ROOT / path).read_text(encoding="utf-8") for path in headers}
        self.share_contracts(texts)
        # Macros can't be hidden in a namespace: those without a contract are for the headers only.
        self.declarations = [each for each in self.declarations if each.kind != "macro" or each.contract or id(each) in self.shares]
        self.names = {}  # by name with its scope: page, anchor, kind, first sentence
        self.places = {}  # by page and anchor: the name
        self.by_header = {path: [each for each in self.declarations if each.header == path] for path in headers}
        self.find_names()
        self.texts = self.format_texts()

    def share_contracts(self, texts):
        """A declaration without a contract, on the line behind another one, has the contract of that."""
        self.shares = {}  # by identity of the declaration: the one that has the contract
        for before, after in zip(self.declarations, self.declarations[1:]):
            if after.contract or before.header != after.header or before.scope != after.scope:
                continue
            between = texts[after.header].split("\n")[before.line:after.line]
            owner = self.shares.get(id(before), before)
            if owner.contract and all(line.strip() for line in between):
                self.shares[id(after)] = owner

    # ---- names ----

    def find_names(self):
        for path, declarations in self.by_header.items():
            page = repository.page_of_header(path, self.headers)
            for name, group in entries(declarations).items():
                self.add_name(page, group, [name])

    def add_name(self, page, group, names):
        scope = "" if not group[0].scope else group[0].scope + "::"
        full = scope + names[-1] if len(names) == 1 else f"{self.full_of(group[0])}"
        anchor = anchor_of(*names)
        described = [self.shares.get(id(each), each) for each in group]
        about = next((sentence_of(each.contract) for each in described if each.contract), "")
        self.names.setdefault(full, (page, anchor, brief_kind(group), about))
        self.places[(page, anchor)] = full
        for each in group:
            if each.kind == "enum":
                for value, _, contract in each.enumerators:
                    self.names.setdefault(f"{full}::{value}", (page, anchor, "enumerator", sentence_of(contract)))
            for name, members in entries(each.members).items():
                if any(member.contract for member in members) or any(member.members for member in members):
                    self.add_name(page, members, names + [name])

    @staticmethod
    def full_of(declaration):
        return f"{declaration.scope}::{declaration.name}"

    def link_from(self, page, scope):
        """@return a function that gives the link to a name that stands in code"""

        def link(text):
            name = re.sub(r"(\(.*\)|<.*>)$", "", text).strip()
            if not re.fullmatch(r"[A-Za-z_][\w:]*", name):
                return None
            inside = scope
            while True:
                found = self.names.get(f"{inside}::{name}" if inside else name)
                if found:
                    break
                if not inside:
                    return None
                inside = inside.rpartition("::")[0]
            if found[0] != page and found[2] == "function" and name == text:
                return None  # a word such as `start` is more often a function of the user's class
            target = "" if found[0] == page else posixpath.relpath(found[0], posixpath.dirname(page))
            return f"{target}#{found[1]}"

        return link

    def name_at(self, location):
        """@return the name that is described at a place of the site, such as `block::ordered`; None: none"""
        page, _, anchor = location.partition("#")
        found = self.places.get((page.removesuffix(".html") + ".md", anchor)) if page.startswith("reference/") else None
        return found.removeprefix("weir::") if found else None

    def about(self, location):
        """@return the first sentence of what is described at a place of the site, without marks of Markdown"""
        page, _, anchor = location.partition("#")
        about = self.names[self.places[(page.removesuffix(".html") + ".md", anchor)]][3]
        return html.unescape(re.sub(r"`|\\(?=[^\w\s])", "", about))

    def wrong(self):
        """@return lines that say which layers are not described, and which public names have no contract"""
        there = {layer for _, layer in self.headers.values() if layer}
        found = [f"scripts/site/reference.py: LAYERS does not tell of {layer}; add it" for layer in sorted(there - set(LAYERS))]
        found += [f"scripts/site/reference.py: there is no layer {layer}; remove it from LAYERS" for layer in sorted(set(LAYERS) - there)]
        for path, declarations in self.by_header.items():
            for name, group in entries(declarations).items():
                same = [each for each in self.declarations if each.name == name and each.scope == group[0].scope]
                if not any(each.contract or id(each) in self.shares for each in same):
                    found.append(f"{path}:{group[0].line}: '{name}' has no contract; put a comment with /// before it")
        for each in self.everything():
            try:
                contracts.markdown(each.contract, lambda _: None)
            except ValueError as error:
                found.append(f"{each.header}:{each.line}: {error}")
        return found

    def everything(self):
        """All declarations, with the members of classes."""
        left = list(reversed(self.declarations))
        while left:
            yield left[-1]
            left += reversed(left.pop().members)

    # ---- text ----

    def format_texts(self):
        """@return by identity of each declaration: its text"""
        pieces = []
        for each in self.everything():
            end = "" if each.kind == "macro" else ";"
            pieces.append((id(each), synopsis(each) if each.kind in ("class", "struct", "union") else each.text + end))
        return dict(zip((key for key, _ in pieces), formatted([text for _, text in pieces])))

    def source(self, page, declaration):
        target = posixpath.relpath(repository.source_of(declaration.header), posixpath.dirname(page))
        return f"[{self.headers[declaration.header][0].split('/')[-1]}, line {declaration.line}]({target}#L-{declaration.line})"

    def entry(self, page, group, names):
        """@return the Markdown of a name, with its members"""
        scope = group[0].scope
        anchor = anchor_of(*names)
        level = len(names) + 1
        kind = brief_kind(group)
        parts = [f"{'#' * level} `{names[-1]}` {{ #{anchor} }}"]
        inner = f"{scope}::{names[-1]}" if scope else names[-1]
        classes = [each for each in group if each.kind in ("class", "struct", "union")]
        link = self.link_from(page, inner if classes else scope)
        for number, together in enumerate(with_shared_contracts(group)):
            if kind == "variable" and len(names) > 1:
                # The declaration stands in that of the class.
                shown = contracts.code(" ".join(self.texts[id(together[0])].split()).rstrip(";"), lambda _: None)
                parts.append(f"{shown}, {self.source(page, together[0])}\n{{: .weir-source }}")
            else:
                shown = "\n".join(self.texts[id(each)] for each in together)
                parts.append(f"```cpp\n{shown}\n```")
                parts.append(f"{kind + ', ' if number == 0 else ''}{self.source(page, together[0])}\n{{: .weir-source }}")
            if not any(each.contract for each in together):
                parts.append(self.described_elsewhere(together[0], link))
            for each in together:
                parts.append(contracts.markdown(each.contract, link))
                if any(contract for _, _, contract in each.enumerators):
                    parts.append("\n".join(
                        contracts.indented("- ", f"`{value}`" + (": " + contracts.markdown(contract, link) if contract else "")) for value, _, contract in each.enumerators))
        for each in classes:
            for name, members in entries(each.members).items():
                if any(member.contract or member.members for member in members):
                    parts.append(self.entry(page, members, names + [name]))
        return "\n\n".join(part for part in parts if part)

    def described_elsewhere(self, declaration, link):
        """@return where the contract is of a declaration that has none; empty if nowhere"""
        owner = self.shares.get(id(declaration))
        if owner and owner.name != declaration.name:
            return f"As {contracts.code(owner.name, link)}."
        around = next((each for each in self.declarations if self.full_of(each) == declaration.scope), None)
        for base, _ in around.bases if around else []:
            name = f"{re.sub('<.*', '', base).strip()}::{declaration.name}"
            if name in self.names:
                return f"As {contracts.code(name.removeprefix('weir::'), link)}."
        return ""

    def header_page(self, path):
        included, _ = self.headers[path]
        page = repository.page_of_header(path, self.headers)
        title = included.split("/")[-1]
        source = posixpath.relpath(repository.source_of(path), posixpath.dirname(page))
        names = ", ".join(f"[`{name}`](#{anchor_of(name)})" for name in entries(self.by_header[path]))
        parts = [f"---\ntitle: {title}\n---\n# {contracts.escaped(included)}", names, f"```cpp\n#include <{included}>\n```", f"[{path}]({source})\n{{: .weir-source }}"]
        parts.append(contracts.markdown(self.abouts.get(path, []), self.link_from(page, "")))
        for name, group in entries(self.by_header[path]).items():
            parts.append(self.entry(page, group, [name]))
        return "\n\n".join(part for part in parts if part) + "\n"

    # ---- pages ----

    def layer_headers(self, layer):
        return [path for path, (_, of) in self.headers.items() if of == layer]

    def layer_page(self, layer):
        rows = []
        for path in self.layer_headers(layer):
            page = posixpath.basename(repository.page_of_header(path, self.headers))
            names = ", ".join(f"[`{name}`]({page}#{anchor_of(name)})" for name in entries(self.by_header[path]))
            rows.append(f"| [{contracts.escaped(self.headers[path][0].split('/')[-1])}]({page}) | {names} |")
        return f"---\ntitle: {layer}\n---\n# The layer {layer}\n\n{LAYERS[layer]}\n\n| header | names |\n|---|---|\n" + "\n".join(rows) + "\n"

    def names_page(self):
        listed = {}
        for full, (page, anchor, kind, about) in self.names.items():
            short = full.split("::")[-1]
            if not short[0].isalpha() or short.startswith("operator") and not short[8:9].isalpha():
                continue
            inside = full.rpartition("::")[0].removeprefix("weir::").removeprefix("weir")
            listed.setdefault(short, []).append((inside, page, anchor, kind, about))
        parts = ["---\ntitle: All names\n---\n# All names\n\nA name without a class before it is one of namespace `weir`, or of MPIStream.h."]
        for letter, names in itertools.groupby(sorted(listed, key=lambda name: (name.lower(), name)), key=lambda name: name[0].upper()):
            lines = []
            for name in names:
                for inside, page, anchor, kind, about in sorted(listed[name]):
                    shown = f"{inside}::{name}" if inside else name
                    lines.append(f"- [`{shown}`]({posixpath.relpath(page, 'reference')}#{anchor}) ({kind}) {about}")
            parts.append(f"## {letter}\n\n" + "\n".join(lines))
        return "\n\n".join(parts) + "\n"

    def pages(self):
        """@return by file of the site: its Markdown"""
        layers = "\n".join(f"| [{layer}]({layer}/index.md) | {about} |" for layer, about in LAYERS.items())
        found = {repository.page_of_header(path, self.headers): self.header_page(path) for path in self.headers}
        found.update({f"reference/{layer}/index.md": self.layer_page(layer) for layer in LAYERS})
        found.update({"reference/index.md": INTRODUCTION.format(layers=layers), "reference/names.md": self.names_page()})
        return found

    def navigation(self):
        found = ["reference/index.md", "reference/names.md"]
        found += [repository.page_of_header(path, self.headers) for path in self.layer_headers("") if self.headers[path][0] not in repository.COLLECTIONS]
        for layer in LAYERS:
            found.append({layer: [f"reference/{layer}/index.md"] + [repository.page_of_header(path, self.headers) for path in self.layer_headers(layer)]})
        return found


def synopsis(declaration):
    """@return the declaration of a class with all its public members"""
    bases = [f"{access} {base}" if access != "public" or declaration.kind == "class" else base for base, access in declaration.bases
             if access == "public" and not doxygen.is_hidden(re.sub(r"<.*", "", base)) or base.startswith("std::")]
    lines = []
    for member in declaration.members:
        lines.append(f"{member.text if member.kind not in ('class', 'struct') else member.text};")
    public = "public:\n" if declaration.kind == "class" and lines else ""
    return f"{declaration.text}{' : ' + ', '.join(bases) if bases else ''} {{\n{public}" + "\n".join(lines) + "\n};"


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if sys.argv[1:] != ["--check"]:
        wrong = f"unknown option '{sys.argv[1]}'" if sys.argv[1:] else "an option is missing"
        print(f"reference.py: {wrong}; there is only --check", file=sys.stderr)
        return 2
    headers = repository.public_headers()
    found = Reference(headers).wrong()
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
