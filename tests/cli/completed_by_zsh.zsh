# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   completed_by_zsh.zsh FOLDER LINE...    what an interactive zsh offers for the word at the end of each line, as LINE: WORDS. FOLDER has
#                                          the completion functions. The shell runs on a terminal of its own; there, compadd prints the
#                                          words that it would add
zmodload zsh/zpty
folder=$1
shift
zpty shell zsh -f -i
zpty -w shell "PROMPT=; fpath=(${(q)folder} \$fpath); autoload -Uz compinit; compinit -u -D"
# With -O, -A and -D, compadd fills an array for its caller, and adds nothing.
zpty -w shell 'setopt no_beep
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  print -rl -- "word:"$^hits
  builtin compadd "$@"
}
_ask() { _main_complete; compstate[insert]=; compstate[list]= }
zle -C ask complete-word _ask
answer() { print; zle ask; print -r -- "end:"; BUFFER= }
zle -N answer
bindkey "^I" answer
print "re""ady:"'
zpty -r shell said '*ready:*'
for line; do
  zpty -n -w shell "$line"$'\t'
  zpty -r shell said '*end:*'
  print -r -- "$line:" ${(u)${(M)${(f)${said//$'\r'}}:#word:*}#word:}
done
zpty -d shell
