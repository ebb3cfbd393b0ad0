#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page of the documentation, and compares their output.

Usage: check_commands.py BIN_DIR PAGE
       check_commands.py --write BIN_DIR PAGE
       check_commands.py --list
       check_commands.py --pages
       check_commands.py --self-test

BIN_DIR has the programs of a build. The commands of a page run in order, in one
shell and one new folder, which is also their home. The programs are in PATH.

  --write      put the output that the commands have now into the page
  --list       check the comments of all pages, and list what is run nowhere
  --pages      list the pages that have commands to run; '*' marks long ones
  --self-test  check this script

Commands stand in two kinds of blocks:
  sh       only commands; each must succeed
  console  '$ ' before each command, and its output below it. Without any '$ ',
           it is the output of the block of commands before it

Output is compared line by line, standard error included. '...' stands for any
text in a line and, alone in a line, for any number of lines. A number with a
unit (ns us ms s min h %, k M G, B kB MB GB, or these per second) equals every
number with a unit. Any space equals any other.

Comments in front of a block or anywhere in a page say how it is run:
  <!-- file: NAME -->         the block is written to this file
  <!-- append: NAME -->       the block is added to this file
  <!-- not run: REASON -->    the block is not run; the reason may name the test
                              or the page that runs such commands
  <!-- fails -->              the commands of the block end with an error
  <!-- before: COMMANDS -->   these run at this place; $tree is the tree
  <!-- program: NAME -->      a program of pages or examples is in the folder;
                              'NAME as OTHER': under another name
  <!-- commands: WORDS -->    of the whole page. 'installed': weir is in ~/weir;
                              'tree': the folder is a copy of the tree, in which
                              builds are only planned; 'extended': takes long;
                              'needs PROGRAM', 'needs root': else left out

Exit codes:
  0   all of it is as the page says
  1   something is not
  2   wrong usage
  77  the page needs something that this machine lacks
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "docs/*.md", "docs/cookbook/*.md", "docs/how-to/*.md", "docs/tools/*.md", "apps/*/README.md"]
# Of the blocks of commands in all pages, at most so many are run nowhere.
MOST_NOT_RUN = 0.1
HOW = {"file": "cp", "append": "cat", "program": "cp -P"}  # the command that makes the file
TIMEOUT = 1500  # seconds for a page; only for commands that hang

COMMENT = re.compile(r"^<!-- (file|append|not run|fails|before|program|commands)(?:: (.*?))? ?-->$", re.M | re.S)
PART = re.compile(r"^```([a-z]*)\n(.*?)^```$|" + COMMENT.pattern, re.M | re.S)
UNIT = r"(?:(?:ns|us|ms|s|min|h|%|[kMG]i?B|B)(?:/s)?|[kMG](?: per s|/s)?)"
FIGURE = re.compile(rf"\d+(?:[.,]\d+)?(?:e[+-]\d+)? ?{UNIT}(?![\w])")


def program(name):
    """The place of a program in the folder of the programs."""
    for place in ["docs/cookbook", "docs/snippets", "examples", "examples/cluster"]:
        if (root / place / f"{name}.cpp").exists():
            return pathlib.Path(place) / name
    return pathlib.Path(name)  # an application


class step:
    """Commands that run together: their text, the place of what they print, and what they should print (None: anything)."""

    def __init__(self, commands, line, shown=None, span=None, fails=False):
        self.commands, self.line, self.shown, self.span, self.fails = commands, line, shown, span, fails


class page:
    """What a page has the reader do: steps, files, and programs, in order; and what is wrong with the page itself."""

    def __init__(self, text):
        self.words, self.parts, self.not_run, self.blocks, self.wrong = [], [], [], 0, []
        pending = {}
        last = None  # the block of commands whose output may follow
        for found in PART.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            kind, body, comment, value = found.groups()
            if comment in ("file", "append", "not run", "fails"):
                if comment != "fails" and not (value or "").strip():
                    self.wrong.append((line, f"'{comment}' needs {'a reason' if comment == 'not run' else 'a name'}"))
                pending[comment] = value or True
            elif comment == "commands":
                self.words += value.split(", ")
            elif comment == "before":
                self.parts.append(step(value, line))
            elif comment == "program":
                name, _, other = value.partition(" as ")
                self.parts.append(("program", other or name, program(name)))
            elif "file" in pending or "append" in pending:
                self.parts += [(how, name, body) for how, name in pending.items()]
                pending, last = {}, None
            elif kind in ("sh", "console"):
                self.add(kind, body, line, found.start(2), pending, last)
                last = self.parts[-1] if kind == "sh" and "not run" not in pending else None
                pending = {}
            else:
                if pending:
                    self.wrong.append((line, f"the block after '{next(iter(pending))}' has no commands"))
                pending, last = {}, None

    def add(self, kind, body, line, start, pending, last):
        prompts = list(re.finditer(r"^\$ ((?:.*\\\n)*.*)\n", body, re.M)) if kind == "console" else []
        if kind == "console" and not prompts and last:
            last.shown, last.span = body, (start, start + len(body))
            return
        self.blocks += 1
        if "not run" in pending:
            self.not_run.append((line, pending["not run"]))
        elif kind == "sh":
            self.parts.append(step(body, line, fails="fails" in pending))
        elif not prompts or prompts[0].start() != 0:
            self.wrong.append((line, "this output belongs to no command"))
        for this, following in zip(prompts, [*prompts[1:], None]) if "not run" not in pending else []:
            end = following.start() if following else len(body)
            self.parts.append(step(this.group(1), line + 1 + body.count("\n", 0, this.start()), body[this.end():end],
                                   (start + this.end(), start + end), "fails" in pending))

    def runs(self):
        return any(isinstance(part, step) for part in self.parts)


