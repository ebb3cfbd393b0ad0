#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: site.sh [--serve]
#
# Builds the pages of the documentation as a site, with the reference that it
# makes from the comments of the public headers. The site is build/site; open
# build/site/index.html, or serve the folder for the search to work.
#
# The build fails if a link, an anchor or a picture leads nowhere, if a page is
# not in the navigation (mkdocs.yml), or if a page loads anything from another
# host.
#
#   --serve  show the site at http://127.0.0.1:8000, and build it again after
#            each change of a page or header
#
# Exit codes:
#   0  success
#   1  the site is wrong, or a program is missing: run setup.sh site
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
[ $# -le 1 ] || { echo "site.sh: takes one option; '$2' is too much" >&2; exit 2; }
case ${1:-} in '' | --serve) ;; *) echo "site.sh: unknown option '$1'; there is only --serve" >&2; exit 2 ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
for program in mkdocs doxygen clang-format-16; do
  command -v "$program" >/dev/null || { echo "site.sh: there is no $program; run scripts/setup.sh site" >&2; exit 1; }
done
export LC_ALL=C.UTF-8
if [ "${1:-}" = --serve ]; then
  exec mkdocs serve --watch include --watch mpistream/include --watch apps --watch README.md --watch CONTRIBUTING.md --watch MAINTAINERS.md
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mkdocs build --strict >"$log" 2>&1 || {
  # Errors and warnings, with the lines that belong to them.
  awk '/(INFO|DEBUG) +- /{shown = 0; next} /(WARNING|ERROR|Aborted)/{shown = 1} shown' "$log" | sed 's/\x1b\[[0-9;]*m//g' >&2
  exit 1
}
scripts/site/check.py build/site
