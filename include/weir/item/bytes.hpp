// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/item/buffer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// Thrown if bytes do not decode to an item: too few, too many, or not in the format of the codec.
class WEIR_API codec_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The output of codecs: encoded items are appended one after the other. Large buffers are shared
/// instead of copied.
class byte_sink {
 public:
  /// Size in bytes from which a buffer is shared. Below it, a copy costs less than an additional
  /// part.
  static constexpr std::size_t shared_least = 4096;

  byte_sink() noexcept = default;

  /// Uses `memory` for the first `memory.size()` bytes that are copied. There must be no other
  /// holder.
  explicit byte_sink(buffer memory) noexcept : memory_(std::move(memory)) {}

  byte_sink(byte_sink&& other) noexcept
      : memory_(std::move(other.memory_)),
        copied_(std::exchange(other.copied_, 0)),
        size_(std::exchange(other.size_, 0)),
        shared_(std::move(other.shared_)) {}
  byte_sink& operator=(byte_sink&& other) noexcept {
    memory_ = std::move(other.memory_);
    copied_ = std::exchange(other.copied_, 0);
    size_ = std::exchange(other.size_, 0);
    shared_ = std::move(other.shared_);
    return *this;
  }
  ~byte_sink() = default;

  /// @throws std::bad_alloc
  void append(const void* first, std::size_t count) {
    if (memory_.size() - copied_ < count) [[unlikely]]
      grow(count);
    if (count != 0) std::memcpy(memory_.bytes_ + copied_, first, count);
    copied_ += count;
    size_ += count;
  }
  void append(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }
  void append(const buffer& bytes) {
    if (bytes.size() < shared_least) return append(bytes.bytes());
    shared_.push_back({copied_, bytes});
    size_ += bytes.size();
  }

  /// Makes room for `count` more bytes to be copied.
  void reserve(std::size_t count) {
    if (memory_.size() - copied_ < count) grow(count);
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// Returns the number of bytes that were copied into this sink.
  std::size_t copied() const noexcept { return copied_; }
  /// Returns the memory with the copied bytes.
  const buffer& memory() const noexcept { return memory_; }

  /// Calls take(std::span<const std::byte>) for each part, in order. No part is empty.
  template <class Take>
  void for_each_part(Take&& take) const {
    std::size_t done = 0;
    const auto take_copied = [&](std::size_t end) {
      if (end != done) take(memory_.bytes().subspan(done, end - done));
      done = end;
    };
    for (const shared_part& part : shared_) {
      take_copied(part.behind);
      take(part.bytes.bytes());
    }
    take_copied(copied_);
  }

  /// Returns all bytes in one buffer. They are copied only if there are several parts.
  buffer joined() && {
    if (shared_.empty()) return std::move(memory_).slice(0, copied_);
    if (copied_ == 0 && shared_.size() == 1) return std::move(shared_.front().bytes);
    buffer all(size_);
    std::byte* to = all.writable().data();
    for_each_part([&](std::span<const std::byte> part) {
      std::memcpy(to, part.data(), part.size());
      to += part.size();
    });
    return all;
  }

 private:
  struct shared_part {
    std::size_t behind;  // number of copied bytes before this part
    buffer bytes;
  };

  void grow(std::size_t count) {
    constexpr std::size_t least = 256;
    buffer larger(std::max({least, 2 * memory_.size(), copied_ + count}));
    if (copied_ != 0) std::memcpy(larger.writable().data(), memory_.bytes().data(), copied_);
    memory_ = std::move(larger);
  }

  buffer memory_;
  std::size_t copied_ = 0;
  std::size_t size_ = 0;
  std::vector<shared_part> shared_;
};

/// The input of codecs: encoded bytes, consumed from the front. Never reads past their end. Does
/// not own the bytes.
class byte_source {
 public:
  explicit byte_source(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  /// As above, but buffers that are taken may share the bytes of `held`. `held` must live as long
  /// as this object.
  explicit byte_source(const buffer& held) noexcept : rest_(held.bytes()), held_(&held) {}
  explicit byte_source(buffer&&) = delete;

  std::size_t left() const noexcept { return rest_.size(); }

  /// Takes the next `count` bytes. @throws codec_error if there are fewer
  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) throw codec_error("the bytes end inside an item");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  /// Takes the next `count` bytes as a buffer, which shares the bytes if they are at least
  /// byte_sink::shared_least.
  /// @throws codec_error
  buffer take_buffer(std::size_t count) {
    const auto taken = take(count);
    if (held_ != nullptr && count >= byte_sink::shared_least) {
      return held_->slice(static_cast<std::size_t>(taken.data() - held_->bytes().data()), count);
    }
    return buffer(std::string_view(reinterpret_cast<const char*>(taken.data()), count));
  }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void read(T& value) {
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
  }

 private:
  std::span<const std::byte> rest_;
  const buffer* held_ = nullptr;
};

/// Appends the bytes of `value` as they lie in memory.
template <class T>
  requires std::is_trivially_copyable_v<T>
void append(byte_sink& out, const T& value) {
  out.append(&value, sizeof(T));
}

}  // namespace weir
