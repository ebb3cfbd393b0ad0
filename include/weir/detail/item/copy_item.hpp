// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/item_type.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weir::detail {

/// Copies and moves items of one type between slots. Items of one or two words that are their bytes
/// are copied in place, because a call would take as long as several of them.
class item_copier {
 public:
  explicit item_copier(const item_type& type) noexcept
      : type_(&type),
        words_(!type.trivially_copyable        ? 0
               : type.size == sizeof(word)     ? 1
               : type.size == 2 * sizeof(word) ? 2
                                               : 0) {}

  /// Moves the item at `from` into raw memory at `to`, and destroys the original.
  [[gnu::always_inline]] void relocate(void* to, void* from) const noexcept {
    if (words_ == 1) {
      std::memcpy(to, from, sizeof(word));
    } else if (words_ == 2) {
      std::memcpy(to, from, 2 * sizeof(word));
    } else {
      type_->relocate(to, from);
    }
  }

  /// Copies the item at `from` into raw memory at `to`. The type must have copies.
  [[gnu::always_inline]] void copy(void* to, const void* from) const {
    if (words_ == 1) {
      std::memcpy(to, from, sizeof(word));
    } else if (words_ == 2) {
      std::memcpy(to, from, 2 * sizeof(word));
    } else {
      type_->copy(to, from);
    }
  }

 private:
  using word = std::uint64_t;

  const item_type* type_;
  std::size_t words_;
};

}  // namespace weir::detail
