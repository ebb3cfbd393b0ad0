// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/parallel_for.hpp"
#include "weir/patterns/parallel_reduce.hpp"

#include "loops.hpp"

#include <functional>

namespace {

struct loops {
  template <class Body>
  static void each(std::int64_t count, const Body& body) {
    weir::parallel_for(0, count, body);
  }
  template <class Body>
  static void each_uneven(std::int64_t count, const Body& body) {
    weir::parallel_for(0, count, body);
  }
  template <class Body>
  static double sum(std::int64_t count, const Body& body) {
    return weir::parallel_reduce(0, count, 0.0, body, std::plus<>());
  }
  template <class Body>
  static double sum_uneven(std::int64_t count, const Body& body) {
    return weir::parallel_reduce(0, count, 0.0, body, std::plus<>());
  }
  template <class Body>
  static void on_every_worker(std::size_t workers, const Body& body) {
    weir::parallel_for(std::size_t{0}, workers, [&](std::size_t) { body(); }, {.schedule = weir::schedule::fixed});
  }
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::loops_benchmark<loops>(argc, argv, "weir").run(); }
