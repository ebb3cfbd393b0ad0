// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule.hpp"
#include "site.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace explore {

struct scenario {
  std::string name;
  scenario_body body;
  options within{};
};

/// Result of one mutation.
struct mutant {
  mutation what;
  bool killed = false;
  std::string by;        ///< the scenario that failed
  std::string message;   ///< the error of that scenario
  bool complete = true;  ///< for a survivor: whether every scenario was explored completely within its bounds
};

struct mutant_report {
  std::string
      broken;  ///< a scenario that fails (or is cut) without any mutation, with its trace; empty if there is none
  std::vector<mutant> mutants;
  std::uint64_t executions = 0;
  double seconds = 0;

  std::vector<mutant> survivors() const;
  /// Lists the survivors one a line, then a summary; with `all`, the killed mutants too.
  std::string text(bool all = false) const;
};

/// Tests whether every memory order, fence and re-check is necessary. Explores the scenarios, and
/// records each place that orders anything. Then, for each of these places in a file whose path
/// contains `where`, explores the scenarios again with that one place a step weaker, until one
/// fails. A place that survives is either stronger than necessary, or not covered by the scenarios.
/// A survivor is also tried weaker still; the report holds every form that survives.
mutant_report mutate(const std::vector<scenario>& scenarios, std::string_view where);

}  // namespace explore
