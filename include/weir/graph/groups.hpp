// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir {

/// A group and the nodes that belong to it.
struct group_selection {
  std::string group;
  /// Paths of nodes, or of blocks that contain the nodes. A name may contain `*` and `?`.
  /// `split[0-2]` and `split[1]` are workers of a farm; `split` is all of them. The leading `/` may
  /// be omitted.
  std::vector<std::string> nodes;
};

/// Name and size of a group, for planning.
struct planned_group {
  std::string name;
  double cores = 1;  ///< more than 0; only the ratio between groups counts
};

}  // namespace weir
