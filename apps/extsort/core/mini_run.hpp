// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page_pool.hpp"
#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace extsort {

/// Sorted records of one chunk in pages, each of which is freed as soon as its records have been
/// used. No record crosses from one extent into the next: a long record has an extent of several
/// pages. At most half of the bytes of the pages stay unused, and nearly none with small records.
/// Is also a cursor. For one thread at a time.
template <class Format>
class mini_run {
 public:
  /// @param format outlives this object @param number of the chunk
  mini_run(const Format& format, const page_pool& pool, std::uint64_t number)
      : format_(&format), pool_(&pool), number_(number) {}

  /// Reserves room for one more record. @return false: there are no pages for it
  bool reserve(page_pool& pool, std::uint64_t size) {
    if (extents_.empty() || room_ < size) {
      const auto made = pool.take(rounded_up(size) / page);
      if (!made) return false;
      extents_.push_back({*made, 0});
      room_ = std::uint64_t{made->pages} * page;
    }
    room_ -= size;
    extents_.back().bytes += size;
    return true;
  }
  /// Gives back all pages.
  void release(page_pool& pool) noexcept {
    for (const used_extent& each : extents_) pool.give_back(each.where);
    extents_.clear();
  }

  /// Stores the next of the records that room was reserved for, in their order.
  void add(const std::byte* from, std::uint64_t size) {
    if (added_ == extents_[filled_].bytes) {
      ++filled_;
      added_ = 0;
    }
    std::memcpy(pool_->at(extents_[filled_].where) + added_, from, size);
    added_ += size;
  }
  /// Moves to the first record, once all have been stored.
  void begin() { enter(0); }

  std::uint64_t number() const noexcept { return number_; }
  bool is_at_end() const noexcept { return present_ == extents_.size(); }
  const std::byte* at() const noexcept { return at_; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t word() const noexcept { return format_->word(at_, {}); }
  /// Moves to the next record. @return the extent that is no longer needed, if any
  std::optional<extent> next() {
    at_ += size_;
    if (at_ != limit_) {
      load();
      return std::nullopt;
    }
    const extent left = extents_[present_].where;
    enter(present_ + 1);
    return left;
  }

 private:
  struct used_extent {
    extent where;
    std::uint64_t bytes;
  };

  void enter(std::size_t number) {
    present_ = number;
    if (is_at_end()) return;
    at_ = pool_->at(extents_[present_].where);
    limit_ = at_ + extents_[present_].bytes;
    if (present_ + 1 != extents_.size()) __builtin_prefetch(pool_->at(extents_[present_ + 1].where));
    load();
  }
  void load() {
    constexpr std::size_t ahead = 192;  // bytes
    size_ = format_->size_of(at_, static_cast<std::uint64_t>(limit_ - at_));
    __builtin_prefetch(at_ + size_ + ahead);
  }

  const Format* format_;
  const page_pool* pool_;
  std::uint64_t number_;
  std::vector<used_extent> extents_;
  std::uint64_t room_ = 0;   // bytes left in the last extent
  std::size_t filled_ = 0;   // the extent that records are put into
  std::uint64_t added_ = 0;  // bytes there
  std::size_t present_ = 0;
  const std::byte* at_ = nullptr;
  const std::byte* limit_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace extsort
