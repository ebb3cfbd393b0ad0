// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// One thread splits the tweets and counts the words.
#include "tweets.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = words_options(argc, argv);
  const std::vector<std::string> tweets = make_tweets();
  const std::int64_t items = given["items"] * given["pairs"];
  const stopwatch watch;
  word_counts seen;
  for (std::int64_t i = 0; i != items; ++i) {
    const std::string tweet = tweets[static_cast<std::size_t>(i % given["items"]) % tweets.size()];
    for_each_word(tweet, [&](std::string_view word) { ++seen[std::string(word)]; });
  }
  const duration took = watch.elapsed();
  word_sums sums;
  sums.add(seen);
  verify("number of words", sums.words, given["pairs"] * expected_sums(tweets, given["items"]).words);
  print_result("cluster_words", "plain", items, took,
               {{"tweets_per_s", static_cast<double>(items) * 1e9 / static_cast<double>(took.wall_ns)},
                {"words_per_tweet", static_cast<double>(sums.words) / static_cast<double>(items)}});
}
