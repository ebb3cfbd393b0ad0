// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace weir_bench {

/// With --active 1, waiting threads of OpenMP spin, as OMP_WAIT_POLICY=active says; else they
/// sleep. The library reads the policy when it is loaded, so the program may start itself again. A
/// policy set in the environment of the program is kept.
/// @return whether the threads spin
inline bool openmp_waits_actively(int argc, char** argv) {
  bool active = false;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--active") active = std::string_view(argv[i + 1]) != "0";
  }
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", active ? "active" : "passive", 1);
    execv("/proc/self/exe", argv);
    std::abort();  // the program could not start itself again
  }
  return active;
}

}  // namespace weir_bench
