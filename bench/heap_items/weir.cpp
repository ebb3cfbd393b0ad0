// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/object_pool.hpp>

#include "stream.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = heap_options(argc, argv);
  if (given["fields"] != 0) {
    const weir::object_pool<record> pool;
    stream("weir", given, [pool] { return pool.take(); });
  } else {
    const weir::object_pool<bytes> pool;
    stream("weir", given, [pool] { return pool.take(); });
  }
}
