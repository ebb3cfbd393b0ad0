// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "matcher.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace filesearch {
namespace {

constexpr std::int64_t automaton_bytes = std::int64_t{256} << 20;
constexpr std::size_t npos = std::string_view::npos;
// Number of lines with a required text after which the matcher stops looking for texts, if most of
// these lines did not match.
constexpr std::size_t finds_on_trial = 64;

std::size_t begin_of_line(std::string_view lines, std::size_t at) {
  const void* const before = at == 0 ? nullptr : ::memrchr(lines.data(), '\n', at);
  return before == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(before) - lines.data()) + 1;
}

std::size_t end_of_line(std::string_view lines, std::size_t at) { return std::min(lines.find('\n', at), lines.size()); }

}  // namespace

matcher::matcher(const wanted& what, const std::function<void(const std::string&)>& warn)
    : text_(what.as.text), where_(what.where), never_(what.patterns.empty()) {
  notation as = what.as;
  const bool readable = as.text != encoding::utf8 ||
                        std::all_of(what.patterns.begin(), what.patterns.end(),
                                    [](const std::string& pattern) { return valid(pattern, encoding::utf8); });
  if (!readable) as.text = text_ = encoding::bytes;
  expression all{.what = expression::form::alternatives};
  for (const std::string& pattern : what.patterns) {
    const auto ignore = [](const std::string&) {};
    all.parts.push_back(what.fixed ? parse_fixed(pattern, as) : parse_extended(pattern, as, warn ? warn : ignore));
    always_ = always_ || (pattern.empty() && where_ == extent::anywhere);
  }
  if (never_) return;

  required_texts texts = required(all, as);
  if (!texts.any_of.empty()) finder_.emplace(texts.any_of, as.ignore_case);
  looks_for_texts_ = finder_.has_value();
  finding_suffices_ = texts.suffices && where_ == extent::anywhere;

  RE2::Options options;
  options.set_encoding(as.text == encoding::utf8 ? RE2::Options::EncodingUTF8 : RE2::Options::EncodingLatin1);
  options.set_longest_match(true);
  options.set_log_errors(false);
  options.set_max_mem(automaton_bytes);
  const std::string text = re2_text(all);
  expression_ = std::make_unique<RE2>(where_ == extent::line ? "(?m:^)" + text + "(?m:$)" : text, options);
  if (!expression_->ok()) throw pattern_error("Regular expression too big; " + expression_->error());
}

std::size_t matcher::next_line(std::string_view lines, std::size_t from) {
  if (from == lines.size() || never_) return npos;
  if (always_) return from;
  return looks_for_texts_ ? next_line_by_text(lines, from) : next_line_by_expression(lines, from);
}

std::size_t matcher::next_line_by_text(std::string_view lines, std::size_t from) {
  for (std::size_t at = from;;) {
    at = finder_->find(lines, at);
    if (at == npos) return npos;
    const std::size_t begin = begin_of_line(lines, at);
    if (finding_suffices_) return begin;
    const std::size_t end = end_of_line(lines, at);
    ++found_;
    if (matches(lines.substr(begin, end - begin))) return begin;
    if (end == lines.size()) return npos;
    at = end + 1;
    ++found_in_vain_;
    if (found_ > finds_on_trial && found_in_vain_ > found_ / 2) {
      looks_for_texts_ = false;
      return at == lines.size() ? npos : next_line_by_expression(lines, at);
    }
  }
}

std::size_t matcher::next_line_by_expression(std::string_view lines, std::size_t from) const {
  for (std::size_t at = from; at != lines.size();) {
    re2::StringPiece found;
    if (!expression_->Match(re2::StringPiece(lines.data(), lines.size()), at, lines.size(), RE2::UNANCHORED, &found,
                            1)) {
      return npos;
    }
    const auto place = static_cast<std::size_t>(found.data() - lines.data());
    if (place == lines.size() && lines.back() == '\n') return npos;  // behind the last line
    const std::size_t begin = begin_of_line(lines, place);
    const std::size_t end = end_of_line(lines, place);
    if (where_ != extent::words || next(lines.substr(begin, end - begin), 0)) return begin;
    if (end == lines.size()) return npos;
    at = end + 1;
  }
  return npos;
}

bool matcher::matches(std::string_view line) const {
  if (where_ == extent::words) return next(line, 0).has_value();
  return expression_->Match(re2::StringPiece(line.data(), line.size()), 0, line.size(), RE2::UNANCHORED, nullptr, 0);
}

std::optional<span> matcher::longest(std::string_view line, std::size_t from, std::size_t to,
                                     RE2::Anchor anchor) const {
  re2::StringPiece found;
  if (!expression_->Match(re2::StringPiece(line.data(), line.size()), from, to, anchor, &found, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - line.data());
  return span{begin, begin + found.size()};
}

std::optional<span> matcher::next(std::string_view line, std::size_t from) const {
  if (never_) return std::nullopt;
  for (std::size_t at = from; at <= line.size();) {
    const auto found = longest(line, at, line.size(), RE2::UNANCHORED);
    if (!found || where_ != extent::words) return found;
    for (std::size_t end = found->end;;) {
      if (!word_before(line, found->begin, text_) && !word_after(line, end, text_)) return span{found->begin, end};
      if (end == found->begin) break;
      const auto shorter = longest(line, found->begin, end - 1, RE2::ANCHOR_START);
      if (!shorter) break;
      end = shorter->end;
    }
    const auto first = found->begin == line.size() ? std::nullopt : decode(line, found->begin, text_);
    at = found->begin + (first ? first->bytes : 1);
  }
  return std::nullopt;
}

}  // namespace filesearch
