// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstdint>
#include <string_view>

namespace weir {

/// Rule by which a producer distributes its items among several consumers.
enum class distribution : std::uint8_t {
  balance,      ///< to a consumer that has room; cheap items in runs, costly ones one by one: keeps all consumers busy
  round_robin,  ///< to the first consumer, the second, and so on, waiting for each in its turn
  on_demand,    ///< to a consumer with fewer than `depth` items assigned and not completed
  by_key,       ///< by a hash of the item: equal keys to the same consumer
  broadcast,    ///< to every consumer, a copy each
  custom,       ///< to the consumer that the author's function chooses
};

/// Returns the name of the rule in messages and pictures: `by_key` for `distribution::by_key`.
WEIR_API std::string_view name_of(distribution kind) noexcept;

}  // namespace weir
