#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: check_light.sh
#
# Checks that <weir/weir.hpp> includes no standard header that a hello world does
# not need, because each costs every user compile time.
#
# Exit codes:
#   0  no such header is included
#   1  one is, or the headers could not be listed
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
[ $# = 0 ] || { echo "check_light.sh: takes no arguments; '$1' is too much" >&2; exit 2; }
heavy='regex|filesystem|iostream|sstream|chrono|future|thread|functional|memory|unordered_map|ranges|algorithm'
headers=$(echo '#include <weir/weir.hpp>' | "${CXX:-g++}" -std=c++20 -Iinclude -x c++ -M - | tr -s ' \\' '\n\n')
# One that is surely there, so that a compiler that fails isn't taken for a light header.
grep -qE '/c\+\+/([0-9]+|v1)/utility$' <<<"$headers" || { echo "check_light.sh: no standard headers are found; check the compiler in CXX" >&2; exit 1; }
found=$(grep -E "/c\+\+/([0-9]+|v1)/($heavy)\$" <<<"$headers" || true)
if [ -n "$found" ]; then
  printf 'weir/weir.hpp includes %s, which is heavy; include it in a .cpp of the library, or in a header of its own\n' $found >&2
  exit 1
fi
