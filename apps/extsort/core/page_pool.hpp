// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace extsort {

/// Some pages that follow each other.
struct extent {
  std::uint32_t first = 0;  ///< its number
  std::uint32_t pages = 0;
};

/// Hands out pages of a part of memory, and takes them back. For one thread at a time.
class page_pool {
 public:
  /// @param memory whole pages
  explicit page_pool(std::span<std::byte> memory);

  std::size_t size() const noexcept { return size_; }
  std::size_t free() const noexcept { return free_; }
  std::byte* at(const extent& of) const noexcept { return begin_ + std::size_t{of.first} * page; }

  /// @return none: no so many that follow each other are free. If all are, what is taken one after
  /// the other leaves no gaps.
  std::optional<extent> take(std::size_t pages);
  void give_back(const extent& of) noexcept;

 private:
  std::size_t next_that_is(bool used, std::size_t from, std::size_t end) const noexcept;
  std::optional<std::size_t> find(std::size_t pages, std::size_t from, std::size_t end) const noexcept;
  void mark(const extent& of, bool used) noexcept;

  std::byte* begin_;
  std::size_t size_;
  std::size_t free_;
  std::size_t from_ = 0;             // where to look first
  std::vector<std::uint64_t> used_;  // a bit a page
};

}  // namespace extsort
