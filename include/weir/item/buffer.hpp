// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/item/codec.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace weir {

/// A sequence of bytes that several holders may share: a slice of a reference-counted allocation.
/// Moving a buffer costs two words and does not change the reference count. Copying and slicing
/// share the bytes, which live as long as any slice of them.
///
/// **Thread safety.** As `std::shared_ptr`: different buffers may share their bytes across threads
/// as long as no thread writes them. Write through `writable`, before the bytes are shared.
class buffer {
 public:
  buffer() noexcept = default;

  /// Allocates `size` bytes of unspecified contents, which their only holder then writes.
  /// @throws std::bad_alloc
  explicit buffer(std::size_t size)
      : held_(size == 0 ? nullptr : std::make_shared_for_overwrite<std::byte[]>(size)),
        bytes_(held_.get()),
        size_(size) {}

  /// Makes a copy of the bytes of `text`.
  explicit buffer(std::string_view text) : buffer(text.size()) {
    if (size_ != 0) std::memcpy(bytes_, text.data(), size_);
  }

  /// Refers to `size` bytes that may have other holders too.
  buffer(std::shared_ptr<std::byte[]> held, std::byte* first, std::size_t size) noexcept
      : held_(std::move(held)), bytes_(first), size_(size) {}

  buffer(const buffer&) noexcept = default;
  buffer(buffer&& other) noexcept
      : held_(std::move(other.held_)),
        bytes_(std::exchange(other.bytes_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer other) noexcept {
    held_ = std::move(other.held_);
    bytes_ = other.bytes_;
    size_ = other.size_;
    return *this;
  }
  ~buffer() = default;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::span<const std::byte> bytes() const noexcept { return {bytes_, size_}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(bytes_), size_}; }

  /// Returns the owner of the allocation.
  const std::shared_ptr<std::byte[]>& holder() const noexcept { return held_; }

  /// Returns whether other buffers hold the same allocation.
  bool shared() const noexcept { return held_.use_count() > 1; }

  /// Returns the bytes for writing. @throws std::logic_error if the bytes are shared
  std::span<std::byte> writable() {
    if (shared()) throw std::logic_error("a buffer that is shared can't be written");
    return {bytes_, size_};
  }

  /// Returns a buffer of `count` bytes from `first` on, which shares this allocation.
  /// @throws std::out_of_range if there are fewer bytes
  buffer slice(std::size_t first, std::size_t count) const& { return buffer(*this).slice(first, count); }
  buffer slice(std::size_t first, std::size_t count) && {
    if (first > size_ || count > size_ - first) throw std::out_of_range("a slice must lie inside its buffer");
    bytes_ += first;
    size_ = count;
    return std::move(*this);
  }

  /// Returns the number of bytes, see owned_bytes.hpp. Shared bytes count for each holder.
  friend std::size_t owned_bytes(const buffer& some) noexcept { return some.held_ == nullptr ? 0 : some.size_; }

  /// Returns whether the bytes are equal.
  friend bool operator==(const buffer& a, const buffer& b) noexcept { return a.text() == b.text(); }

 private:
  friend class byte_sink;

  std::shared_ptr<std::byte[]> held_;
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// Encodes the number of bytes, 64 bits, and the bytes. Large buffers are not copied.
template <>
struct WEIR_API codec<buffer> {
  static void encode(const buffer& item, byte_sink& out);
  static buffer decode(byte_source& in);
};

}  // namespace weir
