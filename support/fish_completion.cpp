// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/completion.hpp"

#include <fmt/format.h>

namespace weir::support {
namespace {

// The words behind `--` are completed as a command line of their own.
constexpr std::string_view after_dashes = R"(
function __@_is_program
  contains -- -- (commandline -opc)
end
function __@_program
  set -l words (commandline -opc)
  set -l begin (math (contains -i -- -- $words) + 1)
  complete -C (string join ' ' -- (string escape -- $words[$begin..-1]) (commandline -ct))
end
complete -c @ -n __@_is_program -x -a '(__@_program)'
)";

std::string quoted(const std::string& text) {
  std::string made = "'";
  for (const char each : text) {
    if (each == '\\' || each == '\'') made += '\\';
    made += each;
  }
  return made + "'";
}

std::string values_of(const described_option& option) {
  if (!option.words.empty()) return fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
  switch (option.names_of) {
    case offered::files: return " -r -F";
    case offered::folders: return " -x -a '(__fish_complete_directories)'";
    case offered::hosts: return " -x -a '(__fish_print_hostnames)'";
    case offered::processes: return " -x -a '(__fish_complete_pids)'";
    case offered::programs: return " -x -a '(__fish_complete_command)'";
    case offered::nothing: break;
  }
  return " -x";
}

std::string line(const std::string& program, const std::string& condition, const described_option& option) {
  std::string names;
  for (const std::string& each : option.names)
    names += each.starts_with("--") ? " -l " + each.substr(2) : " -s " + each.substr(1);
  // A value that may be left out stands behind `=` only, so the option alone is complete.
  std::string values = option.value.empty() ? "" : values_of(option);
  if (option.value_is_optional && !option.words.empty())
    values = fmt::format(" -f -a '{}'", fmt::join(option.words, " "));
  return fmt::format("complete -c {}{}{}{} -d {}\n", program, condition, names, values,
                     quoted(first_clause(option.help)));
}

std::string lines_of(const described_command& command, const std::string& program, const std::string& condition) {
  std::string text;
  for (const described_option& each : command.options) text += line(program, condition, each);
  return text;
}

}  // namespace

std::string fish_completion(const described_command& command) {
  const std::string& name = command.name;
  std::string text = fmt::format("# Completion of {0} for fish; made by `{0} --completion fish`.\n", name);
  bool starts_program = command.starts_program;
  for (const described_command& each : command.subcommands) starts_program = starts_program || each.starts_program;
  if (command.subcommands.empty() && !starts_program) return text + lines_of(command, name, "");
  std::string names;
  for (const described_command& each : command.subcommands) names += " " + each.last_name();
  const std::string alone = fmt::format(" -n 'not __fish_seen_subcommand_from{}'", names);
  const bool has_files = !command.positionals.empty();
  if (!has_files) text += fmt::format("complete -c {} -f\n", name);
  if (starts_program) {
    for (const char each : after_dashes) text += each == '@' ? name : std::string(1, each);
  }
  for (const described_command& each : command.subcommands)
    text += fmt::format("complete -c {}{} -a {} -d {}\n", name, has_files ? " -n __fish_is_first_arg" : alone,
                        each.last_name(), quoted(each.description));
  text += lines_of(command, name, alone);
  for (const described_command& each : command.subcommands) {
    const std::string chosen = fmt::format(" -n '__fish_seen_subcommand_from {}'", each.last_name());
    text += '\n' + lines_of(each, name, chosen);
    if (!each.positionals.empty() && each.positionals.front().names_of == offered::files && !has_files) {
      const std::string in_front = starts_program ? fmt::format("; and not __{}_is_program", name) : "";
      text +=
          fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}{}' -F\n", name, each.last_name(), in_front);
    }
  }
  return text;
}

}  // namespace weir::support
