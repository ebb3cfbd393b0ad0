# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Declarations as the reference shows them."""

import re
import subprocess

import doxygen

CLASSES = ("class", "struct", "union")
MARK = "//@"  # between the declarations that clang-format formats together
STYLE = "{BasedOnStyle: Google, Standard: c++20, ColumnLimit: 84, PointerAlignment: Left, DerivePointerAlignment: false, RequiresClausePosition: OwnLine, " \
        "AllowShortEnumsOnASingleLine: false, AlignAfterOpenBracket: AlwaysBreak, AlwaysBreakTemplateDeclarations: Yes, MaxEmptyLinesToKeep: 0}"


def of_class(declaration):
    """@return the declaration of a class, with all its public members"""
    bases = [f"{access} {base}" if declaration.kind == "class" else base for base, access in declaration.bases
             if access == "public" and (base.startswith("std::") or not doxygen.is_hidden(re.sub(r"<.*", "", base)))]
    members = [f"{member.text};" for member in declaration.members]
    public = ["public:"] if declaration.kind == "class" and members else []
    return "\n".join([f"{declaration.text}{' : ' + ', '.join(bases) if bases else ''} {{"] + public + members + ["};"])


def of(declarations):
    """@return by identity of each declaration: its text, formatted"""
    declarations = list(declarations)
    pieces = [of_class(each) if each.kind in CLASSES else each.text + ("" if each.kind == "macro" else ";") for each in declarations]
    text = "".join(f"{MARK}\n{piece}\n" for piece in pieces)
    done = subprocess.run(["clang-format-16", f"--style={STYLE}", "--assume-filename=x.hpp"], input=text, text=True, capture_output=True, check=True)
    found = [piece.strip("\n") for piece in re.split(rf"^ *{re.escape(MARK)}\n", done.stdout, flags=re.M)[1:]]
    assert len(found) == len(pieces)
    return {id(each): text for each, text in zip(declarations, found)}
