// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_finder.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace filesearch {
namespace {

// Bytes from the most frequent in English text and source code to rarer ones; all other bytes are
// rare.
constexpr std::string_view by_frequency =
    " etaonirslhdc.u\np-m/0fg1,b_2yv3w\"x4=58:k679()T*S;AICE#<>PRLDNMBFHGqjzOUWV'XKYJZQ@";

std::size_t rarity(char byte) {
  const std::size_t place = by_frequency.find(byte);
  return place == std::string_view::npos ? by_frequency.size() : place;
}

bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }

}  // namespace

std::size_t rarity(std::string_view text) {
  std::size_t sum = 0;
  for (const char byte : text) sum += rarity(byte);
  return sum;
}

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

// Plain loops over a fixed number of bytes, without a branch, which the compiler vectorises. They
// are inlined into each caller, and thus compiled for the caller's processor.
[[gnu::always_inline]] inline bool text_finder::may_begin_in_block(const sought& one,
                                                                   const unsigned char* block) noexcept {
  const unsigned char* const first = block + one.rarest.at;
  const unsigned char* const second = block + one.other.at;
  const probe rarest = one.rarest;
  const probe other = one.other;
  unsigned char any = 0;
  for (std::size_t i = 0; i != block_places; ++i) {
    const auto same_first = static_cast<unsigned char>((first[i] | rarest.ignored) == rarest.byte);
    const auto same_second = static_cast<unsigned char>((second[i] | other.ignored) == other.byte);
    any = static_cast<unsigned char>(any | (same_first & same_second));
  }
  return any != 0;
}

[[gnu::always_inline]] inline std::array<unsigned char, text_finder::block_places> text_finder::places_in_block(
    const sought& one, const unsigned char* block) noexcept {
  const unsigned char* const first = block + one.rarest.at;
  const unsigned char* const second = block + one.other.at;
  const probe rarest = one.rarest;
  const probe other = one.other;
  std::array<unsigned char, block_places> places;
  for (std::size_t i = 0; i != block_places; ++i) {
    const auto same_first = static_cast<unsigned char>((first[i] | rarest.ignored) == rarest.byte);
    const auto same_second = static_cast<unsigned char>((second[i] | other.ignored) == other.byte);
    places[i] = same_first & same_second;
  }
  return places;
}

bool text_finder::begins_at(const sought& one, const char* at) const noexcept {
  if (!ignore_case_) return std::memcmp(at, one.text.data(), one.text.size()) == 0;
  return std::equal(one.text.begin(), one.text.end(), at, [](char wanted, char found) {
    return found == wanted || (is_lower(wanted) && (found | 0x20) == wanted);
  });
}

[[gnu::always_inline]] inline std::size_t text_finder::first_in_block(const char* block) const noexcept {
  std::size_t first = block_places;
  for (const sought& one : sought_) {
    const auto places = places_in_block(one, reinterpret_cast<const unsigned char*>(block));
    for (std::size_t word = 0; word < first; word += sizeof(std::uint64_t)) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, places.data() + word, sizeof eight);
      if (eight == 0) continue;
      for (std::size_t i = word; i < std::min(word + sizeof eight, first); ++i) {
        if (places[i] != 0 && begins_at(one, block + i)) first = i;
      }
    }
  }
  return first;
}

[[gnu::always_inline]] inline bool text_finder::may_begin_in_block(const unsigned char* block) const noexcept {
  for (const sought& one : sought_) {
    if (may_begin_in_block(one, block)) return true;
  }
  return false;
}

[[gnu::always_inline]] inline std::size_t text_finder::find_in_blocks(std::string_view text, std::size_t& at) const {
  for (; at + block_places + longest_ <= text.size(); at += block_places) {
    const char* const block = text.data() + at;
    if (!may_begin_in_block(reinterpret_cast<const unsigned char*>(block))) continue;
    const std::size_t place = first_in_block(block);
    if (place != block_places) return at + place;
  }
  return std::string_view::npos;
}

#ifdef __x86_64__
[[gnu::target("avx2")]] std::size_t text_finder::find_in_blocks_avx2(std::string_view text, std::size_t& at) const {
  return find_in_blocks(text, at);
}
#endif

std::size_t text_finder::find(std::string_view text, std::size_t from) const {
  std::size_t at = from;
#ifdef __x86_64__
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  const std::size_t found = has_avx2 ? find_in_blocks_avx2(text, at) : find_in_blocks(text, at);
#else
  const std::size_t found = find_in_blocks(text, at);
#endif
  if (found != std::string_view::npos) return found;
  for (; at < text.size(); ++at) {
    for (const sought& one : sought_) {
      if (text.size() - at >= one.text.size() && begins_at(one, text.data() + at)) return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace filesearch
