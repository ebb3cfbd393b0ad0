// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "file_search.hpp"

#include <algorithm>
#include <cstring>

namespace filesearch {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Returns the beginning of the last line without an end before `to`; `from` if there is no line
// end.
std::size_t after_last_line(std::string_view text, std::size_t from, std::size_t to) {
  const std::size_t end = text.substr(from, to - from).rfind('\n');
  return end == npos ? from : from + end + 1;
}

std::size_t after_line(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size() - 1) + 1;
}

}  // namespace

file_search::file_search(const options& chosen, matcher& matches, std::string& out, bool grouped, std::string_view name)
    : chosen_(chosen),
      matches_(matches),
      listing_(out, grouped, name, chosen.style, matches,
               chosen.binary == binary_files::text ? encoding::bytes : chosen.what.as.text),
      full_(chosen.most == 0),
      shows_(chosen.prints_lines()) {}

bool file_search::take(char* text, std::size_t size, std::size_t fresh, bool last, known_lines* known) {
  const std::string_view all(text, size);
  listing_.show(all, offset_);
  bool more = true;
  std::size_t ends_from = fresh;  // no line end lies between `searched_` and this place
  if (known == nullptr && !binary_ && chosen_.binary != binary_files::text && !chosen_.style.nul_ends) {
    const std::size_t nul = holes_ ? searched_ : all.find('\0', fresh);
    if (nul != npos) {
      const std::uint64_t block = (offset_ + nul) / block_bytes * block_bytes;
      if (block > offset_ + searched_) {
        const std::size_t text_end = after_last_line(all, searched_, static_cast<std::size_t>(block - offset_));
        more = search(all, searched_, text_end, nullptr);
        searched_ = text_end;
        if (!more) return false;
      }
      binary_ = true;
      shows_ = false;
      selected_as_text_ = selected_;
      left_out_ = chosen_.binary == binary_files::skip;
      if (left_out_) return false;
      ends_from = searched_;
    }
  }
  if (known == nullptr && binary_) {
    // Bytes are stored even if they do not change, which lets the compiler vectorise the loop.
    for (std::size_t i = ends_from; i != size; ++i) text[i] = text[i] == '\0' ? '\n' : text[i];
  }

  const std::size_t after_last = after_last_line(all, ends_from, size);
  const std::size_t to = last ? size : after_last == ends_from ? searched_ : after_last;
  if (to > searched_) more = search(all, searched_, to, known);
  if (!more || last) return false;
  needed_from_ = shows_ ? static_cast<std::size_t>(listing_.needed_from(offset_ + to) - offset_) : to;
  searched_ = to - needed_from_;
  offset_ += needed_from_;
  return true;
}

bool file_search::search(std::string_view text, std::size_t from, std::size_t to, known_lines* known) {
  const std::string_view lines = text.substr(0, to);
  std::size_t at = from;
  while (at != to && !full_) {
    const std::size_t match =
        std::min(known ? known->next_line(matches_, lines, at) : matches_.next_line(lines, at), to);
    if (chosen_.invert) {
      for (const std::size_t first = at; at != match && !full_;) {
        const std::size_t end = after_line(lines, at);
        if (!select(at, end, at != first)) return false;
        at = end;
      }
      if (at != to && !full_) at = after_line(lines, at);
    } else if (match != to) {
      at = after_line(lines, match);
      if (!select(match, at, false)) return false;
    } else {
      at = to;
    }
  }
  if (shows_) listing_.follow(offset_ + to);
  return !full_ || (shows_ && listing_.expects_context());
}

// @return whether to go on
bool file_search::select(std::size_t begin, std::size_t end, bool in_group) {
  ++selected_;
  if (shows_) {
    listing_.select(offset_ + begin, offset_ + end, in_group);
  } else if (!chosen_.count || chosen_.quiet || chosen_.names != listed::no) {
    return false;
  }
  full_ = selected_ == chosen_.most;
  return true;
}

bool file_search::can_skip_holes() {
  if (!holes_ || !binary_ || full_) return false;
  if (!selects_empty_lines_) selects_empty_lines_ = (matches_.next_line("\n", 0) == 0) != chosen_.invert;
  return !*selects_empty_lines_;
}

bool file_search::matches_unseen() const noexcept {
  return chosen_.prints_lines() && chosen_.binary != binary_files::skip &&
         (listing_.has_bad_lines() || (binary_ && selected_ > selected_as_text_));
}

}  // namespace filesearch
