// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_for.hpp>
#include <weir/patterns/parallel_reduce.hpp>

#include "loops.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

namespace {

using range = tbb::blocked_range<std::int64_t>;

struct loops {
  template <class Body>
  static void each(std::int64_t count, const Body& body) {
    tbb::parallel_for(range(0, count), [&](const range& some) {
      for (std::int64_t i = some.begin(); i != some.end(); ++i) body(i);
    });
  }
  template <class Body>
  static void each_uneven(std::int64_t count, const Body& body) {
    each(count, body);
  }
  template <class Body>
  static double sum(std::int64_t count, const Body& body) {
    return tbb::parallel_reduce(
        range(0, count), 0.0,
        [&](const range& some, double all) {
          for (std::int64_t i = some.begin(); i != some.end(); ++i) all += body(i);
          return all;
        },
        std::plus<>());
  }
  template <class Body>
  static double sum_uneven(std::int64_t count, const Body& body) {
    return sum(count, body);
  }
  template <class Body>
  static void on_every_worker(std::size_t workers, const Body& body) {
    tbb::parallel_for(
        std::size_t{0}, workers, [&](std::size_t) { body(); }, tbb::simple_partitioner());
  }
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::loops_benchmark<loops>(argc, argv, "tbb").run(); }
