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

/// Bytes as they are read, cut at the newlines. A line that goes on in what is read next is moved
/// to the front; the memory grows with the longest line. Views are valid until more room is asked
/// for.
class line_cutter {
 public:
  /// @param bytes the room to begin with
  explicit line_cutter(std::size_t bytes) : usual_(bytes) {}

  void clear() noexcept { first_ = searched_ = last_ = memory_.get(); }

  /// The next whole line, without its newline.
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

  /// What follows the last newline; it is taken out.
  std::string_view rest() noexcept {
    const std::string_view line(first_, held());
    first_ = searched_ = last_;
    return line;
  }

  /// The bytes of a line that has not ended.
  std::size_t held() const noexcept { return static_cast<std::size_t>(last_ - first_); }

  /// Where to read to; never empty.
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

  /// So many bytes were read to there.
  void added(std::size_t bytes) noexcept { last_ += bytes; }

 private:
  std::size_t usual_;
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
  const char* first_ = nullptr;     // of the line to come
  const char* searched_ = nullptr;  // no newline between the two
  char* last_ = nullptr;            // behind what has been read
};

}  // namespace weir::io
