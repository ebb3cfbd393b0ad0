#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   site.sh BIN_DIR
#
# The parts of the site's build that read pages, and the check of its result. scripts/test.sh builds the site itself.
exec "$(dirname -- "$(readlink -f -- "$0")")/../site/links_test.py"
