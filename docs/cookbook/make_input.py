#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Writes input for the programs of the cookbook to standard output. The same arguments give the same bytes.

Usage: make_input.py KIND COUNT

KIND and COUNT:
  access-log  requests: the log of a web server, in the format "combined"
  requests    requests: lines "SECONDS SERVICE MICROSECONDS", up to ten seconds out of order
  picture     rows: a picture in the format PPM, four pixels wide for each three rows
  graph       vertices: lines "FROM TO", five for each vertex, some vertices with many edges
  video       frames: a video of 320 x 240 pixels with noise, in the format YUV4MPEG2
  genome      letters: DNA in the format FASTA, in five sequences, with repeats and unknown letters
  readings    readings: lines "SECONDS SENSOR VALUE" of four sensors

Exit codes:
  0  all is written
  2  wrong usage
"""

import math
import random
import sys
import time

chosen = random.Random(28)


def access_log(count):
    """Few pages have most of the requests, as on real servers (Zipf)."""
    pages = ["/", "/index.html", "/robots.txt", "/favicon.ico"] + [f"/article/{n}?page={n % 3}" for n in range(2000)]
    weights = [1 / (n + 1) for n in range(len(pages))]
    agents = ["Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0", "curl/7.88.1", "Googlebot/2.1"]
    at = 1764400000
    for page in chosen.choices(pages, weights, k=count):
        at += chosen.random() < 0.2
        when = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(at))
        address = f"192.0.2.{chosen.randrange(256)}"
        request = f"GET {page} HTTP/1.1" if chosen.random() > 0.001 else "\\x16\\x03\\x01"
        print(f'{address} - - [{when}] "{request}" 200 {chosen.randrange(200, 90000)} "-" "{chosen.choice(agents)}"')


def requests(count):
    services = [f"{name}-{n}" for name in ("cart", "login", "search", "stock") for n in range(8)]
    for n in range(count):
        at = 1764400000 + n // 200 - int(chosen.random() ** 4 * 10)
        print(at, chosen.choice(services), int(chosen.lognormvariate(7, 0.8)))


def picture(rows):
    columns = rows * 4 // 3
    sys.stdout.buffer.write(f"P6\n# made by make_input.py\n{columns} {rows}\n255\n".encode())
    noise = chosen.randbytes(columns * 3)
    for y in range(rows):
        wave = [128 + int(100 * math.sin(x / 17) * math.cos(y / 23)) for x in range(columns)]
        row = bytes(value for x in range(columns) for value in (wave[x], (x ^ y) & 255, noise[(3 * x + 7 * y) % len(noise)]))
        sys.stdout.buffer.write(row)


def graph(vertices):
    """New vertices prefer neighbours with many edges (Barabasi and Albert)."""
    ends = [0, 1]
    print(0, 1)
    for vertex in range(2, vertices):
        if chosen.random() < 0.001:  # a part that can't be reached
            continue
        for other in chosen.choices(ends, k=5):
            print(vertex, other)
            ends += (vertex, other)


def video(frames):
    sys.stdout.buffer.write(b"YUV4MPEG2 W320 H240 F50:1 Ip A1:1 C420jpeg\n")
    noise = chosen.randbytes(320 * 240)
    colours = bytes([128]) * (320 * 240 // 2)
    for n in range(frames):
        shift = chosen.randrange(len(noise))
        grain = noise[shift:] + noise[:shift]
        line = [(x + 4 * n) & 255 for x in range(320)]
        luma = bytes(value if value > 20 else line[i % 320] for i, value in enumerate(grain))
        sys.stdout.buffer.write(b"FRAME\n" + luma + colours)


def genome(letters):
    repeat = "".join(chosen.choices("ACGT", k=300))
    for n in range(5):
        made = ""
        while len(made) < letters // 5:
            kind = chosen.random()
            made += repeat if kind < 0.2 else "N" * 10 if kind < 0.25 else "".join(chosen.choices("ACGTacgt", k=500))
        print(f">part{n + 1} made by make_input.py")
        for at in range(0, len(made), 70):
            print(made[at : at + 70])


def readings(count):
    for n in range(count):
        for name, mean in (("cellar", 11), ("roof", 3), ("room", 21), ("tank", 48)):
            print(1764400000 + n, name, f"{mean + chosen.gauss(0, 1):.2f}")


kinds = {"access-log": access_log, "requests": requests, "picture": picture, "graph": graph, "video": video, "genome": genome, "readings": readings}
if sys.argv[1:] in (["-h"], ["--help"]):
    print(__doc__, end="")
    sys.exit(0)
if len(sys.argv) != 3 or sys.argv[1] not in kinds or not sys.argv[2].isdecimal():
    print("make_input.py: needs a kind and a count; --help lists the kinds", file=sys.stderr)
    sys.exit(2)
kinds[sys.argv[1]](int(sys.argv[2]))
