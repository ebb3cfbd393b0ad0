// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../queues/boost_spsc.hpp"
#include "throughput.hpp"

int main(int argc, char** argv) { return weir_bench::throughput<weir_bench::boost_spsc>(argc, argv); }
