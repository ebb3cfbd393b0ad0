// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::cluster {

/// The traffic between two groups in a run, over all channels between them, as one of the groups
/// knows it.
struct crossed {
  struct one_way {
    std::uint64_t items = 0;
    std::uint64_t completed = 0;
    std::uint64_t closed = 0;     ///< number of channels
    std::uint64_t abandoned = 0;  ///< number of channels
    bool operator==(const one_way&) const = default;
    one_way& operator+=(const one_way& other) noexcept {
      items += other.items;
      completed += other.completed;
      closed += other.closed;
      abandoned += other.abandoned;
      return *this;
    }

    static void describe(auto& self, auto& fields) {
      fields("items", self.items);
      fields("completed", self.completed);
      fields("closed", self.closed);
      fields("abandoned", self.abandoned);
    }
  };
  one_way out;
  one_way in;

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    fields("out", self.out);
    fields("in", self.in);
  }
};

/// The answer of a group to the question whether it stands still.
struct standstill_answer {
  /// The number of rounds of a group whose part has ended.
  static constexpr std::uint64_t is_done = ~std::uint64_t{0};

  std::uint64_t question = 0;
  std::uint64_t rounds = 0;  ///< as in `standstill`; or `is_done`
  bool some_can_end = false;
  std::map<std::string, crossed> traffic;   ///< by the other group, at the time when the question came
  std::vector<detail::waiting_node> nodes;  ///< as in `standstill`, and no more

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    fields("question", self.question);
    fields("rounds", self.rounds);
    fields("some_can_end", self.some_can_end);
    fields("traffic", self.traffic);
    fields("nodes", self.nodes);
  }
};

}  // namespace weir::cluster
