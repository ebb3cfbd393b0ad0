// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir_farm.hpp"

using namespace weir_bench;

// The farm of `weir` with at most `--tokens` items inside, as in oneTBB's pipeline.
int main(int argc, char** argv) {
  return farm_main(argc, argv, "farm", "limited", [](std::int64_t items, const farm_load& load, const options& given) {
    return timed_farm_of(static_cast<std::size_t>(given["tokens"]), items, load, given);
  });
}
