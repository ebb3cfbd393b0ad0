// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"
#include "text_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace filesearch {
namespace {

using form = expression::form;

constexpr std::size_t most_texts = 8;
constexpr std::size_t shortest_text = 2;

void write(std::string& out, const expression& tree);

void write_parts(std::string& out, const expression& tree, const char* between) {
  out += "(?:";
  for (std::size_t i = 0; i != tree.parts.size(); ++i) {
    if (i != 0) out += between;
    write(out, tree.parts[i]);
  }
  out += ')';
}

void write(std::string& out, const expression& tree) {
  switch (tree.what) {
    case form::set:
      if (tree.set.empty()) {
        out += "[^\\d\\D]";
        break;
      }
      out += '[';
      for (const range part : tree.set) {
        fmt::format_to(std::back_inserter(out), "\\x{{{:X}}}", static_cast<unsigned>(part.first));
        if (part.last == part.first) continue;
        fmt::format_to(std::back_inserter(out), "-\\x{{{:X}}}", static_cast<unsigned>(part.last));
      }
      out += ']';
      break;
    case form::line_start: out += "(?m:^)"; break;
    case form::line_end: out += "(?m:$)"; break;
    case form::word_start:
    case form::word_end:
    case form::word_edge: out += "\\b"; break;
    case form::no_word_edge: out += "\\B"; break;
    case form::sequence: write_parts(out, tree, ""); break;
    case form::alternatives: write_parts(out, tree, "|"); break;
    case form::repeat:
      write_parts(out, tree, "");
      if (tree.least == 0 && tree.most == 1) {
        out += '?';
      } else if (tree.most == expression::unlimited && tree.least < 2) {
        out += tree.least == 0 ? '*' : '+';
      } else if (tree.most == expression::unlimited) {
        fmt::format_to(std::back_inserter(out), "{{{},}}", tree.least);
      } else {
        fmt::format_to(std::back_inserter(out), "{{{},{}}}", tree.least, tree.most);
      }
      break;
  }
}

// Returns the text that a set adds to a searched text: its only character, or for a letter in both
// cases the lower case. Returns none for any other set.
std::optional<std::string> spelled(const characters& set, notation as) {
  std::string text;
  if (set.size() == 1 && set[0].first == set[0].last) {
    append(text, set[0].first, as.text);
    return text;
  }
  const bool two = set.size() == 2 && set[0].first == set[0].last && set[1].first == set[1].last;
  if (!as.ignore_case || !two || set[0].first < 'A' || set[0].first > 'Z' || set[1].first != (set[0].first | 0x20)) {
    return std::nullopt;
  }
  append(text, set[1].first, as.text);
  return text;
}

std::size_t shortest(const std::vector<std::string>& texts) {
  return std::min_element(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); })
      ->size();
}

std::size_t least_rarity(const std::vector<std::string>& texts) {
  std::size_t least = rarity(texts.front());
  for (const std::string& text : texts) least = std::min(least, rarity(text));
  return least;
}

void keep_better(required_texts& best, required_texts other) {
  if (other.any_of.empty()) return;
  const auto worth = [](const required_texts& one) {
    const bool long_enough = shortest(one.any_of) >= shortest_text;
    return std::tuple(long_enough, least_rarity(one.any_of), -static_cast<std::ptrdiff_t>(one.any_of.size()));
  };
  if (best.any_of.empty() || worth(other) > worth(best)) best = std::move(other);
}

required_texts required_in(const expression& tree, notation as);

required_texts required_in_sequence(const std::vector<expression>& parts, notation as) {
  required_texts best;
  std::string run;
  const auto end_run = [&](bool suffices) {
    if (!run.empty()) keep_better(best, {{std::exchange(run, {})}, suffices});
  };
  bool interrupted = false;
  for (const expression& part : parts) {
    const auto text = part.what == form::set ? spelled(part.set, as) : std::nullopt;
    if (text) {
      run += *text;
      continue;
    }
    if (parts.size() == 1) return required_in(part, as);
    interrupted = true;
    end_run(false);
    required_texts inner = required_in(part, as);
    inner.suffices = false;
    keep_better(best, std::move(inner));
  }
  end_run(!interrupted);
  return best;
}

required_texts required_in(const expression& tree, notation as) {
  switch (tree.what) {
    case form::set:
      if (auto text = spelled(tree.set, as)) return {{*std::move(text)}, true};
      return {};
    case form::sequence: return required_in_sequence(tree.parts, as);
    case form::alternatives: {
      required_texts all{{}, true};
      for (const expression& part : tree.parts) {
        required_texts one = required_in(part, as);
        if (one.any_of.empty()) return {};
        all.suffices = all.suffices && one.suffices;
        all.any_of.insert(all.any_of.end(), one.any_of.begin(), one.any_of.end());
      }
      if (all.any_of.size() > most_texts) return {};
      return all;
    }
    case form::repeat: {
      if (tree.least == 0) return {};
      required_texts inner = required_in(tree.parts.front(), as);
      inner.suffices = inner.suffices && tree.least == 1;
      return inner;
    }
    default: return {};
  }
}

}  // namespace

std::string re2_text(const expression& tree) {
  std::string text;
  write(text, tree);
  return text;
}

required_texts required(const expression& tree, notation as) {
  required_texts found = required_in(tree, as);
  if (!found.any_of.empty() && shortest(found.any_of) < shortest_text) return {};
  return found;
}

}  // namespace filesearch
