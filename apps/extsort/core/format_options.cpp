// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "format_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace extsort {
namespace {

constexpr std::uint64_t most_size = std::uint64_t{1} << 30;  // most bytes of a record of fixed size

std::pair<std::uint64_t, std::uint64_t> parse_fixed_key(const std::string& text) {
  std::uint64_t begin = 0, size = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, begin);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ':') {
    const auto second = std::from_chars(first.ptr + 1, end, size);
    if (second.ec == std::errc() && second.ptr == end && size != 0) return {begin, size};
  }
  throw std::invalid_argument(fmt::format("--key {}: write BEGIN:SIZE, in bytes, such as 0:10", text));
}

}  // namespace

format_options::format_options(weir::support::command& command) {
  const std::string of_both = "Other formats", of_text = "Lines of text";
  command.long_help_only();  // -h is an option for lines
  const auto record = command.add("--record", size_, "Records of N bytes")
                          .whole_number(1, static_cast<long long>(most_size))
                          .shown_as("N")
                          .group(of_both);
  command
      .flag("-l,--lines", is_text_,
            "Lines of text, sorted as by LC_ALL=C sort -s; every option of this group, and --key without --record, "
            "implies it")
      .excludes(record)
      .shown_as(" ")
      .group(of_text);
  const auto flag = [&](const char* name, bool& value, const char* about) {
    command.flag(name, value, about).excludes(record).shown_as(" ").group(of_text);
  };
  command
      .add("-k,--key", keys_,
           "With --record: BEGIN:SIZE, that many bytes from byte BEGIN on, counted from 0. For lines: "
           "F[.C][OPTIONS][,F[.C][OPTIONS]], as in sort, with the options b, d, f, h, i, M, n, r and V; several keys "
           "are compared in their order [the whole record]")
      .one_value_each_time()
      .group(of_both)
      .shown_as("KEY");
  command
      .add("-t,--field-separator,--separator", separator_,
           "Character that separates fields [the empty place before blanks]")
      .excludes(record)
      .shown_as("C")
      .group(of_text);
  const auto order = [&](const char* names, char letter, const char* about) {
    command
        .flag(
            names, [this, letter] { order_ += letter; }, about)
        .excludes(record)
        .shown_as(" ")
        .group(of_text);
  };
  order("-n,--numeric-sort,--numeric", 'n', "Compare numbers");
  order("-h,--human-numeric-sort", 'h', "Compare numbers with units, such as 2K and 1G");
  order("-M,--month-sort", 'M', "Compare months: JAN to DEC, everything else before them");
  order("-V,--version-sort", 'V', "Compare versions: numbers in text as numbers");
  order("-d,--dictionary-order", 'd', "Compare blanks, letters and digits only");
  order("-i,--ignore-nonprinting", 'i', "Compare printable bytes only");
  order("-f,--ignore-case", 'f', "Treat small letters as capital ones");
  order("-r,--reverse", 'r', "The greatest first");
  flag("-b,--ignore-leading-blanks,--ignore-blanks", skips_blanks_, "Ignore blanks at the beginning of keys");
  flag("-u,--unique", is_unique_, "Keep only the first of lines with equal keys");
  command
      .add("--header", header_lines_, "Keep the first N lines in front, as a header; all INPUTs must have the same one")
      .whole_number(1, 1'000'000)
      .excludes(record)
      .shown_as("N")
      .group(of_text);
  flag("-z,--zero-terminated", ends_with_zero_, "Lines end with a zero byte");
}

record_format format_options::format() const {
  if (size_ != 0) return fixed();
  const bool has_options = !keys_.empty() || !separator_.empty() || !order_.empty() || skips_blanks_ || is_unique_ ||
                           ends_with_zero_ || header_lines_ != 0;
  if (!is_text_ && !has_options) return binary_records();
  if (ends_with_zero_) return zero_lines(keys(), separator());
  return text_lines(keys(), separator());
}

fixed_records format_options::fixed() const {
  fixed_records made{.size = size_, .key_begin = 0, .key_size = size_};
  if (keys_.size() > 1) throw std::invalid_argument("records of one size have one key; give -k once");
  if (keys_.empty()) return made;
  std::tie(made.key_begin, made.key_size) = parse_fixed_key(keys_.front());
  if (made.key_begin >= size_ || made.key_size > size_ - made.key_begin)
    throw std::invalid_argument(fmt::format("--key {} is not inside a record of {} bytes", keys_.front(), size_));
  return made;
}

std::vector<text_key> format_options::keys() const {
  const auto usual = [this] {
    text_key made;
    made.skips_blanks_at_begin = made.skips_blanks_at_end = skips_blanks_;
    made.order = parse_key_order(order_, "options ");
    return made;
  };
  std::vector<text_key> made;
  for (const std::string& each : keys_) made.push_back(parse_text_key(each, usual));
  if (made.empty()) made.push_back(usual());
  return made;
}

std::optional<char> format_options::separator() const {
  if (separator_.empty()) return std::nullopt;
  if (separator_ == "\\0") return '\0';
  if (separator_.size() > 1)
    throw std::invalid_argument(fmt::format("-t {}: the separator must be one character", separator_));
  return separator_.front();
}

std::optional<std::uint64_t> parse_size(std::string_view text) noexcept {
  std::uint64_t made = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, made);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(behind, static_cast<std::size_t>(end - behind));
  std::uint64_t base = 1024;
  if (unit.size() == 2 && unit.back() == 'B') {
    base = 1000;
    unit.remove_suffix(1);
  }
  if (unit.empty()) return made;
  const char letter = unit.size() == 1 ? unit.front() : '?';
  const std::size_t power =
      std::string_view("BKMGT").find(letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (power == std::string_view::npos || (power == 0 && base == 1000)) return std::nullopt;
  for (std::size_t i = 0; i != power; ++i) {
    if (made > std::numeric_limits<std::uint64_t>::max() / base) return std::nullopt;
    made *= base;
  }
  return made;
}

std::function<std::string(std::string&)> size_of_memory(std::uint64_t least) {
  return [least](std::string& text) -> std::string {
    const auto size = parse_size(text);
    if (!size) return fmt::format("'{}' is no size; write bytes, or 100M, 2G and the like", text);
    if (*size < least) return fmt::format("{} is too little; the least is {}", text, least);
    text = std::to_string(*size);
    return "";
  };
}

}  // namespace extsort
