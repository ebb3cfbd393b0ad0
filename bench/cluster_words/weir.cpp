// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Each source and its splitter are one group; all counters and the sink are another one. Every word
// crosses by itself, as a string; the counters send their sums to the sink at the end.
#include "../groups.hpp"
#include "tweets.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

using namespace weir_bench;

namespace {

struct tweet_source {
  const std::vector<std::string>* tweets;
  std::int64_t count;
  double per_second;  // 0: no limit
  std::int64_t made = 0;
  std::int64_t burst = 0;
  std::chrono::steady_clock::time_point began{};

  void start() {
    burst = std::max<std::int64_t>(static_cast<std::int64_t>(per_second / 500), 1);
    began = std::chrono::steady_clock::now();
  }
  std::optional<std::string> next() {
    if (made == count) return std::nullopt;
    if (per_second != 0 && made % burst == 0) {
      std::this_thread::sleep_until(
          began + std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(made) * 1e9 / per_second)));
    }
    return (*tweets)[static_cast<std::size_t>(made++) % tweets->size()];
  }
};

void split(const std::string& tweet, weir::outlet<std::string>& out) {
  for_each_word(tweet, [&](std::string_view word) { out.send(std::string(word)); });
}

struct counter {
  word_counts seen{};

  void process(const std::string& word, weir::outlet<word_sums>&) { ++seen[word]; }
  void finish(weir::outlet<word_sums>& out) {
    word_sums sums;
    sums.add(seen);
    out.send(sums);
  }
};

struct words_outcome {
  word_sums sums;
  std::int64_t wall_ns;
  std::int64_t cpu_ns;
};

words_outcome count_words(const options& given, const std::vector<std::string>& tweets, std::int64_t pairs,
                          std::int64_t each, double per_second) {
  weir::cluster_configuration groups;
  groups.transport = given["shm"] != 0 ? weir::link_transport::shm : weir::link_transport::tcp;
  add_groups(groups, "S", pairs);
  groups.groups.emplace_back().name = "C";
  const shared_value<words_outcome> outcome;
  in_groups(groups, 0, [&](weir::cluster_member& member) {
    const auto source = weir::source(tweet_source{&tweets, each, per_second});
    const auto paced = per_second != 0 ? weir::block<void, std::string>(source.on_own_thread())
                                       : weir::block<void, std::string>(source);
    const std::vector<weir::block<void, std::string>> sources(static_cast<std::size_t>(pairs),
                                                              paced | weir::node(&split));
    word_sums sums;
    weir::network net =
        weir::set(sources).in_group([](std::size_t i) { return "S" + std::to_string(i); }) |
        weir::farm(counter{}, counters).by_key([](const std::string& word) { return word; }).in_group("C") |
        weir::sink([&](const word_sums& part) {
          sums.words += part.words;
          sums.digest += part.digest;
        }).in_group("C");
    const weir::report report = weir::run(net, {.member = &member});
    if (report.in_result_group) *outcome = {sums, report.wall.count(), report.cpu.count()};
  });
  const word_sums expected = expected_sums(tweets, each);
  verify("number of words", outcome->sums.words, pairs * expected.words);
  verify("digest", static_cast<std::int64_t>(outcome->sums.digest),
         static_cast<std::int64_t>(static_cast<std::uint64_t>(pairs) * expected.digest));
  return *outcome;
}

}  // namespace

int main(int argc, char** argv) {
  const options given = words_options(argc, argv);
  const std::vector<std::string> tweets = make_tweets();
  std::int64_t items = given["items"];
  const words_outcome free = count_words(given, tweets, given["share"] != 0 ? 1 : given["pairs"], items, 0);
  const double rate = static_cast<double>(items) * 1e9 / static_cast<double>(free.wall_ns);
  if (given["share"] == 0) {
    items *= given["pairs"];
    print_result("cluster_words", "weir", items, {free.wall_ns, free.cpu_ns},
                 {{"tweets_per_s", rate * static_cast<double>(given["pairs"])},
                  {"words_per_tweet", static_cast<double>(free.sums.words) / static_cast<double>(items)}});
    return 0;
  }
  const double pace = rate / static_cast<double>(given["share"]);
  const auto each =
      std::max<std::int64_t>(static_cast<std::int64_t>(pace * static_cast<double>(given["milliseconds"]) / 1e3), 1);
  const words_outcome paced = count_words(given, tweets, given["pairs"], each, pace);
  items = each * given["pairs"];
  const double seconds = static_cast<double>(paced.wall_ns) / 1e9;
  print_result("cluster_words", "weir", items, {paced.wall_ns, paced.cpu_ns},
               {{"tweets_per_s", static_cast<double>(items) / seconds},
                {"ceiling", rate},
                {"linear", static_cast<double>(each) / pace / seconds},
                {"cores", static_cast<double>(paced.cpu_ns) / static_cast<double>(paced.wall_ns)}});
}
