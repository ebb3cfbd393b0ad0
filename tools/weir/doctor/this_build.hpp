// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// How this program was built.
struct this_build {
  std::string version;              ///< "1.2.3"
  std::string compiler;             ///< "g++ 12.2.0"
  std::string machine;              ///< "x86-64"
  std::vector<std::string> traits;  ///< "optimised", "with assertions", and sanitizers
  std::vector<std::string> parts;   ///< optional libraries and parts of weir that it was built with; perhaps none
};

this_build how_built();

/// Returns lines of at most 80 columns: the compiler, and the parts.
std::string text_of(const this_build& build);
