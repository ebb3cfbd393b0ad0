// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  print_stream("weir", given, stream_between_groups(given, [](const auto& stream) { stream(); }));
}
