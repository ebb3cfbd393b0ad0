// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <string>

namespace weir::detail {

/// Returns a digest of everything that two processes must agree on to run parts of one graph:
/// paths, kinds, item types, channels, policies. It has 16 hexadecimal digits, and is the same in
/// every process built from the same source. It is no protection against attackers. Pass
/// `network::outline()`, so that the digest does not depend on the machine.
std::string fingerprint(const graph& g);

}  // namespace weir::detail
