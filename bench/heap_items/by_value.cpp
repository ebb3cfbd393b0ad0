// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include <array>
#include <cstdio>

using namespace weir_bench;

namespace {

template <std::size_t Size>
void by_value(const options& given) {
  stream("by_value", given, [] { return std::array<unsigned char, Size>(); });
}

}  // namespace

int main(int argc, char** argv) {
  const options given = heap_options(argc, argv);
  switch (given["size"]) {
    case 80: by_value<80>(given); break;
    case 256: by_value<256>(given); break;
    case 1024: by_value<1024>(given); break;
    default: std::fprintf(stderr, "by value there are items of 80, 256 and 1024 bytes\n"); return 2;
  }
}
