#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""cluster_schema.py WEIR TREE: docs/cluster.schema.json and weir accept and refuse the same configurations."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

RIGHT = {
    "fastflow's": """{"protocol": "TCP", "groups": [
        {"endpoint": "host1:8004", "name": "G1", "batchSize": 20, "messageOTF": 64, "internalMessageOTF": 128,
         "threadMapping": "0,2,4,6,8"},
        {"name": "G2", "endpoint": "host2:8005", "preCmd": "numactl --interleave=all"}]}""",
    "weir's": """{"$schema": "cluster.schema.json", "protocol": "tcp", "plan": true, "builds": "same", "heartbeat": 0.5, "dead_after": 2,
        "start_within": 1e3, "groups": [
        {"name": "a", "endpoint": "[::1]:80", "nodes": ["read", "split[0-1]"], "batch_size": 0, "frames_under_way": 1,
         "channel_items": 1000000000, "cores": "0-3,7", "pre_command": "nice", "environment": {"X": "1", "_y2": ""}}]}""",
    "all of the links": """{"transport": "tcp", "checksums": true, "builds": "any", "reconnect_within": 10, "stalled_after": 60.5,
        "tls": {"certificate": "a.pem", "key": "a.key", "authorities": "all.pem"},
        "links": [{"groups": ["a", "b"], "transport": "auto"}, {"groups": ["b", "a"]}],
        "groups": [{"name": "a"}, {"name": "b"}]}""",
    "a batch and a limit": '{"groups": [{"name": "a", "batch_size": 8, "messageOTF": 4}, {"name": "b", "batchSize": 8}]}',
    "fastflow's notes": '{"groups": [{"name": "a", "OConn": ["b"], "includedNodes": []}, {"name": "b"}]}',
    "bytes of a batch": '{"groups": [{"name": "a", "batchByteSize": "32K"}, {"name": "b", "batchByteSize": 4096}]}',
    "a port alone": '{"groups": [{"name": "a", "endpoint": ":65535"}]}',
    "an address of IPv6 alone": '{"groups": [{"name": "a", "endpoint": "[fe80::1%eth0]"}]}',
    "a host alone": '{"groups": [{"name": "a", "endpoint": "localhost"}, {"name": "b", "nodes": []}]}',
    "long names": '{"groups": [{"name": "%s"}]}' % ("x" * 61),
}
WRONG = {
    "no object": "[]",
    "no groups": "{}",
    "no group": '{"groups": []}',
    "groups that are no array": '{"groups": {"name": "a"}}',
    "a group without a name": '{"groups": [{}]}',
    "a group that is a string": '{"groups": ["a"]}',
    "an empty name": '{"groups": [{"name": ""}]}',
    "a name that is too long": '{"groups": [{"name": "%s"}]}' % ("x" * 62),
    "a name that is a number": '{"groups": [{"name": 3}]}',
    "a name that colours a terminal": '{"groups": [{"name": "\\u001b[31mred"}]}',
    "a name that does so with one character": '{"groups": [{"name": "\\u009b31mred"}]}',
    "an unknown key": '{"grups": [], "groups": [{"name": "a"}]}',
    "an unknown key of a group": '{"groups": [{"name": "a", "bachSize": 3}]}',
    "bytes of a batch that are a list": '{"groups": [{"name": "a", "batchByteSize": []}]}',
    "an unknown protocol": '{"protocol": "UDP", "groups": [{"name": "a"}]}',
    "a plan that is no truth value": '{"plan": 1, "groups": [{"name": "a"}]}',
    "a schema that is no string": '{"$schema": 1, "groups": [{"name": "a"}]}',
    "a time below 0": '{"heartbeat": -1, "groups": [{"name": "a"}]}',
    "a time of 0": '{"dead_after": 0, "groups": [{"name": "a"}]}',
    "a time in words": '{"start_within": "5 s", "groups": [{"name": "a"}]}',
    "a time without an end": '{"start_within": 1e9, "groups": [{"name": "a"}]}',
    "builds of no kind": '{"builds": "alike", "groups": [{"name": "a"}]}',
    "builds that are no string": '{"builds": true, "groups": [{"name": "a"}]}',
    "an unknown transport": '{"transport": "udp", "groups": [{"name": "a"}]}',
    "checksums that are no truth value": '{"checksums": 1, "groups": [{"name": "a"}]}',
    "a time to reconnect of 0": '{"reconnect_within": 0, "groups": [{"name": "a"}]}',
    "links that are no array": '{"links": {"groups": ["a", "b"]}, "groups": [{"name": "a"}, {"name": "b"}]}',
    "a link without groups": '{"links": [{"transport": "tcp"}], "groups": [{"name": "a"}, {"name": "b"}]}',
    "a link of three": '{"links": [{"groups": ["a", "b", "a"]}], "groups": [{"name": "a"}, {"name": "b"}]}',
    "an unknown key of a link": '{"links": [{"groups": ["a", "b"], "tls": {}}], "groups": [{"name": "a"}, {"name": "b"}]}',
    "tls without a key": '{"tls": {"certificate": "a", "authorities": "b"}, "groups": [{"name": "a"}]}',
    "an unknown key of tls": '{"tls": {"certificate": "a", "key": "a", "authorities": "b", "cipher": ""}, "groups": [{"name": "a"}]}',
    "tls that is true": '{"tls": true, "groups": [{"name": "a"}]}',
    "a batch that nothing counts": '{"groups": [{"name": "a", "batch_size": 8}]}',
    "a batch of which any number may go": '{"groups": [{"name": "a", "batch_size": 8, "frames_under_way": 0}]}',
    "half an item": '{"groups": [{"name": "a", "batch_size": 1.5}]}',
    "fewer than no items": '{"groups": [{"name": "a", "internalMessageOTF": -1}]}',
    "too many frames": '{"groups": [{"name": "a", "messageOTF": 1000000001}]}',
    "nodes that are no array": '{"groups": [{"name": "a", "nodes": "read"}]}',
    "a node that is no string": '{"groups": [{"name": "a", "nodes": [1]}]}',
    "a port that there is not": '{"groups": [{"name": "a", "endpoint": "host:65536"}]}',
    "an address of IPv6 without brackets": '{"groups": [{"name": "a", "endpoint": "::1:80"}]}',
    "more behind brackets": '{"groups": [{"name": "a", "endpoint": "[::1]80"}]}',
    "a port in words": '{"groups": [{"name": "a", "endpoint": "host:http"}]}',
    "a host that is a number": '{"groups": [{"name": "a", "endpoint": 80}]}',
    "cores in words": '{"groups": [{"name": "a", "threadMapping": "all"}]}',
    "a list of cores that ends early": '{"groups": [{"name": "a", "cores": "1,"}]}',
    "a command that is no string": '{"groups": [{"name": "a", "preCmd": ["nice"]}]}',
    "an environment that is an array": '{"groups": [{"name": "a", "environment": []}]}',
    "a variable that is a number": '{"groups": [{"name": "a", "environment": {"X": 1}}]}',
    "a variable with an odd name": '{"groups": [{"name": "a", "environment": {"A B": ""}}]}',
}


