# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Functions about the options of weir's commands; the scripts source this file, and set $bin.

# All commands that have a help, in one line each: weir, its subcommands, the applications, dff_run.
all_commands() {
  local each
  for each in weir wordcount filesearch swsearch 'swsearch index' extsort recgen recheck dff_run; do
    [ ! -x "$bin/${each%% *}" ] || echo "$each"
  done
  [ ! -x "$bin/weir" ] || "$bin/weir" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z]*\) .*/weir \1/p'
}

# The names of all options in a command's help, one in a line: the first words of indented lines that begin with a dash.
options_of_help() {  # COMMAND [SUBCOMMAND]
  "$bin/$1" ${2:+"$2"} --help | awk '
    /^Exit codes:/ { exit }
    /^  (    )?-/ {
      for (i = 1; i <= NF; ++i) {
        if ($i !~ /^-/) break
        words = words "," $i
        if ($i !~ /,$/) break
      }
    }
    END {
      count = split(words, names, ",")
      for (i = 1; i <= count; ++i) {
        sub(/[[=].*/, "", names[i])
        if (names[i] ~ /^-/) print names[i]
      }
    }' | sort -u
}
