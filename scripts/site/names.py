# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The public names: where each is described, what links to it, and which have no contract."""

import dataclasses
import html
import posixpath
import re

import contracts
import doxygen
import repository


@dataclasses.dataclass
class Place:
    """The place that describes a name."""

    page: str
    anchor: str
    kind: str
    about: str  # the first sentence of the contract, as Markdown


def by_name(declarations):
    """@return the declarations of each name, in the order of the first ones"""
    found = {}
    for each in declarations:
        found.setdefault(each.name, []).append(each)
    return found


def anchor_of(*names):
    """@return the anchor of a name, given with the names of the classes around it"""
    return "-".join(re.sub(r"[^\w]", lambda sign: f"{ord(sign[0]):x}", name) for name in names)


def kind_of(declarations):
    kinds = list(dict.fromkeys(each.kind for each in declarations))
    return "function" if set(kinds) <= {"function", "friend"} else kinds[0]


def is_described(members):
    """Whether members of a class with the same name have a section of their own. The class shows the others."""
    return any(member.contract or member.members for member in members)


def sentence_of(contract):
    try:
        return contracts.first_sentence(contract)
    except ValueError:
        return ""  # `wrong` says so


def full_name(declaration):
    return f"{declaration.scope}::{declaration.name}" if declaration.scope else declaration.name


class Names:
    """The declarations of the headers, and the place of each name.

    by_header: the declarations of each header, by its path in the repository
    abouts: what the headers say of themselves
    places: by name with its scope, such as `weir::block::ordered`
    """

    def __init__(self, headers):
        self.headers = headers
        declarations, self.abouts = doxygen.declarations()
        self.owners = owners_of_contracts(declarations)
        # Macros can't be hidden in a namespace: those without a contract are for the headers only.
        declarations = [each for each in declarations if each.kind != "macro" or each.contract or id(each) in self.owners]
        self.by_header = {path: [each for each in declarations if each.header == path] for path in headers}
        self.classes = {full_name(each): each for each in declarations if each.members}
        self.places, self.at = {}, {}
        for path, there in self.by_header.items():
            for name, group in by_name(there).items():
                self.add(repository.page_of_header(path, headers), group, [name])

    def add(self, page, group, names):
        full = full_name(group[0])
        described = [self.owners.get(id(each), each) for each in group]
        about = next((sentence_of(each.contract) for each in described if each.contract), "")
        self.places.setdefault(full, Place(page, anchor_of(*names), kind_of(group), about))
        self.at[(page, anchor_of(*names))] = full
        for each in group:
            for value, _, contract in each.enumerators:
                self.places.setdefault(f"{full}::{value}", Place(page, anchor_of(*names), "enumerator", sentence_of(contract)))
            for name, members in by_name(each.members).items():
                if is_described(members):
                    self.add(page, members, names + [name])

    def everything(self):
        """All declarations, with the members of classes."""
        left = [each for there in self.by_header.values() for each in there]
        while left:
            each = left.pop()
            yield each
            left += each.members

    def link_from(self, page, scope):
        """@return a function that gives the link to a name that stands in code; None if it is none, or may be another"""

        def link(text):
            name = re.sub(r"(\(.*\)|<.*>)$", "", text).strip()
            if not re.fullmatch(r"[A-Za-z_][\w:]*", name):
                return None
            inside, found = scope, None
            while True:
                found = self.places.get(f"{inside}::{name}" if inside else name)
                if found or not inside:
                    break
                inside = inside.rpartition("::")[0]
            if not found or (found.page != page and found.kind == "function" and name == text):
                return None  # a word such as `start` is more often a function of the user's class
            target = "" if found.page == page else posixpath.relpath(found.page, posixpath.dirname(page))
            return f"{target}#{found.anchor}"

        return link

    def described_at(self, location):
        """@return the name that is described at a place of the built site, without `weir::`, and its first sentence as text; None: none"""
        page, _, anchor = location.partition("#")
        full = self.at.get((page.removesuffix(".html") + ".md", anchor))
        if not full:
            return None
        return full.removeprefix("weir::"), html.unescape(re.sub(r"`|\\(?=[^\w\s])", "", self.places[full].about))

    def place_of_contract(self, declaration):
        """@return the name whose contract a declaration without one has; None: it has none"""
        owner = self.owners.get(id(declaration))
        if owner and owner.name != declaration.name:
            return owner.name
        around = self.classes.get(declaration.scope)
        for base, _ in around.bases if around else []:
            name = f"{re.sub('<.*', '', base).strip()}::{declaration.name}"
            if name in self.places:
                return name.removeprefix("weir::")
        return None

    def wrong(self):
        """@return lines that say which public names have no contract, and which contracts can't be shown"""
        found = []
        has_contract = {full_name(each) for each in self.everything() if each.contract or id(each) in self.owners}
        for path, there in self.by_header.items():
            for name, group in by_name(there).items():
                if full_name(group[0]) not in has_contract:
                    found.append(f"{path}:{group[0].line}: '{name}' has no contract; put a comment with /// before it")
        for each in self.everything():
            try:
                contracts.markdown(each.contract, lambda _: None)
            except ValueError as error:
                found.append(f"{each.header}:{each.line}: {error}")
        return found


def owners_of_contracts(declarations):
    """A declaration without a contract, on the line behind another one, has the contract of that.
    @return by identity of the declaration: the one that has the contract"""
    lines = {path: (repository.ROOT / path).read_text(encoding="utf-8").split("\n") for path in {each.header for each in declarations}}
    owners = {}
    for before, after in zip(declarations, declarations[1:]):
        if after.contract or before.header != after.header or before.scope != after.scope:
            continue
        owner = owners.get(id(before), before)
        if owner.contract and all(line.strip() for line in lines[after.header][before.line:after.line]):
            owners[id(after)] = owner
    return owners
