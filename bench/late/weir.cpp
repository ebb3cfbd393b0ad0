// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"
#include "calls.hpp"

using namespace weir_bench;

namespace {

struct producer {
  late_calls call;

  void process(std::int64_t, weir::outlet<std::int64_t>& out) {
    call([&](std::int64_t stamp) { out.send(stamp); });
  }
};

duration timed_late(std::int64_t items, const late_calls& calls, late_samples& seen) {
  weir::network net = weir::source(counting_source{items}) | weir::node(producer{calls}) |
                      weir::sink([&seen](std::int64_t stamp) { seen.arrived(stamp); });
  return timed_run(std::move(net), {});
}

}  // namespace

int main(int argc, char** argv) { return late_main(argc, argv, "weir", timed_late); }
