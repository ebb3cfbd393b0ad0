# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of dff_run for bash.

_dff_run() {
  local current=${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  # Behind the options stand the program and its arguments.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -[fvpt]) i=$((i + 1)) ;;
      -*) ;;
      *)
        if declare -F _command_offset >/dev/null; then _command_offset $i; else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
        return
        ;;
    esac
  done
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    -f) mapfile -t COMPREPLY < <(compgen -f -- "$current") && compopt -o filenames 2>/dev/null ;;
    -p) mapfile -t COMPREPLY < <(compgen -W 'TCP MPI' -- "$current") ;;
    -v | -t) ;;
    *)
      case $current in
        -*) mapfile -t COMPREPLY < <(compgen -W '-f -V -v -p -t -n -h --help --version' -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -c -- "$current"; compgen -d -- "$current") && compopt -o filenames 2>/dev/null ;;
      esac
      ;;
  esac
}

complete -F _dff_run dff_run
