// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/dot_text.hpp"

#include "graph/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weir::detail {

std::string mixed(const colour& from, const colour& to, double share) {
  std::string text = "#";
  for (std::size_t i = 0; i != from.size(); ++i) {
    const int part = from[i] + static_cast<int>(std::lround(share * (to[i] - from[i])));
    for (const int digit : {part / 16, part % 16}) text += "0123456789abcdef"[digit];
  }
  return text;
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)); }

std::string short_number(double value) {
  constexpr std::array letters{"", " k", " M", " G", " T", " P", " E"};
  const bool whole = value < 9999.5 && value == std::floor(value);
  std::size_t letter = 0;
  for (; !whole && value >= 999.5 && letter + 1 != letters.size(); ++letter) value /= 1000;
  const int digits = whole || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f%s", digits, value, letters[letter]);
  return text;
}

// DOT has the same escapes for quotes, backslashes and newlines as JSON.
std::string in_quotes(const std::string& text) {
  std::string result;
  for (const char c : quoted_json(text)) result += c == '&' ? std::string("&amp;") : std::string(1, c);
  return result;
}

std::string html(const std::string& text) {
  const std::string from = quoted_json(text);
  std::string result;
  for (std::size_t i = 1; i + 1 < from.size(); ++i) {
    if (from[i] == '\\' && (from[i + 1] == '"' || from[i + 1] == '\\')) ++i;
    switch (from[i]) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += from[i];
    }
  }
  return result;
}

std::string html_lines(const std::string& text, std::size_t longest) {
  const auto may_break = [&](std::size_t at) { return text[at] == ' ' && text[at + 1] != '%'; };
  // Uses the smallest number of lines, of about equal length.
  const std::size_t about = text.size() / (text.size() / longest + 1) + 8;
  longest = std::min(longest, about);
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + longest;
    while (end > begin && end < text.size() && !may_break(end)) --end;
    if (end == begin) end += longest;
    while (end < text.size() && !may_break(end)) ++end;
    lines = below(lines, html(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

std::string small(const std::string& label) { return "<FONT POINT-SIZE=\"9\" COLOR=\"#4a5560\">" + label + "</FONT>"; }

std::string below(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + "<BR/>" + second;
}

}  // namespace weir::detail
