// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A command as its help, its manual page and its completion show it. All three are made from this
// description, and a command makes it from the options that it parses.

#include <string>
#include <vector>

namespace weir::support {

/// Names that a shell offers for a value.
enum class offered { nothing, files, folders, hosts, processes, programs };

/// An option, or a positional argument.
struct described_option {
  std::vector<std::string> names;  ///< "-o" and "--output"; a positional has one name, without dashes
  std::string value;               ///< the name of the value; empty: there is none
  bool value_is_optional = false;  ///< the value may be left out, and stands behind `=` only
  bool is_repeated = false;        ///< may be given several times
  bool is_required = false;
  std::string preset;  ///< value of a call without the option; empty: none is shown
  std::string help;
  std::string heading;                 ///< of the group that it stands in
  std::vector<std::string> only_with;  ///< options that a call with this one must have
  std::vector<std::string> not_with;   ///< options that a call with this one must not have
  std::vector<std::string> words;      ///< values that the shell offers
  offered names_of = offered::nothing;
};

struct described_command {
  std::string name;     ///< with the command in front that it belongs to: "weir run"
  std::string version;  ///< "weir 1.2.3"
  std::string description;
  std::vector<std::string> usage;  ///< each a way to call it, without "Usage:"
  std::vector<described_option> positionals;
  std::vector<described_option> options;
  std::string footer;                 ///< text behind the options: paragraphs, "Exit codes:", "Examples:"
  std::vector<std::string> see_also;  ///< other commands with a manual page
  bool starts_program = false;        ///< a program and its arguments follow `--`
  std::vector<described_command> subcommands;

  /// Returns the name without the command in front.
  std::string last_name() const { return name.substr(name.rfind(' ') + 1); }
};

/// Returns the first clause of a help text, without its end.
std::string first_clause(const std::string& help);

}  // namespace weir::support
