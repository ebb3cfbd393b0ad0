// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Patterns over the groups of a cluster give in every group the same result as in one process.

#include "weir/patterns/across_groups.hpp"

#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/patterns/divide_and_conquer.hpp"
#include "weir/patterns/map_reduce.hpp"
#include "weir/patterns/parallel_for.hpp"
#include "weir/patterns/parallel_reduce.hpp"

#include "clusters.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

struct number_list {
  std::vector<int> values;
};

}  // namespace

template <>
struct weir::codec<number_list> {
  static void encode(const number_list& item, weir::byte_sink& out) {
    append(out, item.values.size());
    for (const int each : item.values) append(out, each);
  }
  static number_list decode(weir::byte_source& in) {
    std::size_t count = 0;
    in.read(count);
    number_list item;
    for (; count != 0; --count) in.read(item.values.emplace_back());
    return item;
  }
};

namespace {

using namespace weir_test;
using weir::across_groups;

/// A member that reports different numbers of cores for the groups; in one process all groups would
/// have the same number.
class uneven final : public weir::group_member {
 public:
  uneven(weir::group_member& of, std::vector<double> cores) : of_(of), cores_(std::move(cores)) {}
  std::size_t cores() const override { return of_.cores(); }
  std::vector<weir::planned_group> groups() const override {
    std::vector<weir::planned_group> made = of_.groups();
    for (std::size_t i = 0; i != made.size(); ++i) made[i].cores = cores_[i];
    return made;
  }
  void assign_groups(weir::graph& whole) const override { of_.assign_groups(whole); }
  const std::string& name() const override { return of_.name(); }
  std::unique_ptr<weir::detail::group_run> begin(const weir::graph& whole,
                                                 weir::detail::run_control& control) override {
    return of_.begin(whole, control);
  }

 private:
  weir::group_member& of_;
  std::vector<double> cores_;
};

/// Clusters of 1, 2 and 3 groups.
class groups : public testing::TestWithParam<std::vector<double>> {
 protected:
  // Calls `act(across)` in each group.
  // @return the texts of the exceptions thrown, in the order of the groups
  template <class Act>
  std::vector<std::string> in_each(Act act) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i != GetParam().size(); ++i) names.push_back("G" + std::to_string(i + 1));
    weir::cluster_configuration configuration = groups_named(names);
    configuration.groups.front().nodes = {"what/only/the/program/has"};
    cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      uneven here(member, GetParam());
      try {
        act(across_groups{&here});
      } catch (const weir::stopped&) {
        throw std::runtime_error("stopped");
      }
    });
    std::vector<std::string> said;
    for (const auto& [group, problem] : problems) said.push_back(text_of(problem));
    return said;
  }
  template <class Act>
  void without_problems(Act act) {
    for (const std::string& problem : in_each(act)) EXPECT_EQ(problem, "");
  }
};
INSTANTIATE_TEST_SUITE_P(across, groups,
                         testing::Values(std::vector<double>{1}, std::vector<double>{1, 1}, std::vector<double>{4, 0.5},
                                         std::vector<double>{1, 2, 5}),
                         [](const auto& about) { return "case_" + std::to_string(about.index); });

TEST_P(groups, parallel_for_calls_the_body_once_for_each_index_in_one_of_them) {
  std::vector<std::atomic<int>> calls(1000);
  std::mutex mutex;
  std::map<std::string, std::set<long>> indices;
  without_problems([&](const across_groups& where) {
    for (int round = 0; round != 3; ++round) {
      weir::parallel_for(where, -500, 500L, [&](long i) {
        ++calls[static_cast<std::size_t>(i + 500)];
        const std::lock_guard lock(mutex);
        indices[where.member->name()].insert(i);
      });
    }
  });
  for (const auto& each : calls) EXPECT_EQ(each, 3);
  // The division is proportional to the cores, and the same each time.
  const double all = std::accumulate(GetParam().begin(), GetParam().end(), 0.0);
  double before = 0;
  for (std::size_t i = 0; i != GetParam().size(); ++i) {
    const std::set<long>& own = indices["G" + std::to_string(i + 1)];
    EXPECT_NEAR(static_cast<double>(own.size()), 1000 * GetParam()[i] / all, 1);
    EXPECT_NEAR(static_cast<double>(*own.begin()), -500 + 1000 * before / all, 1);
    before += GetParam()[i];
  }
}

