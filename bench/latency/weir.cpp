// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../weir_parts.hpp"
#include "samples.hpp"

using namespace weir_bench;

namespace {

struct pass_on {
  std::int64_t process(std::int64_t stamp) { return stamp; }
};

duration timed_latency(std::int64_t nodes, std::int64_t items, samples& seen, const options& given) {
  weir::network net = weir::source([left = items]() mutable -> std::optional<std::int64_t> {
                        if (left == 0) return std::nullopt;
                        --left;
                        return late_stamp();
                      }) |
                      chain(nodes - 2, pass_on{}) | weir::sink([&seen](std::int64_t stamp) { seen.arrived(stamp); });
  return timed_run(std::move(net), executor_for(given["threads"]));
}

}  // namespace

int main(int argc, char** argv) { return latency_main(argc, argv, "weir", timed_latency); }