def folded(line):
    return " ".join(FIGURE.sub("#", line).split())


def like(shown, printed):
    """Whether the text in a page stands for the text that was printed."""
    pattern = ""
    for line in shown.strip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*?".join(re.escape(folded(piece)).replace(r"\ ", " ") for piece in re.split(r" *\.\.\. *", line)) + r"\n"
    # A gap may stand for spaces, too.
    text = "".join(folded(line) + "\n" for line in printed.strip("\n").split("\n"))
    return re.fullmatch(pattern, text) is not None


def script_of(this, bin_dir, folder):
    """The shell script of a page; step N prints to out/N, and its exit code is in out/N.code."""
    lines = ["set -o errtrace"]
    if "tree" in this.words:
        lines.append(f"built={bin_dir}; . {root}/tests/support/planned_builds.sh")
    for number, part in enumerate(this.parts):
        if not isinstance(part, step):
            lines.append(f"mkdir -p $(dirname {part[1]}); {HOW[part[0]]} {folder}/given/{number} {'>>' if part[0] == 'append' else ''} {part[1]}")
            continue
        (folder / "given" / str(number)).write_text(part.commands)
        lines += [f"failed= ; trap 'failed=\"${{failed:-$BASH_COMMAND ended with $?}}\"' ERR",
                  f"eval \"$(cat {folder}/given/{number})\" >{folder}/out/{number} 2>&1 </dev/null",
                  f"code=$?; trap - ERR; echo \"$code $failed\" >{folder}/out/{number}.code",
                  "" if part.fails else "[ \"$code $failed\" = '0 ' ] || exit"]
    return "\n".join(lines) + "\n"


def end(group, by):
    try:
        os.killpg(group, by)
    except ProcessLookupError:
        pass


def run(this, bin_dir):
    """Runs a page. @return for each step what it printed, its exit code, and which of its commands failed"""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="weir-page-"))
    try:
        for name in ["given", "out", "home"]:
            (folder / name).mkdir()
        for number, part in enumerate(this.parts):
            if not isinstance(part, step):
                given = folder / "given" / str(number)
                given.symlink_to(bin_dir / part[2]) if part[0] == "program" else given.write_text(part[2])
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}
        environment.update(tree=str(root), HOME=str(folder / "home"), PATH=f"{bin_dir}:{environment['PATH']}", LC_ALL="C.UTF-8", COLUMNS="120")
        where = folder / "home"
        if "installed" in this.words:
            subprocess.run(["cmake", "--install", bin_dir.parent, "--prefix", where / "weir", "--strip"], check=True, stdout=subprocess.DEVNULL)
            environment["PATH"] = f"{where}/weir/bin:{os.environ['PATH']}"
        if "tree" in this.words:
            where = where / "tree"
            where.mkdir()
            for each in root.iterdir():
                if each.name != "build":
                    (where / each.name).symlink_to(each)
        (folder / "script").write_text(script_of(this, bin_dir, folder))
        shell = subprocess.Popen(["bash", folder / "script"], cwd=where, env=environment, start_new_session=True)
        try:
            shell.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            end(shell.pid, signal.SIGTERM)  # its trap may have to end a service; the step has no exit code
            try:
                shell.wait(30)
            except subprocess.TimeoutExpired:
                pass
        finally:
            end(shell.pid, signal.SIGKILL)  # with what the page has left in the background
        results = {}
        for number, part in enumerate(this.parts):
            code = folder / "out" / f"{number}.code"
            if isinstance(part, step):
                out = folder / "out" / str(number)
                printed = out.read_text(errors="replace") if out.exists() else ""
                status, _, failed = code.read_text().strip().partition(" ") if code.exists() else ("none", "", "did not end")
                results[number] = printed.replace(str(folder / "home"), "~"), status, failed
        return results
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def judge(this, results):
    """@return for each step that is not as the page says: the step, what is wrong, and whether its output could be put in"""
    wrong = []
    for number, (printed, status, failed) in results.items():
        part = this.parts[number]
        if status == "none":
            wrong.append((part, failed, False))
            break  # none of the later steps ran
        elif part.fails != (status != "0" or bool(failed)):
            wrong.append((part, "succeeds, but the page says that it fails" if part.fails else failed or f"ended with {status}", False))
            break
        elif part.shown is not None and not like(part.shown, printed):
            wrong.append((part, "prints something else", True))
    return wrong


