// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "text_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace extsort {

/// The bytes of a part of a line that count for its order, one after the other, each as the byte
/// that it counts as. The part ends before the byte `end`, or after `most` bytes.
class counted_bytes {
 public:
  static constexpr int none = -1;

  counted_bytes(const char* begin, std::size_t most, char end, const key_order& order) noexcept;

  /// Returns the present byte; none: it is at the end.
  int peek() noexcept {
    for (; left_ != 0 && *at_ != end_; ++at_, --left_) {
      const std::uint16_t counted = (*table_)[static_cast<unsigned char>(*at_)];
      if (counted != ignored) return counted;
    }
    return none;
  }
  /// Moves past the byte that peek() has returned.
  void drop() noexcept { ++at_, --left_; }
  /// Moves past `count` bytes; the part must have them.
  void skip(std::size_t count) noexcept;

 private:
  static constexpr std::uint16_t ignored = 256;
  using table = std::array<std::uint16_t, 256>;  // the byte that each byte counts as
  static constexpr table table_of(ignored_bytes left_out, bool folds_case) noexcept;

  const char* at_;
  std::size_t left_;
  const table* table_;
  char end_;
  bool has_all_;
};

/// Image of a key that compares neither as bytes nor as a number: two keys compare as their images
/// do, byte by byte. For one thread.
///
/// The image of a filtered key is the bytes that count; that of a month one byte, its number. The
/// grammar for versions is in key_image.cpp.
class key_image {
 public:
  /// @param most bytes of the key @param end a byte before which the key ends, too
  key_image(const char* begin, std::size_t most, char end, const key_order& order) noexcept;

  /// Moves past `count` bytes; the image must have them.
  void skip(std::size_t count) noexcept;
  /// Takes the next `word_bytes` bytes as a word, see text_words.hpp.
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
  std::size_t size_ = 0, prefix_ = 0;  // sizes of a version with and without its suffix
  std::size_t left_in_pass_ = 0;
  std::size_t digits_ = 0, size_to_tell_ = 0;  // counts for the present number of a version
  bool is_second_pass_ = false;
  stage stage_;
  int next_ = counted_bytes::none;
};

}  // namespace extsort
