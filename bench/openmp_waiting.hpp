// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace weir_bench {

/// --active 1: OpenMP's threads that wait spin, as OMP_WAIT_POLICY=active says; else they sleep.
/// The library reads it when it is loaded, so the program may start itself again. A policy from
/// outside stays.
/// @return whether they spin
inline bool openmp_waits_actively(int argc, char** argv) {
  bool active = false;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--active") active = std::string_view(argv[i + 1]) != "0";
  }
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", active ? "active" : "passive", 1);
    execv("/proc/self/exe", argv);
    std::abort();  // it could not be started again
  }
  return active;
}

}  // namespace weir_bench
