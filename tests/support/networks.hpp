// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/weir.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace weir_test {

/// Source of 0, 1, …, count - 1.
inline auto numbers(long count) {
  return weir::source([next = 0L, count]() mutable -> std::optional<long> {
    if (next == count) return std::nullopt;
    return next++;
  });
}

/// Source of the same numbers, which begins at 0 again in each run.
struct counts {
  long end;
  long made = 0;

  void start() { made = 0; }
  std::optional<long> next() { return made == end ? std::nullopt : std::optional(made++); }
};

/// Items of `numbers(count)`.
inline std::vector<long> first_numbers(long count) {
  std::vector<long> made(static_cast<std::size_t>(count));
  std::iota(made.begin(), made.end(), 0L);
  return made;
}

/// Sink that appends each item to `out`, in order of arrival.
inline auto into(std::vector<long>& out) {
  return weir::sink([&out](long item) { out.push_back(item); });
}

/// All executors, under each of which every promise must hold. They have two workers, so that a run
/// is the same on every machine.
struct under {
  const char* name;
  weir::run_options options;
};
inline std::vector<under> executors() {
  return {{"pool", {.executor = weir::executor::pool, .workers = 2}},
          {"one_worker", {.executor = weir::executor::pool, .workers = 1}},
          {"threads", {.executor = weir::executor::threads}},
          {"fused", {.executor = weir::executor::pool, .workers = 2, .fuse = true}}};
}
/// All executors that do not fuse nodes; for tests of statements about single nodes.
inline std::vector<under> executors_without_fusing() {
  std::vector<under> all = executors();
  std::erase_if(all, [](const under& each) { return each.options.fuse; });
  return all;
}
inline void PrintTo(const under& u, std::ostream* out) { *out << u.name; }

class each_executor : public testing::TestWithParam<under> {
 protected:
  weir::report run(weir::network& net) { return weir::run(net, GetParam().options); }
  weir::report run(weir::network&& net) { return weir::run(std::move(net), GetParam().options); }
};

inline std::string executor_name(const testing::TestParamInfo<under>& info) { return info.param.name; }

#define WEIR_UNDER_EACH_EXECUTOR(suite) \
  INSTANTIATE_TEST_SUITE_P(under, suite, testing::ValuesIn(weir_test::executors()), weir_test::executor_name)

}  // namespace weir_test
