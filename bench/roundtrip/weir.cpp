// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../queues/weir_ring.hpp"
#include "round_trip.hpp"

int main(int argc, char** argv) {
  return weir_bench::round_trip<weir_bench::polled<weir_bench::weir_ring>>(argc, argv);
}
