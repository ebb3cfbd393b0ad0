// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/completion.hpp"

#include <fmt/format.h>

namespace weir::support {
namespace {

// Behind `--`, everything belongs to the program.
constexpr std::string_view after_dashes = R"(  local -i split=${words[(i)--]}
  if (( split < CURRENT )); then
    shift $split words
    (( CURRENT -= split ))
    _normal
    return
  fi
)";

// Text in a specification between single quotes; these characters have a meaning there.
std::string quoted(const std::string& text, std::string_view meaningful) {
  std::string made;
  for (const char each : text) {
    if (each == '\'') {
      made += "'\\''";
      continue;
    }
    if (each == '\\' || meaningful.find(each) != std::string_view::npos) made += '\\';
    made += each;
  }
  return made;
}

// "NAME:action", as behind a description.
std::string value_of(const described_option& option) {
  const std::string label = option.value.empty() ? option.names.front() : option.value;
  std::string action = " ";
  if (!option.words.empty()) action = fmt::format("({})", fmt::join(option.words, " "));
  if (option.words.empty()) {
    switch (option.names_of) {
      case offered::files: action = "_files"; break;
      case offered::folders: action = "_files -/"; break;
      case offered::hosts: action = "_hosts"; break;
      case offered::processes: action = "_pids"; break;
      case offered::programs: action = "_command_names -e"; break;
      case offered::nothing: break;
    }
  }
  return quoted(label, ":[]") + ":" + action;
}

std::string specification(const described_option& option) {
  std::string excluded, names;
  if (!option.is_repeated) excluded = fmt::format("({})", fmt::join(option.names, " "));
  for (const std::string& each : option.names) {
    const bool is_long = each.starts_with("--");
    const char* const joint = option.value.empty() ? "" : option.value_is_optional ? "=-" : is_long ? "=" : "+";
    names += (names.empty() ? "" : ",") + each + joint;
  }
  if (option.names.size() > 1) names = "'{" + names + "}'";
  const std::string value = option.value.empty() ? "" : (option.value_is_optional ? "::" : ":") + value_of(option);
  return fmt::format("    '{}{}[{}]{}'", option.is_repeated ? "*" : excluded, names,
                     quoted(first_clause(option.help), "[]"), value);
}

std::string positional(const described_option& argument) {
  return fmt::format("    '{}{}'", argument.is_repeated ? "*:" : argument.is_required ? ":" : "::", value_of(argument));
}

std::string function_name(const described_command& command) {
  std::string name = "_" + command.name;
  for (char& each : name) each = each == ' ' ? '_' : each;
  return name;
}

std::string function(const described_command& command) {
  std::string text = fmt::format("{}() {{\n", function_name(command));
  if (command.starts_program) text += after_dashes;
  std::string specifications;
  for (const described_option& each : command.options) specifications += " \\\n" + specification(each);
  if (command.subcommands.empty()) {
    for (const described_option& each : command.positionals) specifications += " \\\n" + positional(each);
    return text + fmt::format("  _arguments -s -S{}\n}}\n\n", specifications);
  }
  // In front of the name of a subcommand stand this command's own options or arguments.
  std::string names, branches;
  for (const described_command& each : command.subcommands) {
    names += fmt::format("    '{}:{}'\n", each.last_name(), quoted(each.description, ":"));
    branches += fmt::format("      {}) {} ;;\n", each.last_name(), function_name(each));
  }
  const bool has_arguments = !command.positionals.empty();
  text += fmt::format("  local curcontext=$curcontext state\n  local -a subcommands=(\n{}  )\n", names);
  if (has_arguments) {
    // Only the first word can be the name of a subcommand.
    text += fmt::format("  case ${{words[2]}} in\n{}  esac\n", [&] {
      std::string made;
      for (const described_command& each : command.subcommands)
        made += fmt::format(
            "    {})\n      if (( CURRENT > 2 )); then\n        shift words\n"
            "        (( CURRENT -= 1 ))\n        {}\n        return\n      fi\n      ;;\n",
            each.last_name(), function_name(each));
      return made;
    }());
    text += fmt::format("  (( CURRENT != 2 )) || _describe command subcommands\n");
    for (const described_option& each : command.positionals) specifications += " \\\n" + positional(each);
    return text + fmt::format("  _arguments -s -S{}\n}}\n\n", specifications);
  }
  text += fmt::format("  _arguments -C{} \\\n    '1: :->command' \\\n    '*:: :->words'\n", specifications);
  text += "  case $state in\n    command) _describe command subcommands ;;\n    words) case ${words[1]} in\n" +
          branches + "      help) (( CURRENT > 2 )) || _describe command subcommands ;;\n    esac ;;\n  esac\n}\n\n";
  return text;
}

}  // namespace

std::string zsh_completion(const described_command& command) {
  const std::string& name = command.name;
  std::string text =
      fmt::format("#compdef {0}\n# Completion of {0} for zsh; made by `{0} --completion zsh`.\n\n", name);
  for (const described_command& each : command.subcommands) text += function(each);
  text += function(command);
  // As a file that zsh loads, this is the body of the function; when sourced, it only registers it.
  return text +
         fmt::format("if [ \"$funcstack[1]\" = _{0} ]; then\n  _{0} \"$@\"\nelse\n  compdef _{0} {0}\nfi\n", name);
}

}  // namespace weir::support
