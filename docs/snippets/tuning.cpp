// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: sum 5000050000, five times

#include <weir/graph/graph.hpp>
#include <weir/passes/remove_passing.hpp>
#include <weir/run/choose_tuning.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <sstream>

int main() {
  const std::size_t cores = weir::available_cores();
  long sum = 0;
  struct range {
    long next_one = 0;
    void start() { next_one = 0; }
    std::optional<long> next() {
      if (next_one == 100'000) return std::nullopt;
      return next_one++;
    }
  };
  const auto step = [](long n) { return n + 1; };
  auto apart = weir::node(step).separate();
  weir::network net = weir::source(range{}) | weir::pass<long>() | apart | weir::sink([&](long n) { sum += n; });

  weir::run(net, {.fuse = true});

  const weir::report first = weir::run(net);
  const weir::tuning chosen = weir::choose_tuning(net.resolve(cores), first, cores);
  std::cout << weir::difference(net.resolve(cores), chosen);
  weir::run(net, {.tuned = chosen});

  const weir::tuning again = weir::tuning_from_json(weir::to_json(chosen), "a copy");
  weir::run(net, {.tuned = again});

  const weir::graph g = weir::remove_passing(net.resolve(cores));
  weir::network without(g);
  weir::run(without);

  std::cout << "sum " << sum / 5 << (sum % 5 == 0 ? ", five times" : "") << '\n';
}
