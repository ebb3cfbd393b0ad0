#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: demo.sh
#
# Builds weir and shows it at work on text and proteins that Debian has.
#
# The script counts the words of at least 200 MB of licences and documentation. It
# compares the counts with those of tr, sort and uniq, draws the network with its
# rates, and counts again with four processes. It then builds the rest, and
# searches 20000 proteins for relatives of 20 of them.
#
# Exit codes:
#   0  success
#   1  a build failed, or results differ
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
[ $# = 0 ] || { echo "demo.sh: takes no arguments; see demo.sh --help" >&2; exit 2; }
export LC_ALL=C
least=200000000
folder=build/demo

section() { printf '\n== %s\n' "$*"; }
seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.2f", to - from }'; }

scripts/setup.sh demo
section "Building weir, and what counts words"
cmake --preset release -D WEIR_TESTS=OFF -D WEIR_EXAMPLES=OFF -D WEIR_UNITY=ON >/dev/null
cmake --build --preset release -j "$(nproc)" --target wordcount -- --quiet
mkdir -p "$folder"

section "Gathering text"
if [ ! -f "$folder/text" ]; then
  # Much of the documentation is compressed; zcat -f passes on what is not.
  find /usr/share/common-licenses /usr/share/doc -type f -print0 | sort -z | xargs -0 zcat -f 2>/dev/null >"$folder/once" || true
  [ -s "$folder/once" ] || { echo "demo.sh: no text in /usr/share/common-licenses and /usr/share/doc; install packages with documentation" >&2; exit 1; }
  copies=$((1 + (least - 1) / $(stat -c %s "$folder/once")))
  for ((copy = 0; copy != copies; ++copy)); do cat "$folder/once"; done >"$folder/text.unfinished"
  mv "$folder/text.unfinished" "$folder/text"
  echo "$copies x $(stat -c %s "$folder/once") bytes"
  rm "$folder/once"
fi
echo "$folder/text: $(stat -c %s "$folder/text") bytes"

wordcount=build/release/bin/wordcount
section "The ten most frequent words, and what each node of the network did"
"$wordcount" --table --report "$folder/report.json" "$folder/text"

section "The same with tr, sort and uniq"
"$wordcount" --quiet --top 0 "$folder/text" >"$folder/words"
start=$EPOCHREALTIME
tr -sc 'A-Za-z0-9\200-\377' '\n' <"$folder/text" | grep -a . | sort | uniq -c | sort -k1,1nr -k2 >"$folder/words.expected"
echo "$(seconds_since "$start") s"
if ! cmp "$folder/words" "$folder/words.expected"; then
  echo "demo.sh: the counts differ; see $folder/words and $folder/words.expected" >&2
  exit 1
fi
echo "All $(wc -l <"$folder/words") words have the same counts."

section "Building the command weir"
cmake --build --preset release -j "$(nproc)" --target weir_command -- --quiet

section "The network, coloured by how busy its nodes were"
build/release/bin/weir graph --svg --report "$folder/report.json" -o "$folder/wordcount.svg" -- "$wordcount" "$folder/text"
echo "$folder/wordcount.svg"

section "The same network as four processes, which send each other what they count"
build/release/bin/weir run --on 4 -- "$wordcount" --top 0 "$folder/text" >"$folder/words.of_four"
cmp "$folder/words.of_four" "$folder/words" || { echo "demo.sh: four processes count differently" >&2; exit 1; }
echo "All $(wc -l <"$folder/words.of_four") words have the same counts."

proteins=/usr/share/doc/mmseqs2/example-data/DB.fasta.gz
if [ ! -f "$proteins" ]; then
  echo "demo.sh: there is no $proteins, though the package mmseqs2-examples is installed: this system leaves out what lies in /usr/share/doc"
  exit 0
fi
section "Building the rest"
cmake --build --preset release -j "$(nproc)" -- --quiet
swsearch=build/release/bin/swsearch
section "20 proteins searched for among 20000"
zcat "${proteins%/*}/QUERY.fasta.gz" | awk '/^>/ { ++n } n <= 20' >"$folder/queries.fa"
"$swsearch" --top 3 "$folder/queries.fa" "$proteins" >"$folder/hits"
head -n 6 "$folder/hits"
section "The same with an index, as two processes that have half of it each"
"$swsearch" index "$proteins" -o "$folder/proteins.swdb"
build/release/bin/weir run --on 2 -- "$swsearch" --top 3 "$folder/queries.fa" "$folder/proteins.swdb" >"$folder/hits.of_two"
cmp "$folder/hits.of_two" "$folder/hits" || { echo "demo.sh: two processes find something else" >&2; exit 1; }
echo "All $(wc -l <"$folder/hits") hits are the same."
