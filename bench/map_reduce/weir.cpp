// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/map_reduce.hpp>
#include <weir/weir.hpp>

#include "sums.hpp"

#include <optional>
#include <utility>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = map_reduce_options(argc, argv);
  const std::int64_t items = given["items"];
  const auto customers = static_cast<std::uint64_t>(given["customers"]);
  std::int64_t total = 0;
  weir::network net =
      weir::source([next = std::int64_t{0}, items, customers]() mutable -> std::optional<order> {
        if (next == items) return std::nullopt;
        return order_of(next++, customers);
      }) |
      weir::map_reduce(
          [](order one, weir::pair_outlet<std::uint64_t, std::int64_t>& to) { to.send(one.customer, one.amount); },
          [](std::int64_t& sum, std::int64_t more) { sum += more; }) |
      weir::sink([&](std::pair<std::uint64_t, std::int64_t> sum) { total += sum.second; });
  const stopwatch watch;
  weir::run(net);
  const duration took = watch.elapsed();
  verify("total", total, total_of(items));
  print_result("map_reduce", "weir", items, took);
}
