// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "loops.hpp"

#include <omp.h>
#include <unistd.h>

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

// --active 1: threads that wait spin, as OMP_WAIT_POLICY=active says; else they sleep. The library reads it when it is loaded.
int main(int argc, char** argv) {
  const bool active = [&] {
    for (int i = 1; i + 1 < argc; ++i) {
      if (std::string_view(argv[i]) == "--active") return std::string_view(argv[i + 1]) != "0";
    }
    return false;
  }();
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", active ? "active" : "passive", 1);
    execv("/proc/self/exe", argv);
    return 1;
  }
  return weir_bench::loops_benchmark<loops>(argc, argv, active ? "openmp_active" : "openmp").run();
}
