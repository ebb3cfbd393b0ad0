// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_key.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>

namespace extsort {
namespace {

// Reads a key from left to right.
class key_parser {
 public:
  explicit key_parser(std::string_view text) : whole_(text), left_(text) {}

  text_key parse(const std::function<text_key()>& usual) {
    text_key made;
    made.begin_field = field();
    if (takes('.')) {
      made.begin_byte = number("character");
      if (made.begin_byte == 0) throw wrong("characters are counted from 1");
      --made.begin_byte;
    }
    take_options(made.skips_blanks_at_begin);
    if (takes(',')) {
      made.has_end = true;
      made.end_field = field();
      if (takes('.')) made.end_bytes = number("character");
      take_options(made.skips_blanks_at_end);
      if (!left_.empty()) throw wrong("it has more characters than a key; write F[.C][OPTIONS][,F[.C][OPTIONS]]");
    }
    made.order = parse_key_order(options_, fmt::format("-k {}: ", whole_));
    if (!options_.empty() || made.skips_blanks_at_begin || made.skips_blanks_at_end) return made;
    const text_key from = usual ? usual() : text_key();
    made.skips_blanks_at_begin = from.skips_blanks_at_begin;
    made.skips_blanks_at_end = from.skips_blanks_at_end;
    made.order = from.order;
    return made;
  }

 private:
  std::invalid_argument wrong(std::string_view what) const {
    return std::invalid_argument(fmt::format(
        "-k {}: {}; a key is F[.C][OPTIONS][,F[.C][OPTIONS]], with the options b, d, f, h, i, M, n, r and V", whole_,
        what));
  }
  bool takes(char c) {
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }
  std::size_t number(std::string_view what) {
    std::size_t made = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), made);
    if (error != std::errc() || made > std::size_t{1} << 40)
      throw wrong(fmt::format("the number of a {} is missing", what));
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return made;
  }
  std::size_t field() {
    const std::size_t made = number("field");
    if (made == 0) throw wrong("fields are counted from 1");
    return made - 1;
  }
  void take_options(bool& skips_blanks) {
    for (; !left_.empty() && left_.front() != ','; left_.remove_prefix(1)) {
      if (left_.front() == 'b') {
        skips_blanks = true;
      } else {
        options_ += left_.front();
        if (!key_order().add(left_.front())) throw wrong(fmt::format("'{}' is no option of a key here", left_.front()));
      }
    }
  }

  std::string_view whole_, left_;
  std::string options_;
};

}  // namespace

text_key parse_text_key(std::string_view text, const std::function<text_key()>& usual) {
  return key_parser(text).parse(usual);
}

bool key_order::add(char option) {
  switch (option) {
    case 'd': ignored = ignored_bytes::nondictionary; break;
    case 'f': folds_case = true; break;
    case 'h': kind = key_kind::human; break;
    case 'i':
      if (ignored == ignored_bytes::none) ignored = ignored_bytes::nonprinting;  // d ignores more
      break;
    case 'M': kind = key_kind::month; break;
    case 'n': kind = key_kind::number; break;
    case 'r': is_reversed = true; break;
    case 'V': kind = key_kind::version; break;
    default: return false;
  }
  return true;
}

key_order parse_key_order(std::string_view options, std::string_view where) {
  key_order made;
  char kind = '\0', ignores = '\0';
  for (const char each : options) {
    const auto exclude = [&](char other) {
      return std::invalid_argument(fmt::format("{}{} and {} exclude each other", where, other, each));
    };
    if (!made.add(each)) throw std::invalid_argument(fmt::format("{}'{}' is no option of a key", where, each));
    const bool is_kind = std::string_view("hMnV").find(each) != std::string_view::npos;
    if (is_kind && kind != '\0' && kind != each) throw exclude(kind);
    if (is_kind) kind = each;
    const bool is_ignoring = each == 'd' || each == 'i';
    if (is_ignoring) ignores = each;
    const bool needs_all_bytes = kind != '\0' && kind != 'V';
    if (ignores != '\0' && needs_all_bytes) throw exclude(is_ignoring ? kind : ignores);
  }
  if (made.kind == key_kind::bytes && (made.folds_case || made.ignored != ignored_bytes::none))
    made.kind = key_kind::filtered;
  return made;
}

}  // namespace extsort
