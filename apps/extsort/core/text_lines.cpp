// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include "byte_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace extsort {
namespace {

constexpr char end_of_line = '\n';

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::uint32_t blanks_in(const byte_scan& bytes) noexcept { return bytes.equal_to(' ') | bytes.equal_to('\t'); }

const char* behind_blanks(const char* at) noexcept {
  while (true) {
    const std::uint32_t others = ~blanks_in(byte_scan(at));
    if (others != 0) return at + std::countr_zero(others);
    at += byte_scan::size;
  }
}

// A copy, behind which as much may be read as fields are looked for at a time.
class line_to_look_at {
 public:
  explicit line_to_look_at(record_view of) : size_(of.size() - 1) {
    char* to = few_.data();
    if (of.size() + record_slack > few_.size()) {
      many_.resize(of.size() + record_slack);
      to = many_.data();
    }
    std::memcpy(to, of.data(), of.size());
    at_ = to;
  }
  line_to_look_at(const line_to_look_at&) = delete;
  line_to_look_at& operator=(const line_to_look_at&) = delete;
  std::string_view line() const noexcept { return {at_, size_}; }

 private:
  std::array<char, 512> few_;
  std::string many_;
  const char* at_;
  std::size_t size_;
};

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

namespace {

// A first word has the sign, how many digits are before the point, and the first digits as a number, all inverted if it is negative.
constexpr unsigned digit_bits = 48;
constexpr std::size_t most_digits = 14, most_whole = 127;
constexpr std::array<std::uint64_t, most_digits + 1> powers_of_ten = [] {
  std::array<std::uint64_t, most_digits + 1> made{1};
  for (std::size_t i = 1; i != made.size(); ++i) made[i] = 10 * made[i - 1];
  return made;
}();
static_assert(powers_of_ten[most_digits] < std::uint64_t{1} << digit_bits);

std::uint64_t first_word(bool is_negative, std::uint64_t whole, std::uint64_t digits, bool has_more) noexcept {
  constexpr std::uint64_t not_negative = std::uint64_t{1} << 63;
  const std::uint64_t word = not_negative | (whole << digit_bits | digits) << 8 | (has_more ? text_goes_on : 0);
  return is_negative ? ~word : word;
}

// Any number, and any of its words. Where there are too many digits before the point for the first word to say how many, the second one does; then come all digits that have not been in the first.
std::uint64_t word_of_long_number(std::string_view text, std::uint32_t column) noexcept {
  const decimal of = decimal_of(text);
  const std::size_t whole = of.whole.size(), all = whole + of.fraction.size();
  const auto digit = [&](std::size_t i) { return i < whole ? of.whole[i] : of.fraction[i - whole]; };
  const bool is_huge = whole >= most_whole;
  if (column == 0) {
    if (is_huge) return first_word(of.is_negative, most_whole, 0, true);
    std::uint64_t digits = 0;
    for (std::size_t i = 0; i != most_digits; ++i)
      digits = 10 * digits + (i < all ? static_cast<std::uint64_t>(digit(i) - '0') : 0);
    return first_word(of.is_negative, whole, digits, all > most_digits);
  }
  std::uint64_t word = 0;
  if (is_huge && column == 1) {
    word = std::uint64_t{whole} << 8 | text_goes_on;
  } else {
    const std::size_t begin = is_huge ? word_bytes * (column - 2) : most_digits + word_bytes * (column - 1);
    std::array<char, 8> bytes{};
    const std::size_t count = std::min(bytes.size(), all - begin);
    for (std::size_t i = 0; i != count; ++i) bytes[i] = digit(begin + i);
    word = word_of_text(std::bit_cast<std::uint64_t>(bytes), count);
  }
  return of.is_negative ? ~word : word;
}

}  // namespace

std::uint64_t word_of_number(const char* text, std::size_t most, std::uint32_t column) noexcept {
  auto at = is_blank(*text) ? static_cast<std::size_t>(behind_blanks(text) - text) : 0;
  if (at >= most || text[at] > '9') return first_word(false, 0, 0, false);
  const bool is_negative = at != most && text[at] == '-';
  if (is_negative) ++at;
  while (at != most && text[at] == '0') ++at;
  std::uint64_t digits = 0;
  std::size_t begin = at;
  for (; at != most && is_digit(text[at]); ++at) digits = 10 * digits + static_cast<std::uint64_t>(text[at] - '0');
  const std::size_t whole = at - begin;
  std::size_t all = whole;
  if (at != most && text[at] == '.') {
    begin = ++at;
    for (; at != most && is_digit(text[at]); ++at) digits = 10 * digits + static_cast<std::uint64_t>(text[at] - '0');
    all += at - begin;
  }
  if (column != 0 || all > most_digits) return word_of_long_number({text, at}, column);
  return first_word(is_negative && digits != 0, whole, digits * powers_of_ten[most_digits - all], false);
}

namespace {

// Of two numbers with the same first word, which goes on: so many of their words are the same at least. Words of a number of many digits take as long as all of it.
std::uint32_t equal_words(std::string_view a, std::string_view b) noexcept {
  const decimal x = decimal_of(a), y = decimal_of(b);
  if (x.whole.size() != y.whole.size()) return 1;
  const auto in_both = [](std::string_view of_x, std::string_view of_y) {
    return static_cast<std::size_t>(std::ranges::mismatch(of_x, of_y).in1 - of_x.begin());
  };
  std::size_t digits = in_both(x.whole, y.whole);
  if (digits == x.whole.size()) digits += in_both(x.fraction, y.fraction);
  const bool is_huge = x.whole.size() >= most_whole;
  const std::size_t behind_first = is_huge ? digits : digits - std::min(digits, most_digits);
  // The last of them may say that a number ends where another one goes on.
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, behind_first / word_bytes + (is_huge ? 1 : 0)));
}

}  // namespace

