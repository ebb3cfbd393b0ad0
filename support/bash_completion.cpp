// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/completion.hpp"

#include <fmt/format.h>

namespace weir::support {
namespace {

constexpr std::string_view begin = R"(# Completion of {0} for bash; made by `{0} --completion bash`.

_{0}_names() {{  # KIND [WORD...]: prints names that begin with $current
  case $1 in
    words) shift; compgen -W "$*" -- "$current" ;;
    files) compgen -f -- "$current" ;;
    folders) compgen -d -- "$current" ;;
    hosts) compgen -A hostname -- "$current" ;;
    processes) cd /proc && compgen -G "$current[0-9]*" ;;
    programs) compgen -c -- "$current"; compgen -d -- "$current" ;;
  esac
}}

_{0}_offer() {{  # KIND [WORD...]: offers such names, too
  local each
  while IFS= read -r each; do COMPREPLY+=("$before$each"); done < <(_{0}_names "$@")
  case $1 in files | folders | programs) compopt -o filenames 2>/dev/null ;; esac
}}

_{0}() {{
  COMPREPLY=()
  # The words in front of the cursor; bash divides them at =.
  local -a words=()
  local i joins='' current=${{COMP_WORDS[COMP_CWORD]}} before='' option='' command=''
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if [[ ${{#words[@]}} -gt 0 && ( -n $joins || ${{COMP_WORDS[i]}} == = ) ]]; then
      words[-1]+=${{COMP_WORDS[i]}}
      if [ -z "$joins" ]; then joins=1; else joins=''; fi
    else
      words+=("${{COMP_WORDS[i]}}")
    fi
  done
)";

// Behind `--`: the function of bash-completion that completes another command, or a plain way.
constexpr std::string_view after_dashes = R"(  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = -- ] || continue
    if declare -F _command_offset >/dev/null; then
      _command_offset $((i + 1))
    elif ((COMP_CWORD == i + 1)); then
      _@_offer programs
    else
      _@_offer files
    fi
    return
  done
)";

constexpr std::string_view find_option = R"(  local last=$((${#words[@]} - 1)) value=''
  if [[ ${words[last]} == --*=* ]]; then
    option=${words[last]%%=*} value=1
    current=${words[last]#*=}
    # Bash replaces what is behind the =, unless that does not divide words.
    [[ $COMP_WORDBREAKS == *=* ]] || before=$option=
  elif ((last > 0)) && [[ ${words[last - 1]} == -?* ]]; then
    option=${words[last - 1]}
  fi
)";

std::string for_bash(std::string_view text, const std::string& name) {
  std::string made;
  for (const char each : text) made += each == '@' ? name : std::string(1, each);
  return made;
}

std::string offer_of(const described_option& option) {
  if (!option.words.empty()) return fmt::format("words {}", fmt::join(option.words, " "));
  switch (option.names_of) {
    case offered::files: return "files";
    case offered::folders: return "folders";
    case offered::hosts: return "hosts";
    case offered::processes: return "processes";
    case offered::programs: return "programs";
    case offered::nothing: break;
  }
  return "";
}

// Completes the values of options, then the options, subcommands and arguments of one command.
std::string branch(const described_command& command, const std::string& program, const std::string& indent) {
  std::string text = indent + "case $option in\n", names;
  for (const described_option& each : command.options) {
    for (const std::string& name : each.names) names += (names.empty() ? "" : " ") + name;
    if (each.value.empty()) continue;
    // A value that may be left out stands behind = only.
    const std::string offer = offer_of(each);
    text += fmt::format("{}  {}) {}{}{} ;;\n", indent, fmt::join(each.names, " | "),
                        each.value_is_optional ? "if [ -n \"$value\" ]; then " : "",
                        offer.empty() ? "return" : fmt::format("_{}_offer {}; return", program, offer),
                        each.value_is_optional ? "; fi" : "");
  }
  text += indent + "esac\n" + indent + "[ -z \"$value\" ] || return\n";
  std::string words;
  for (const described_command& each : command.subcommands) words += " " + each.last_name();
  std::string plain;
  if (!words.empty()) plain = fmt::format("((last > 0)) || _{}_offer words{}; ", program, words);
  if (!command.positionals.empty() && !offer_of(command.positionals.front()).empty())
    plain += fmt::format("_{}_offer {}", program, offer_of(command.positionals.front()));
  if (plain.empty()) plain = "return";
  text += fmt::format("{0}case $current in\n{0}  -*) _{1}_offer words {2}{3} ;;\n{0}  *) {4} ;;\n{0}esac\n", indent,
                      program, names, command.starts_program ? " --" : "", plain);
  return text;
}

}  // namespace

std::string bash_completion(const described_command& command) {
  const std::string& name = command.name;
  std::string text = fmt::format(begin, name);
  bool starts_program = command.starts_program;
  for (const described_command& each : command.subcommands) starts_program = starts_program || each.starts_program;
  if (starts_program) text += for_bash(after_dashes, name);
  text += find_option;
  if (command.subcommands.empty()) {
    text += branch(command, name, "  ");
  } else {
    text += "  ((last == 0)) || command=${words[0]}\n";
    text += "  case $command in\n";
    for (const described_command& each : command.subcommands)
      text += fmt::format("    {})\n{}      ;;\n", each.last_name(), branch(each, name, "      "));
    if (command.positionals.empty()) {
      std::string names;
      for (const described_command& each : command.subcommands) names += " " + each.last_name();
      text += fmt::format("    help) _{}_offer words{} ;;\n", name, names);
    }
    text += "    *)\n" + branch(command, name, "      ") + "      ;;\n  esac\n";
  }
  return text + fmt::format("}}\n\ncomplete -F _{0} {0}\n", name);
}

}  // namespace weir::support
