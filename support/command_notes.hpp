// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CLI11's tree of a command has its options and their help. The notes beside it have what CLI11
// does not keep; both together are the described_command.

#include "support/described_command.hpp"

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weir::support {

struct option_notes {
  std::vector<std::string> words;
  offered names_of = offered::nothing;
  bool is_told = false;  ///< `names_of` is said, not guessed from the name of the value
};

struct app_notes {
  std::string version;
  std::string usage;  ///< empty: CLI11 makes it
  std::vector<std::string> see_also;
  bool starts_program = false;
  std::vector<described_command> parts;  ///< subcommands that are parsed by themselves
};

/// Shared by a command and its subcommands.
struct command_notes {
  std::map<const CLI::Option*, option_notes> options;
  std::map<const CLI::App*, app_notes> commands;
};

/// Returns the description of a command and its subcommands.
described_command described(const CLI::App& command, const command_notes& notes);

}  // namespace weir::support
