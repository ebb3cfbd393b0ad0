// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace weir::detail {

/// Memory for one object, which shares no cache line with other data.
class raw_slot {
 public:
  raw_slot(std::size_t size, std::size_t alignment)
      : alignment_{std::max(alignment, cache_line)},
        memory_(
            static_cast<std::byte*>(::operator new((size + cache_line - 1) / cache_line * cache_line, alignment_))) {}
  explicit raw_slot(const item_type& type) : raw_slot(type.size, type.alignment) {}
  raw_slot(const raw_slot&) = delete;
  raw_slot& operator=(const raw_slot&) = delete;
  ~raw_slot() { ::operator delete(memory_, alignment_); }

  std::byte* get() const noexcept { return memory_; }

 private:
  const std::align_val_t alignment_;
  std::byte* const memory_;
};

}  // namespace weir::detail
