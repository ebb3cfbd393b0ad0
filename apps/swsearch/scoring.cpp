// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "scoring.hpp"

#include "matrices.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace swsearch {
namespace {

// A score that no alignment accepts, and that a kernel can still add without overflow.
constexpr int of_padding = -100;
constexpr int score_least = -100, score_most = 100;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> made;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t\r", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    made.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return made;
}

std::optional<int> number_in(std::string_view word) {
  int number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

bool same_letters(std::string_view known, std::string_view name) {
  return std::ranges::equal(
      known, name, [](char a, char b) { return a == (b >= 'a' && b <= 'z' ? static_cast<char>(b - 'a' + 'A') : b); });
}

score_matrix score_matrix::named(std::string_view name) {
  for (const auto& [known, text] : matrices) {
    if (same_letters(known, name)) return parsed(text, alphabet::protein(), std::string(known));
  }
  throw std::invalid_argument(fmt::format("there is no matrix {}, and no file of that name; there are {}",
                                          weir::support::quoted_name(name), fmt::join(names(), ", ")));
}

std::vector<std::string_view> score_matrix::names() {
  std::vector<std::string_view> made;
  for (const auto& [name, text] : matrices) made.push_back(name);
  return made;
}

bool score_matrix::is_known(std::string_view name) {
  return std::ranges::any_of(names(), [&](std::string_view known) { return same_letters(known, name); });
}

score_matrix score_matrix::parsed(std::string_view text, const alphabet& letters, const std::string& name) {
  score_matrix made;
  std::size_t number = 0;
  const auto wrong = [&](const std::string& what) {
    return std::invalid_argument(fmt::format("{}:{}: {}", name, number, what));
  };
  const auto residue_of = [&](std::string_view word) {
    const residue code = word.size() == 1 ? letters.code_of(word.front()) : padding;
    if (code == padding) throw wrong(fmt::format("'{}' is not one of the letters {}", word, letters.letters()));
    return code;
  };
  std::vector<residue> columns;
  std::bitset<codes> rows;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, std::min(end, text.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (columns.empty()) {
      for (const std::string_view each : words) {
        columns.push_back(residue_of(each));
        if (std::ranges::count(columns, columns.back()) != 1) throw wrong(fmt::format("a second column for {}", each));
      }
      continue;
    }
    const residue row = residue_of(words.front());
    if (rows[row]) throw wrong(fmt::format("a second row for {}", words.front()));
    rows.set(row);
    if (words.size() != columns.size() + 1) {
      throw wrong(fmt::format("{} scores, but there are {} letters above", words.size() - 1, columns.size()));
    }
    for (std::size_t i = 0; i != columns.size(); ++i) {
      const auto score = number_in(words[i + 1]);
      if (!score || *score < score_least || *score > score_most) {
        throw wrong(fmt::format("'{}' is not a whole number from {} to {}", words[i + 1], score_least, score_most));
      }
      made.set(row, columns[i], *score);
    }
  }
  ++number;
  if (columns.empty()) throw wrong("there is no line of letters");
  std::bitset<codes> has_column;
  for (const residue each : columns) has_column.set(each);
  const std::string_view all = letters.letters();
  for (std::size_t i = 0; i != all.size(); ++i) {
    if (rows[i] != has_column[i])
      throw wrong(fmt::format("the {} for {} is missing", has_column[i] ? "row" : "column", all[i]));
  }
  if (!rows[letters.unknown()]) throw wrong(fmt::format("the row for {} is missing", all[letters.unknown()]));
  const auto known = [&](std::size_t i) {
    const residue other = letters.scored_as(static_cast<residue>(i));
    return rows[i] ? static_cast<residue>(i) : rows[other] ? other : letters.unknown();
  };
  for (std::size_t a = 0; a != all.size(); ++a) {
    for (std::size_t b = 0; b != all.size(); ++b) {
      made.set(static_cast<residue>(a), static_cast<residue>(b), made(known(a), known(b)));
    }
  }
  made.find_limits(all.size());
  return made;
}

score_matrix score_matrix::dna(int match, int mismatch, int n) {
  const alphabet& letters = alphabet::dna();
  score_matrix made;
  for (std::size_t a = 0; a != letters.letters().size(); ++a) {
    for (std::size_t b = 0; b != letters.letters().size(); ++b) {
      const bool is_known = std::max(a, b) < 4;
      made.set(static_cast<residue>(a), static_cast<residue>(b), !is_known ? n : a == b ? match : mismatch);
    }
  }
  made.find_limits(letters.letters().size());
  return made;
}

void score_matrix::set(residue a, residue b, int score) { scores_[a][b] = static_cast<std::int8_t>(score); }

void score_matrix::find_limits(std::size_t letters) {
  least_ = most_ = scores_[0][0];
  for (std::size_t a = 0; a != codes; ++a) {
    for (std::size_t b = 0; b != codes; ++b) {
      if (a >= letters || b >= letters) {
        scores_[a][b] = of_padding;
        continue;
      }
      least_ = std::min<int>(least_, scores_[a][b]);
      most_ = std::max<int>(most_, scores_[a][b]);
    }
  }
}

std::string gap_costs::text() const { return fmt::format("a gap of k costs {} + {}k", open, extend); }

}  // namespace swsearch
