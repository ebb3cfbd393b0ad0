#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: format.sh [--check]
#
# Formats all C++ sources. With --check, it changes nothing and names the files
# that are not formatted.
#
# Exit codes:
#   0  success
#   1  with --check: a file is not formatted
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
mapfile -t sources < <(find include src support tests examples apps tools bench docs mpistream compat -name '*.[ch]pp' -o -path 'mpistream/*.[ch]' -o -path 'bench/*.[ch]' 2>/dev/null | sort)
case ${1:-} in
  '') clang-format-16 -i "${sources[@]}" && python3 scripts/reflow_comments.py "${sources[@]}" ;;
  --check)
    if ! said=$(clang-format-16 --dry-run --Werror "${sources[@]}" 2>&1); then
      files=$(sed -nE 's,^([^:]+):[0-9]+:[0-9]+: error:.*,not formatted (run scripts/format.sh): \1,p' <<<"$said" | sort -u)
      echo "${files:-$said}" >&2
      exit 1
    fi
    python3 scripts/reflow_comments.py --check "${sources[@]}" >&2
    ;;
  *) echo "format.sh: unknown option '$1'; there is only --check" >&2; exit 2 ;;
esac
