// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace extsort {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::strong_ordering reversed_if(bool is_reversed, std::strong_ordering order) noexcept {
  return is_reversed ? 0 <=> order : order;
}

// A number without what does not count: zeros in front, zeros behind the point at the end.
struct decimal {
  bool is_negative = false;
  std::string_view whole, fraction;
};

decimal decimal_of(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at != text.size() && is_blank(text[at])) ++at;
  decimal made;
  if (at != text.size() && text[at] == '-') {
    made.is_negative = true;
    ++at;
  }
  while (at != text.size() && text[at] == '0') ++at;
  std::size_t begin = at;
  while (at != text.size() && is_digit(text[at])) ++at;
  made.whole = text.substr(begin, at - begin);
  if (at != text.size() && text[at] == '.') {
    begin = ++at;
    while (at != text.size() && is_digit(text[at])) ++at;
    while (at != begin && text[at - 1] == '0') --at;
    made.fraction = text.substr(begin, at - begin);
  }
  if (made.whole.empty() && made.fraction.empty()) made.is_negative = false;
  return made;
}

}  // namespace

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept {
  const decimal x = decimal_of(a), y = decimal_of(b);
  if (x.is_negative != y.is_negative) return x.is_negative ? std::strong_ordering::less : std::strong_ordering::greater;
  auto order = x.whole.size() <=> y.whole.size();
  if (order == 0) order = x.whole <=> y.whole;
  if (order == 0) order = x.fraction <=> y.fraction;
  return reversed_if(x.is_negative, order);
}

// The sign, how many digits are before the point, and the first sixteen digits.
std::uint64_t word_of_number(std::string_view text) noexcept {
  constexpr unsigned digit_bits = 56;
  constexpr std::size_t most_digits = 16, most_whole = 127;
  const decimal of = decimal_of(text);
  const std::uint64_t whole = std::min(of.whole.size(), most_whole);
  std::uint64_t digits = 0;
  for (std::size_t i = 0; i != most_digits; ++i) {
    const std::size_t behind = i - of.whole.size();
    const char digit = i < of.whole.size() ? of.whole[i] : behind < of.fraction.size() ? of.fraction[behind] : '0';
    digits = 10 * digits + static_cast<std::uint64_t>(digit - '0');
  }
  // Longer ones than can be told have to be compared.
  const std::uint64_t size = of.whole.size() > most_whole ? (std::uint64_t{1} << 63) - 1 : whole << digit_bits | digits;
  constexpr std::uint64_t zero = std::uint64_t{1} << 63;
  return of.is_negative ? zero - 1 - size : zero + size;
}

text_lines::text_lines(std::vector<text_key> keys, std::optional<char> separator)
    : keys_(std::move(keys)), separator_(separator) {
  if (keys_.empty()) keys_.emplace_back();
  const text_key& only = keys_.front();
  is_plain_ = keys_.size() == 1 && only.begin_field == 0 && only.begin_byte == 0 && !only.has_end &&
              !only.skips_blanks_at_begin && !only.is_numeric && !only.is_reversed;
}

// As POSIX has it. Without a separator a field begins with the blanks before it.
std::string_view text_lines::part_of(std::string_view line, const text_key& key) const noexcept {
  const auto skip_blanks = [&](std::size_t at) {
    while (at < line.size() && is_blank(line[at])) ++at;
    return at;
  };
  // Behind that many fields. @param past whether also behind the separator that follows the last of them
  const auto behind = [&](std::size_t fields, bool past) {
    std::size_t at = 0;
    while (at < line.size() && fields-- != 0) {
      if (separator_) {
        while (at < line.size() && line[at] != *separator_) ++at;
        if (at < line.size() && (fields != 0 || past)) ++at;
      } else {
        at = skip_blanks(at);
        while (at < line.size() && !is_blank(line[at])) ++at;
      }
    }
    return at;
  };
  std::size_t begin = behind(key.begin_field, true);
  if (key.skips_blanks_at_begin) begin = skip_blanks(begin);
  begin = std::min(line.size(), begin + std::min(key.begin_byte, line.size()));
  if (!key.has_end) return line.substr(begin);
  std::size_t last = behind(key.end_field + (key.end_bytes == 0 ? 1 : 0), key.end_bytes != 0);
  if (key.end_bytes != 0) {
    if (key.skips_blanks_at_end) last = skip_blanks(last);
    last = std::min(line.size(), last + std::min(key.end_bytes, line.size()));
  }
  return line.substr(begin, last > begin ? last - begin : 0);
}

