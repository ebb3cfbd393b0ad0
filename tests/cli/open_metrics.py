#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""open_metrics.py FILE NODE…: fails unless Prometheus' own parser reads FILE, and it counts these nodes."""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

text = open(sys.argv[1], encoding="utf-8").read()
families = {family.name: family for family in text_string_to_metric_families(text)}
assert text.endswith("# EOF\n")
for name, family in families.items():
    assert family.documentation and family.samples, name
    assert not family.unit or name.endswith("_" + family.unit), name
    for sample in family.samples:
        assert {"program", "pid"} <= set(sample.labels), sample
        assert sample.value >= 0, sample
items = {sample.labels["node"]: sample.value for sample in families["weir_node_items"].samples}
assert set(sys.argv[2:]) <= set(items), items
for kind, names in {
    "counter": ["weir_node_items", "weir_node_busy_seconds", "weir_channel_items", "weir_process_cpu_seconds"],
    "gauge": ["weir_channel_waiting_items", "weir_channel_room_items", "weir_run_ended", "weir_node_bottleneck"],
}.items():
    for name in names:
        assert families[name].type == kind, (name, families[name].type)
