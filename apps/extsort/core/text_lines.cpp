// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace extsort {
namespace {

// A copy of a line, after which as many bytes may be read as a search for fields reads at once.
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

}  // namespace

template <char End>
lines_ending_with<End>::lines_ending_with(std::vector<text_key> keys, std::optional<char> separator)
    : keys_(std::move(keys)), separator_(separator) {
  if (keys_.empty()) keys_.emplace_back();
  const text_key& only = keys_.front();
  is_plain_ = keys_.size() == 1 && only.begin_field == 0 && only.begin_byte == 0 && !only.has_end &&
              !only.skips_blanks_at_begin && only.order == key_order();
}

// Finds fields as in POSIX. Without a separator a field begins with the blanks before it.
template <char End>
auto lines_ending_with<End>::part_of(const char* line, const text_key& key) const noexcept -> line_part {
  const auto skip_bytes = [](const char* at, std::size_t count) {
    while (count != 0 && *at != End) ++at, --count;
    return at;
  };
  const char* const field = behind_fields(line, key.begin_field, true);
  const char* begin = key.skips_blanks_at_begin ? blanks::behind(field) : field;
  begin = skip_bytes(begin, key.begin_byte);
  if (!key.has_end) return {begin, std::numeric_limits<std::size_t>::max()};
  const std::size_t fields = key.end_field + (key.end_bytes == 0 ? 1 : 0);
  const bool past = key.end_bytes != 0;
  const char* last = fields >= key.begin_field ? behind_fields(field, fields - key.begin_field, past)
                                               : behind_fields(line, fields, past);
  if (key.end_bytes != 0) {
    if (key.skips_blanks_at_end) last = blanks::behind(last);
    last = skip_bytes(last, key.end_bytes);
  }
  return {begin, last > begin ? static_cast<std::size_t>(last - begin) : 0};
}

// Returns the place after `fields` fields, or the end of the line.
// @param past whether also to pass the separator that follows the last of them
template <char End>
const char* lines_ending_with<End>::behind_fields(const char* at, std::size_t fields, bool past) const noexcept {
  if (fields == 0) return at;
  std::uint32_t blank_before = 1;
  while (true) {
    const byte_scan bytes(at);
    const std::uint32_t ends = bytes.equal_to(End);
    std::uint32_t found = 0;  // ends of fields
    if (separator_) {
      found = bytes.equal_to(*separator_);
    } else {
      const std::uint32_t there = blanks::in(bytes);
      found = there & ~(there << 1 | blank_before);
      blank_before = there >> (byte_scan::size - 1);
    }
    if (ends != 0) found &= (ends & -ends) - 1;
    for (; found != 0; found &= found - 1) {
      if (--fields == 0) return at + std::countr_zero(found) + (separator_ && past ? 1 : 0);
    }
    if (ends != 0) return at + std::countr_zero(ends);
    at += byte_scan::size;
  }
}

template <char End>
std::string_view lines_ending_with<End>::part_of(std::string_view line, const text_key& key) const noexcept {
  const line_part found = part_of(line.data(), key);
  return line.substr(static_cast<std::size_t>(found.begin - line.data()), found.most);
}

template <char End>
std::uint64_t lines_ending_with<End>::word_of_part(const line_part& of, const key_order& order,
                                                   std::uint32_t column) noexcept {
  std::uint64_t word = 0;
  switch (order.kind) {
    case key_kind::bytes: {
      const char* const at = of.begin + word_bytes * column;
      const std::size_t count = of.most - word_bytes * column;
      word = count > word_bytes ? word_of_line<End>(at)
                                : word_of_text(loaded<std::uint64_t>(reinterpret_cast<const std::byte*>(at)), count);
      break;
    }
    case key_kind::number: word = word_of_number<End>(of.begin, of.most, column); break;
    case key_kind::human:
      word = column == 0 ? word_of_unit(order_of_unit<End>(of.begin, of.most, order.folds_case))
                         : word_of_number<End>(of.begin, of.most, column - 1);
      break;
    default: word = image_of(of, order, column).word();
  }
  return order.is_reversed ? ~word : word;
}

// Returns the image of a part from the word at `column` on.
template <char End>
key_image lines_ending_with<End>::image_of(const line_part& of, const key_order& order, std::uint32_t column) noexcept {
  key_image image(of.begin, of.most, End, order);
  image.skip(word_bytes * column);
  return image;
}

