#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   filesearch_generated.sh BIN_DIR [SEED [CALLS]]
#
# Calls of filesearch with generated patterns, options and files, against grep -E: output, messages, exit code.
set -uo pipefail
unset GREP_COLORS GREP_COLOR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# A locale of single bytes, if its source files are there.
locale=
if localedef -i de_DE -f ISO-8859-1 "$work/de_DE.ISO-8859-1" 2>/dev/null; then
  locale=de_DE.ISO-8859-1
else
  echo "left out: ISO-8859-1, for want of localedef, or of its sources" >&2
fi
python3 - "$1/filesearch" "${2:-1}" "${3:-400}" "$locale" <<'P'
import os
import random
import shutil
import subprocess
import sys

filesearch, seed, calls, locale = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
pick = random.Random(seed)


def chance(share):
    return pick.random() < share


# The letters of a locale that are not in ASCII, and brackets with some.
letters_of = {"C": "", "C.UTF-8": "éÉßü", locale: "éÉßüÿµ§"}
brackets_of = {
    "C": [],
    "C.UTF-8": ["[éü]", "[^é]"],
    locale: ["[éü]", "[^é]", "[à-ü]", "[^a-z]", "[[=e=]]", "[e-é]", "[^-é]", "[[:lower:]]"],
}

# How deep inside of parentheses edges of words may stand. There the C library, which shows matches, has other ones than GNU's automaton,
# which finds lines; with -w it takes for the end of a line where the match before has ended.
deepest_edge = 0


def atom(depth, where):
    kind = pick.random()
    if kind < 0.55 or depth > 2:
        return pick.choice("abcAB x_1" + letters_of[where][:3])
    if kind < 0.63:
        return "."
    if kind < 0.78:
        return pick.choice(["[ab]", "[^ab]", "[a-c]", "[[:alpha:]]", "[^[:space:]]", "[[:upper:]x]", "[]a]", "[^]a-]",
                            "[a\\]", "[[:digit:][:punct:]]"] + brackets_of[where])
    if kind < 0.83:
        return pick.choice(["\\w", "\\W", "\\s", "\\S", "\\.", "\\-"])
    return "(" + alternatives(depth + 1, where) + ")"


def piece(depth, where):
    # Edges of words that have other letters than those of ASCII are a known difference.
    if chance(0.08) and where == "C" and depth <= deepest_edge:
        return pick.choice(["\\<", "\\>", "\\<", "\\>", "\\b", "\\B"])
    return atom(depth, where) + pick.choice([""] * 6 + ["*", "+", "?", "{2}", "{1,3}", "{0,1}", "{2,}", "{,2}"])


def sequence(depth, where):
    text = "".join(piece(depth, where) for _ in range(pick.choice([1, 1, 2, 2, 3, 4])))
    # Deeper inside, the C library has opinions of its own on anchors.
    if depth == 0:
        text = ("^" if chance(0.1) else "") + text + ("$" if chance(0.1) else "")
    return text


def alternatives(depth, where):
    return "|".join(sequence(depth, where) for _ in range(pick.choice([1, 1, 1, 2, 3])))


def line(where):
    letters = "aaabbbccAB x  _1-.]\\" + letters_of[where]
    return "".join(pick.choice(letters) for _ in range(pick.choice([0, 1, 3, 8, 8, 20])))


def encoded(text, where):
    return text.encode("latin-1" if where == locale else "utf-8")


def content(where):
    lines = pick.choice([0, 1, 3, 12, 40])
    text = encoded("\n".join(line(where) for _ in range(lines)), where) + (b"\n" if lines and chance(0.8) else b"")
    if chance(0.08):
        text = text.replace(b"x", b"\0")
    if chance(0.08):
        text = text.replace(b"_", b"\xe9")
    if chance(0.03):
        text = text * pick.choice([2000, 9000])
        if chance(0.5) and text:
            place = pick.randrange(len(text))
            text = text[:place] + b"\0" + text[place:]
    return text


def run(command, environment, given):
    done = subprocess.run(command, capture_output=True, env=environment, input=given, timeout=100, check=False)
    return done.returncode, done.stdout, sorted(done.stderr.replace(b"grep: ", b"filesearch: ").split(b"\n"))


failures = 0