def main(weir, tree):
    schema = json.loads((tree / "docs/cluster.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    def weir_says(name, text):
        """The lines that weir has against the file itself; it gets no further than that, as `true` runs no network."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "c.json"
            file.write_text(text, encoding="utf-8")
            clean = {k: v for k, v in os.environ.items() if not k.startswith("WEIR_")}
            done = subprocess.run([weir, "check", str(file), "--", "true"], capture_output=True, text=True, env=clean, timeout=60)
            problems = re.findall(r"c\.json:[0-9]+: (.*)", done.stderr + done.stdout)
            if problems and done.returncode != 64:
                failures.append(f"{name}: weir ends with {done.returncode}, not 64")
            return problems

    def check(name, text, right):
        found = [e.message for e in validator.iter_errors(json.loads(text))]
        told = weir_says(name, text)
        if right and found:
            failures.append(f"{name}: the schema refuses it: {found}")
        if right and told:
            failures.append(f"{name}: weir refuses it: {told}")
        if not right and not found:
            failures.append(f"{name}: the schema accepts it")
        if not right and not told:
            failures.append(f"{name}: weir accepts it")

    for name, text in RIGHT.items():
        check(name, text, True)
    for name, text in WRONG.items():
        check(name, text, False)

    kept = [p for folder in ("examples", "tests") for p in sorted((tree / folder).rglob("*.json"))]
    if not any("figure5" in p.name for p in kept):
        failures.append("the examples' configurations were not found")
    for path in kept:
        text = path.read_text(encoding="utf-8")
        if isinstance(json.loads(text), dict) and "groups" in json.loads(text):
            check(str(path), text, True)
    blocks = re.findall(r"```json\n(.*?)```", (tree / "docs/cluster.md").read_text(encoding="utf-8"), re.S)
    if not blocks:
        failures.append("docs/cluster.md shows no configuration")
    for block in blocks:
        check("docs/cluster.md", block, True)

    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


main(sys.argv[1], pathlib.Path(sys.argv[2]))
