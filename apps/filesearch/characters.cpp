// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "characters.hpp"

#include <langinfo.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdint>
#include <cstring>
#include <cwctype>

namespace filesearch {
namespace {

constexpr char32_t last_byte = 0xFF;
constexpr char32_t last_character = 0x10FFFF;
// Beyond it are private characters and variation selectors, which no class holds.
constexpr char32_t last_classified = 0x3FFFF;

// Characters whose upper case is that of another one, and which aren't its lower case.
constexpr std::array<char32_t, 19> lower_cases_beside = {0x00B5, 0x0131, 0x017F, 0x01C5, 0x01C8, 0x01CB, 0x01F2,
                                                         0x0345, 0x03C2, 0x03D0, 0x03D1, 0x03D5, 0x03D6, 0x03F0,
                                                         0x03F1, 0x03F5, 0x1E9B, 0x1FBE, 0x1C80};

bool is_ascii_letter(char32_t c) noexcept { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

char32_t upper(char32_t c) { return static_cast<char32_t>(std::towupper(static_cast<std::wint_t>(c))); }
char32_t lower(char32_t c) { return static_cast<char32_t>(std::towlower(static_cast<std::wint_t>(c))); }

template <class Belongs>
characters collect(char32_t last, Belongs&& belongs) {
  characters set;
  for (char32_t c = 0; c <= last; ++c) {
    if (c == '\n' || !belongs(c)) continue;
    if (!set.empty() && set.back().last + 1 == c) {
      set.back().last = c;
    } else {
      set.push_back({c, c});
    }
  }
  return set;
}

bool is_word(char32_t c, encoding as) {
  if (c < 0x80) return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_';
  return as == encoding::utf8 && std::iswalnum(static_cast<std::wint_t>(c)) != 0;
}

}  // namespace

encoding adopt_locale() {
  if (std::setlocale(LC_CTYPE, "") == nullptr) return encoding::bytes;
  return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0 ? encoding::utf8 : encoding::bytes;
}

void exchange_line_ends(char* text, std::size_t size) noexcept {
  for (std::size_t i = 0; i != size; ++i) {
    const char byte = text[i];
    text[i] = byte == '\n' ? '\0' : byte == '\0' ? '\n' : byte;
  }
}

characters united(characters collected) {
  std::sort(collected.begin(), collected.end(), [](range a, range b) { return a.first < b.first; });
  characters set;
  for (const range next : collected) {
    if (!set.empty() && next.first <= set.back().last + 1) {
      set.back().last = std::max(set.back().last, next.last);
    } else {
      set.push_back(next);
    }
  }
  return set;
}

characters complement(const characters& set, encoding text) {
  characters kept(set);
  kept.push_back({'\n', '\n'});
  characters others;
  char32_t next = 0;
  for (const range taken : united(std::move(kept))) {
    if (taken.first > next) others.push_back({next, taken.first - 1});
    next = taken.last + 1;
  }
  const char32_t last = text == encoding::utf8 ? last_character : last_byte;
  if (next <= last) others.push_back({next, last});
  return others;
}

characters with_both_cases(const characters& set, encoding text) {
  characters both(set);
  const auto add = [&](char32_t c) { both.push_back({c, c}); };
  std::array<char32_t, lower_cases_beside.size()> capitals_beside{};
  std::transform(lower_cases_beside.begin(), lower_cases_beside.end(), capitals_beside.begin(), upper);
  for (const range part : set) {
    for (char32_t c = part.first; c <= std::min(part.last, last_classified); ++c) {
      if (text == encoding::bytes) {
        if (is_ascii_letter(c)) add(c ^ 0x20);
        continue;
      }
      const char32_t capital = upper(c);
      if (capital != c) add(capital);
      if (const char32_t small = lower(capital); small != c && upper(small) == capital) add(small);
      for (std::size_t i = 0; i != capitals_beside.size(); ++i) {
        if (capitals_beside[i] == capital && lower_cases_beside[i] != c) add(lower_cases_beside[i]);
      }
    }
  }
  return united(std::move(both));
}

std::optional<characters> named_class(std::string_view name, encoding text) {
  constexpr std::array names{"alpha", "digit", "alnum", "upper", "lower", "space",
                             "blank", "punct", "print", "graph", "cntrl", "xdigit"};
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  const std::wctype_t kind = std::wctype(std::string(name).c_str());
  // Single bytes above 127 are in no class; below that all locales agree.
  return collect(text == encoding::utf8 ? last_classified : 0x7F,
                 [&](char32_t c) { return std::iswctype(static_cast<std::wint_t>(c), kind) != 0; });
}

characters word_characters(encoding text) {
  return collect(text == encoding::utf8 ? last_classified : 0x7F, [&](char32_t c) { return is_word(c, text); });
}

bool word_before(std::string_view text, std::size_t at, encoding as) {
  if (at == 0) return false;
  std::size_t first = at - 1;
  const auto byte = [&] { return static_cast<unsigned char>(text[first]); };
  if (byte() < 0x80 || as == encoding::bytes) return is_word(byte(), as);
  while (first != 0 && at - first < 4 && (byte() & 0xC0) == 0x80) --first;
  const auto found = decode(text, first, as);
  return found && first + found->bytes == at && is_word(found->character, as);
}

bool word_after(std::string_view text, std::size_t at, encoding as) {
  if (at >= text.size()) return false;
  const auto found = decode(text, at, as);
  return found && is_word(found->character, as);
}

std::optional<decoded> decode(std::string_view text, std::size_t at, encoding as) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80 || as == encoding::bytes) return decoded{lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < length) return std::nullopt;
  char32_t character = lead & (0x7FU >> length);
  for (std::size_t i = at + 1; i != at + length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
    character = (character << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (character < least[length] || character > last_character || surrogate) return std::nullopt;
  return decoded{character, length};
}

bool valid(std::string_view text, encoding as) {
  if (as == encoding::bytes) return true;
  std::size_t at = 0;
  while (at != text.size()) {
    std::uint64_t eight = 0;
    while (text.size() - at >= sizeof eight) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080U) != 0) break;
      at += sizeof eight;
    }
    if (at == text.size()) break;
    const auto found = decode(text, at, as);
    if (!found) return false;
    at += found->bytes;
  }
  return true;
}

void append(std::string& text, char32_t character, encoding as) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (as == encoding::bytes || character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | (character >> 6));
  } else {
    if (character < 0x10000) {
      put(0xE0 | (character >> 12));
    } else {
      put(0xF0 | (character >> 18));
      put(0x80 | ((character >> 12) & 0x3F));
    }
    put(0x80 | ((character >> 6) & 0x3F));
  }
  put(0x80 | (character & 0x3F));
}

}  // namespace filesearch
