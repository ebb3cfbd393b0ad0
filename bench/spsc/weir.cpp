// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../queues/weir_ring.hpp"
#include "throughput.hpp"

int main(int argc, char** argv) { return weir_bench::throughput<weir_bench::weir_ring>(argc, argv); }
