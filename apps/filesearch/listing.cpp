// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace filesearch {
namespace {

// The colours of GNU grep.
constexpr std::string_view match_colour = "01;31";
constexpr std::string_view name_colour = "35";
constexpr std::string_view number_colour = "32";
constexpr std::string_view separator_colour = "36";

constexpr std::string_view colour_end = "\33[m\33[K";
std::string colour_begin(std::string_view colour) { return fmt::format("\33[{}m\33[K", colour); }

void write_coloured(std::string& out, std::string_view text, std::string_view colour, bool coloured) {
  if (coloured) out += colour_begin(colour);
  out += text;
  if (coloured) out += colour_end;
}

std::uint64_t line_ends(std::string_view text) {
  std::uint64_t ends = 0;
  while (!text.empty()) {
    // A byte can count this number of line ends, and the compiler vectorises the loop.
    const std::string_view some = text.substr(0, 255);
    unsigned char found = 0;
    for (const char byte : some) found = static_cast<unsigned char>(found + (byte == '\n'));
    ends += found;
    text.remove_prefix(some.size());
  }
  return ends;
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

}  // namespace

void write_name(std::string& out, std::string_view name, const line_style& style) {
  write_coloured(out, name, name_colour, style.colour);
}

void write_name_before(std::string& out, std::string_view name, std::string_view separator, const line_style& style) {
  write_name(out, name, style);
  if (style.nul_after_names) {
    out += '\0';
  } else {
    write_separator(out, separator, style);
  }
}

void write_separator(std::string& out, std::string_view separator, const line_style& style) {
  write_coloured(out, separator, separator_colour, style.colour);
}

std::uint64_t listing::begin_of_line_before(std::uint64_t line) const {
  const std::string_view before = part(offset_, line - 1);
  const void* const end = ::memrchr(before.data(), '\n', before.size());
  return end == nullptr ? offset_
                        : offset_ + static_cast<std::uint64_t>(static_cast<const char*>(end) - before.data()) + 1;
}

void listing::select(std::uint64_t begin, std::uint64_t end, bool in_group) {
  if (!in_group) {
    follow(begin);
    std::uint64_t at = begin;
    for (std::size_t i = 0; i != style_.before && at > first_unwritten(); ++i) at = begin_of_line_before(at);
    if (style_.context && grouped_ && at != written_to_) {
      write_separator(*out_, "--", style_);
      *out_ += '\n';
    }
    while (at != begin) {
      const std::size_t length = part(at, begin).find('\n') + 1;
      write_line(at, at + length, false);
      at += length;
    }
  }
  write_line(begin, end, true);
  due_ = style_.after;
  grouped_ = true;
}

void listing::follow(std::uint64_t end) {
  for (; due_ != 0 && first_unwritten() < end; --due_) {
    const std::uint64_t begin = first_unwritten();
    const std::string_view rest = part(begin, end);
    write_line(begin, begin + std::min(rest.find('\n'), rest.size() - 1) + 1, false);
  }
}

std::uint64_t listing::needed_from(std::uint64_t end) {
  std::uint64_t from = end;
  for (std::size_t i = 0; i != style_.before && from > first_unwritten(); ++i) {
    from = begin_of_line_before(from);
  }
  if (style_.line_numbers && numbered_to_ < from) {
    lines_before_ += line_ends(part(numbered_to_, from));
    numbered_to_ = from;
  }
  return from;
}

void listing::write_text(std::string_view text) {
  const std::size_t before = out_->size();
  *out_ += text;
  if (style_.nul_ends) exchange_line_ends(out_->data() + before, text.size());
}

void listing::write_line(std::uint64_t begin, std::uint64_t end, bool selected) {
  const std::string_view line = without_end(part(begin, end));
  const bool matching = selected == style_.selects_matches;
  if (style_.only_matching) {
    if (matching && !write_matches(line, begin)) return;
  } else {
    if (!is_text(line)) return;
    write_head(begin, begin, selected ? ":" : "-");
    if (style_.colour && matching) {
      write_matches(line, begin);
    } else {
      write_text(line);
    }
    end_line();
  }
  written_to_ = end;
}

bool listing::is_text(std::string_view part_of_line) {
  const bool good = valid(part_of_line, lines_are_);
  bad_lines_ = bad_lines_ || !good;
  return good;
}

// @param begin offset of the part that is shown of the line
void listing::write_head(std::uint64_t line, std::uint64_t begin, std::string_view separator) {
  if (style_.file_names) write_name_before(*out_, name_, separator, style_);
  if (style_.line_numbers) {
    lines_before_ += line_ends(part(numbered_to_, line));
    numbered_to_ = line;
    write_number(lines_before_ + 1, separator);
  }
  if (style_.byte_offsets) write_number(begin, separator);
}

void listing::write_number(std::uint64_t number, std::string_view separator) {
  const fmt::format_int digits(number);
  write_coloured(*out_, std::string_view(digits.data(), digits.size()), number_colour, style_.colour);
  write_separator(*out_, separator, style_);
}

// Writes only the matches, one per line, if they are valid text; or the whole line with coloured
// matches.
bool listing::write_matches(std::string_view line, std::uint64_t begin) {
  std::size_t plain_from = 0;
  for (std::size_t at = 0; at < line.size();) {
    const auto match = matches_.next(line, at);
    if (!match || match->begin == line.size()) break;
    at = match->end;
    if (match->begin == match->end) {
      ++at;
      continue;
    }
    const std::string_view text = line.substr(match->begin, match->end - match->begin);
    if (style_.only_matching) {
      if (!is_text(text)) return false;
      write_head(begin, begin + match->begin, style_.selects_matches ? ":" : "-");
    } else {
      write_text(line.substr(plain_from, match->begin - plain_from));
    }
    if (style_.colour) *out_ += colour_begin(match_colour);
    write_text(text);
    if (style_.colour) *out_ += colour_end;
    if (style_.only_matching) end_line();
    plain_from = match->end;
  }
  if (!style_.only_matching) write_text(line.substr(plain_from));
  return true;
}

}  // namespace filesearch
