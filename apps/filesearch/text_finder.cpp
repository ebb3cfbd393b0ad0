// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_finder.hpp"

#include <algorithm>
#include <cstring>

namespace filesearch {
namespace {

constexpr std::size_t block_places = 64;

// Bytes from the most frequent in English text and source code to rarer ones; all others are rare.
constexpr std::string_view by_frequency =
    " etaonirslhdc.u\np-m/0fg1,b_2yv3w\"x4=58:k679()T*S;AICE#<>PRLDNMBFHGqjzOUWV'XKYJZQ@";

std::size_t rarity(char byte) {
  const std::size_t place = by_frequency.find(byte);
  return place == std::string_view::npos ? by_frequency.size() : place;
}

bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }

}  // namespace

text_finder::text_finder(const std::vector<std::string>& texts, bool ignore_case) : ignore_case_(ignore_case) {
  for (const std::string& text : texts) {
    const auto probe_at = [&](std::size_t at) {
      const bool folded = ignore_case && is_lower(text[at]);
      return probe{at, static_cast<unsigned char>(text[at]), static_cast<unsigned char>(folded ? 0x20 : 0)};
    };
    std::size_t rarest = 0;
    for (std::size_t i = 1; i != text.size(); ++i) {
      if (rarity(text[i]) > rarity(text[rarest])) rarest = i;
    }
    std::size_t other = rarest == 0 ? text.size() - 1 : 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
      if (i != rarest && text[i] != text[rarest] && rarity(text[i]) > rarity(text[other])) other = i;
    }
    sought_.push_back({text, probe_at(rarest), probe_at(other)});
    longest_ = std::max(longest_, text.size());
  }
}

bool text_finder::may_begin_in_block(const sought& one, const unsigned char* block) noexcept {
  const unsigned char* const first = block + one.rarest.at;
  const unsigned char* const second = block + one.other.at;
  const unsigned char ignored_in_first = one.rarest.ignored;
  const unsigned char ignored_in_second = one.other.ignored;
  const unsigned char first_byte = one.rarest.byte;
  const unsigned char second_byte = one.other.byte;
  unsigned char any = 0;
  for (std::size_t i = 0; i != block_places; ++i) {
    const auto same_first = static_cast<unsigned char>((first[i] | ignored_in_first) == first_byte);
    const auto same_second = static_cast<unsigned char>((second[i] | ignored_in_second) == second_byte);
    any = static_cast<unsigned char>(any | (same_first & same_second));
  }
  return any != 0;
}

bool text_finder::begins_at(const sought& one, const char* at) const noexcept {
  if (!ignore_case_) return std::memcmp(at, one.text.data(), one.text.size()) == 0;
  return std::equal(one.text.begin(), one.text.end(), at, [](char wanted, char found) {
    return found == wanted || (is_lower(wanted) && (found | 0x20) == wanted);
  });
}

std::size_t text_finder::first_in_block(const char* block, std::size_t places) const noexcept {
  std::size_t first = places;
  for (const sought& one : sought_) {
    for (std::size_t i = 0; i != first; ++i) {
      if ((static_cast<unsigned char>(block[i + one.rarest.at]) | one.rarest.ignored) != one.rarest.byte) continue;
      if (begins_at(one, block + i)) first = i;
      if (first == i) break;
    }
  }
  return first;
}

std::size_t text_finder::find(std::string_view text, std::size_t from) const {
  std::size_t at = from;
  for (; at + block_places + longest_ <= text.size(); at += block_places) {
    const char* const block = text.data() + at;
    const bool may = std::any_of(sought_.begin(), sought_.end(), [&](const sought& one) {
      return may_begin_in_block(one, reinterpret_cast<const unsigned char*>(block));
    });
    if (!may) continue;
    const std::size_t place = first_in_block(block, block_places);
    if (place != block_places) return at + place;
  }
  for (; at < text.size(); ++at) {
    for (const sought& one : sought_) {
      if (text.size() - at >= one.text.size() && begins_at(one, text.data() + at)) return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace filesearch
