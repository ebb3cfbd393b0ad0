#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Draws every .dot of this folder as .svg beside it (Graphviz).
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")"
for source in *.dot; do
  dot -Tsvg "$source" -o "${source%.dot}.svg"
done
