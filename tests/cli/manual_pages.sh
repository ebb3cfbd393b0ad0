#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   manual_pages.sh BIN_DIR    each command has a manual page, with the options of its help and no others, which groff and mandoc take
#                              without a word; the build has made it
set -uo pipefail
export LC_ALL=C.UTF-8
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
. "$(dirname "$(readlink -f -- "$0")")/../support/options_of_help.sh"
bin=$(readlink -f -- "$1")
pages=$bin/../share/man/man1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0
while read -r command subcommand; do
  name=$command${subcommand:+-$subcommand}
  count=$((count + 1))
  if [ $command = dff_run ]; then
    cp "$pages/$name.1" . || fail "$name: no page"
  else
    expect 0 '' "$bin/$command" ${subcommand:+$subcommand} --man
    mv out $name.1
    cmp -s $name.1 "$pages/$name.1" || fail "$pages/$name.1 is not what $name --man prints"
  fi
  options_of_help $command $subcommand >wanted
  [ -s wanted ] || fail "$name: its help has no options"
  # The names of an entry stand in the line below .TP, in bold.
  awk '/^\.SH / { entries = $2 == "OPTIONS" } named && entries { print } { named = /^\.TP/ }' $name.1 | grep -o '\\fB[^\\]*\(\\-[^\\]*\)*\\fP' |
    sed 's/\\fB//; s/\\fP//; s/\\-/-/g' | sort -u >found
  diff wanted found >difference || fail "$name.1 has other options than the help: $(cat difference)"
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'SEE ALSO'; do grep -qx "\.SH $section" $name.1 || fail "$name.1: no section $section"; done
  "$bin/$command" ${subcommand:+$subcommand} --help | grep -q '^Exit codes:' && { grep -qx '\.SH EXIT STATUS' $name.1 || fail "$name.1: no exit status"; }
  sed -n '/^\.SH NAME/{n;p}' $name.1 | grep -qE "^${name//-/\\\\-} \\\\- [a-z]" || fail "$name.1: its name is no line for whatis"
done < <(all_commands)
[ $count -ge 2 ] || fail "only $count commands"
# Each page that another one refers to exists, or is the system's.
for page in *.1; do
  for name in $(sed -n '/^\.SH SEE ALSO/,$s/^\.BR \([^ ]*\) (1).*/\1/p; /^\.SH COMMANDS/,/^\.SH OPT/s/^\.BR \([^ ]*\) (1).*/\1/p' $page | tr -d '\\'); do
    case $name in sort | grep) ;; *) [ -e $name.1 ] || [ ! -x "$bin/${name%%-*}" ] || fail "$page refers to $name" ;; esac
  done
done
groff -man -ww -Tutf8 -K utf8 ./*.1 >rendered 2>said
[ ! -s said ] || fail "groff says: $(head -c 1000 said)"
# Nothing is lost between the source and the reader: text with a quote, a dash, a backquote and a letter that is not ASCII.
if [ -e wordcount.1 ]; then
  man_page() { groff -man -Tutf8 -K utf8 -P-bcu "$1"; }
  man_page wordcount.1 >rendered
  for text in "tr -sc 'A-Za-z0-9\\200-\\377' '\\n' < FILE | grep -a . | sort | uniq -c |" 'can’t' '--connections' '-j, --workers, --threads N'; do
    grep -qF -- "$text" rendered || fail "wordcount.1 does not show $text"
  done
fi
if command -v mandoc >/dev/null; then
  # A page has no date, so that each build makes the same.
  mandoc -T lint -W style ./*.1 | grep -v 'missing date, using ""' >said
  [ ! -s said ] || fail "mandoc says: $(head -c 1000 said)"
fi
[ $failures = 0 ]
