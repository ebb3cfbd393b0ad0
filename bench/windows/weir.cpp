// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/aggregate.hpp>
#include <weir/patterns/count_window.hpp>

#include "../weir_parts.hpp"
#include "readings.hpp"

#include <optional>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = windows_options(argc, argv);
  const auto size = static_cast<std::size_t>(given["size"]);
  const auto slide = static_cast<std::size_t>(given["slide"]);
  const auto sensors = static_cast<std::uint32_t>(given["sensors"]);
  const auto workers = static_cast<std::size_t>(given["workers"]);
  const auto sum = weir::aggregate(
      std::int64_t{0}, [](std::int64_t& to, const reading& item) { to += item.value; },
      [](std::int64_t& to, const std::int64_t& later) { to += later; });
  const auto windows = weir::keyed(&reading::sensor, weir::count_window(size, slide, sum));

  checksum all;
  const auto read =
      weir::source([i = std::int64_t{0}, count = given["items"], sensors]() mutable -> std::optional<reading> {
        if (i == count) return std::nullopt;
        return reading_of(i++, sensors);
      });
  const auto print = weir::sink(
      [&](const weir::keyed_window<std::uint32_t, std::int64_t, std::uint64_t>& w) { all.add(w.key, w.value); });
  const duration took = workers == 0 ? timed_run(read | windows | print, executor_for(given["threads"]))
                                     : timed_run(read | weir::farm(windows, workers).by_key(&reading::sensor) | print,
                                                 executor_for(given["threads"]));
  print_result("windows", "weir", given["items"], took, {{"result", all.result()}});
}
