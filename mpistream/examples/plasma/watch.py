#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the feed that plasma --monitor FEED writes.

The script draws a bar of each mover's particles for each step, in the terminal,
until the feed is complete or you interrupt it. With --svg it draws a picture of
the present feed instead.
"""

import argparse
import json
import time

WIDTH = 72  # characters of the longest bar, about


def lines(name):
    """Objects of the feed, as they come; None: there is no more at present."""
    with open(name, encoding="utf-8") as file:
        begun = ""
        while True:
            text = file.readline()
            if not text:
                yield None
            elif not text.endswith("\n"):
                begun += text
            else:
                yield json.loads(begun + text)
                begun = ""


def draw_line(step):
    blocks = "░▒▓█"
    scale = WIDTH / max(1, step["particles"])
    bars = "".join(blocks[i % 4] * round(count * scale) for i, count in enumerate(step["counts"]))
    return f"{step['step']:6} {step['imbalance']:6.3f} {'!' if step['alert'] else ' '} {bars}"


def follow(name, patience):
    print("  step imbalance  particles of each mover")
    last, shown = time.monotonic(), 0
    for step in lines(name):
        if step is not None:
            last, shown = time.monotonic(), shown + 1
            print(draw_line(step), flush=True)
        elif time.monotonic() - last > patience:
            return
        else:
            time.sleep(0.05)


def draw_svg(name, to):
    steps = []
    for step in lines(name):
        if step is None:
            break
        steps.append(step)
    width, height, left, bottom = 800, 300, 50, 30
    most = max(max(step["counts"]) for step in steps)
    x = lambda step: left + width * (step["step"] - 1) / max(1, len(steps) - 1)
    y = lambda count: 10 + height * (1 - count / most)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{height + bottom + 20}" font-family="sans-serif" font-size="12">']
    parts += ['<rect width="100%" height="100%" fill="white"/>']
    for before, step in zip(steps, steps[1:]):
        if step["redistributions"] != before["redistributions"]:
            parts.append(f'<path d="M{x(step):.1f} 10V{10 + height}" stroke="#999" stroke-dasharray="4"/>')
    for i in range(len(steps[0]["counts"])):
        points = " ".join(f"{x(step):.1f},{y(step['counts'][i]):.1f}" for step in steps)
        colour = f"hsl({i * 137 % 360} 70% 40%)"
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{left + 8}" y="{24 + 14 * i}" fill="{colour}">mover {i}</text>')
    parts.append(f'<path d="M{left} 10V{10 + height}H{left + width}" fill="none" stroke="black"/>')
    parts.append(f'<text x="{left - 4}" y="18" text-anchor="end">{most}</text><text x="{left - 4}" y="{10 + height}" text-anchor="end">0</text>')
    parts.append(f'<text x="{left + width}" y="{height + bottom}" text-anchor="end">step {steps[-1]["step"]}</text></svg>')
    with open(to, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("feed")
    arguments.add_argument("--svg", metavar="FILE", help="draw a picture to this file instead")
    arguments.add_argument("--patience", type=float, default=5, metavar="SECONDS", help="end after so many seconds without data (5)")
    said = arguments.parse_args()
    try:
        if said.svg:
            draw_svg(said.feed, said.svg)
        else:
            follow(said.feed, said.patience)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
