// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir_farm.hpp"

int main(int argc, char** argv) { return weir_bench::farm_main(argc, argv, "farm", "weir", weir_bench::timed_farm); }
