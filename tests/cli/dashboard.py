#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""dashboard.py FILE: fails unless FILE, OpenMetrics text of a cluster, has all that the dashboard for Grafana asks for.

Other tests import the queries of the dashboard from here."""

import json
import os
import re
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

DASHBOARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/weir/top/grafana.json")
WORDS = {"sum", "by", "rate", "count", "max", "or", "and", "vector"}  # of PromQL, in the dashboard's queries


class Query:
    """One query of a panel, with `expression` for all programs, processes and nodes."""

    def __init__(self, panel, target):
        self.panel = panel["title"]
        self.expression = target["expr"].replace("$__rate_interval", "5s")
        for variable in "$program", "$pid", "$node":
            self.expression = self.expression.replace(variable, ".*")
        assert "$" not in self.expression, self.expression
        self.legend = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])

    def metrics(self):
        """Returns the names of the metrics, each with the labels that the query uses."""
        bare = re.sub(r'"[^"]*"', '""', self.expression)
        names = set(re.findall(r"\bweir_\w+", bare))
        labels = set(re.findall(r'(\w+)\s*(?:=~|!~|!=|=)\s*""', bare)) | set(self.legend)
        for group in re.findall(r"\bby\s*\(([^)]*)\)", bare):
            labels |= set(re.findall(r"\w+", group))
        unknown = set(re.findall(r"\b[a-z_]+\b", bare)) - names - labels - WORDS - {"s"}
        assert not unknown, f"{self.panel}: {unknown}"
        return {name: labels for name in names}


def queries():
    with open(DASHBOARD, encoding="utf-8") as file:
        dashboard = json.load(file)
    assert {each["name"] for each in dashboard["templating"]["list"]} == {"datasource", "program", "pid", "node"}
    found = [Query(panel, target) for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(found) >= len(dashboard["panels"]) > 0
    return found


def variables():
    """Returns the metric and the label of each variable that is asked of Prometheus."""
    with open(DASHBOARD, encoding="utf-8") as file:
        listed = json.load(file)["templating"]["list"]
    return [re.fullmatch(r"label_values\((\w+)(?:\{.*\})?, (\w+)\)", each["query"]["query"]).groups()
            for each in listed if each["type"] == "query"]  # fmt: skip


def main():
    labels = {}  # of each metric, those that some sample has
    with open(sys.argv[1], encoding="utf-8") as file:
        for family in text_string_to_metric_families(file.read()):
            for sample in family.samples:
                labels.setdefault(sample.name, set()).update(sample.labels)
    for query in queries():
        for name, used in query.metrics().items():
            assert name in labels, f"{query.panel}: there is no {name}"
            assert used <= labels[name], f"{query.panel}: {name} has no {used - labels[name]}"
    for name, label in variables():
        assert label in labels[name], f"a variable: {name} has no {label}"


if __name__ == "__main__":
    main()
