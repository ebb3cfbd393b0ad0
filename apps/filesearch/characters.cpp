// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "characters.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <cwctype>
#include <stdexcept>

namespace filesearch {
namespace {

constexpr char32_t last_byte = 0xFF;
constexpr char32_t last_character = 0x10FFFF;
// Above it are private characters and variation selectors, which belong to no class.
constexpr char32_t last_classified = 0x3FFFF;

// Characters that share their upper case with another character which is its lower case.
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

char32_t last_classified_in(encoding text) {
  return text == encoding::utf8 ? last_classified : text == encoding::one_byte ? last_byte : 0x7F;
}

// Returns the number of a character in the C library; WEOF for an invalid byte.
std::wint_t number_of(char32_t c, encoding as) {
  return as == encoding::one_byte ? std::btowc(static_cast<int>(c)) : static_cast<std::wint_t>(c);
}

bool is_word(char32_t c, encoding as) {
  if (c < 0x80) return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_';
  return as != encoding::bytes && std::iswalnum(number_of(c, as)) != 0;
}

int upper_byte(char32_t c) { return std::toupper(static_cast<int>(c)); }

}  // namespace

encoding adopt_locale() {
  const char* const name = std::setlocale(LC_CTYPE, "");
  if (name == nullptr || std::strcmp(name, "C") == 0 || std::strcmp(name, "POSIX") == 0) return encoding::bytes;
  const char* const code = ::nl_langinfo(CODESET);
  if (std::strcmp(code, "UTF-8") == 0) return encoding::utf8;
  if (MB_CUR_MAX != 1) {
    throw std::runtime_error(fmt::format(
        "the locale's encoding, {}, is not supported; use UTF-8 or one of single bytes, or LC_ALL=C", code));
  }
  std::setlocale(LC_COLLATE, "");
  return encoding::one_byte;
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
      if (text == encoding::one_byte) {
        for (char32_t other = 0; other <= last_byte; ++other) {
          if (upper_byte(other) == upper_byte(c)) add(other);
        }
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
  // All locales agree below 128.
  return collect(last_classified_in(text), [&](char32_t c) { return std::iswctype(number_of(c, text), kind) != 0; });
}

std::optional<characters> in_brackets(const std::string& brackets, bool ignore_case) {
  regex_t expression;
  if (::regcomp(&expression, brackets.c_str(), REG_EXTENDED | (ignore_case ? REG_ICASE : 0)) != 0) return std::nullopt;
  characters set = collect(last_byte, [&](char32_t c) {
    const char text = static_cast<char>(c);
    regmatch_t all{.rm_so = 0, .rm_eo = 1};
    return ::regexec(&expression, &text, 1, &all, REG_STARTEND) == 0;
  });
  ::regfree(&expression);
  return set;
}

characters word_characters(encoding text) {
  return collect(last_classified_in(text), [&](char32_t c) { return is_word(c, text); });
}

bool word_before(std::string_view text, std::size_t at, encoding as) {
  if (at == 0) return false;
  std::size_t first = at - 1;
  const auto byte = [&] { return static_cast<unsigned char>(text[first]); };
  if (byte() < 0x80 || as != encoding::utf8) return is_word(byte(), as);
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
  if (lead < 0x80 || as != encoding::utf8) return decoded{lead, 1};
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
  if (as == encoding::one_byte) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c > 0 || std::btowc(static_cast<unsigned char>(c)) != WEOF; });
  }
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
  if (as != encoding::utf8 || character < 0x80) return put(character);
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
