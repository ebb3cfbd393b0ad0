// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ideal.hpp"

#include "load.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  return farm_main(argc, argv, "farm", "ideal", [](std::int64_t items, const farm_load& load, const options&) {
    return ideal_run(items, load.workers(), [&](std::int64_t item) { return load.steps(item); });
  });
}
