// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir::cluster {

/// Replaces control characters by their octal codes. Groups print the texts of the nodes of others,
/// which may contain any bytes, and a terminal must not interpret them.
std::string printable(const std::string& text);

}  // namespace weir::cluster