TEST_P(groups, parallel_reduce_keeps_the_order_and_tells_all) {
  const auto digit = [](int i) { return std::string(1, static_cast<char>('a' + i % 26)); };
  const std::string expected = weir::parallel_reduce(0, 3000, std::string(), digit, std::plus<>());
  without_problems([&](const across_groups& where) {
    EXPECT_EQ(weir::parallel_reduce(where, 0, 3000, std::string(), digit, std::plus<>()), expected);
    EXPECT_EQ(weir::parallel_reduce(
                  where, std::size_t{0}, std::size_t{100}, 0L,
                  [](std::size_t i, long& sum) { sum += static_cast<long>(i); }, std::plus<>()),
              4950);
  });
}

TEST_P(groups, parallel_map_brings_all_results_to_all) {
  without_problems([&](const across_groups& where) {
    const std::vector<std::string> made = weir::parallel_map(where, 3, 500, [](int i) { return std::to_string(i); });
    ASSERT_EQ(made.size(), 497U);
    for (int i = 0; i != 497; ++i) ASSERT_EQ(made[static_cast<std::size_t>(i)], std::to_string(i + 3));
  });
}

TEST_P(groups, reduce_groups_calls_each_once_whatever_its_cores) {
  without_problems([](const across_groups& where) {
    std::atomic<int> calls = 0;
    std::string names;
    for (const weir::planned_group& each : where.member->groups()) names += each.name + " ";
    const auto own = [&] {
      ++calls;
      return where.member->name() + " ";
    };
    const auto join = [](const std::vector<std::string>& all) {
      return std::accumulate(all.begin(), all.end(), std::string());
    };
    EXPECT_EQ(weir::reduce_groups<std::string>(where, own, join), names);
    EXPECT_EQ(calls, 1);
  });
}

TEST_P(groups, ranges_that_are_empty_or_shorter_than_the_groups_are_many) {
  without_problems([](const across_groups& where) {
    weir::parallel_for(where, 5, 5, [](int) { throw std::logic_error("called"); });
    weir::parallel_for(where, 5, 2, [](int) { throw std::logic_error("called"); });
    EXPECT_EQ(weir::parallel_reduce(
                  where, 0, 0, 1L, [](int) { return 7L; }, std::multiplies<>()),
              1);
    EXPECT_EQ(weir::parallel_map(where, 0, 1, [](int i) { return i; }), std::vector<int>{0});
    EXPECT_TRUE(weir::parallel_map(where, 0, 0, [](int i) { return i; }).empty());
  });
}

TEST_P(groups, divide_and_conquer_gives_what_one_process_gives) {
  std::vector<int> numbers(5000);
  for (std::size_t i = 0; i != numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 5003);
  std::vector<int> expected = numbers;
  std::ranges::sort(expected);
  const auto halves = [](const number_list& all) {
    const auto middle = all.values.begin() + static_cast<std::ptrdiff_t>(all.values.size() / 2);
    return std::array{number_list{{all.values.begin(), middle}}, number_list{{middle, all.values.end()}}};
  };
  const auto merged = [](std::array<number_list, 2> both) {
    number_list made;
    std::ranges::merge(both[0].values, both[1].values, std::back_inserter(made.values));
    return made;
  };
  std::atomic<int> solved{0};
  const auto sorted = [&](number_list& few) {
    ++solved;
    std::ranges::sort(few.values);
    return few;
  };
  const auto is_small = [](const number_list& all) { return all.values.size() < 40; };
  without_problems([&](const across_groups& where) {
    // Only the problem of the first group is solved.
    const number_list given = where.in_first_group() ? number_list{numbers} : number_list{};
    const number_list made = weir::divide_and_conquer(where, given, is_small, sorted, halves, merged);
    EXPECT_EQ(made.values, expected);
  });
  const int in_the_cluster = solved.exchange(0);
  weir::divide_and_conquer(number_list{numbers}, is_small, sorted, halves, merged);
  EXPECT_EQ(in_the_cluster, solved);
}

TEST_P(groups, divide_and_conquer_of_problems_of_any_shape) {
  // Divides a problem into as many parts as it says, each smaller by one; combines the problem
  // itself with the results of its parts.
  const auto count = [](long n, const std::vector<long>& parts) {
    return std::accumulate(parts.begin(), parts.end(), 1 + n % 2);
  };
  const auto parts = [](long n) { return std::vector<long>(static_cast<std::size_t>(n), n - 1); };
  const auto never = [](long) { return false; };
  const auto one = [](long) { return 1L; };
  const auto is_two = [](long n) { return n == 2; };
  for (const long n : {0L, 1L, 2L, 6L}) {
    const long whole = weir::divide_and_conquer(n, is_two, one, parts, count);
    const long to_nothing = weir::divide_and_conquer(n, never, one, parts, count);
    without_problems([&](const across_groups& where) {
      EXPECT_EQ(weir::divide_and_conquer(where, n, is_two, one, parts, count), whole);
      EXPECT_EQ(weir::divide_and_conquer(where, n, never, one, parts, count), to_nothing);
    });
  }
}

