// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace extsort {

/// The bytes of a part of a line that count, one after the other, as they count. Ends before `end`
/// or after so many bytes.
class counted_bytes {
 public:
  static constexpr int none = -1;

  counted_bytes(const char* begin, std::size_t most, char end, const key_order& order) noexcept;

  /// The byte it stands at; none: it is at the end.
  int peek() noexcept {
    for (; left_ != 0 && *at_ != end_; ++at_, --left_) {
      const std::uint16_t counted = (*table_)[static_cast<unsigned char>(*at_)];
      if (counted != ignored) return counted;
    }
    return none;
  }
  /// Behind the byte that peek() has returned.
  void drop() noexcept { ++at_, --left_; }
  /// Behind so many bytes that are there.
  void skip(std::size_t count) noexcept;

 private:
  static constexpr std::uint16_t ignored = 256;
  using table = std::array<std::uint16_t, 256>;  // for each byte the one that it counts as
  static constexpr table table_of(ignored_bytes left_out, bool folds_case) noexcept;

  const char* at_;
  std::size_t left_;
  const table* table_;
  char end_;
  bool has_all_;
};

/// The bytes by which a key compares that is neither bytes nor a number: two keys compare as their
/// images do, byte by byte. For one thread.
///
/// Of a filtered key these are the bytes that count; of a month one byte, its number. The grammar
/// of a version is in key_image.cpp.
class key_image {
 public:
  /// @param most bytes of the key @param end the key ends before the first of these bytes, too
  key_image(const char* begin, std::size_t most, char end, const key_order& order) noexcept;

  /// Behind so many bytes that are there.
  void skip(std::size_t count) noexcept;
  /// The next `word_bytes` bytes as a word, see text_words.hpp.
  std::uint64_t word() noexcept;

 private:
  enum class stage : std::uint8_t { bytes, month, version_class, version_text, version_size, version_digits, done };

  int take() noexcept;
  int month() noexcept;
  int version_class() noexcept;
  int version_text() noexcept;
  int version_size() noexcept;
  int version_digits() noexcept;
  void measure() noexcept;
  int version_byte() noexcept { return left_in_pass_ == 0 ? counted_bytes::none : at_.peek(); }
  int taken_version_byte() noexcept;

  counted_bytes whole_;
  counted_bytes at_;
  std::size_t size_ = 0, prefix_ = 0;  // of a version: of all of it, and without its suffix
  std::size_t left_in_pass_ = 0;
  std::size_t digits_ = 0, size_to_tell_ = 0;  // of the number that is being told
  bool is_second_pass_ = false;
  stage stage_;
  int next_ = counted_bytes::none;
};

}  // namespace extsort
