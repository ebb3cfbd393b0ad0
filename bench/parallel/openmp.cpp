// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "loops.hpp"

#include <omp.h>

namespace {

struct loops {
  template <class Body>
  static void each(std::int64_t count, const Body& body) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }
  template <class Body>
  static void each_uneven(std::int64_t count, const Body& body) {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }
  template <class Body>
  static double sum(std::int64_t count, const Body& body) {
    double all = 0;
#pragma omp parallel for schedule(static) reduction(+ : all)
    for (std::int64_t i = 0; i < count; ++i) all += body(i);
    return all;
  }
  template <class Body>
  static double sum_uneven(std::int64_t count, const Body& body) {
    double all = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : all)
    for (std::int64_t i = 0; i < count; ++i) all += body(i);
    return all;
  }
  template <class Body>
  static void on_every_worker(std::size_t workers, const Body& body) {
#pragma omp parallel num_threads(static_cast<int>(workers))
    body();
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bool active = weir_bench::openmp_waits_actively(argc, argv);
  return weir_bench::loops_benchmark<loops>(argc, argv, active ? "openmp_active" : "openmp").run();
}
