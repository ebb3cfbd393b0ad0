// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/policy.hpp"

namespace weir {

std::string_view name_of(distribution kind) noexcept {
  switch (kind) {
    case distribution::balance: return "balance";
    case distribution::round_robin: return "round_robin";
    case distribution::on_demand: return "on_demand";
    case distribution::by_key: return "by_key";
    case distribution::broadcast: return "broadcast";
    case distribution::custom: return "custom";
  }
  return "unknown";
}

}  // namespace weir
