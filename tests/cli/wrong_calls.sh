#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   wrong_calls.sh BIN_DIR    each wrong call is told in one plain line, which names the nearest known word for a mistyped one; help and
#                             version can be asked for in each usual way
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
. "$(dirname "$(readlink -f -- "$0")")/../support/options_of_help.sh"
bin=$(readlink -f -- "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf 'b\na\n' >lines
printf '>a\nMKVLA\n' >fasta
weir=$bin/weir

# ---- mistyped ----
expect 2 "weir: unknown command 'rnu'; did you mean run? See weir --help" "$weir" rnu
expect 2 "weir: unknown command 'rnu'; did you mean run? See weir --help" "$weir" help rnu
expect 2 "weir: unknown command 'lines'; see weir --help" "$weir" lines
expect 64 "weir run: unknown option '--perfix'; did you mean --prefix? See weir run --help" "$weir" run --perfix --on 2 -- true
expect 2 "unknown option '--wrds'; did you mean --words? See wordcount --help" "$bin/wordcount" --wrds=bytes lines
expect 2 "unknown option '--foo'; see wordcount --help" "$bin/wordcount" --foo lines
expect 2 "unknown option '-x'; see wordcount --help" "$bin/wordcount" -x lines
expect 2 "unknown option --colr; did you mean --color? See filesearch --help" "$bin/filesearch" --colr a lines
# It is the reason why something else is missing, too.
expect 2 "unknown option '--sed'; did you mean --seed? See recgen --help" "$bin/recgen" --sed 3
expect 2 "unknown option '--foo'" "$bin/swsearch" --foo
expect 2 "unexpected 'third'" "$bin/swsearch" fasta fasta third

# ---- values ----
expect 2 'wordcount: --top has no value; see' "$bin/wordcount" -k
expect 2 'extsort: --key has no value; see' "$bin/extsort" --key
expect 64 'weir run: --via has no value; see' "$weir" run --via
expect 2 "--words: 'word' is none of bytes, unicode; see" "$bin/wordcount" --words word lines
expect 2 "--quiet takes no value; see" "$bin/wordcount" --quiet=3 lines
expect 2 "--top is given several times; give it once; see" "$bin/wordcount" --top 3 -k 4 lines
expect 2 "--interval: 'x' is not a number from 0.1 to 3600; see" "$weir" top --interval x
expect 2 "--interval: '0' is not a number from 0.1 to 3600; see" "$weir" top --interval 0
# The advice is the whole call.
expect 64 'say weir run CONFIGURATION -- program, or weir run --on 4 -- program' "$weir" run
expect 2 'say weir check CONFIGURATION -- program' "$weir" check
expect 2 'say weir plan --on 4 -- program' "$weir" plan

# ---- help and version ----
while read -r command subcommand; do
  if [ "$command" != filesearch ] && [ "$command" != extsort ] && [ "$command" != recheck ]; then  # -h is another option there
    "$bin/$command" ${subcommand:+"$subcommand"} -h >short 2>err && "$bin/$command" ${subcommand:+"$subcommand"} --help | cmp -s - short || fail "$command $subcommand -h: $(cat err)"
  fi
  expect 0 '' "$bin/$command" ${subcommand:+"$subcommand"} --version
  grep -qE "^$command( index)? [0-9]+\.[0-9]+\.[0-9]+$" out && [ ! -s err ] || fail "$command $subcommand --version: $(cat out err)"
  [ "$command$subcommand" = weir ] || [ "$(wc -l <out)" = 1 ] || fail "$command $subcommand --version: $(cat out)"
done < <(all_commands)
"$weir" --help >wanted
"$weir" help | cmp -s - wanted || fail 'weir help is not weir --help'
"$weir" help run >found
"$weir" run --help | cmp -s - found || fail 'weir help run is not weir run --help'
[ $failures = 0 ]
