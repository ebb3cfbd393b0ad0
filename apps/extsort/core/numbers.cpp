// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include "line_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace extsort {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// A number without its insignificant digits: leading zeros, and trailing zeros after the point.
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
  return x.is_negative ? 0 <=> order : order;
}

namespace {

// A first word has the sign, the number of digits before the point, and the first digits as a
// number. All bits are inverted if the number is negative.
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

// Returns any word of any number. If there are too many digits before the point for the first word
// to hold their number, the second word has it. Then follow all digits that are not in the first.
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

template <char End>
std::uint64_t word_of_number(const char* text, std::size_t most, std::uint32_t column) noexcept {
  using blanks = blanks_of_lines<End>;
  auto at = blanks::is_blank(*text) ? static_cast<std::size_t>(blanks::behind(text) - text) : 0;
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

template std::uint64_t word_of_number<'\n'>(const char*, std::size_t, std::uint32_t) noexcept;
template std::uint64_t word_of_number<'\0'>(const char*, std::size_t, std::uint32_t) noexcept;

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
  // The last of these words may mark the end of one number where the other goes on.
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, behind_first / word_bytes + (is_huge ? 1 : 0)));
}

template <char End>
int order_of_unit(const char* text, std::size_t most, bool folds_case) noexcept {
  constexpr std::string_view units = "KMGTPEZY";
  std::size_t at = 0;
  const auto here = [&] { return at == most ? End : text[at]; };
  while (blanks_of_lines<End>::is_blank(here())) ++at;
  const bool is_negative = here() == '-';
  if (is_negative) ++at;
  bool is_zero = true;
  const auto pass_digits = [&] {
    for (; is_digit(here()); ++at) is_zero = is_zero && here() == '0';
  };
  pass_digits();
  if (here() == '.') {
    ++at;
    pass_digits();
  }
  char unit = here();
  if (unit == 'k' || (folds_case && unit >= 'a' && unit <= 'z')) unit = static_cast<char>(unit - 'a' + 'A');
  const std::size_t found = units.find(unit);
  if (is_zero || found == std::string_view::npos) return 0;
  const int order = static_cast<int>(found) + 1;
  return is_negative ? -order : order;
}

template int order_of_unit<'\n'>(const char*, std::size_t, bool) noexcept;
template int order_of_unit<'\0'>(const char*, std::size_t, bool) noexcept;

}  // namespace extsort
