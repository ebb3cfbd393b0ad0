// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/item_type.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weir::detail {

/// Returns the number of bytes that an item in a slot of `slot` bytes counts when the capacity of a
/// channel is chosen. An item that owns an unknown amount of memory counts 256 at least.
inline std::size_t counted_bytes(const item_type& type, std::size_t slot) noexcept {
  constexpr std::size_t bytes_of_unknown = 256;
  return type.owns_unknown() ? std::max(slot, bytes_of_unknown) : slot;
}

/// The limit on the items in one channel that follows from the memory that they own, for types for
/// which that is known (see owned_bytes.hpp). Only the channel's producer may use it.
class owned_limit {
 public:
  /// @param items_least number of items that always fit
  explicit owned_limit(const item_type& type, std::uint64_t items_least = 2) noexcept
      : type_(type), items_least_(items_least) {}

  /// Returns whether items of this type own memory of known size. Otherwise nothing else may be
  /// called.
  bool applies() const noexcept { return type_.owned != nullptr; }

  /// Measures an item that is to be sent.
  void note(const void* item) noexcept {
    const std::uint64_t bytes = type_.size + type_.owned(item);
    item_bytes_ = item_bytes_ == 0 ? bytes : (3 * item_bytes_ + bytes) / 4;
  }

  /// Returns the largest number of items that may be in the channel.
  std::uint64_t items() const noexcept {
    return std::max(bytes_most / std::max<std::uint64_t>(item_bytes_, 1), items_least_);
  }

  /// Returns the largest number of items that may be sent until one is measured again.
  std::size_t run() const noexcept { return static_cast<std::size_t>((items() + 1) / 2); }

 private:
  static constexpr std::uint64_t bytes_most = std::uint64_t{2} * 1024 * 1024;

  const item_type& type_;
  const std::uint64_t items_least_;
  std::uint64_t item_bytes_ = 0;  // recent mean size of an item, with the memory that it owns; 0: none was measured
};

}  // namespace weir::detail
