#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the all-to-all as groups that weir run has started, and prints one line of JSON: what all of them together have sent and received."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import weir_run  # noqa: E402

SIZE = 65_536


def main():
    parser = weir_run.parser(__doc__)
    parser.add_argument("--items", type=int, required=True, help="messages of each sender")
    parser.add_argument("--senders", type=int, required=True)
    parser.add_argument("--receivers", type=int, required=True)
    parser.add_argument("--rate", type=int, required=True, help="of the links, in Mbit/s")
    given = parser.parse_args()
    groups = [f"L{i}" for i in range(given.senders)] + [f"R{i}" for i in range(given.receivers)]
    numbers = {"items": given.items, "senders": given.senders, "receivers": given.receivers, "size": SIZE, "hosts": given.hosts}
    printed = weir_run.run(given, groups, groups, numbers)
    whole = {name: sum(part[name] for part in printed.values()) for name in printed[groups[0]]}
    messages = given.items * given.senders
    for name, expected in [("messages", messages), ("sum", messages * (given.items - 1) // 2)]:
        if whole[name] != expected:
            sys.exit(f"wrong {name}: {whole[name]} instead of {expected}")
    seconds = whole["wall_ns"] / 1e9
    extra = {"MB_per_s": messages * SIZE / 1e6 / seconds, "result": whole["sum"]}
    if given.hosts != 0:
        extra["link_share"] = whole["on_links"] / (given.senders * given.rate * 1e6 / 8 * seconds)
    print(json.dumps({"items": messages, "wall_ns": whole["wall_ns"], "cpu_ns": whole["cpu_ns"], "extra": extra}))


if __name__ == "__main__":
    main()
