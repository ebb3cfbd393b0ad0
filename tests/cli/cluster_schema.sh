#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   cluster_schema.sh BIN_DIR    holds the JSON Schema of a configuration, and weir itself, against right and wrong files
set -uo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python3 -c 'import jsonschema' 2>/dev/null || { echo "python3-jsonschema is not installed"; exit 77; }
exec python3 "$here/cluster_schema.py" "$1/weir" "$here/../.."
