// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace weir_bench {

/// The work of a farm. Each item costs `work` ns, but one in `every` (if that isn't 0) costs `dear`
/// ns.
class farm_load {
 public:
  explicit farm_load(const options& given)
      : work_(given["work"]),
        cheap_(scale_.steps(work_)),
        dear_(scale_.steps(given["dear"])),
        every_(given["every"]),
        workers_(static_cast<std::size_t>(given["workers"])) {}

  /// Number of steps of `spin` that an item takes.
  std::uint64_t steps(std::int64_t item) const noexcept {
    return every_ != 0 && item % every_ == every_ - 1 ? dear_ : cheap_;
  }

  std::size_t workers() const noexcept { return workers_; }

  /// Does the item's work. @return the item that the worker sends
  std::int64_t operator()(std::int64_t item) const noexcept {
    spin(steps(item));
    return item + 1;
  }

  extras measures(std::int64_t items, const duration& took) const {
    const std::int64_t dear_items = every_ == 0 ? 0 : items / every_;
    const double work_ns = scale_.ns(cheap_) * static_cast<double>(items - dear_items) +
                           scale_.ns(dear_) * static_cast<double>(dear_items);
    return {{"efficiency", efficiency(work_ns, workers_, took)},
            {"ns_per_step", scale_.ns_per_step()},
            {"workers", static_cast<double>(workers_)},
            {"work_ns", static_cast<double>(work_)},
            {"cores", static_cast<double>(cores())}};
  }

 private:
  work_scale scale_;
  std::int64_t work_;
  std::uint64_t cheap_;
  std::uint64_t dear_;
  std::int64_t every_;
  std::size_t workers_;
};

/// The sum that the sink must have.
inline std::int64_t farm_sum(std::int64_t items) { return items * (items - 1) / 2 + items; }

/// Reads the arguments of a farm, warms up, and measures `run(items, load)`, which returns the time
/// it took.
template <class Run>
int farm_main(int argc, char** argv, const char* problem, const char* contender, Run&& run) {
  const options given(
      argc, argv,
      {{"items", 1'000'000}, {"workers", 4}, {"work", 0}, {"dear", 0}, {"every", 0}, {"tokens", 64}, {"threads", 0}});
  const std::int64_t items = given["items"];
  const farm_load load(given);
  run(items / 10, load, given);
  const duration took = run(items, load, given);
  print_result(problem, contender, items, took, load.measures(items, took));
  return 0;
}

}  // namespace weir_bench