# Trees with .gitignore files, against git.
def ignored_glob():
    parts = [pick.choice(["a", "b", "*", "**", "?", "a*", "*b", "[ab]c", "[!a]", "ab", "\\a", "c"]) for _ in range(pick.choice([1, 1, 1, 2, 3]))]
    return pick.choice(["", "", "", "!"]) + pick.choice(["", "", "/"]) + "/".join(parts) + pick.choice(["", "", "/", " ", "/**"])


def make_tree(folder, depth):
    os.makedirs(folder)
    for name in ["a", "b", "ab", "ac", "bc", "c", "cab"]:
        if chance(0.5):
            if depth < 3 and chance(0.5):
                make_tree(f"{folder}/{name}", depth + 1)
            else:
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write("text\n")
    if depth == 0 or chance(0.3):
        with open(f"{folder}/.gitignore", "w", encoding="utf-8") as file:
            file.write("".join(ignored_glob() + "\n" for _ in range(pick.choice([1, 2, 4]))))


for call in range(calls // 10 if shutil.which("git") else 0):
    tree = f"tree{call}"
    make_tree(tree, 0)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": "/nonexistent"}
    subprocess.run(["git", "init", "-q", tree], env=environment, check=True)
    listed = run(["git", "-C", tree, "ls-files", "-oz", "--exclude-standard"], environment, b"")[1]
    got = run([filesearch, "-rlZ", "--ignore-files", "", f"{tree}/"], environment, b"")[1]
    expected = sorted(f"{tree}/".encode() + name for name in listed.split(b"\0")[:-1])
    if sorted(got.split(b"\0")[:-1]) != expected:
        failures += 1
        rules = {where: open(f"{where}/.gitignore", encoding="utf-8").read() for where, _, names in os.walk(tree) if ".gitignore" in names}
        print(f"FAILED: {tree}: {rules}: {got} instead of {expected}"[:2000])

for call in range(calls):
    where = "C.UTF-8" if chance(0.4) else locale if locale and chance(0.4) else "C"
    utf8 = where == "C.UTF-8"
    environment = {**os.environ, "LC_ALL": where}
    if where == locale:  # messages remain English
        environment.update(LOCPATH=os.getcwd(), LC_ALL="", LC_CTYPE=where, LC_COLLATE=where, LC_MESSAGES="C")
    simple = [f for f in "ilLcnovwxqshHaIFbZz" if chance(0.11)]
    context = [f"-{which}{pick.choice([0, 1, 2, 5, 50])}" for which in "ABC" if chance(0.1)]
    # grep selects no empty word in UTF-8 where it does in C, has separators for lines it doesn't print, and with -x colours
    # line ends. With -w it leaves out some matches after one that it has shortened.
    if utf8 and "w" in simple:
        simple.remove("w")
    if "o" in simple:
        simple = [f for f in simple if f not in "vwx"]
        context = []
    arguments = [f"-{f}" for f in simple] + context
    if chance(0.1) and not {"w", "x"} & set(simple):
        arguments.append("--color=always")
    if chance(0.1):
        arguments.append(f"-m{pick.choice([0, 1, 2, 3, 10])}")
    deepest_edge = -1 if "w" in simple else 0 if "o" in simple or "--color=always" in arguments else 9
    for _ in range(pick.choice([1, 1, 1, 2, 3])):
        arguments += ["-e", line(where)[:3] if "F" in simple else alternatives(0, where)]
    given = content(where)
    text = content(where)
    if "z" in simple:
        text = bytes(pick.choice(b"\n\0\0") if byte == 10 else byte for byte in text)
    with open("file", "wb") as file:
        file.write(text)
    grep = ["grep"] if "F" in simple else ["grep", "-E"]
    arguments = [encoded(argument, where) for argument in arguments]
    # With -w and ranges in this locale, grep finds no empty word where a match was too long.
    patterns = arguments[arguments.index(b"-e") :]
    if where == locale and "w" in simple and run([*grep, "-x", *patterns], environment, b"\n")[0] != 1:
        continue
    path = pick.choice(["file", "file", "-", "nofile"]) if chance(0.2) else "file"
    try:
        expected = run([*grep, *arguments, path], environment, given)
    except subprocess.TimeoutExpired:
        continue
    if expected[0] < 0 or b"filesearch: stack overflow" in expected[2]:  # an error in grep itself
        continue
    got = run([filesearch, *arguments, path], environment, given)
    if got != expected:
        failures += 1
        print(f"FAILED: call {call}, {where}: {arguments} {path}: {got} instead of {expected}"[:2000])
sys.exit(1 if failures else 0)
P
