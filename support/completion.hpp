// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Completion of a command's options, values, subcommands and file names, as a script for a shell.
// Behind `--`, a command that starts a program is completed as that program would be.

#include "support/described_command.hpp"

#include <string>
#include <string_view>

namespace weir::support {

/// For bash 4 and later; the package bash-completion is not needed.
std::string bash_completion(const described_command& command);

/// For zsh, as a file in one of the folders of `fpath`, or sourced behind `compinit`.
std::string zsh_completion(const described_command& command);

/// For fish 3 and later.
std::string fish_completion(const described_command& command);

/// @param shell bash, zsh or fish
std::string completion(const described_command& command, std::string_view shell);

}  // namespace weir::support
