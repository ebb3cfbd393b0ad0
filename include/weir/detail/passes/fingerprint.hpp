// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <string>

namespace weir {

/// A digest of everything that two processes must agree on to run parts of one graph: paths, kinds,
/// item types, channels, policies. 16 hexadecimal digits; the same in every process built from the
/// same source. Not a defence against malice. Take it of `network::outline()`, so that it does not
/// depend on the machine.
std::string fingerprint(const graph& g);

}  // namespace weir
