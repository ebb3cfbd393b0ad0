// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace weir::io {

/// Cuts bytes into lines as they are read. A line whose end has not been read yet is moved to the
/// front of the memory, which grows with the longest line. Views are valid until the next call of
/// `room`.
class line_cutter {
 public:
  /// @param bytes initial size of the memory
  explicit line_cutter(std::size_t bytes) : usual_(bytes) {}

  void clear() noexcept { first_ = searched_ = last_ = memory_.get(); }

  /// Returns the next complete line, without its newline.
  std::optional<std::string_view> next() noexcept {
    if (searched_ == last_) return std::nullopt;
    const void* found = std::memchr(searched_, '\n', static_cast<std::size_t>(last_ - searched_));
    if (found == nullptr) {
      searched_ = last_;
      return std::nullopt;
    }
    const auto* end = static_cast<const char*>(found);
    const std::string_view line(first_, static_cast<std::size_t>(end - first_));
    first_ = searched_ = end + 1;
    return line;
  }

  /// Returns and removes the bytes behind the last newline.
  std::string_view rest() noexcept {
    const std::string_view line(first_, held());
    first_ = searched_ = last_;
    return line;
  }

  /// Returns the number of bytes of the incomplete line.
  std::size_t held() const noexcept { return static_cast<std::size_t>(last_ - first_); }

  /// Returns the memory for the next bytes; never empty.
  std::span<std::byte> room() {
    const std::size_t kept = held();
    if (first_ != memory_.get()) {
      std::memmove(memory_.get(), first_, kept);
    } else if (2 * kept >= size_) {
      size_ = size_ == 0 ? usual_ : 2 * size_;
      auto larger = std::make_unique_for_overwrite<char[]>(size_);
      if (kept != 0) std::memcpy(larger.get(), first_, kept);
      memory_ = std::move(larger);
    }
    const auto searched = static_cast<std::size_t>(searched_ - first_);
    first_ = memory_.get();
    searched_ = first_ + searched;
    last_ = memory_.get() + kept;
    return std::as_writable_bytes(std::span(last_, size_ - kept));
  }

  /// Declares that this number of bytes was read into `room`.
  void added(std::size_t bytes) noexcept { last_ += bytes; }

 private:
  std::size_t usual_;
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
  const char* first_ = nullptr;     // begin of the next line
  const char* searched_ = nullptr;  // no newline between first_ and searched_
  char* last_ = nullptr;            // behind the last byte read
};

}  // namespace weir::io
