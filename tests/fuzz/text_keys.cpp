// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Keys of lines. The first line of the input has keys as -k takes them, separated by blanks, and
// behind the first '|' a separator. The other lines are compared by these keys; the comparison must
// be an order, and the words of the lines must compare in the same way.
#include "core/text_lines.hpp"
#include "lines.hpp"
#include "must.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace extsort;
using weir_fuzz::must;

std::optional<text_lines> format_of(const std::string& text) {
  const std::size_t bar = text.find('|');
  std::optional<char> separator;
  if (bar != std::string::npos && bar + 1 != text.size()) separator = text[bar + 1];
  std::istringstream words(text.substr(0, bar));
  std::vector<text_key> keys;
  for (std::string word; words >> word;) {
    try {
      keys.push_back(parse_text_key(word, {}));
    } catch (const std::invalid_argument& problem) {
      must(std::string(problem.what()).starts_with("-k " + word + ": "), "what is wrong is said of which key");
      return std::nullopt;
    }
  }
  return text_lines(std::move(keys), separator);
}

record_view view(const std::string& line) { return std::as_bytes(std::span(line)); }

void compare(const text_lines& format, const std::string& a, const std::string& b) {
  const auto order = format.compare(view(a), view(b));
  must((0 <=> order) == format.compare(view(b), view(a)), "the other way round it is the opposite");
  const std::string after(record_slack, '1');  // the bytes that may be read behind a line
  const std::string padded_a = a + after, padded_b = b + after;
  for (key_place place;;) {
    const std::uint64_t x = format.word(view(padded_a).data(), place), y = format.word(view(padded_b).data(), place);
    if (x != y) {
      must((x <=> y) == order, "words compare as keys do");
      break;
    }
    if (!format.next(place, x)) {
      must(order == 0, "keys whose words are equal are, too");
      break;
    }
  }
  const key_difference found = format.difference(view(padded_a).data(), view(padded_b).data(), {});
  must((found.is_none ? std::strong_ordering::equal : found.a <=> found.b) == order, "they differ as they compare");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines = weir_fuzz::lines_of(data, size);
  if (lines.size() < 2 || lines.front().find('\0') != std::string::npos)
    return -1;  // a command line contains no zero bytes
  const auto format = format_of(lines.front());
  if (!format) return 0;
  lines.erase(lines.begin());
  constexpr std::size_t enough = 12;
  if (lines.size() > enough) lines.resize(enough);
  for (std::string& each : lines) each += '\n';
  for (const std::string& a : lines) {
    must(format->compare(view(a), view(a)) == 0, "each is like itself");
    for (const std::string& b : lines) {
      compare(*format, a, b);
      for (const std::string& c : lines) {
        const auto first = format->compare(view(a), view(b)), second = format->compare(view(b), view(c));
        if (first <= 0 && second <= 0)
          must(format->compare(view(a), view(c)) <= 0, "what is behind something is behind what is before it");
      }
    }
  }
  return 0;
}
