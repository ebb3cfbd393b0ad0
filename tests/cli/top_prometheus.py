#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""top_prometheus.py BIN_DIR: run by top_prometheus.sh in a folder of its own."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import dashboard

WEIR, WORDCOUNT = (f"{sys.argv[1]}/{name}" for name in ("weir", "wordcount"))
PATIENCE = 120  # seconds until something that must come counts as missing


def await_that(what, wanted):
    until = time.monotonic() + PATIENCE
    while not (got := what()):
        assert time.monotonic() < until, f"never came: {wanted}"
        time.sleep(0.1)
    return got


def flow(ended):
    lines = "".join(f"{number} of many words in a line\n" for number in range(2000)).encode()
    with open("words", "wb", buffering=0) as to:
        while not ended.is_set():
            to.write(lines)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def rules_are_right(queries):
    """promtool reads the queries as rules, and says where one is no PromQL."""
    rules = [{"record": f"query_{number}", "expr": query.expression} for number, query in enumerate(queries)]
    with open("rules.yml", "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)  # JSON is YAML
    subprocess.run(["promtool", "check", "rules", "rules.yml"], check=True, stdout=subprocess.DEVNULL)


def start_cluster():
    """Returns the processes of a cluster of three groups and of its page, and the page's address."""
    with open("three.json", "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "G1", "nodes": ["read", "split[0]"]},
                              {"name": "G2", "nodes": ["split[1]", "count[0]"]},
                              {"name": "G3", "nodes": ["count[1]", "rank"]}]}, file)  # fmt: skip
    os.mkfifo("words")
    ended = threading.Event()
    feeder = threading.Thread(target=flow, args=(ended,), daemon=True)
    feeder.start()
    with open("words", "rb") as words, open("top_err", "wb") as err:
        top = subprocess.Popen([WEIR, "top", "--interval", "0.5", "--web", "--", WEIR, "run", "three.json", "--", WORDCOUNT, "-j2", "-q", "-"],
                               stdin=words, stdout=subprocess.DEVNULL, stderr=err)  # fmt: skip

    def address():
        with open("top_err", encoding="utf-8") as file:
            return re.search(r"the page is (http://\S+)", file.read())

    return top, urllib.parse.urlsplit(await_that(address, "the address of the page")[1]), ended, feeder


def main():
    queries = dashboard.queries()
    rules_are_right(queries)
    top, page, ended, feeder = start_cluster()
    scrape = {"job_name": "weir", "scrape_interval": "1s", "static_configs": [{"targets": [page.netloc]}],
              "authorization": {"credentials": urllib.parse.parse_qs(page.query)["token"][0]}}  # fmt: skip
    with open("prometheus.yml", "w", encoding="utf-8") as file:
        json.dump({"scrape_configs": [scrape]}, file)
    subprocess.run(["promtool", "check", "config", "prometheus.yml"], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    with open("prometheus_err", "wb") as err:
        prometheus = subprocess.Popen(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                                       f"--web.listen-address=127.0.0.1:{port}"], stderr=err)  # fmt: skip

    def ask(path, **parameters):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}") as answer:
                return json.load(answer)["data"]
        except urllib.error.URLError:
            return None

    try:
        for query in queries:
            found = await_that(lambda query=query: (ask("query", query=query.expression) or {}).get("result"), query.panel)
            for each in found:
                assert set(query.legend) <= set(each["metric"]), (query.panel, each)
        for name, label in dashboard.variables():
            values = ask(f"label/{label}/values", **{"match[]": name})
            assert values, (name, label)
        groups = {(each["metric"]["from_group"], each["metric"]["to_group"])
                  for each in ask("query", query=next(q.expression for q in queries if "groups" in q.panel))["result"]}  # fmt: skip
        assert groups == {("G1", "G2"), ("G1", "G3"), ("G2", "G3")}, groups
        (target,) = ask("targets")["activeTargets"]
        assert target["health"] == "up" and target["lastError"] == "", target
    finally:
        prometheus.terminate()
        ended.set()
        feeder.join()
        top.wait(PATIENCE)
    assert prometheus.wait(PATIENCE) == 0 and top.returncode == 0, (prometheus.returncode, top.returncode)


main()
