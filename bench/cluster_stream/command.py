#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Streams messages from one group to another that weir run has started, and prints the receiver's line."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import weir_run  # noqa: E402


def main():
    parser = weir_run.parser(__doc__)
    parser.add_argument("--items", type=int, required=True)
    parser.add_argument("--size", type=int, required=True, help="bytes of a message")
    parser.add_argument("--kind", type=int, default=0, help="0: messages as they lie, 2: buffers")
    given = parser.parse_args()
    numbers = {"items": given.items, "size": given.size, "kind": given.kind}
    print(json.dumps(weir_run.run(given, ["sender", "receiver"], ["receiver"], numbers)["receiver"]))


if __name__ == "__main__":
    main()
