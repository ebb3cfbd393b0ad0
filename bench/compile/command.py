#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a program of one of several libraries, and prints one line of JSON: the compiler's CPU seconds, its memory, and the size
of the object file. `items` are the nodes of the program. The program is then linked and run, and what it prints is `result`, so that
contenders can be compared."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEIR = ["-lhwloc", "-lzstd", "-lz", "-lssl", "-lcrypto", "-ldl", "-pthread"]
LIBRARIES = {"weir": WEIR, "tbb_pipeline": ["-ltbb"], "ff_headers": WEIR}


def weir(nodes, workers):
    """A source, `nodes` nodes of different lambdas (or, with `workers`, a farm of one), and a sink."""
    middle = [f"    | weir::node([](long x) {{ return x + {i}; }})" for i in range(nodes)]
    if workers:
        middle = [f"    | weir::farm([](long x) {{ return x + 1; }}, {workers})"]
    return "\n".join([
        "#include <weir/weir.hpp>", "#include <cstdio>", "#include <optional>", "int main() {", "  long next = 0, sum = 0;",
        "  weir::network net = weir::source([&next]() -> std::optional<long> {",
        "    if (next == 1000) return std::nullopt;", "    return next++;", "  })", *middle,
        "    | weir::sink([&sum](long x) { sum += x; });", "  weir::run(net);", '  std::printf("%ld\\n", sum);', "}", ""])


def tbb_pipeline(nodes, workers):
    mode = "parallel" if workers else "serial_in_order"
    middle = [f"    & tbb::make_filter<long, long>(tbb::filter_mode::{mode}, [](long x) {{ return x + {i}; }})" for i in range(nodes)]
    if workers:
        middle = [f"    & tbb::make_filter<long, long>(tbb::filter_mode::{mode}, [](long x) {{ return x + 1; }})"]
    return "\n".join([
        "#include <oneapi/tbb/parallel_pipeline.h>", "#include <cstdio>", "int main() {", "  long next = 0, sum = 0;",
        "  tbb::parallel_pipeline(16, tbb::make_filter<void, long>(tbb::filter_mode::serial_in_order, [&next](tbb::flow_control& end) {",
        "    if (next == 1000) {", "      end.stop();", "      return 0L;", "    }", "    return next++;", "  })", *middle,
        "    & tbb::make_filter<long, void>(tbb::filter_mode::serial_in_order, [&sum](long x) { sum += x; }));",
        '  std::printf("%ld\\n", sum);', "}", ""])


def ff_headers(nodes, _):
    """A program that only includes the header; with no nodes, one that includes <iostream> instead."""
    return f"#include <{'ff/ff.hpp' if nodes else 'iostream'}>\nint main() {{}}\n"


def compiled(command):
    """CPU seconds and the compiler's memory in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[:2000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", choices=sorted(LIBRARIES), required=True)
    parser.add_argument("--archive", required=True, help="libweir.a")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--level", default="2", help="of optimisation")
    parser.add_argument("--nodes", type=int, default=1, help="nodes of different lambdas between source and sink")
    parser.add_argument("--workers", type=int, default=0, help="instead: one node, so many times side by side")
    parser.add_argument("--less", type=int, default=0, help="count what it takes longer than with so many nodes")
    given = parser.parse_args()
    program = {"weir": weir, "tbb_pipeline": tbb_pipeline, "ff_headers": ff_headers}[given.library]
    archives = []
    if given.library != "tbb_pipeline":
        archives = [given.archive]
    if given.library == "ff_headers":
        archives.insert(0, str(pathlib.Path(given.archive).with_name("libweir_fastflow.a")))
    start = time.perf_counter_ns()
    with tempfile.TemporaryDirectory() as folder:
        def build(nodes, name):
            source = pathlib.Path(folder) / f"{name}.cpp"
            source.write_text(program(nodes, given.workers), encoding="utf-8")
            return compiled([given.compiler, "-std=c++20", f"-O{given.level}", f"-I{ROOT / 'include'}", f"-I{ROOT / 'compat/fastflow/include'}", "-c", str(source), "-o", f"{folder}/{name}.o"])
        seconds, memory = build(given.nodes, "whole")
        if given.library == "ff_headers":
            seconds -= build(0, "less")[0]
        if given.less:
            seconds = (seconds - build(given.less, "less")[0]) / (given.nodes - given.less)
        sizes = subprocess.run(["size", f"{folder}/whole.o"], capture_output=True, text=True, check=True).stdout.splitlines()[1]
        wall = time.perf_counter_ns() - start
        compiled([given.compiler, f"{folder}/whole.o", *archives, *LIBRARIES[given.library], "-o", f"{folder}/whole"])
        result = subprocess.run([f"{folder}/whole"], capture_output=True, text=True, check=True).stdout.strip()
    print(json.dumps({"problem": "compile", "contender": given.library, "items": given.nodes, "wall_ns": wall,
                      "cpu_ns": round(seconds * 1e9),
                      "extra": {"cpu_s": round(seconds, 4), "memory_mb": round(memory), "text_bytes": int(sizes.split()[0]), "result": result}}))


if __name__ == "__main__":
    main()
