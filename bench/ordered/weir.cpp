// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../farm/load.hpp"
#include "../weir_parts.hpp"

using namespace weir_bench;

namespace {

struct order_checking_sink {
  std::int64_t* count;
  void process(std::int64_t item) {
    if (item == *count + 1) ++*count;
  }
};

}  // namespace

int main(int argc, char** argv) {
  return farm_main(argc, argv, "ordered", "weir", [](std::int64_t items, const farm_load& load, const options&) {
    std::int64_t in_order = 0;
    const farm_load* work = &load;
    weir::network net = weir::source(counting_source{items}) |
                        weir::farm([work](std::int64_t item) { return (*work)(item); }, load.workers()).ordered() |
                        weir::sink(order_checking_sink{&in_order});
    const duration took = timed_run(std::move(net), {});
    verify("items in order", in_order, items);
    return took;
  });
}
