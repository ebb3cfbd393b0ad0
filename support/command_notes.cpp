// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/command_notes.hpp"

#include <CLI/CLI.hpp>

#include <sstream>

namespace weir::support {
namespace {

// The name of the value says what it is, unless the notes do.
offered guessed(const std::string& value) {
  if (value.starts_with("FILE")) return offered::files;
  if (value.starts_with("FOLDER") || value.starts_with("DIR")) return offered::folders;
  if (value.starts_with("HOST")) return offered::hosts;
  if (value == "COMMAND") return offered::programs;
  return offered::nothing;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const std::string& each : option.get_snames()) names.push_back("-" + each);
  for (const std::string& each : option.get_lnames()) names.push_back("--" + each);
  return names;
}

described_option described(const CLI::Option& option, const option_notes& notes) {
  described_option made;
  made.names = names_of(option);
  made.is_required = option.get_required();
  made.help = option.get_description();
  made.heading = option.get_group();
  const bool has_value = option.get_positional() || option.get_items_expected_max() > 0;
  if (has_value) {
    made.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    made.preset = option.get_default_str();
    made.value_is_optional = option.get_items_expected_min() == 0;
    made.is_repeated = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
  }
  if (const std::size_t at = made.value.find('='); at != std::string::npos) {
    made.preset = made.value.substr(at + 1);
    made.value.resize(at);
  }
  for (const CLI::Option* each : option.get_needs()) made.only_with.push_back(names_of(*each).back());
  for (const CLI::Option* each : option.get_excludes()) made.not_with.push_back(names_of(*each).back());
  made.words = notes.words;
  made.names_of = notes.is_told ? notes.names_of : !option.get_positional() ? guessed(made.value) : offered::files;
  return made;
}

std::vector<std::string> usage_of(const CLI::App& command, const std::string& name, const app_notes& notes) {
  std::string text = notes.usage;
  if (text.empty()) {
    const auto* const formatter = dynamic_cast<const CLI::Formatter*>(command.get_formatter().get());
    text = formatter->make_usage(&command, name);
    text.erase(0, text.find(' ') + 1);
  }
  std::vector<std::string> usage;
  std::istringstream lines(text);
  for (std::string each; std::getline(lines, each);) usage.push_back(each.substr(each.find_first_not_of(' ')));
  return usage;
}

}  // namespace

described_command described(const CLI::App& command, const command_notes& notes) {
  const auto found = notes.commands.find(&command);
  const app_notes own = found == notes.commands.end() ? app_notes() : found->second;
  described_command made;
  made.name = command.get_name();
  if (const CLI::App* const above = command.get_parent(); above != nullptr)
    made.name.insert(0, above->get_name() + " ");
  made.version = own.version;
  made.description = command.get_description();
  made.usage = usage_of(command, made.name, own);
  made.footer = command.get_footer();
  made.see_also = own.see_also;
  made.starts_program = own.starts_program;
  for (const CLI::Option* each : command.get_options()) {
    if (each->get_group().empty()) continue;
    const auto noted = notes.options.find(each);
    auto& into = each->get_positional() ? made.positionals : made.options;
    into.push_back(described(*each, noted == notes.options.end() ? option_notes() : noted->second));
  }
  for (const CLI::App* each : command.get_subcommands({})) {
    made.subcommands.push_back(described(*each, notes));
    made.subcommands.back().version = made.version;
  }
  for (const described_command& each : own.parts) {
    made.subcommands.push_back(each);
    made.subcommands.back().version = made.version;
  }
  return made;
}

}  // namespace weir::support
