// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/described_command.hpp"

#include <algorithm>

namespace weir::support {

std::string first_clause(const std::string& help) {
  std::size_t end = help.size();
  for (const char* const stop : {". ", "; ", ": ", " (default", " (see", " ["}) end = std::min(end, help.find(stop));
  std::string clause = help.substr(0, end);
  if (clause.ends_with('.')) clause.pop_back();
  return clause;
}

}  // namespace weir::support
