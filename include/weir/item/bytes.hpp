// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace weir {

/// Bytes that do not decode to an item: too few, too many, or not what the codec expects.
class codec_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where encoded items go.
using byte_sink = std::vector<std::byte>;

/// Encoded bytes, consumed from the front. Never reads past their end. The bytes belong to somebody else.
class byte_source {
 public:
  explicit byte_source(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  std::size_t left() const noexcept { return rest_.size(); }

  /// The next `count` bytes. @throws codec_error if there are fewer
  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) throw codec_error("the bytes end inside an item");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void read(T& value) {
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
  }

 private:
  std::span<const std::byte> rest_;
};

template <class T>
  requires std::is_trivially_copyable_v<T>
void append(byte_sink& out, const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), first, first + sizeof(T));
}

}  // namespace weir
