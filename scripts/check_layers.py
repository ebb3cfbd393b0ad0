#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules that the sources of each layer keep.

Usage: check_layers.py [--self-test|--above A,B|--below A]

A file may not include from a layer or room that its own must not know, may not
include CLI11, read the environment or move in slots outside its place, and must
have the licence header. The files of MPIStream may not include each other in a
circle. The library neither prints nor ends the process by itself. Every file in
git must be text.

  --self-test  prove that the script finds violations
  --above A,B  print these layers, and those that know one of them
  --below A    print all layers but those of --above A

Exit codes:
  0  all rules are kept
  1  a rule is violated; file and line are printed
  2  wrong usage
"""

import graphlib
import pathlib
import re
import subprocess
import sys
import tempfile

# The layers from which each layer may include, besides itself.
KNOWS = {
    "channel": [],
    "item": [],
    "graph": ["channel", "item"],
    "passes": ["channel", "item", "graph"],  # not ports: a pass makes a graph of a graph, and runs nothing
    "ports": ["channel", "item", "graph"],
    "blocks": ["channel", "item", "graph", "ports"],
    "remote": ["channel", "item", "graph", "ports"],
    "run": ["channel", "item", "graph", "passes", "ports", "remote"],
    "io": ["channel", "item", "graph", "ports", "blocks"],
    "serve": ["channel", "item", "graph", "ports", "blocks", "run"],
    "patterns": ["channel", "item", "graph", "passes", "ports", "blocks", "remote", "run"],
    "cluster": ["channel", "item", "graph", "passes", "ports", "remote", "run"],
}
# The rooms of a layer, from the bottom: folders of src/, each of which may include from those before it.
ROOMS = {"cluster": ["configuration", "wire", "protocol", "coordinator", "member"]}
# The rooms of the command weir: each has its folder in tools/weir/, and may include from these others.
COMMANDS = {"common": [], "run": ["common"], "plan": ["common", "run"], "graph": ["common"], "tune": ["common"], "top": ["common"], "web": ["common", "top"],
            "doctor": ["common", "run"]}
# The rooms of MPIStream, folders of mpistream/src/, in the same way. Its files know each other without a circle: what waits lies above what it drives.
MPISTREAM = {"common": [], "producer": ["common"], "consumer": ["common"], "calls": ["common", "producer", "consumer"]}
OUTSIDE = ["support", "tests", "examples", "apps", "tools", "bench", "docs", "mpistream", "compat"]
USERS = ["examples", "apps", "bench", "docs", "mpistream", "compat/fastflow/include", "compat/fastflow/tests"]  # they see public headers only
# The wall: a public header includes no engine, but for these, whose inlined code is the engine's, or that need a constant or a view of a function.
ENGINE = {
    "channel": ["channel/ring.hpp", "patterns/parallel_reduce.hpp"],
    "passes": [],
    "ports": ["blocks/outlet.hpp"],
    "remote": [],
    "run": ["patterns/schedule.hpp", "patterns/task_graph.hpp", "run/fork_join.hpp"],
}
# Names of the engine are in weir::detail. This file also specialises a public template.
OPENS_WEIR = re.compile(r"^namespace weir \{")
SPECIALISES = ["include/weir/detail/patterns/group_call.hpp"]
HEADER = ["SPDX-FileCopyrightText: 2026 The weir authors", "SPDX-License-Identifier: Apache-2.0"]
ROOM = re.compile(r'^\s*#\s*include\s*["<](weir/)?([a-z]+)/(?:([a-z_]+)/)?([a-z0-9_]+)\.hpp[">]')
INCLUDE = re.compile(r'^\s*#\s*include\s*["<](weir/(?:weir|all)\.hpp|(?:weir/(?:detail/)?)?([a-z]+)/[^">]+)[">]')

# A program with more rights than its caller must not do as variables say that the caller has set; these look.
GETENV = re.compile(r"\b(?:secure_)?getenv\b")
ENVIRONMENT = ["src/graph/variables.cpp", "support/environment.hpp", "mpistream/src/common/trace.c"]
SHIPPED = ["include", "src", "support", "apps", "tools", "plugins", "mpistream/include", "mpistream/src"]

# The library gives notices to one function, and leaves the end of the process to the program (docs/decisions/0022-notices-and-ends.md).
LIBRARY = ["include", "src", "plugins", "mpistream/include", "mpistream/src"]
PRINTS = re.compile(r"\b(?:v?printf|puts|putchar|perror|psignal|v?dprintf)\s*\(|\bstd(?:err|out)\b|\bstd::w?(?:cerr|cout|clog)\b"
                    r"|\bSTD(?:ERR|OUT)_FILENO\b|\bwritev?\s*\(\s*[12]\s*,|(?<![\w.>:])(?:err|errx|warn|warnx)\s*\(")
PRINTERS = {
    "src/graph/notice.cpp": "the one function",
    "mpistream/src/common/errors.c": "that of MPIStream, which is a library of its own",
    "src/io/file_output.cpp": "a sink that the program makes for its standard output",
    "src/io/descriptor.cpp": "keeps the standard streams open; writes nothing",
}
ENDS = re.compile(r"\b(?:_Exit|_exit|quick_exit|raise|pthread_kill|tgkill|__builtin_trap|MPI_Abort|assert)\s*\("
                  r"|\babort\s*\(\s*\)|\bstd::terminate\b|(?<!explicit )(?<![\w.>])exit\s*\(|\bkill\s*\(\s*(?:::)?getpid\b")
ENDERS = {
    "src/graph/file_text.hpp": "answers a request of the environment instead of running",
    "src/run/stop_on.cpp": "passes on a signal that the program has asked it to take",
    "src/graph/process.cpp": "ends a forked child that has returned into a run of its parent",
    "src/cluster/member/membership.cpp": "sends itself the signal that its launcher asks for, or the death of that launcher",
}
TEXT = re.compile(r'"(?:\\.|[^"\\])*"')  # of a literal
COMMENT = re.compile(r"//.*|/\*.*?\*/|^\s*/?\*.*|/\*.*")

# Slots belong to the layer channel: others use its writers and readers, and do no arithmetic on addresses of slots.
SLOTS = re.compile(r"\bbasic_(?:read|write)_position\b|\.completed_to\(|\b(?:first|next|slot|item|at|to)_? \+=.*layout\(\)|\+ *\w+(?:\.|->)layout\(\)\.header\b")
COMPLETES_LATER = ["src/remote/sender.cpp"]  # when the other group says so

# CLI11 takes seconds to compile.
CLI11 = re.compile(r'^\s*#\s*include\s*["<]CLI/')
CLI11_USERS = [pathlib.Path("support/command_line.cpp"), pathlib.Path("support/command_notes.cpp")]


def doings(where, text):
    """Reads of the environment, prints and ends in a file."""
    folders = [str(parent) for parent in where.parents]
    shipped, library = (any(folder in folders for folder in those) for those in (SHIPPED, LIBRARY))
    for number, line in enumerate(text.splitlines(), 1):
        code = COMMENT.sub("", TEXT.sub('""', line))
        if shipped and GETENV.search(code) and str(where) not in ENVIRONMENT:
            yield f"{where}:{number}: reads the environment, which is for {', '.join(ENVIRONMENT)} only"
        if library and PRINTS.search(code) and str(where) not in PRINTERS:
            yield f"{where}:{number}: prints; call detail::give_notice"
        if library and ENDS.search(code) and str(where) not in ENDERS:
            yield f"{where}:{number}: ends the process; throw instead"


def complaints(root):
    for path in sorted(p for p in (root / "mpistream").rglob("*.[ch]")):
        yield from doings(path.relative_to(root), path.read_text(encoding="utf-8"))
    yield from complaints_of_mpistream(root / "mpistream" / "src")
    for path in sorted(p for folder in ["include", "src", "plugins", *OUTSIDE] for p in (root / folder).rglob("*.[ch]pp")):
        where = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        yield from doings(where, text)
        if not all(line in "\n".join(text.splitlines()[:3]) for line in HEADER):
            yield f"{where}:1: lacks the two-line SPDX header"
        parts = where.parts
        for number, line in enumerate(text.splitlines(), 1):
            if CLI11.match(line) and where not in CLI11_USERS:
                yield f"{where}:{number}: includes CLI11, which is for {CLI11_USERS[0]} and {CLI11_USERS[1]} only"
        yield from complaints_of_commands(where, text)
        layer = None
        if parts[0] == "include":
            layer = parts[3] if parts[2] == "detail" else parts[2]
        elif parts[0] == "src":
            layer = parts[1]
        if layer in ("weir.hpp", "all.hpp", "export.hpp", "version.hpp"):
            continue
        yield from complaints_of_rooms(where, text)
        is_public = parts[0] == "include" and parts[2] != "detail"
        for number, line in enumerate(text.splitlines(), 1):
            if (layer is not None and path.suffix == ".hpp" and not is_public and OPENS_WEIR.match(line)
                    and str(where) not in SPECIALISES):
                yield f"{where}:{number}: declares names of the engine in weir; put them into weir::detail"
        for number, line in enumerate(text.splitlines(), 1):
            if layer not in (None, "channel") and str(where) not in COMPLETES_LATER and SLOTS.search(line):
                yield f"{where}:{number}: moves in slots by itself; use channel::writer or channel::reader"
        for number, line in enumerate(text.splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            target = found.group(2)
            if layer is None:
                if any(str(where).startswith(folder + "/") for folder in USERS) and found.group(1).startswith("weir/detail/"):
                    yield f"{where}:{number}: includes {found.group(1)}, which is not a public header"
            elif (parts[0] == "include" and parts[2] != "detail" and found.group(1).startswith("weir/detail/")
                  and "/".join(parts[2:]) not in ENGINE.get(target, ["/".join(parts[2:])])):
                yield f"{where}:{number}: includes {found.group(1)}, which is the engine; name its types by forward declarations"
            elif target is None:
                yield f"{where}:{number}: includes the umbrella; the library names what it needs"
            elif target in OUTSIDE:
                yield f"{where}:{number}: the library includes {found.group(1)}, which is not part of it"
            elif target in KNOWS and target != layer and target not in KNOWS.get(layer, []):
                known = ", ".join(KNOWS.get(layer, [])) or "nothing"
                yield f"{where}:{number}: layer {layer} includes from {target}, but knows only: {known}"


def complaints_of_rooms(where, text):
    """Includes from a room above that of the file. A public header belongs to the room of its name."""
    if where.parts[0] != "src" or where.parts[1] not in ROOMS:
        return
    layer, rooms = where.parts[1], ROOMS[where.parts[1]]
    if len(where.parts) != 4 or where.parts[2] not in rooms:
        yield f"{where}:1: lies in no room of {layer}; there are: {', '.join(rooms)}"
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = ROOM.match(line)
        if not found or found.group(2) != layer:
            continue
        room = found.group(4) if found.group(1) else found.group(3)
        if room in rooms and rooms.index(room) > rooms.index(where.parts[2]):
            known = ", ".join(rooms[:rooms.index(where.parts[2])]) or "no other"
            yield f"{where}:{number}: room {where.parts[2]} of {layer} includes from {room}, but knows only: {known}"


def complaints_of_commands(where, text):
    """Includes of one command of weir from another."""
    if where.parts[:2] != ("tools", "weir") or where.name == "main.cpp":
        return
    room = where.parts[2]
    if len(where.parts) != 4 or room not in COMMANDS:
        yield f"{where}:1: lies in no room of the command weir; there are: {', '.join(COMMANDS)}"
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'^\s*#\s*include\s*"([a-z]+)/[a-z0-9_]+\.hpp"', line)
        if found and found.group(1) in COMMANDS and found.group(1) not in [room, *COMMANDS[room]]:
            yield f"{where}:{number}: the command {room} includes from {found.group(1)}, but knows only: {', '.join(COMMANDS[room]) or 'no other'}"


def complaints_of_mpistream(sources):
    """Includes from a room of MPIStream that a file's own must not know, circles, and functions that a header declares for another file."""
    known = {}
    for path in sorted(sources.rglob("*.[ch]")):
        where, text, room = f"mpistream/src/{path.relative_to(sources)}", path.read_text(encoding="utf-8"), path.parent.name
        if path.parent.parent != sources or room not in MPISTREAM:
            yield f"{where}:1: lies in no room of MPIStream; there are: {', '.join(MPISTREAM)}"
            continue
        own = path.with_suffix(".c").read_text(encoding="utf-8") if path.with_suffix(".c").exists() else ""
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'^\s*#\s*include\s*"(([a-z]+)/[a-z_]+)\.h"', line)
            if found and found.group(2) not in [room, *MPISTREAM[room]]:
                yield f"{where}:{number}: room {room} includes from {found.group(2)}, but knows only: {', '.join(MPISTREAM[room]) or 'no other'}"
            elif found and found.group(1) != f"{room}/{path.stem}":
                known.setdefault(f"{room}/{path.stem}", []).append(found.group(1))
            for name in re.findall(r"\bmpistream_\w+(?=\()", line) if path.suffix == ".h" else []:
                if f"{name}(" not in own:
                    yield f"{where}:{number}: names {name}, which is not in {path.stem}.c"
    try:
        graphlib.TopologicalSorter(known).prepare()
    except graphlib.CycleError as error:
        yield f"mpistream/src/{error.args[1][0]}: files include each other in a circle: {', '.join(error.args[1])}"


