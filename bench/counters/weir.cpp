// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../farm/weir_farm.hpp"

// The farm again, to be built with and without counters.
int main(int argc, char** argv) {
  return weir_bench::farm_main(argc, argv, "counters", "weir", weir_bench::timed_farm);
}
