// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace extsort {
namespace {

// Bytes that may be read after the last record.
constexpr std::size_t behind = page;

}  // namespace

arena::arena(std::size_t size) {
  size = rounded_down(size);
  void* const at = ::mmap(nullptr, size + behind, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "can't get the memory of -m");
  ::madvise(at, size, MADV_HUGEPAGE);  // records are gathered from all over the memory
  all_ = {static_cast<std::byte*>(at), size};
}

arena::~arena() { ::munmap(all_.data(), all_.size() + behind); }

std::span<std::byte> arena::take(std::size_t size) {
  if (size > left() || rounded_up(size) > left())
    throw too_little_memory(fmt::format(
        "{} bytes of memory for records are needed at once, and {} are left; more memory is needed, or fewer threads",
        size, left()));
  size = rounded_up(size);
  const std::span<std::byte> made = all_.subspan(used_, size);
  used_ += size;
  return made;
}

std::vector<std::span<std::byte>> arena::take(std::size_t parts, std::size_t size) {
  std::vector<std::span<std::byte>> taken;
  while (taken.size() != parts) taken.push_back(take(size));
  return taken;
}

}  // namespace extsort
