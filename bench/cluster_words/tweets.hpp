// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir_bench {

/// Counts the words of tweets (F2 §5.3): `pairs` sources with a splitter each, and four counters.
/// If `share` is not 0, one pair first runs without a limit for `items` tweets. Then each source
/// makes tweets at the `share`-th part of that speed, for `milliseconds`.
inline options words_options(int argc, char** argv) {
  return {argc, argv, {{"items", 500'000}, {"pairs", 1}, {"share", 0}, {"milliseconds", 5000}, {"shm", 0}}};
}

inline constexpr std::size_t counters = 4;

using word_counts = absl::flat_hash_map<std::string, std::int64_t>;

/// Makes 4096 tweets of 1 to 280 characters, of words that are as frequent as in a language: the
/// r-th word has a frequency proportional to 1/r.
inline std::vector<std::string> make_tweets() {
  std::mt19937_64 random(42);
  std::vector<std::string> words(20'000);
  std::vector<double> weights;
  for (std::string& word : words) {
    for (std::size_t letters = 2 + random() % 5 + weights.size() % 5; letters != 0; --letters) {
      word += static_cast<char>('a' + random() % 26);
    }
    weights.push_back(1 / static_cast<double>(weights.size() + 1));
  }
  std::discrete_distribution<std::size_t> any(weights.begin(), weights.end());
  std::vector<std::string> tweets(4096);
  for (std::string& tweet : tweets) {
    const std::size_t length = 1 + random() % 280;
    while (tweet.size() < length) tweet += words[any(random)] + ' ';
    tweet.resize(length);
  }
  return tweets;
}

/// Calls `each(std::string_view)` for each word of a tweet.
template <class Each>
void for_each_word(std::string_view tweet, Each&& each) {
  while (!tweet.empty()) {
    const std::size_t end = tweet.find(' ');
    if (end != 0) each(tweet.substr(0, end));
    if (end == std::string_view::npos) return;
    tweet.remove_prefix(end + 1);
  }
}

/// Sums over all words and their counts, which don't depend on an order.
struct word_sums {
  std::int64_t words = 0;
  std::uint64_t digest = 0;

  void add(const word_counts& counts) {
    for (const auto& [word, count] : counts) {
      words += count;
      digest += std::hash<std::string>{}(word) % 1'000'003 * static_cast<std::uint64_t>(count);
    }
  }
};

/// Returns the sums for the words of the first `count` tweets.
inline word_sums expected_sums(const std::vector<std::string>& tweets, std::int64_t count) {
  word_sums sums;
  for (std::size_t i = 0; i != tweets.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const auto size = static_cast<std::int64_t>(tweets.size());
    const std::int64_t times = count / size + (at < count % size ? 1 : 0);
    for_each_word(tweets[i], [&](std::string_view word) {
      sums.words += times;
      sums.digest += std::hash<std::string_view>{}(word) % 1'000'003 * static_cast<std::uint64_t>(times);
    });
  }
  return sums;
}

}  // namespace weir_bench
