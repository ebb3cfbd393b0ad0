#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   completion.sh BIN_DIR    bash, and zsh and fish if they are installed, complete the commands: all options of the help, values, files,
#                            folders, subcommands, and behind -- another command. The shells themselves are asked
set -uo pipefail
export LC_ALL=C.UTF-8
here=$(dirname "$(readlink -f -- "$0")")
. "$here/../support/expect.sh"
. "$here/../support/options_of_help.sh"
bin=$(readlink -f -- "$1")
scripts=$bin/../share
[ -x "$bin/weir" ] && [ -x "$bin/wordcount" ] || { echo 'needs weir and wordcount'; exit 77; }
export PATH=$bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for each in weir wordcount filesearch swsearch extsort recgen recheck; do
  "$bin/$each" --completion bash | cmp -s - "$scripts/bash-completion/completions/$each" || fail "$each: the build has another completion for bash"
done
expect 2 "'tcsh' is none of bash, zsh, fish" weir --completion tcsh
mkdir -p files/folder home
touch files/text.txt files/folder/within
cd files || exit 1
export HOME=$work/home

# LINE: WORDS, all that a shell offers for the word at the end of the line.
cat >../cases <<'END'
weir r: run
weir doctor --j: --json
weir run --logs : folder
weir run --on :
weir run --no-p: --no-prefix
weir plan --complete te: text.txt
weir check : folder text.txt
weir run --on 2 -- wordcoun: wordcount
weir run --on 2 -- wordcount --wo: --words --workers
weir top -- wordcount --words : bytes unicode
weir help ru: run
wordcount --words : bytes unicode
wordcount --words=: bytes unicode
wordcount : folder text.txt
wordcount --report=t: text.txt
extsort -T : folder
extsort --engine : openmp seq weir
recgen --keys ne: nearly
swsearch --outfmt p: pairwise
swsearch i: index
swsearch index --d: --dna
filesearch --color=: always auto never
filesearch --binary-files : binary text without-match
dff_run -p : MPI TCP
dff_run -f te: text.txt
END
# All options, in a line for each command.
while read -r command subcommand; do
  printf '%s: %s\n' "$command${subcommand:+ $subcommand} -" "$(options_of_help $command $subcommand | tr '\n' ' ')"
done < <(all_commands) >../options

# as_sets: reads lines LINE: WORDS, and sorts the words of each; a folder may have a slash at its end.
as_sets() {
  awk -F': *' '{
    count = split($2, words, " ")
    for (i = 1; i <= count; ++i) {
      sub(/\/$/, "", words[i])
      for (j = i; j > 1 && words[j] < words[j - 1]; --j) { kept = words[j]; words[j] = words[j - 1]; words[j - 1] = kept }
    }
    line = $1 ":"
    for (i = 1; i <= count; ++i) if (words[i] != words[i - 1]) line = line " " words[i]
    print line
  }'
}
# offers SHELL: compares the lines in ../found with those that are wanted.
offers() {
  diff <(cat ../cases ../options | as_sets) <(as_sets <../found) >../difference ||
    fail "$1 offers something else (>) than is expected (<): $(cat ../difference)"
}

# ---- bash: calls the function of the command as bash does, which divides words at = ----
cut -d: -f1 ../cases ../options | bash --norc -c '
  for script in "$1"/bash-completion/completions/*; do . "$script"; done
  [ ! -e "$2" ] || . "$2"
  compopt() { :; }  # it works only while bash completes
  while IFS= read -r line; do
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line != *[=\ ] ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    "_${COMP_WORDS[0]}" "${COMP_WORDS[0]}"
    echo "$line: ${COMPREPLY[*]}"
  done' bash "$scripts" /usr/share/bash-completion/bash_completion >../found 2>../said
[ ! -s ../said ] || fail "bash says: $(head -c 500 ../said)"
# It also offers the -- in front of a program. Without the package bash-completion it does not know the options of that program.
sed -i 's/\( -:.*\) --$/\1/' ../found
[ -e /usr/share/bash-completion/bash_completion ] || sed -i '/ -- wordcount/d' ../found ../cases
offers bash

# ---- zsh, on a terminal of its own ----
if command -v zsh >/dev/null; then
  mapfile -t all < <(cut -d: -f1 ../cases ../options)
  zsh -f "$here/completed_by_zsh.zsh" "$scripts/zsh/site-functions" "${all[@]}" >../found 2>../said
  [ ! -s ../said ] || fail "zsh says: $(head -c 500 ../said)"
  sed -i '/^dff_run -:/s/ - / /' ../found  # a word that may stand in front of a command, the program here
  offers zsh
fi

# ---- fish ----
if command -v fish >/dev/null; then
  cut -d: -f1 ../cases ../options | fish --no-config -c '
    for script in $argv[1]/fish/vendor_completions.d/*; source $script; end
    while read -l line
      # It completes a word behind = with the whole word.
      set -l words (complete -C "$line" | string split -f 1 \t | string replace -r "^--[a-z-]*=" "")
      echo "$line: $words"
    end' "$scripts" >../found 2>../said
  [ ! -s ../said ] || fail "fish says: $(head -c 500 ../said)"
  offers fish
fi
[ $failures = 0 ]
