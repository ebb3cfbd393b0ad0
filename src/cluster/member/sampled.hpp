// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/protocol/messages.hpp"

#include <cstdint>
#include <vector>

namespace weir::cluster {

/// Returns the messages that carry such a report; null: there is none.
std::vector<to_coordinator::sampled> sampled(std::uint64_t number, std::uint64_t run, const numbered_report* report);

}  // namespace weir::cluster
