// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The image of a version, by which keys compare as in GNU sort -V (manual of coreutils, "Version
// sort ordering"):
//
//   image  = class [pass pass]                the first pass is without the suffix of a file name, the second
//                                             one is of the whole name
//   class  = u8                               0: empty, 1: ".", 2: "..", 3: it begins with a dot, 4: others;
//                                             0 to 2 have no passes
//   pass   = text number {text number} end    text is empty at most at the beginning
//   text   = {u8} end                         ranks of bytes that are not digits
//   end    = u8                               follows the rank of '~' and precedes that of all other bytes
//   number = {u8 255} u8 {digit}              the number of digits, as a sum, and then the digits, without
//                                             leading zeros
//
// Text at the end of a version is followed by the number 0. No pass is a prefix of another one.
#include "key_image.hpp"

#include "text_words.hpp"

#include <algorithm>
#include <string_view>

namespace extsort {
namespace {

// Classes of characters in the C locale.
constexpr bool is_digit(int c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_upper(int c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(int c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(int c) noexcept { return is_upper(c) || is_lower(c); }
constexpr bool is_blank(int c) noexcept { return c == ' ' || c == '\t' || c == '\n'; }
constexpr bool is_printable(int c) noexcept { return c >= ' ' && c <= '~'; }
constexpr int upper(int c) noexcept { return is_lower(c) ? c - 'a' + 'A' : c; }

constexpr bool goes_into_suffix(int c) noexcept { return is_letter(c) || c == '~'; }

// Ranks of bytes in the text of a version; digits have no rank.
constexpr std::uint8_t rank_of_end = 2;
constexpr std::array<std::uint8_t, 256> version_ranks = [] {
  std::array<std::uint8_t, 256> made{};
  std::uint8_t next = rank_of_end + 1;
  made['~'] = rank_of_end - 1;
  for (int c = 0; c != 256; ++c)
    if (is_letter(c)) made[static_cast<std::size_t>(c)] = next++;
  for (int c = 0; c != 256; ++c)
    if (!is_letter(c) && !is_digit(c) && c != '~') made[static_cast<std::size_t>(c)] = next++;
  return made;
}();

constexpr int most_in_a_byte = 255;

}  // namespace

constexpr auto counted_bytes::table_of(ignored_bytes left_out, bool folds_case) noexcept -> table {
  table made{};
  for (int c = 0; c != 256; ++c) {
    const bool counts = left_out == ignored_bytes::none          ? true
                        : left_out == ignored_bytes::nonprinting ? is_printable(c)
                                                                 : is_letter(c) || is_digit(c) || is_blank(c);
    made[static_cast<std::size_t>(c)] = counts ? static_cast<std::uint16_t>(folds_case ? upper(c) : c) : ignored;
  }
  return made;
}

counted_bytes::counted_bytes(const char* begin, std::size_t most, char end, const key_order& order) noexcept
    : at_(begin), left_(most), end_(end), has_all_(order.ignored == ignored_bytes::none) {
  using enum ignored_bytes;
  static constexpr std::array<std::array<table, 2>, 3> tables{
      {{table_of(none, false), table_of(none, true)},
       {table_of(nonprinting, false), table_of(nonprinting, true)},
       {table_of(nondictionary, false), table_of(nondictionary, true)}}};
  table_ = &tables[static_cast<std::size_t>(order.ignored)][order.folds_case ? 1 : 0];
}

void counted_bytes::skip(std::size_t count) noexcept {
  if (has_all_) {
    at_ += count;
    left_ -= count;
    return;
  }
  for (; count != 0 && peek() != none; --count) drop();
}

key_image::key_image(const char* begin, std::size_t most, char end, const key_order& order) noexcept
    : whole_(begin, most, end, order),
      at_(whole_),
      stage_(order.kind == key_kind::month     ? stage::month
             : order.kind == key_kind::version ? stage::version_class
                                               : stage::bytes) {
  next_ = take();
}

void key_image::skip(std::size_t count) noexcept {
  if (stage_ == stage::bytes && count != 0) {
    at_.skip(count - 1);  // one byte has been taken already
    count = 1;
  }
  for (; count != 0; --count) next_ = take();
}

std::uint64_t key_image::word() noexcept {
  std::uint64_t made = 0;
  std::size_t count = 0;
  for (; count != word_bytes && next_ != counted_bytes::none; ++count) {
    made = made << 8 | static_cast<std::uint64_t>(next_);
    next_ = take();
  }
  const std::uint64_t last = next_ != counted_bytes::none ? text_goes_on : count;
  return made << 8 * (word_bytes - count) << 8 | last;
}

int key_image::take() noexcept {
  switch (stage_) {
    case stage::bytes: {
      const int found = at_.peek();
      if (found != counted_bytes::none) at_.drop();
      return found;
    }
    case stage::month: return month();
    case stage::version_class: return version_class();
    case stage::version_text: return version_text();
    case stage::version_size: return version_size();
    case stage::version_digits: return version_digits();
    case stage::done: break;
  }
  return counted_bytes::none;
}

// Returns the number of the month, from 1; 0: the key is not a month.
int key_image::month() noexcept {
  constexpr std::string_view names = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
  constexpr std::size_t letters = 3;
  stage_ = stage::done;
  while (is_blank(at_.peek())) at_.drop();
  std::array<char, letters> name{};
  for (char& each : name) {
    const int found = at_.peek();
    if (!is_letter(found)) return 0;
    each = static_cast<char>(upper(found));
    at_.drop();
  }
  for (std::size_t i = 0; i != names.size(); i += letters)
    if (names.substr(i, letters) == std::string_view(name.data(), letters)) return static_cast<int>(i / letters) + 1;
  return 0;
}

int key_image::version_class() noexcept {
  constexpr int other = 4;
  stage_ = stage::done;
  counted_bytes ahead = whole_;
  int dots = 0;
  while (dots != 3 && ahead.peek() == '.') ++dots, ahead.drop();
  if (dots != 3 && ahead.peek() == counted_bytes::none) return dots;
  measure();
  left_in_pass_ = prefix_;
  stage_ = stage::version_text;
  return dots == 0 ? other : other - 1;
}

// Measures the version and its suffix, the longest end of the form
// (\.[A-Za-z~][A-Za-z0-9~]*)*.
void key_image::measure() noexcept {
  counted_bytes at = whole_;
  while (true) {
    while (at.peek() == '.') {
      counted_bytes ahead = at;
      ahead.drop();
      if (!goes_into_suffix(ahead.peek())) break;
      std::size_t length = 1;
      for (int c = ahead.peek(); goes_into_suffix(c) || is_digit(c); c = ahead.peek()) ++length, ahead.drop();
      size_ += length;
      at = ahead;
    }
    if (at.peek() == counted_bytes::none) return;
    at.drop();
    prefix_ = ++size_;
  }
}

int key_image::taken_version_byte() noexcept {
  const int found = version_byte();
  if (found == counted_bytes::none) return found;
  at_.drop();
  --left_in_pass_;
  return found;
}

int key_image::version_text() noexcept {
  if (const int c = version_byte(); c != counted_bytes::none && !is_digit(c))
    return version_ranks[static_cast<std::size_t>(taken_version_byte())];
  while (version_byte() == '0') taken_version_byte();
  counted_bytes ahead = at_;
  for (digits_ = 0; digits_ != left_in_pass_ && is_digit(ahead.peek()); ++digits_) ahead.drop();
  size_to_tell_ = digits_;
  stage_ = stage::version_size;
  return rank_of_end;
}

int key_image::version_size() noexcept {
  if (size_to_tell_ >= most_in_a_byte) {
    size_to_tell_ -= most_in_a_byte;
    return most_in_a_byte;
  }
  stage_ = stage::version_digits;
  return static_cast<int>(size_to_tell_);
}

int key_image::version_digits() noexcept {
  if (digits_ != 0) {
    --digits_;
    return taken_version_byte();
  }
  if (left_in_pass_ != 0) {
    stage_ = stage::version_text;
    return version_text();
  }
  stage_ = is_second_pass_ ? stage::done : stage::version_text;
  is_second_pass_ = true;
  at_ = whole_;
  left_in_pass_ = size_;
  return rank_of_end;
}

}  // namespace extsort
