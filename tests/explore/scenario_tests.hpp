// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The two tests of each lock-free part: that it is correct, and that all its orders are necessary.

#include "explore.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace explore {

/// Expects that no scenario fails, with `more_preemptions` added to its own bound.
inline void expect_all_hold(const std::vector<scenario>& scenarios, unsigned more_preemptions = 0) {
  for (const scenario& s : scenarios) {
    options deeper = s.within;
    deeper.preemptions += more_preemptions;
    const result r = run(deeper, s.body);
    EXPECT_FALSE(r.failed) << s.name << ": " << r.summary();
    testing::Test::RecordProperty(s.name, r.summary());
  }
}

/// Expects that each mutant of these files is killed, except the excused ones, which are named as
/// by `mutation::text_without_place`.
inline void expect_all_needed(const std::vector<scenario>& scenarios, const std::vector<std::string_view>& files,
                              const std::vector<std::string>& excused = {}) {
  std::vector<std::string> surviving;
  for (const std::string_view file : files) {
    const mutant_report report = mutate(scenarios, file);
    EXPECT_EQ(report.broken, "");
    EXPECT_FALSE(report.mutants.empty()) << file;
    testing::Test::RecordProperty("mutants of " + std::string(file), report.text(true));
    for (const mutant& m : report.survivors()) surviving.push_back(m.what.text_without_place());
  }
  EXPECT_EQ(surviving, excused);
}

}  // namespace explore