TEST_P(groups, an_exception_in_a_body_is_told_in_all) {
  const std::size_t last = GetParam().size();
  const std::vector<std::string> said = in_each([](const across_groups& where) {
    weir::parallel_for(where, 0, 1000, [](int i) {
      if (i == 999) throw std::out_of_range("nine hundred and ninety-nine");
    });
  });
  for (std::size_t i = 0; i != last; ++i) {
    const std::string where =
        i + 1 == last ? "" : "/parallel_for[" + std::to_string(last - 1) + "] (group G" + std::to_string(last) + "): ";
    EXPECT_EQ(said[i], where + "nine hundred and ninety-nine");
  }
}

TEST_P(groups, a_stop_asked_for_in_one_stops_all) {
  std::stop_source stop;
  const std::vector<std::string> said = in_each([&](const across_groups& where) {
    weir::parallel_options options{.grain = 1};
    if (where.in_first_group()) options.stop = stop.get_token();
    for (;;) {  // the time of the stop is unknown
      weir::parallel_reduce(
          where, 0, 1000, 0L,
          [&](int i) {
            if (i == 0) stop.request_stop();
            std::this_thread::yield();
            return 1L;
          },
          std::plus<>(), options);
    }
  });
  for (const std::string& each : said) EXPECT_EQ(each, "stopped");
}

TEST_P(groups, may_be_called_again_after_a_stop) {
  std::atomic<int> stops{0};
  without_problems([&](const across_groups& where) {
    std::stop_source stop;
    stop.request_stop();
    try {
      weir::parallel_for(where, 0, 10, [](int) {}, {.stop = stop.get_token()});
    } catch (const weir::stopped&) {
      ++stops;
    }
    EXPECT_EQ(weir::parallel_reduce(
                  where, 0, 10, 0, [](int i) { return i; }, std::plus<>()),
              45);
  });
  EXPECT_EQ(stops, static_cast<int>(GetParam().size()));
}

// A call concerns all groups, so a drain of the run in whose node one of them makes it does not
// reach it; nor if the node is a source.
TEST_P(groups, a_pattern_outlasts_a_drain_of_the_run_around_it) {
  for (const bool in_a_source : {true, false}) {
    std::latch under_way(1);
    std::latch drained(static_cast<std::ptrdiff_t>(GetParam().size()));
    std::atomic<bool> first{true};
    const auto halves = [&](long n) {
      if (first.exchange(false)) {
        under_way.count_down();
        drained.wait();
      }
      return std::vector<long>{n / 2, n - n / 2};
    };
    without_problems([&](const across_groups& where) {
      std::latch inside(1);
      const auto sum = [&] {
        inside.count_down();
        return weir::divide_and_conquer(
            where, 1000L, [](long n) { return n <= 1; }, [](long n) { return n; }, halves,
            [](const std::vector<long>& both) { return std::accumulate(both.begin(), both.end(), 0L); });
      };
      long received = 0;
      const auto receive = weir::sink([&](long item) { received += in_a_source ? item : sum(); });
      weir::network net = weir::source([&, left = 1]() mutable -> std::optional<long> {
                            if (left-- == 0) return std::nullopt;
                            return in_a_source ? sum() : 0;
                          }) |
                          receive;
      weir::running now = weir::start(net, {.alone = true});
      inside.wait();
      under_way.wait();
      now.drain();
      drained.count_down();
      now.wait();
      EXPECT_EQ(received, 1000);
    });
  }
}

TEST(across_groups, without_a_cluster_is_one_process) {
  const across_groups where{nullptr};
  EXPECT_TRUE(where.alone());
  EXPECT_TRUE(where.in_first_group());
  EXPECT_EQ(weir::parallel_reduce(
                where, 0, 100, 0, [](int i) { return i; }, std::plus<>()),
            4950);
  EXPECT_TRUE(across_groups{}.alone());
}

TEST(across_groups, within_a_run_of_the_same_group_is_refused) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
    const across_groups where{&member};
    weir::parallel_for(where, 0, 2, [&](int i) {
      if (i == 0) weir::parallel_for(where, 0, 2, [](int) {});
    });
  });
  EXPECT_NE(text_of(problems.at("G1")).find("has one at a time"), std::string::npos) << text_of(problems.at("G1"));
  EXPECT_NE(text_of(problems.at("G2")).find("has one at a time"), std::string::npos) << text_of(problems.at("G2"));
}

}  // namespace