std::uint64_t text_lines::word_of_key(std::string_view line, std::size_t depth) const noexcept {
  const text_key& key = keys_.front();
  const std::string_view part = part_of(line, key);
  const std::uint64_t word = key.is_numeric ? word_of_number(part) : word_of(part, depth);
  return key.is_reversed ? ~word : word;
}

std::uint64_t text_lines::rest(const std::byte* at, std::uint64_t size, std::size_t depth) const noexcept {
  const text_key& key = keys_.front();
  if (keys_.size() != 1 || key.is_numeric) return unknown;
  const std::string_view line = line_of(at, size);
  const std::size_t length = is_plain_ ? line.size() : part_of(line, key).size();
  // A key that ends comes before one that goes on, and of those that end here zeros at the end count. The other way round if it is reversed.
  if (length > 8 * (depth + 1)) return goes_on;
  const std::uint64_t here = length < 8 * depth ? 0 : length - 8 * depth;
  return key.is_reversed ? 2 * goes_on - here : here;
}

std::strong_ordering text_lines::compare(record_view a, record_view b) const noexcept {
  const std::string_view x = line_of(a.data(), a.size()), y = line_of(b.data(), b.size());
  if (is_plain_) return x <=> y;
  for (const text_key& key : keys_) {
    const std::string_view of_x = part_of(x, key), of_y = part_of(y, key);
    const auto order = key.is_numeric ? compare_numbers(of_x, of_y) : of_x <=> of_y;
    if (order != 0) return reversed_if(key.is_reversed, order);
  }
  return std::strong_ordering::equal;
}

text_key parse_text_key(std::string_view text, const text_key& usual) {
  const std::string whole(text);
  const auto wrong = [&](std::string_view what) -> std::invalid_argument {
    return std::invalid_argument(
        fmt::format("-k {}: {}; a key is F[.C][OPTIONS][,F[.C][OPTIONS]], with the options b, n and r", whole, what));
  };
  const auto number = [&](std::string_view what) {
    std::size_t made = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), made);
    if (error != std::errc() || made > std::size_t{1} << 40)
      throw wrong(fmt::format("there is no number of a {}", what));
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return made;
  };
  text_key made;
  bool has_own = false;
  const auto options = [&](bool& skips_blanks) {
    for (; !text.empty() && text.front() != ','; text.remove_prefix(1)) {
      has_own = true;
      switch (text.front()) {
        case 'b': skips_blanks = true; break;
        case 'n': made.is_numeric = true; break;
        case 'r': made.is_reversed = true; break;
        default: throw wrong(fmt::format("'{}' is no option of a key here", text.front()));
      }
    }
  };
  made.begin_field = number("field");
  if (made.begin_field == 0) throw wrong("fields are counted from 1");
  --made.begin_field;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    made.begin_byte = number("character");
    if (made.begin_byte == 0) throw wrong("characters are counted from 1");
    --made.begin_byte;
  }
  options(made.skips_blanks_at_begin);
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    made.has_end = true;
    made.end_field = number("field");
    if (made.end_field == 0) throw wrong("fields are counted from 1");
    --made.end_field;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      made.end_bytes = number("character");
    }
    options(made.skips_blanks_at_end);
    if (!text.empty()) throw wrong("it goes on behind its end");
  }
  if (!has_own) {
    made.skips_blanks_at_begin = made.skips_blanks_at_end = usual.skips_blanks_at_begin;
    made.is_numeric = usual.is_numeric;
    made.is_reversed = usual.is_reversed;
  }
  return made;
}

}  // namespace extsort
