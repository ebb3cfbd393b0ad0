#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/reference.md: the public names of the headers, each with the first
sentence of its comment.

Usage: reference.py [--check]

  --check  write nothing, and fail if the page does not agree with the headers

A public name is one of namespace weir, but not of weir::detail, or a public
member that has a comment (`///`) of its own.

Exit codes:
  0  success
  1  the page does not agree, or a layer is not described
  2  wrong usage
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
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
}
TOKEN = re.compile(r"""(?P<behind>///<[^\n]*(?:\n[ \t]*///<[^\n]*)*)|(?P<doc>///[^\n]*)|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'|(?P<line>\n)|(?P<word>\d[\w']*|\w+)|(?P<sign>::|->|[^\s\w])|[ \t]+""",
                   re.S | re.M | re.X)
CLOSING = {"{": "}", "(": ")", "[": "]"}


def tokens(text):
    """Words and signs, and contracts as one token each."""
    contract = []
    lines = 0
    for token in TOKEN.finditer(text):
        if token["doc"] is not None:
            contract.append(token["doc"][3:].strip())
            lines = 0
        elif token["behind"]:
            yield "///<" + re.sub(r"\n\s*///<", " ", token["behind"][4:])
        elif token["line"]:
            lines += 1
            if contract and lines > 1:
                contract = []  # an empty line: it is about nothing that follows
        elif token["word"] or token["sign"] or token[0][0] in "\"'":
            if contract:
                yield "///" + "\n".join(contract)
                contract = []
            yield token[0]


class Reader:
    """Declarations, of which bodies are left out."""

    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0

    def skip(self):
        """Goes behind what the bracket before closes."""
        ends = [CLOSING[self.tokens[self.at - 1]]]
        while ends and self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token in CLOSING:
                ends.append(CLOSING[token])
            elif token == ends[-1]:
                ends.pop()

    def next(self):
        """@return the contract and the words of the next declaration, and whether its body is open; None at the end of the scope"""
        contract = ""
        words = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.startswith("///<"):
                continue  # of an enumerator, or of what was no declaration
            if token.startswith("///"):
                contract = contract or token[3:]
            elif token == "}":
                return None
            elif token == ";":
                behind = self.tokens[self.at] if self.at < len(self.tokens) else ""
                return contract or (behind[4:].strip() if behind.startswith("///<") else ""), words, False
            elif token in "([" and len(token) == 1:
                words.append(token)
                self.skip()
                words.append(CLOSING[token])
            elif token == "{":
                asks = words[-3:] == ["requires", "(", ")"] and words[-4:-3] in (["requires"], ["&"], ["|"])
                head = without_heads(words)
                if words[-1:] == ["requires"] or asks or ("=" in head and "operator" not in head):
                    self.skip()  # an expression
                else:
                    return contract, words, True
            elif token == ":" and words[-1:] in (["public"], ["private"], ["protected"]):
                return "", words, False
            else:
                words.append(token)
        return None

    def skip_body(self):
        self.skip()
        # Members that a constructor initialises with braces look like bodies.
        while self.at < len(self.tokens) and self.tokens[self.at] == ",":
            while self.tokens[self.at] != "{":
                if self.tokens[self.at] == "(":
                    self.at += 1
                    self.skip()
                    if self.tokens[self.at] != ",":
                        break
                else:
                    self.at += 1
            if self.tokens[self.at] != "{":
                break
            self.at += 1
            self.skip()
        if self.at < len(self.tokens) and self.tokens[self.at] == "{":
            self.at += 1
            self.skip()
        if self.at < len(self.tokens) and self.tokens[self.at] == ";":
            self.at += 1


def without_heads(words):
    """Without `template <...>`, attributes, and requires-clauses in front."""
    words = list(words)
    while words[:1] == ["template"]:
        depth = 0
        for place, word in enumerate(words[1:], 1):
            depth += {"<": 1, ">": -1}.get(word, 0)
            if depth == 0:
                words = words[place + 1:]
                break
    if words[:1] == ["requires"]:
        words = behind_condition(words[1:])
    while words[:2] == ["[", "]"]:
        words = words[2:]
    return words


def behind_condition(words):
    """Without the condition in front: names and brackets, with && or || between."""
    while words:
        if words[0] == "requires":
            words = words[1:]
        if words[:1] == ["("]:
            words = words[2:]
        else:
            while words[:1]:
                words = words[1:]
                if words[:1] == ["<"]:
                    depth = 0
                    for place, word in enumerate(words):
                        depth += {"<": 1, ">": -1}.get(word, 0)
                        if depth == 0:
                            words = words[place + 1:]
                            break
                if words[:1] != ["::"]:
                    break
                words = words[1:]
        if words[:2] not in (["&", "&"], ["|", "|"]):
            break
        words = words[2:]
    return words


def without_arguments(words):
    """Without `<...>`."""
    depth = 0
    kept = []
    for word in words:
        depth += word == "<"
        if depth == 0:
            kept.append(word)
        depth -= word == ">" and depth > 0
    return kept


