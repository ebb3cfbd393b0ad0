#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_standard_streams.sh BIN_DIR    each way in which `weir run` ends, with standard streams that fail or stand still; see standard_streams.py
. "$(dirname -- "$0")/../support/weir_command.sh"
python3 "$here/standard_streams.py" "$bin"
