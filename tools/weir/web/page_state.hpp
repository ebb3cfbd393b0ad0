// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/top_table.hpp"

#include <chrono>
#include <cstdint>
#include <string>

/// The state that the page shows: the content of the terminal view, with the sample it comes from.
struct page_state {
  std::uint64_t number = 0;  ///< grows with each state
  bool last = false;         ///< there will be no further one
  std::string notice{};      ///< why the figures are old; else empty
  std::chrono::milliseconds interval{0};
  top_content content{};
};

/// Returns the JSON of a state: the members of `weir top --once --json`, and besides them `number`,
/// `last`, `notice`, `state`, `cores_used`, `interval_ms`. Each run also has `boxes`: its nodes
/// with farms combined as in a small terminal, in a cluster for each group by itself, each with the
/// numbers of its `members` in `nodes`. Instead of `channels` it has `edges`: all channels between
/// two boxes, whose numbers are `from` and `to`, together. A `room` of 0 means that there is no
/// limit.
/// @param sample may be null; then there are no runs
std::string to_json(const page_state& state, const live_sample* sample);
