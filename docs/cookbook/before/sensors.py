#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""sensors.py SENSORS_PORT METRICS_PORT: the recipe "sensors" with a thread for each client, and Prometheus' own library."""

import socketserver
import sys
import threading

import prometheus_client

lock = threading.Lock()
windows = {}  # sensor: begin of its window, values in it
latest = 0
mean = prometheus_client.Gauge("sensor_mean", "Mean of ten seconds.", ["sensor"])
ignored = prometheus_client.Counter("ignored_lines", "Lines that are no readings.")


class Client(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            try:
                at, sensor, value = line.decode().split()
                take(int(at), sensor, float(value))
            except ValueError:
                ignored.inc()


def take(at, sensor, value):
    global latest
    with lock:
        latest = max(latest, at)
        for name in [name for name, (begin, _) in windows.items() if begin + 10 <= latest]:
            _, values = windows.pop(name)
            mean.labels(name).set(sum(values) / len(values))
        if at // 10 * 10 + 10 > latest:
            windows.setdefault(sensor, (at // 10 * 10, []))[1].append(value)


prometheus_client.start_http_server(int(sys.argv[2]), addr="127.0.0.1")
socketserver.ThreadingTCPServer.allow_reuse_address = True
with socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Client) as server:
    server.serve_forever()
