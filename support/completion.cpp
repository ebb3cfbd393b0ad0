// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/completion.hpp"

namespace weir::support {

std::string completion(const described_command& command, std::string_view shell) {
  if (shell == "bash") return bash_completion(command);
  return shell == "zsh" ? zsh_completion(command) : fish_completion(command);
}

}  // namespace weir::support
