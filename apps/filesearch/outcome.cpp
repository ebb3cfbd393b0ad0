// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

#include "support/output.hpp"

#include <system_error>

namespace filesearch {

void report_error(outcome& found, const std::string& name, int error, bool quietly) {
  ++found.errors;
  if (!quietly) weir::support::complain("filesearch", name + ": " + std::generic_category().message(error));
}

}  // namespace filesearch