def name_of(words):
    """@return what kind of declaration it is, and the name that it declares; empty: none of interest"""
    words = without_heads(words)
    if not words or words[0] in ("friend", "static_assert", "extern", "public", "private", "protected"):
        return "", ""
    if words[0] in ("class", "struct", "enum", "using", "concept", "namespace"):
        if words[0] in ("class", "struct") and "<" in words[:words.index(":") if ":" in words else len(words)]:
            return "", ""  # a specialisation
        names = [word for word in words[1:] if word not in ("class", "struct", "[", "]", "alignas", "(", ")")]
        return words[0], (names[0] if words[0] != "namespace" else names[-1]) if names else ""
    if "operator" in words:
        start = words.index("operator")
        rest = "".join(words[start + 1:words.index("(", start + 2)])
        return "function", "operator" + (" " if rest[0].isalpha() else "") + rest
    words = without_arguments(words)
    if "(" in words and "=" not in words[:words.index("(")]:
        place = words.index("(")
        if words[place + 1:place + 3] == [")", "("]:
            return "", ""  # a pointer to a function
        return "function", ("~" if words[place - 2:place - 1] == ["~"] else "") + words[place - 1] if place else ""
    ends = [words.index(end) for end in ("=", "[") if end in words]
    before = words[:min(ends, default=len(words))]
    return "variable", before[-1] if before else ""


def sentence(contract):
    """The first sentence, on one line; empty if there is none but tags."""
    text = " ".join(contract.split("\n\n")[0].split())
    text = re.sub(r"^@return ", "Returns ", text)
    text = re.split(r"(?:^| )@\w+", text)[0].strip()
    found = re.match(r"(?:[^.`]|`[^`]*`|\.(?! |$))*", text)[0] if text else ""
    return found.strip().rstrip(":;") + "." if found else ""


def members(reader, is_public):
    """The public members with a contract."""
    found = {}
    while True:
        declaration = reader.next()
        if declaration is None:
            return found
        contract, words, is_open = declaration
        if words[-1:] in (["public"], ["private"], ["protected"]) and len(words) == 1:
            is_public = words[0] == "public"
            continue
        kind, name = name_of(words)
        if is_open:
            reader.skip_body()
        text = sentence(contract)
        if is_public and name and text and kind not in ("namespace",) and not text.startswith("As above"):
            found.setdefault(name + ("()" if kind == "function" else ""), text)


def names(text):
    """By public name of a header: what it is said to be, and its members."""
    found = {}

    def scope(reader, is_weir):
        while True:
            declaration = reader.next()
            if declaration is None:
                return
            contract, words, is_open = declaration
            kind, name = name_of(words)
            if kind == "namespace" and is_open:
                if name == "weir" or (is_weir and "inline" in words):
                    scope(reader, True)
                else:
                    reader.skip_body()
                continue
            inside = {}
            if is_open and kind in ("class", "struct"):
                inside = members(reader, kind == "struct")
            elif is_open:
                reader.skip_body()
            if is_weir and name and not name.startswith("operator") and (is_open or kind not in ("class", "struct")) and not name.isupper():
                shown = name + ("()" if kind == "function" else "")
                said, of = found.setdefault(shown, ["", {}])
                text = sentence(contract)
                found[shown] = [said or ("" if text.startswith("As above") else text), {**inside, **of}]

    scope(Reader(text), False)
    return found


def page():
    there = {folder.name for folder in (ROOT / "include" / "weir").iterdir() if folder.is_dir() and folder.name != "detail"}
    if there != set(LAYERS):
        sys.exit(f"reference.py: LAYERS does not tell of {', '.join(sorted(there ^ set(LAYERS)))}")
    parts = ["""# Reference

The public names of the headers, each with the first sentence of its contract; the whole of it stands in the header. `#include <weir/weir.hpp>` has blocks and run,
`<weir/all.hpp>` all but the cluster, cereal's codecs and the untyped builder of graphs. `scripts/reference.py` makes this page."""]
    for layer, about in LAYERS.items():
        parts.append(f"## {layer}\n\n{about}")
        for path in sorted((ROOT / "include" / "weir" / layer).glob("*.hpp")):
            found = names(path.read_text(encoding="utf-8"))
            lines = []
            for name, (said, inside) in found.items():
                lines.append(f"- **`{name}`**" + (f" {said}" if said else ""))
                lines += [f"  - `{member}` {text}" for member, text in inside.items()]
            if lines:
                parts.append(f"### [{layer}/{path.name}](../include/weir/{layer}/{path.name})\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if sys.argv[1:] not in ([], ["--check"]):
        print(f"reference.py: unknown option '{sys.argv[1]}'; there is only --check", file=sys.stderr)
        return 2
    made = page()
    if sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            print("docs/reference.md: is not what the headers say: run scripts/reference.py")
            return 1
    else:
        PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
