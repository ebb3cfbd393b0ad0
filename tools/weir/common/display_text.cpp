// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "common/display_text.hpp"

#include "support/environment.hpp"

#include <fmt/format.h>
#include <langinfo.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cwchar>

namespace {

struct character {
  std::string bytes;
  std::size_t width;
};

// Characters that can't be shown become question marks.
std::vector<character> characters_of(std::string_view text, const text_style& style) {
  std::vector<character> made;
  std::mbstate_t state{};
  while (!text.empty()) {
    const bool ascii = static_cast<unsigned char>(text[0]) < 0x80;
    wchar_t wide = 0;
    std::size_t bytes = 1;
    int width = 1;
    if (!ascii) {
      bytes = style.utf8 ? std::mbrtowc(&wide, text.data(), text.size(), &state) : 0;
      width = bytes - 1 < text.size() ? ::wcwidth(wide) : -1;
      if (width < 0) state = {};
    }
    if (width >= 0) {
      made.push_back({std::string(text.substr(0, bytes)), static_cast<std::size_t>(width)});
      text.remove_prefix(bytes);
      continue;
    }
    made.push_back({"?", 1});
    text.remove_prefix(1);
    while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xc0U) == 0x80) text.remove_prefix(1);
  }
  return made;
}

std::string joined(const std::vector<character>& some) {
  std::string text;
  for (const character& each : some) text += each.bytes;
  return text;
}

std::size_t width_of(const std::vector<character>& some) {
  std::size_t width = 0;
  for (const character& each : some) width += each.width;
  return width;
}

const char* ellipsis(const text_style& style) { return style.utf8 ? "…" : "~"; }

}  // namespace

text_style style_of_the_environment(bool escape_codes) {
  std::setlocale(LC_CTYPE, "");
  const char* const no_colour = weir::support::variable("NO_COLOR");
  return {.utf8 = std::string_view(::nl_langinfo(CODESET)) == "UTF-8",
          .colour = escape_codes && (no_colour == nullptr || *no_colour == '\0')};
}

std::string harmless(std::string text) {
  for (std::size_t i = 0; i != text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1 = byte == 0xc2 && i + 1 != text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (c1) text[i + 1] = '?';
    if (byte < ' ' || byte == 127 || c1) text[i] = '?';
  }
  return text;
}

std::string fitted(std::string_view text, std::size_t width, side to, const text_style& style) {
  std::vector<character> all = characters_of(text, style);
  std::size_t its = width_of(all);
  std::string mark;
  if (its > width && width > 0) {
    mark = ellipsis(style);
    while (its > width - 1) {
      its -= all.front().width;
      all.erase(all.begin());
    }
    ++its;
  }
  const std::string pad(width - std::min(its, width), ' ');
  const std::string shown = mark + joined(all);
  return to == side::left ? shown + pad : pad + shown;
}

std::string clipped(std::string_view text, std::size_t width, const text_style& style) {
  std::vector<character> all = characters_of(text, style);
  if (width_of(all) <= width) return joined(all);
  while (!all.empty() && width_of(all) + 1 > width) all.pop_back();
  return width == 0 ? "" : joined(all) + ellipsis(style);
}

std::size_t cells(std::string_view text, const text_style& style) { return width_of(characters_of(text, style)); }

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const std::size_t end = space == std::string_view::npos || space == 0 ? width : space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == width && text[end] != ' ' ? end : end + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string bar(double share, std::size_t width, const text_style& style) {
  const double part = std::clamp(share, 0.0, 1.0);
  auto full = static_cast<std::size_t>(std::lround(part * static_cast<double>(width)));
  if (part >= 0.005 && full == 0) full = 1;  // a share above 0 % shows at least one cell
  std::string made;
  for (std::size_t i = 0; i != width; ++i) {
    made += i < full ? (style.utf8 ? "█" : "#") : (style.utf8 ? "░" : ".");
  }
  return made;
}

std::string short_number(double value) {
  constexpr std::array letters{"", " k", " M", " G", " T", " P", " E"};
  std::size_t letter = 0;
  while (value >= 999.5 && letter + 1 != letters.size()) {
    value /= 1000;
    ++letter;
  }
  if (letter == 0 && (value == std::floor(value) || value >= 99.95)) return fmt::format("{:.0f}", value);
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", value, digits, letters[letter]);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * std::clamp(share, 0.0, 1.0)); }

std::string short_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string painted(std::string_view text, const char* code, const text_style& style) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}
