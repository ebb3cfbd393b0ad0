#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_faults.sh BIN_DIR    kills and stops groups of a cluster at random moments; see random_faults.py
. "$(dirname -- "$0")/../support/own_machine.sh"
own_memory "$@"
. "$(dirname -- "$0")/../support/weir_command.sh"
python3 "$here/random_faults.py" "$bin"
