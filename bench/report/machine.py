# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The machine and the build that measurements are of, in words."""

import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess

import bench

CPU = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
RIVALS = ("libtbb-dev", "libopenmpi-dev", "libmpich-dev", "libgomp1")


def said_by(*command):
    """@return the first line that a command prints; empty: it can't be run"""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=bench.ROOT)
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""


def caches():
    found = []
    for index in sorted(CPU.glob("index*")):
        level, kind, size = ((index / name).read_text(encoding="utf-8").strip() for name in ("level", "type", "size"))
        shared = (index / "shared_cpu_list").read_text(encoding="utf-8").strip()
        found.append(f"L{level} {kind.lower()} {size}" + (f" (cores {shared})" if shared != "0" else ""))
    return ", ".join(found)


def memory():
    try:
        kib = int(re.search(r"^MemTotal:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8"), re.M)[1])
    except (OSError, TypeError):
        return ""
    return f"{kib / 2 ** 20:.1f} GiB"


def virtual():
    found = re.search(r"^Hypervisor vendor:\s*(.+)$", subprocess.run(["lscpu"], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stdout, re.M) \
        if shutil.which("lscpu") else None
    return f"virtual ({found[1]})" if found else ""


def compiler(build):
    """@param build the folder of the build, whose cache names its compiler and its flags"""
    try:
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M))
    except OSError:
        return ""
    kind = cache.get("CMAKE_BUILD_TYPE", "")
    flags = " ".join(filter(None, (cache.get("CMAKE_CXX_FLAGS", ""), cache.get(f"CMAKE_CXX_FLAGS_{kind.upper()}", "") if kind else "")))
    return f"{said_by(cache.get('CMAKE_CXX_COMPILER', 'c++'), '--version')}, {flags}".rstrip(", ")


def commit():
    name = said_by("git", "rev-parse", "--short=12", "HEAD")
    return name + (" with changes" if name and said_by("git", "status", "--porcelain", "--untracked-files=no") else "")


def libraries():
    return ", ".join(filter(None, (said_by("dpkg-query", "-W", "-f=${Package} ${Version}\n", name) for name in RIVALS)))


def described(build):
    """What there is to tell, by its name; what can't be found out is left out."""
    model, _, cores = bench.machine().rpartition(", ")
    found = {"processor": model, "cores": cores + (f" of {os.cpu_count()}" if len(os.sched_getaffinity(0)) != os.cpu_count() else ""), "caches": caches(), "memory": memory(), "kind": virtual(),
             "kernel": f"{platform.system()} {platform.release()}", "compiler": compiler(build), "libraries": libraries(), "commit": commit(),
             "load average at the start": f"{os.getloadavg()[0]:.2f}", "date": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")}
    return {name: value for name, value in found.items() if value}
