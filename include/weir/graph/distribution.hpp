// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

/// How a producer shares its items out among several consumers.
enum class distribution : std::uint8_t {
  balance,      ///< to whoever has room; cheap items in runs, dear ones singly, so that all consumers stay busy
  round_robin,  ///< the first to the first, the second to the second, …, waiting for each
  on_demand,    ///< to a consumer with fewer than `depth` items assigned and not completed
  by_key,       ///< by a hash of the item: equal keys to the same consumer
  broadcast,    ///< a copy to every consumer
  custom,       ///< where the author's function says
};

std::string_view name_of(distribution kind) noexcept;

}  // namespace weir
