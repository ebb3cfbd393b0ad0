#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   crossings.py FILE.dot…    lays each out with Graphviz, and prints which arrows lead across nodes, labels or titles
import json
import subprocess
import sys

MARGIN = 2  # tolerance in points by which an arrow may reach into an obstacle


def box(x, y, width, height):
    return (x - width / 2 + MARGIN, y - height / 2 + MARGIN, x + width / 2 - MARGIN, y + height / 2 - MARGIN)


def texts(drawn):
    """The rectangles of the texts that a list of drawing operations writes."""
    size = 12
    for operation in drawn:
        if operation["op"] == "F":
            size = operation["size"]
        if operation["op"] == "T" and operation["text"].strip():
            width = operation["width"]
            left = operation["pt"][0] - {"l": 0, "c": width / 2, "r": width}[operation["align"]]
            base = operation["pt"][1]
            yield (left + MARGIN, base, left + width - MARGIN, base + size * 0.7)


def points(edge):
    """Points along an arrow, in short steps."""
    for operation in edge["_draw_"]:
        if operation["op"] not in "bB":
            continue
        p = operation["points"]
        for i in range(0, len(p) - 3, 3):
            for step in range(41):
                t = step / 40
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                yield tuple(sum(w * q[axis] for w, q in zip(weights, p[i : i + 4])) for axis in (0, 1))


def crossings(graph):
    obstacles = []
    for item in graph.get("objects", []):
        if "nodes" in item or "subgraphs" in item or item["name"].startswith("cluster"):
            obstacles += [("title of " + item["name"], None, t) for t in texts(item.get("_ldraw_", []))]
        elif "pos" in item and item.get("style") != "invis":
            x, y = map(float, item["pos"].split(","))
            size = box(x, y, 72 * float(item["width"]), 72 * float(item["height"]))
            obstacles.append((item["name"], item["_gvid"], size))
    obstacles += [("text below", None, t) for t in texts(graph.get("_ldraw_", []))]
    for edge in graph.get("edges", []):
        name = graph["objects"][edge["tail"]]["name"] + " -> " + graph["objects"][edge["head"]]["name"]
        obstacles += [("label of " + name, None, t) for t in texts(edge.get("_ldraw_", []))]
    found = set()
    for edge in graph.get("edges", []):
        if edge.get("style") == "invis":
            continue
        name = graph["objects"][edge["tail"]]["name"] + " -> " + graph["objects"][edge["head"]]["name"]
        for x, y in points(edge):
            for what, number, (left, bottom, right, top) in obstacles:
                if number not in (edge["tail"], edge["head"]) or number is None:
                    if left < x < right and bottom < y < top:
                        found.add(f"{name} leads across {what}")
    return sorted(found)


bad = False
for file in sys.argv[1:]:
    laid_out = subprocess.run(["dot", "-Tjson", file], capture_output=True, text=True, check=True)
    for each in crossings(json.loads(laid_out.stdout)):
        print(f"{file}: {each}")
        bad = True
sys.exit(bad)