text_lines::text_lines(std::vector<text_key> keys, std::optional<char> separator)
    : keys_(std::move(keys)), separator_(separator) {
  if (keys_.empty()) keys_.emplace_back();
  const text_key& only = keys_.front();
  is_plain_ = keys_.size() == 1 && only.begin_field == 0 && only.begin_byte == 0 && !only.has_end &&
              !only.skips_blanks_at_begin && !only.is_numeric && !only.is_reversed;
}

// As POSIX has it. Without a separator a field begins with the blanks before it.
text_lines::part text_lines::part_of(const char* line, const text_key& key) const noexcept {
  const auto skip_bytes = [](const char* at, std::size_t count) {
    while (count != 0 && *at != end_of_line) ++at, --count;
    return at;
  };
  const char* const field = behind_fields(line, key.begin_field, true);
  const char* begin = key.skips_blanks_at_begin ? behind_blanks(field) : field;
  begin = skip_bytes(begin, key.begin_byte);
  if (!key.has_end) return {begin, std::numeric_limits<std::size_t>::max()};
  const std::size_t fields = key.end_field + (key.end_bytes == 0 ? 1 : 0);
  const bool past = key.end_bytes != 0;
  const char* last = fields >= key.begin_field ? behind_fields(field, fields - key.begin_field, past)
                                               : behind_fields(line, fields, past);
  if (key.end_bytes != 0) {
    if (key.skips_blanks_at_end) last = behind_blanks(last);
    last = skip_bytes(last, key.end_bytes);
  }
  return {begin, last > begin ? static_cast<std::size_t>(last - begin) : 0};
}

// Or at the end of the line. @param past whether also behind the separator that follows the last of them
const char* text_lines::behind_fields(const char* at, std::size_t fields, bool past) const noexcept {
  if (fields == 0) return at;
  std::uint32_t blank_before = 1;
  while (true) {
    const byte_scan bytes(at);
    const std::uint32_t ends = bytes.equal_to(end_of_line);
    std::uint32_t found = 0;  // ends of fields
    if (separator_) {
      found = bytes.equal_to(*separator_);
    } else {
      const std::uint32_t blanks = blanks_in(bytes);
      found = blanks & ~(blanks << 1 | blank_before);
      blank_before = blanks >> (byte_scan::size - 1);
    }
    if (ends != 0) found &= (ends & -ends) - 1;
    for (; found != 0; found &= found - 1) {
      if (--fields == 0) return at + std::countr_zero(found) + (separator_ && past ? 1 : 0);
    }
    if (ends != 0) return at + std::countr_zero(ends);
    at += byte_scan::size;
  }
}

std::string_view text_lines::part_of(std::string_view line, const text_key& key) const noexcept {
  const part found = part_of(line.data(), key);
  return line.substr(static_cast<std::size_t>(found.begin - line.data()), found.most);
}

std::uint64_t text_lines::word_of_part(const part& of, const text_key& key, std::uint32_t column) noexcept {
  std::uint64_t word = 0;
  if (key.is_numeric) {
    word = word_of_number(of.begin, of.most, column);
  } else {
    const char* const at = of.begin + word_bytes * column;
    const std::size_t count = of.most - word_bytes * column;
    word = count > word_bytes ? word_of_line(at)
                              : word_of_text(loaded<std::uint64_t>(reinterpret_cast<const std::byte*>(at)), count);
  }
  return key.is_reversed ? ~word : word;
}

std::uint64_t text_lines::word_of_key(const char* line, key_place place) const noexcept {
  const text_key& key = keys_[place.key];
  return word_of_part(part_of(line, key), key, place.column);
}

key_difference text_lines::difference_of_keys(const std::byte* a, const std::byte* b, key_place place) const noexcept {
  const char* const line_a = reinterpret_cast<const char*>(a);
  const char* const line_b = reinterpret_cast<const char*>(b);
  while (true) {
    const text_key& key = keys_[place.key];
    const part of_a = part_of(line_a, key), of_b = part_of(line_b, key);
    if (keys_.size() == 1 && !key.has_end && !key.is_numeric)
      return difference_of_lines(of_a.begin, of_b.begin, place, key.is_reversed);
    const std::uint32_t number = place.key;
    while (place.key == number) {
      const std::uint64_t x = word_of_part(of_a, key, place.column), y = word_of_part(of_b, key, place.column);
      if (x != y) return {.place = place, .a = x, .b = y};
      if (!next(place, x)) return {.is_none = true, .place = place};
      if (key.is_numeric && place.key == number && place.column > 0) {
        place.column = std::max(place.column, equal_words(of_a.text(), of_b.text()));
      }
    }
  }
}

std::strong_ordering text_lines::compare(record_view a, record_view b) const {
  if (is_plain_) return line_of(a.data(), a.size()) <=> line_of(b.data(), b.size());
  const line_to_look_at x(a), y(b);
  for (const text_key& key : keys_) {
    const std::string_view of_x = part_of(x.line(), key), of_y = part_of(y.line(), key);
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
