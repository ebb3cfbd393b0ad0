// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/place.hpp"

#include "weir/detail/passes/processors.hpp"

#include <vector>

namespace weir::detail {
void place(graph& g) {
  const std::vector<int> processors = choose_processors(g.nodes().size());
  if (processors.size() < g.nodes().size()) return;
  for (std::size_t i = 0; i != g.nodes().size(); ++i) g.nodes()[i].core = processors[i];
}

}  // namespace weir::detail
