// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "page_pool.hpp"

#include <algorithm>
#include <bit>

namespace extsort {
namespace {

constexpr std::size_t bits = 64;

}  // namespace

page_pool::page_pool(std::span<std::byte> memory)
    : begin_(memory.data()), size_(memory.size() / page), free_(size_), used_((size_ + bits - 1) / bits) {}

std::size_t page_pool::next_that_is(bool used, std::size_t from, std::size_t end) const noexcept {
  while (from < end) {
    const std::uint64_t word = (used ? used_[from / bits] : ~used_[from / bits]) >> from % bits;
    if (word != 0) return std::min<std::size_t>(end, from + static_cast<std::size_t>(std::countr_zero(word)));
    from = (from / bits + 1) * bits;
  }
  return end;
}

std::optional<std::size_t> page_pool::find(std::size_t pages, std::size_t from, std::size_t end) const noexcept {
  while (from < end) {
    const std::size_t begin = next_that_is(false, from, end);
    const std::size_t behind = next_that_is(true, begin, std::min(end, begin + pages));
    if (behind - begin == pages) return begin;
    from = std::max(behind, begin + 1);
  }
  return std::nullopt;
}

void page_pool::mark(const extent& of, bool used) noexcept {
  for (std::size_t i = of.first; i != std::size_t{of.first} + of.pages; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i % bits;
    if (used) {
      used_[i / bits] |= bit;
    } else {
      used_[i / bits] &= ~bit;
    }
  }
}

std::optional<extent> page_pool::take(std::size_t pages) {
  if (pages > free_) return std::nullopt;
  if (free_ == size_) from_ = 0;
  auto found = find(pages, from_, size_);
  if (!found) found = find(pages, 0, std::min(size_, from_ + pages));
  if (!found) return std::nullopt;
  const extent made{static_cast<std::uint32_t>(*found), static_cast<std::uint32_t>(pages)};
  mark(made, true);
  free_ -= pages;
  from_ = *found + pages;
  return made;
}

void page_pool::give_back(const extent& of) noexcept {
  mark(of, false);
  free_ += of.pages;
}

}  // namespace extsort