def committed_by_mistake(root):
    """Files in git that are no text, but for inputs of the fuzzers."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False).stdout
    for name in filter(None, listed.decode().split("\0")):
        path = root / name
        if name.startswith("tests/fuzz/") or not path.is_file():
            continue
        try:
            path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            yield f"{name}: is no text; keep what is downloaded or built out of git"


def self_test():
    header = "".join(f"// {line}\n" for line in HEADER)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {
            "include/weir/channel/good.hpp": header + '#include "weir/channel/other.hpp"\n',
            "include/weir/channel/bad.hpp": header + '#include "weir/graph/graph.hpp"\n',
            "src/graph/bad.cpp": header + '#include "run/pool.hpp"\n',
            "src/ports/bad.cpp": header + "next += count * from.layout().size;\n",
            "src/channel/good.cpp": header + "next += count * from.layout().size;\n",
            "src/item/bad.cpp": header + '#include "support/output.hpp"\n',
            "src/run/bad.cpp": header + '#include "weir/weir.hpp"\n',
            "tools/weir/top/bad.cpp": header + '#include "run/launcher.hpp"\n',
            "tools/weir/plan/good.cpp": header + '#include "run/launcher.hpp"\n',
            "tools/weir/bad.cpp": header,
            "tools/a/bad.cpp": header + 'const char* const where = std::getenv("HOME");\n',
            "tools/b/bad.cpp": header + 'const char* const where = ::secure_getenv("HOME");\n',
            "tools/b/good.cpp": header + 'void say() { std::puts("getenv("); std::exit(1); }\n',
            "src/graph/variables.cpp": header + 'const char* const where = ::getenv("HOME");\n',
            "src/graph/notice.cpp": header + "int out = ::write(STDERR_FILENO, text, size);\n",
            "src/graph/prints.cpp": header + 'void say() { std::fprintf(stderr, "no\\n"); }\n',
            "src/io/prints.cpp": header + "void say() { ::write(2, text, size); }\n",
            "include/weir/io/prints.hpp": header + "inline std::ostream& out = std::cerr;\n",
            "mpistream/src/prints.c": "",
            "mpistream/src/calls/good.c": '#include "calls/good.h"\n#include "common/round.h"\nvoid mpistream_good(void) {}\n',
            "mpistream/src/calls/good.h": "void mpistream_good(void);\n",
            "mpistream/src/calls/declares.h": "void mpistream_other(void);\n",
            "mpistream/src/common/round.h": '#include "common/trip.h"\n',
            "mpistream/src/common/trip.h": '#include "common/round.h"\n',
            "mpistream/src/consumer/bad.c": '#include "producer/other.h"\n',
            "mpistream/src/common/prints.c": "void say(void) { puts(text); }\n",
            "src/run/ends.cpp": header + "void leave() { std::exit(1); }\n",
            "src/io/ends.cpp": header + "void leave() { ::kill(::getpid(), SIGTERM); }\n",
            "src/item/ends.cpp": header + "void leave() { std::abort(); }\n",
            "src/item/good.cpp": header + '// exit(1), and stderr\nvoid abort(ports& at); int n = snprintf(to, 9, "exit(1)");\n',
            "src/run/public.hpp": header + "namespace weir {\nclass engine;\n}\n",
            "src/run/good.hpp": header + "namespace weir::detail {\nclass engine;\n}\n",
            "src/run/stop_on.cpp": header + "void leave() { ::raise(2); }\n",
            "apps/b/bad.cpp": header + "#include <CLI/CLI.hpp>\n",
            "support/command_line.cpp": header + "#include <CLI/CLI.hpp>\n",
            "include/weir/run/bad.hpp": header + '#include "weir/detail/ports/other.hpp"\n',
            "include/weir/blocks/outlet.hpp": header + '#include "weir/detail/ports/other.hpp"\n',
            "apps/c/bad.cpp": header + "#include <weir/detail/graph/other.hpp>\n",
            "tests/graph/good.cpp": header + '#include "weir/detail/graph/other.hpp"\n',
            "include/weir/detail/channel/bad.hpp": header + '#include "weir/detail/graph/other.hpp"\n',
            "src/cluster/wire/good.cpp": header + '#include "cluster/configuration/other.hpp"\n',
            "src/cluster/protocol/bad.cpp": header + '#include "cluster/coordinator/other.hpp"\n',
            "src/cluster/wire/bad.cpp": header + '#include "weir/cluster/member.hpp"\n',
            "src/cluster/bad.cpp": header,
            "apps/a/bad.cpp": '#include "weir/weir.hpp"\n',
        }.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = [c.split(":")[0] for c in complaints(root)]
        subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
        (root / "package.whl").write_bytes(b"PK\3\4\xff\xfe")
        subprocess.run(["git", "-C", folder, "add", "."], check=True)
        mistakes = [c.split(":")[0] for c in committed_by_mistake(root)]
    if mistakes != ["package.whl"]:
        sys.exit(f"check_layers.py: the self-test found {mistakes} to be no text, expected the package")
    expected = ["apps/a/bad.cpp", "apps/b/bad.cpp", "apps/c/bad.cpp", "include/weir/channel/bad.hpp",
                "include/weir/detail/channel/bad.hpp", "include/weir/io/prints.hpp", "include/weir/run/bad.hpp",
                "mpistream/src/calls/declares.h", "mpistream/src/common/prints.c", "mpistream/src/common/round",
                "mpistream/src/consumer/bad.c", "mpistream/src/prints.c", "src/cluster/bad.cpp", "src/cluster/protocol/bad.cpp",
                "src/cluster/wire/bad.cpp", "src/graph/bad.cpp", "src/graph/prints.cpp", "src/io/ends.cpp",
                "src/io/prints.cpp", "src/item/bad.cpp", "src/item/ends.cpp", "src/ports/bad.cpp", "src/run/bad.cpp",
                "src/run/ends.cpp", "src/run/public.hpp", "tools/a/bad.cpp", "tools/b/bad.cpp", "tools/weir/bad.cpp",
                "tools/weir/top/bad.cpp"]
    if sorted(found) != expected:
        sys.exit(f"check_layers.py: the self-test found {found}, expected {expected}")


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        sys.exit(0)
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:2] == ["--above"] and len(sys.argv) == 3:
        named = set(sys.argv[2].split(","))
        print(",".join(layer for layer, knows in KNOWS.items() if layer in named or named & set(knows)))
    elif sys.argv[1:2] == ["--below"] and len(sys.argv) == 3:
        print(",".join(layer for layer, knows in KNOWS.items() if sys.argv[2] not in (layer, *knows)))
    elif sys.argv[1:]:
        print(f"check_layers.py: unknown option '{sys.argv[1]}'; there are --self-test, --above A,B and --below A", file=sys.stderr)
        sys.exit(2)
    else:
        here = pathlib.Path(__file__).resolve().parent.parent
        wrong = [*complaints(here), *committed_by_mistake(here)]
        print("\n".join(wrong), end="\n" if wrong else "")
        sys.exit(1 if wrong else 0)
