// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//     alternatives = sequence *( "|" sequence )
//     sequence     = *( atom *( "*" / "+" / "?" / interval ) )
//     interval     = "{" [ number ] [ "," [ number ] ] "}"         anything else after "{": it is an ordinary character
//     atom         = "(" alternatives ")" / "." / "^" / "$" / "[" brackets "]" / "\" character / character
//     brackets     = [ "^" ] 1*( "[:" name ":]" / bracket [ "-" bracket ] )      a "]" that comes first is a character
//     bracket      = "[." character ".]" / "[=" character "=]" / character

#include "expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace filesearch {
namespace {

using form = expression::form;

constexpr int most_repetitions = 1000;  // RE2's own limit
constexpr int deepest_nesting = 250;

// A character that stands for itself.
expression only(char32_t character, notation as) {
  if (as.nul_ends && character == 0) return {.what = form::set};  // NUL ends lines
  const characters one{{character, character}};
  return {.what = form::set, .set = as.ignore_case ? with_both_cases(one, as.text) : one};
}

class parser {
 public:
  parser(std::string_view pattern, notation as, const std::function<void(const std::string&)>& warn)
      : pattern_(pattern), as_(as), warn_(warn) {}

  expression whole() { return resolve_word_places(alternatives(), as_); }

 private:
  bool done() const noexcept { return at_ == pattern_.size(); }
  bool next_is(char c) const noexcept { return !done() && pattern_[at_] == c; }
  bool take(char c) noexcept {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  char32_t character() {
    const auto found = decode(pattern_, at_, as_.text);
    at_ += found->bytes;
    return found->character;
  }
  characters spaces() const {
    characters set = *named_class("space", as_.text);
    if (as_.nul_ends) set.insert(set.begin(), {0, 0});  // NUL stands for a line end
    return set;
  }

  const characters& word() {
    if (word_.empty()) word_ = word_characters(as_.text);
    return word_;
  }

  expression alternatives() {
    expression all{.what = form::alternatives};
    do {
      all.parts.push_back(sequence());
    } while (take('|'));
    return all.parts.size() == 1 ? std::move(all.parts.front()) : all;
  }

  expression sequence() {
    expression all{.what = form::sequence};
    while (!done() && !next_is('|') && !(next_is(')') && depth_ != 0)) {
      if (repetition_without_an_atom(all)) continue;
      all.parts.push_back(repeated(atom()));
    }
    return all;
  }

  bool repetition_without_an_atom(const expression& before) {
    const bool nothing = before.parts.empty() || before.parts.back().what == form::line_start;
    if (!nothing || !(next_is('*') || next_is('+') || next_is('?'))) return false;
    warn_(fmt::format("warning: {} at start of expression", pattern_[at_]));
    ++at_;
    return true;
  }

  expression repeated(expression one) {
    for (;;) {
      int least = 0;
      int most = expression::unlimited;
      if (take('*')) {
      } else if (take('+')) {
        least = 1;
      } else if (take('?')) {
        most = 1;
      } else if (!interval(least, most)) {
        return one;
      }
      expression more{.what = form::repeat, .least = least, .most = most};
      more.parts.push_back(std::move(one));
      one = std::move(more);
    }
  }

  std::optional<int> number() {
    std::optional<int> value;
    while (!done() && pattern_[at_] >= '0' && pattern_[at_] <= '9') {
      value = std::min(value.value_or(0) * 10 + (pattern_[at_++] - '0'), 100'000);
    }
    return value;
  }

  bool interval(int& least, int& most) {
    const std::size_t before = at_;
    if (!take('{')) return false;
    const auto low = number();
    std::optional<int> high = low;
    const bool comma = take(',');
    if (comma) high = number();
    if (!next_is('}') || (!low && !comma)) {
      if (!done() && low && comma && (next_is(',') || high)) throw pattern_error("Invalid content of \\{\\}");
      at_ = before;
      return false;
    }
    ++at_;
    least = low.value_or(0);
    most = high.value_or(expression::unlimited);
    if (most != expression::unlimited && most < least) throw pattern_error("Invalid content of \\{\\}");
    if (std::max(least, most) > most_repetitions) {
      throw pattern_error(fmt::format("Regular expression too big; repeat at most {} times", most_repetitions));
    }
    return true;
  }

  expression atom() {
    if (take('(')) return group();
    if (take('[')) return brackets();
    if (take('.')) return {.what = form::set, .set = complement({}, as_.text)};
    if (take('^')) return {.what = form::line_start};
    if (take('$')) return {.what = form::line_end};
    if (take('\\')) return escaped();
    return only(character(), as_);
  }

  expression group() {
    if (++depth_ > deepest_nesting) throw pattern_error("Regular expression too big; nest less deeply");
    expression inner = alternatives();
    --depth_;
    if (!take(')')) throw pattern_error("Unmatched ( or \\(");
    return inner;
  }

  expression escaped() {
    if (done()) throw pattern_error("Trailing backslash");
    if (pattern_[at_] >= '1' && pattern_[at_] <= '9') {
      throw pattern_error(fmt::format("back-references such as \\{} can't be searched for; use grep", pattern_[at_]));
    }
    const char32_t which = character();
    switch (which) {
      case 'w': return {.what = form::set, .set = word()};
      case 'W': return {.what = form::set, .set = complement(word(), as_.text)};
      case 's': return {.what = form::set, .set = spaces()};
      case 'S': return {.what = form::set, .set = complement(spaces(), as_.text)};
      case 'b': return {.what = form::word_edge};
      case 'B': return {.what = form::no_word_edge};
      case '<': return {.what = form::word_start};
      case '>': return {.what = form::word_end};
      case '`': return {.what = form::line_start};
      case '\'': return {.what = form::line_end};
      default: return only(which, as_);
    }
  }

  expression brackets() {
    const std::size_t first = at_;
    const bool others = take('^');
    characters set;
    for (bool begun = false;; begun = true) {
      if (done()) throw pattern_error("Unmatched [, [^, [:, [., or [=");
      if (begun && take(']')) break;
      if (auto members = class_in_brackets()) {
        if (next_is('-') && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
          throw pattern_error("Invalid range end");
        }
        set.insert(set.end(), members->begin(), members->end());
        continue;
      }
      const std::size_t range_at = at_;
      const char32_t from = bracket();
      char32_t to = from;
      if (next_is('-') && !(at_ + 1 < pattern_.size() && pattern_[at_ + 1] == ']')) {
        ++at_;
        if (done()) throw pattern_error("Unmatched [, [^, [:, [., or [=");
        if (class_in_brackets()) throw pattern_error("Invalid range end");
        to = bracket();
        if (goes_by_locale(from, to)) {
          const characters members = by_locale(pattern_.substr(range_at, at_ - range_at), "Invalid range end");
          set.insert(set.end(), members.begin(), members.end());
          continue;
        }
      }
      if (to < from) throw pattern_error("Invalid range end");
      set.push_back({from, to});
    }
    const std::string_view written = pattern_.substr(first, at_ - 1 - first);
    if (written.size() > 2 && written.front() == ':' && written.back() == ':') {
      throw pattern_error("character class syntax is [[:space:]], not [:space:]");
    }
    set = united(std::move(set));
    if (as_.ignore_case) set = with_both_cases(set, as_.text);
    // Complements twice, which removes the line end from both sets.
    set = complement(set, as_.text);
    return {.what = form::set, .set = others ? std::move(set) : complement(set, as_.text)};
  }

  // Returns the text between `[x` and `x]`, if it begins here.
  std::optional<std::string_view> enclosed(char mark) {
    if (!next_is('[') || at_ + 1 >= pattern_.size() || pattern_[at_ + 1] != mark) return std::nullopt;
    const std::size_t end = pattern_.find(std::string{mark, ']'}, at_ + 2);
    if (end == std::string_view::npos) throw pattern_error("Unmatched [, [^, [:, [., or [=");
    const std::string_view inner = pattern_.substr(at_ + 2, end - at_ - 2);
    at_ = end + 2;
    return inner;
  }

  // Whether the C library must decide, by the locale's order, which characters a range holds.
  bool goes_by_locale(char32_t from, char32_t to) const {
    const auto is_digit = [](char32_t c) { return c >= '0' && c <= '9'; };
    return as_.text == encoding::one_byte && !(is_digit(from) && is_digit(to)) && from != 0 && to != 0;
  }

  // @param written the members in brackets
  characters by_locale(std::string_view written, const char* complaint) const {
    // A `^` must not come first.
    const bool hat = written.front() == '^';
    const auto members =
        in_brackets(fmt::format("[{}{}]", hat ? written.substr(written.find('-') + 1) : "", written), as_.ignore_case);
    if (!members) throw pattern_error(complaint);
    return *members;
  }

  std::optional<characters> class_in_brackets() {
    if (as_.text == encoding::one_byte) {
      const std::size_t first = at_;
      if (enclosed('=')) return by_locale(pattern_.substr(first, at_ - first), "Invalid collation character");
    }
    const auto name = enclosed(':');
    if (!name) return std::nullopt;
    const bool any_case = as_.ignore_case && (*name == "upper" || *name == "lower");
    if (*name == "space") return spaces();
    auto members = named_class(any_case ? "alpha" : *name, as_.text);
    if (!members) throw pattern_error("Invalid character class name");
    return members;
  }

  char32_t bracket() {
    for (const char mark : {'.', '='}) {
      if (const auto symbol = enclosed(mark)) {
        const auto one = symbol->empty() ? std::nullopt : decode(*symbol, 0, as_.text);
        if (!one || one->bytes != symbol->size()) throw pattern_error("Invalid collation character");
        return one->character;
      }
    }
    return character();
  }

  std::string_view pattern_;
  notation as_;
  const std::function<void(const std::string&)>& warn_;
  characters word_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

expression parse_extended(std::string_view pattern, notation as, const std::function<void(const std::string&)>& warn) {
  return parser(pattern, as, warn).whole();
}

expression parse_fixed(std::string_view pattern, notation as) {
  expression all{.what = form::sequence};
  for (std::size_t at = 0; at != pattern.size();) {
    const auto next = decode(pattern, at, as.text);
    at += next->bytes;
    all.parts.push_back(only(next->character, as));
  }
  return all;
}

}  // namespace filesearch
