// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "counting.hpp"

#include "unicode_words.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace wordcount {
namespace {

// A splitter sends its counts when it has this many words, in shares of at most `words_in_share`
// words.
constexpr std::size_t words_kept = std::size_t{128} * 1024;
constexpr std::size_t words_in_share = std::size_t{8} * 1024;

bool comes_before(const entry& a, const entry& b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

// Keeps only the first `most` words (0: all), in order.
void rank(std::vector<entry>& words, std::size_t most) {
  const std::size_t kept = most == 0 ? words.size() : std::min(most, words.size());
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(), comes_before);
  words.resize(kept);
}

}  // namespace

void splitter::process(text_block block, weir::outlet<share>& out) {
  read_ += block.read;
  if (ignore_case_) fold_case(block.text);
  const auto found = [this](std::string_view word) { ++seen_[absl::string_view(word.data(), word.size())]; };
  if (words_ == word_kind::unicode) {
    each_unicode_word(block.text, found);
  } else {
    each_word(block.text, found);
  }
  if (seen_.size() >= words_kept) finish(out);
}

void splitter::finish(weir::outlet<share>& out) {
  // The counter for a word must not depend on the process: std::hash is a pure function of the
  // bytes, absl's hash is not.
  std::vector<share> shares(out.width());
  for (std::size_t i = 0; i != shares.size(); ++i) shares[i].counter = i;
  for (const auto& [word, count] : seen_) {
    share& part = shares[std::hash<std::string>{}(word) % shares.size()];
    part.words.emplace_back(word, count);
    if (part.words.size() == words_in_share) out.send({part.counter, std::exchange(part.words, {}), {}});
  }
  seen_.clear();
  shares.front().read = std::exchange(read_, {});
  for (share& part : shares) {
    if (!part.words.empty() || part.read != totals{}) out.send(std::move(part));
  }
}

void counter::process(share part, weir::outlet<ranking>&) {
  for (auto& [word, count] : part.words) seen_[std::move(word)] += count;
  read_ += part.read;
}

void counter::finish(weir::outlet<ranking>& out) {
  ranking mine;
  mine.distinct = seen_.size();
  mine.read = read_;
  mine.most.reserve(seen_.size());
  for (const auto& [word, count] : seen_) {
    mine.words += count;
    mine.most.emplace_back(word, count);
  }
  rank(mine.most, most_);
  out.send(std::move(mine));
}

void merge(ranking& sum, ranking part, std::size_t most) {
  sum.words += part.words;
  sum.distinct += part.distinct;
  sum.read += part.read;
  sum.most.insert(sum.most.end(), std::make_move_iterator(part.most.begin()), std::make_move_iterator(part.most.end()));
  rank(sum.most, most);
}

}  // namespace wordcount
