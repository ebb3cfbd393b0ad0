#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top_browser.sh BIN_DIR [PICTURES]
#
# The page of `weir top --web` in a real browser. Saves pictures of it in the folder PICTURES, if that is given.
pictures=${2:+$(mkdir -p "$2" && CDPATH='' cd -- "$2" && pwd)}
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$work TMPDIR=$work HOME=$work
unset WEIR_TOP NO_COLOR
for each in chromium chromedriver; do
  command -v $each >/dev/null || { echo "there is no $each: scripts/setup.sh browser installs it"; exit 77; }
done
/usr/bin/python3 -c 'import selenium' || exit 77
/usr/bin/python3 "$here/top_browser.py" "$bin" ${pictures:+"$pictures"} || failed 'the page in a browser'
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
