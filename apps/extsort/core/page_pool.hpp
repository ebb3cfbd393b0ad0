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

/// Consecutive pages.
struct extent {
  std::uint32_t first = 0;  ///< number of the first page
  std::uint32_t pages = 0;
};

/// Allocates and frees pages of a part of memory. For one thread at a time.
class page_pool {
 public:
  /// @param memory whole pages
  explicit page_pool(std::span<std::byte> memory);

  std::size_t size() const noexcept { return size_; }
  std::size_t free() const noexcept { return free_; }
  std::byte* at(const extent& of) const noexcept { return begin_ + std::size_t{of.first} * page; }

  /// Allocates consecutive pages. If all pages were free before, consecutive calls leave no gaps.
  /// @return none: there are not enough consecutive free pages
  std::optional<extent> take(std::size_t pages);
  void give_back(const extent& of) noexcept;

 private:
  std::size_t next_that_is(bool used, std::size_t from, std::size_t end) const noexcept;
  std::optional<std::size_t> find(std::size_t pages, std::size_t from, std::size_t end) const noexcept;
  void mark(const extent& of, bool used) noexcept;

  std::byte* begin_;
  std::size_t size_;
  std::size_t free_;
  std::size_t from_ = 0;             // page at which the search begins
  std::vector<std::uint64_t> used_;  // one bit for each page
};

}  // namespace extsort