template <char End>
std::uint64_t lines_ending_with<End>::word_of_key(const char* line, key_place place) const noexcept {
  const text_key& key = keys_[place.key];
  return word_of_part(part_of(line, key), key.order, place.column);
}

template <char End>
key_difference lines_ending_with<End>::difference_of_keys(const std::byte* a, const std::byte* b,
                                                          key_place place) const noexcept {
  const char* const line_a = reinterpret_cast<const char*>(a);
  const char* const line_b = reinterpret_cast<const char*>(b);
  while (true) {
    const text_key& key = keys_[place.key];
    const line_part of_a = part_of(line_a, key), of_b = part_of(line_b, key);
    if (keys_.size() == 1 && !key.has_end && key.order.kind == key_kind::bytes)
      return difference_of_lines(of_a.begin, of_b.begin, place, key.order.is_reversed);
    const std::uint32_t number = place.key;
    const key_difference found = key.order.has_image() ? difference_of_images(of_a, of_b, key.order, place)
                                                       : difference_of_parts(of_a, of_b, key.order, place);
    if (found.place.key == number || found.is_none) return found;
    place = found.place;
  }
}

// Returns the difference in one key. If the parts are equal, the place is that of the next key, or
// `is_none` is set.
template <char End>
key_difference lines_ending_with<End>::difference_of_parts(const line_part& a, const line_part& b,
                                                           const key_order& order, key_place place) const noexcept {
  const std::uint32_t number = place.key, words_of_unit = order.kind == key_kind::human ? 1 : 0;
  while (place.key == number) {
    const std::uint64_t x = word_of_part(a, order, place.column), y = word_of_part(b, order, place.column);
    if (x != y) return {.place = place, .a = x, .b = y};
    if (!next(place, x)) return {.is_none = true, .place = place};
    if (order.is_numeric() && place.key == number && place.column > words_of_unit) {
      place.column = std::max(place.column, words_of_unit + equal_words(a.text(), b.text()));
    }
  }
  return {.place = place};
}

// Likewise. Computing a word of an image takes as long as all words up to it, so each image is
// made only once.
template <char End>
key_difference lines_ending_with<End>::difference_of_images(const line_part& a, const line_part& b,
                                                            const key_order& order, key_place place) const noexcept {
  const std::uint64_t inverted = order.is_reversed ? ~std::uint64_t{0} : 0;
  key_image image_a = image_of(a, order, place.column), image_b = image_of(b, order, place.column);
  for (const std::uint32_t number = place.key; place.key == number;) {
    const std::uint64_t x = image_a.word() ^ inverted, y = image_b.word() ^ inverted;
    if (x != y) return {.place = place, .a = x, .b = y};
    if (!next(place, x)) return {.is_none = true, .place = place};
  }
  return {.place = place};
}

template <char End>
std::strong_ordering lines_ending_with<End>::compare(record_view a, record_view b) const {
  if (is_plain_) return line_of(a.data(), a.size()) <=> line_of(b.data(), b.size());
  const line_to_look_at x(a), y(b);
  for (const text_key& key : keys_) {
    const auto order = compare_parts(part_of(x.line(), key), part_of(y.line(), key), key.order);
    if (order != 0) return key.order.is_reversed ? 0 <=> order : order;
  }
  return std::strong_ordering::equal;
}

// Compares two parts without the order's reversal.
template <char End>
std::strong_ordering lines_ending_with<End>::compare_parts(std::string_view a, std::string_view b,
                                                           const key_order& order) noexcept {
  if (order.kind == key_kind::bytes) return a <=> b;
  if (order.kind == key_kind::human) {
    const auto unit = [&](std::string_view of) { return order_of_unit<End>(of.data(), of.size(), order.folds_case); };
    if (const auto units = unit(a) <=> unit(b); units != 0) return units;
  }
  if (order.is_numeric()) return compare_numbers(a, b);
  key_image x(a.data(), a.size(), End, order), y(b.data(), b.size(), End, order);
  while (true) {
    const std::uint64_t of_x = x.word(), of_y = y.word();
    if (of_x != of_y || !goes_on(of_x)) return of_x <=> of_y;
  }
}

template class lines_ending_with<'\n'>;
template class lines_ending_with<'\0'>;

}  // namespace extsort
