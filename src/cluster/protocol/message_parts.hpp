// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstdint>

namespace weir::cluster {

/// The group's trace of a run is complete.
struct trace_end {
  std::uint64_t dropped = 0;        ///< number of events for which there was no room
  std::int64_t ahead_ns = 0;        ///< how far its clock is ahead of the coordinator's
  std::int64_t uncertainty_ns = 0;  ///< largest error of `ahead_ns`

  static void describe(auto& self, auto& fields) {
    fields("dropped", self.dropped);
    fields("ahead_ns", self.ahead_ns);
    fields("uncertainty_ns", self.uncertainty_ns);
  }
};

/// A message about a loop that lies in several groups (see loop_wave).
struct about_loop {
  std::uint32_t run = 0;
  loop_id loop = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("loop", self.loop);
  }
};

/// A message about the end of a run.
struct about_run {
  std::uint32_t run = 0;

  static void describe(auto& self, auto& fields) { fields("run", self.run); }
};

/// A message about a group that has stood still after `rounds` rounds (see standstill_watch).
struct about_rounds {
  std::uint32_t run = 0;
  std::uint64_t rounds = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("rounds", self.rounds);
  }
};

/// A message without fields.
struct plain_message {
  static void describe(auto& /*self*/, auto& /*fields*/) {}
};

}  // namespace weir::cluster
