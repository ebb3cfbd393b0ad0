// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Counts the bytes that weir copies on both sides. All calls of memcpy and memmove, except those of
// the C++ library itself, are redirected to this file (the linker's --wrap). Copies by the kernel
// are not counted.
#include "stream.hpp"

#include <atomic>

using namespace weir_bench;

namespace {

std::atomic<std::uint64_t> copied{0};

// A frame's header, an item's length and its number may be copied; a message may not.
constexpr std::size_t counted_least = 1024;

void count(std::size_t bytes) {
  if (bytes >= counted_least) copied.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* __real_memcpy(void* to, const void* from, std::size_t bytes);   // NOLINT: the linker's names
void* __real_memmove(void* to, const void* from, std::size_t bytes);  // NOLINT
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes);   // NOLINT
void* __wrap_memmove(void* to, const void* from, std::size_t bytes);  // NOLINT

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {  // NOLINT
  count(bytes);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {  // NOLINT
  count(bytes);
  return __real_memmove(to, from, bytes);
}
}

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  const shared_value<std::atomic<std::uint64_t>> both;
  const stream_outcome was = stream_between_groups(given, [&](const auto& stream) {
    const std::uint64_t before = copied.load();
    stream();
    both->fetch_add(copied.load() - before);
  });
  const double bytes = static_cast<double>(given["items"]) * static_cast<double>(given["size"]);
  print_stream("copies", given, was, {{"copies", static_cast<double>(both->load()) / bytes}});
}
