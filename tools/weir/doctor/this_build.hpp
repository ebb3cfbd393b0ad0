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
  std::vector<std::string> parts;   ///< parts of weir that were built with it
};

this_build how_built();

/// Returns two lines: the compiler, and the parts.
std::string text_of(const this_build& build);
