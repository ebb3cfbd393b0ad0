#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top_prometheus.sh BIN_DIR
#
# A Prometheus reads a running cluster from `weir top --web`, and answers each query of the dashboard for Grafana.
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$work TMPDIR=$work
unset WEIR_TOP NO_COLOR
trap 'kill -KILL $(jobs -p) 2>/dev/null; cd /; rm -rf "$work"' EXIT
for each in prometheus promtool; do
  command -v $each >/dev/null || { echo "there is no $each: scripts/setup.sh browser installs it"; exit 77; }
done
/usr/bin/python3 "$here/top_prometheus.py" "$bin" || failed 'Prometheus'
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
