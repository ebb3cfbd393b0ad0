#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   filesearch_readme.sh BIN_DIR
#
# The example in filesearch's README has the output that is printed there.
set -uo pipefail
filesearch=$1/filesearch
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/../.." || exit 1
[ -x "$filesearch" ] || exit 77
readme=apps/filesearch/README.md
example=$(sed -n 's/^\$ filesearch //p' $readme | head -n 1)
expected=$(sed -n '/^\$ filesearch /,/^```$/p' $readme | sed '1d; /^```$/,$d')
[ -n "$expected" ] || { echo "$readme has no example" >&2; exit 1; }
found=$(eval "'$filesearch' $example")
[ "$found" = "$expected" ] || { printf '%s: filesearch %s prints\n%s\n' $readme "$example" "$found" >&2; exit 1; }