def lacks(words):
    for word in words:
        need = word.removeprefix("needs ")
        if need == word:
            continue
        if need == "root" and os.getuid() != 0 or need != "root" and not shutil.which(need, path=os.environ["PATH"] + ":/usr/sbin"):
            return need
    return None


def check_page(path, bin_dir, write):
    text = path.read_text(encoding="utf-8")
    this = page(text)
    if lack := lacks(this.words):
        print(f"{path}: left out, because it needs {lack}")
        return 77
    results = run(this, bin_dir)
    wrong = judge(this, results)
    for part, what, _ in wrong:
        printed = results[this.parts.index(part)][0]
        print(f"{path}:{part.line}: {part.commands.strip()}\n  {what}", *("  | " + line for line in printed.splitlines()), sep="\n")
    if write:
        for part, _, can_write in sorted(wrong, key=lambda each: -(each[0].span or (0,))[0]):
            if can_write:
                text = text[:part.span[0]] + results[this.parts.index(part)][0].strip("\n") + "\n" + text[part.span[1]:]
        path.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


def pages():
    for path in sorted(each for pattern in PAGES for each in root.glob(pattern)):
        yield path, path.relative_to(root), page(path.read_text(encoding="utf-8"))


def list_not_run():
    blocks, nowhere, failures = 0, [], 0
    for path, name, this in pages():
        blocks += this.blocks
        for line, reason in this.not_run:
            tests = re.findall(r"[\w/-]+\.(?:sh|py|md)\b", reason)
            this.wrong += [(line, f"there is no {test}") for test in tests if not (root / test).exists() and not (path.parent / test).exists()]
            nowhere += [] if tests else [f"{name}:{line}: {reason}"]
        for line, what in this.wrong:
            print(f"{name}:{line}: {what}")
            failures += 1
    print(*nowhere, f"{len(nowhere)} of {blocks} blocks of commands are run nowhere", sep="\n")
    if len(nowhere) > MOST_NOT_RUN * blocks:
        print(f"these are more than {MOST_NOT_RUN:.0%}: let a test run more of them")
        failures += 1
    return 1 if failures else 0


def self_test():
    def outcome(text):
        this = page(text)
        return [what for _, what in this.wrong] + [what for _, what, _ in judge(this, run(this, pathlib.Path("/nowhere")))]

    cases = [
        ("```console\n$ echo one\none\n$ echo two\ntwo\n```\n", []),
        ("```console\n$ echo one\ntwo\n```\n", ["prints something else"]),
        ("```sh\ncd /\nx=1\n```\n```sh\npwd; echo $x\n```\n```console\n/\n1\n```\n", []),
        ("```sh\nfalse\ntrue\n```\n", ["false ended with 1"]),
        ("```sh\nexit 3\n```\n```sh\ntrue\n```\n", ["did not end"]),
        ("<!-- fails -->\n```console\n$ ls /missing\n...No such file...\n```\n", []),
        ("<!-- fails -->\n```sh\ntrue\n```\n", ["succeeds, but the page says that it fails"]),
        ("<!-- file: a -->\n```text\nin it\n```\n```console\n$ cat a\nin it\n```\n", []),
        ("<!-- not run: -->\n```sh\nfalse\n```\n", ["'not run' needs a reason"]),
        ("<!-- not run: a reason -->\n```sh\nfalse\n```\n", []),
        ("```console\nnothing\n```\n", ["this output belongs to no command"]),
        ("```console\n$ printf 'a 12 ms  b\\nc\\nd\\n'\na 3.5 s b\n...\nd\n```\n", []),
        ("```console\n$ printf 'a 12 ms\\n'\na 12\n```\n", ["prints something else"]),
        ("```console\n$ printf 'process 4711 has ended\\n'\nprocess ... ended\n```\n", []),
        ("```console\n$ printf 'x\\ny\\n'\nx\n```\n", ["prints something else"]),
    ]
    failures = [f"{text}: {found}, not {expected}" for text, expected in cases if (found := outcome(text)) != expected]
    print(*failures, sep="\n", end="\n" if failures else "")
    return 1 if failures else 0


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    if arguments == ["--list"]:
        return list_not_run()
    if arguments == ["--pages"]:
        print(*(f"{name}{'*' if 'extended' in this.words else ''}" for _, name, this in pages() if this.runs()), sep="\n")
        return 0
    if arguments == ["--self-test"]:
        return self_test()
    write = arguments[:1] == ["--write"]
    if len(arguments) != 2 + write or arguments[write].startswith("-"):
        print("check_commands.py: takes the folder of the programs and a page; see check_commands.py --help", file=sys.stderr)
        return 2
    bin_dir, path = pathlib.Path(arguments[write]).resolve(), pathlib.Path(arguments[write + 1])
    if not bin_dir.is_dir() or not path.is_file():
        print(f"check_commands.py: there is no {path if bin_dir.is_dir() else bin_dir}", file=sys.stderr)
        return 2
    return check_page(path, bin_dir, write)


sys.exit(main(sys.argv[1:]))
