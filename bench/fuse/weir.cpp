// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"

#include <vector>

using namespace weir_bench;

namespace {

// Adds a value that the compiler can't know, so that it can't merge sixteen of these nodes into
// one.
struct add_unknown {
  std::int64_t step;
  std::int64_t process(std::int64_t item) const { return item + step; }
};

template <int Length>
auto fused_adders(std::int64_t step) {
  if constexpr (Length == 1) {
    return add_unknown{step};
  } else {
    return weir::fuse(fused_adders<Length - 1>(step), add_unknown{step});
  }
}

duration timed_pipeline_of(std::int64_t items, const weir::block<std::int64_t, std::int64_t>& middle,
                           std::int64_t added, const weir::run_options& how) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  weir::network net = weir::source(counting_source{items}) | middle | weir::sink(adding_sink{&count, &sum});
  const duration took = timed_run(std::move(net), how);
  verify("count", count, items);
  verify("sum", sum, items * (items - 1) / 2 + items * added);
  return took;
}

}  // namespace

// Measures a node's cost: the additional time of sixteen fused nodes compared with one in the same
// place, as the median over several pairs of runs, because the difference is small. `items` are
// those of all fused runs. The nodes are fused by the compiler or, with `run_time`, by the run,
// together with source and sink.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 10'000'000}, {"step", 3}, {"pairs", 5}, {"run_time", 0}});
  const std::int64_t items = given["items"];
  const std::int64_t step = given["step"];
  const weir::run_options how{.fuse = given["run_time"] != 0};
  const weir::block<std::int64_t, std::int64_t> one = weir::node(add_unknown{step});
  const weir::block<std::int64_t, std::int64_t> sixteen =
      how.fuse ? chain(16, add_unknown{step}) : fused_adders<16>(step);
  timed_pipeline_of(items / 10, sixteen, 16 * step, how);
  duration took;
  std::vector<double> alone;
  std::vector<double> more;
  for (std::int64_t i = 0; i != given["pairs"]; ++i) {
    const duration one_took = timed_pipeline_of(items, one, step, how);
    const duration sixteen_took = timed_pipeline_of(items, sixteen, 16 * step, how);
    took.wall_ns += sixteen_took.wall_ns;
    took.cpu_ns += sixteen_took.cpu_ns;
    alone.push_back(static_cast<double>(one_took.cpu_ns) / static_cast<double>(items));
    more.push_back(static_cast<double>(sixteen_took.cpu_ns - one_took.cpu_ns) / static_cast<double>(items) / 15);
  }
  print_result("fuse", "weir", items * given["pairs"], took,
               {{"cpu_ns_per_node", quantile(more, 0.5)}, {"single_cpu_ns_per_item", quantile(alone, 0.5)}});
}
