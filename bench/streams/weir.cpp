// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

using namespace weir_bench;

namespace {

struct totals {
  std::int64_t count = 0;
  std::int64_t sum = 0;
};

auto ending(totals& in) { return weir::sink(adding_sink{&in.count, &in.sum}); }

// Every item takes one of two paths.
duration timed_split(std::int64_t items) {
  totals even;
  totals odd;
  weir::network net = weir::source(counting_source{items}) |
                      weir::node([](std::int64_t item, weir::outlet<std::int64_t>& a, weir::outlet<std::int64_t>& b) {
                        (item % 2 == 0 ? a : b).send(item);
                      }) |
                      weir::split(ending(even), ending(odd));
  const duration took = timed_run(std::move(net), {});
  verify("count", even.count + odd.count, items);
  verify("sum", even.sum + odd.sum, items * (items - 1) / 2);
  return took;
}

duration timed_merge(std::int64_t items) {
  totals all;
  weir::network net = weir::merge(weir::source(counting_source{items / 2}), weir::source(counting_source{items / 2})) |
                      weir::node(adder{}) | ending(all);
  const duration took = timed_run(std::move(net), {});
  verify("count", all.count, items / 2 * 2);
  return took;
}

// Every item takes both paths.
duration timed_tee(std::int64_t items) {
  totals first;
  totals second;
  weir::network net = weir::source(counting_source{items / 2}) | weir::tee(ending(first), ending(second));
  const duration took = timed_run(std::move(net), {});
  verify("count", first.count + second.count, items / 2 * 2);
  return took;
}

duration timed_zip(std::int64_t items) {
  tally sum;
  weir::network net = weir::zip(weir::source(counting_source{items / 2}), weir::source(counting_source{items / 2})) |
                      weir::sink([&](std::tuple<std::int64_t, std::int64_t> both) {
                        sum.value += 1 + std::get<0>(both) - std::get<1>(both);
                      });
  const duration took = timed_run(std::move(net), {});
  verify("pairs", sum.value, items / 2);
  return took;
}

}  // namespace

// `shape`: 0 split, 1 merge, 2 tee, 3 zip. `cpu_ns_per_hop` is per item and channel that it goes
// through.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 10'000'000}, {"shape", 0}});
  const std::int64_t items = given["items"];
  constexpr duration (*shapes[])(std::int64_t) = {&timed_split, &timed_merge, &timed_tee, &timed_zip};
  constexpr double hops[] = {2, 2, 1, 1.5};
  const auto shape = static_cast<std::size_t>(given["shape"]);
  if (shape >= std::size(shapes)) return 2;
  shapes[shape](items / 10);
  const duration took = shapes[shape](items);
  print_result("streams", "weir", items, took,
               {{"cpu_ns_per_hop", static_cast<double>(took.cpu_ns) / static_cast<double>(items) / hops[shape]}});
}
