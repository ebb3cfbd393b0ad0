// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir {

/// Which nodes are in a group.
struct group_selection {
  std::string group;
  /// Paths of nodes, or of the blocks that they are in. A name may hold `*` and `?`; `split[0-2]`
  /// and `split[1]` are workers of a farm, `split` all of them. The first `/` may be left out.
  std::vector<std::string> nodes;
};

/// A group as far as its size matters.
struct planned_group {
  std::string name;
  double cores = 1;  ///< more than 0; only their ratio counts
};

}  // namespace weir
