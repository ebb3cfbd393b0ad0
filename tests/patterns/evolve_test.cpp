// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/evolve.hpp"

#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"
#include "weir/patterns/random_engine.hpp"

#include "cancelled.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::evolve;
using weir::random_engine;

class evolution_in_a_node : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(evolution_in_a_node);

// OneMax: maximizes the number of ones among 64 bits.
using genome = std::uint64_t;
using population = std::vector<genome>;

bool fitter(genome a, genome b) {
  return std::popcount(a) != std::popcount(b) ? std::popcount(a) > std::popcount(b) : a > b;
}

population wild(std::size_t count) {
  random_engine random(count);
  population made(count);
  for (genome& each : made) each = random();
  return made;
}

// Selects the best of three, as often as there are individuals.
population tournaments(const population& all, random_engine& random) {
  std::uniform_int_distribution<std::size_t> any(0, all.size() - 1);
  population winners;
  for (std::size_t i = 0; i != all.size(); ++i) {
    winners.push_back(std::min({all[any(random)], all[any(random)], all[any(random)]}, fitter));
  }
  return winners;
}
void mutate(genome& each, random_engine& random) {
  for (int flips = std::uniform_int_distribution(1, 3)(random); flips != 0; --flips) each ^= genome{1} << random() % 64;
}
void keep_the_best(population& all, population& children) {
  const std::size_t count = all.size();
  all.insert(all.end(), children.begin(), children.end());
  std::sort(all.begin(), all.end(), fitter);
  all.resize(count);
}
bool perfect(const population& all, std::size_t) {
  return std::any_of(all.begin(), all.end(), [](genome each) { return std::popcount(each) == 64; });
}

TEST(evolve, converges_to_the_same_with_any_number_of_workers) {
  population first = wild(100);
  const std::size_t generations =
      evolve(first, tournaments, mutate, keep_the_best, perfect, {.seed = 7, .max_generations = 1000});
  EXPECT_LT(generations, 1000U);
  EXPECT_EQ(std::popcount(first.front()), 64);
  for (const std::size_t workers : {1U, 2U}) {
    for (const weir::schedule how : {weir::schedule::automatic, weir::schedule::dynamic}) {
      population again = wild(100);
      EXPECT_EQ(evolve(again, tournaments, mutate, keep_the_best, perfect,
                       {.seed = 7, .max_generations = 1000, .parallel = {.schedule = how, .workers = workers}}),
                generations);
      EXPECT_EQ(again, first);
    }
  }
  population other = wild(100);
  evolve(other, tournaments, mutate, keep_the_best, perfect, {.seed = 8, .max_generations = 5});
  population same_so_long = wild(100);
  evolve(same_so_long, tournaments, mutate, keep_the_best, perfect, {.seed = 7, .max_generations = 5});
  EXPECT_NE(other, same_so_long);
}

TEST(evolve, takes_indices_of_the_selected) {
  std::vector<int> numbers{10, 20, 30};
  const std::size_t generations = evolve(
      numbers,
      [](const std::vector<int>&) {
        return std::vector<std::size_t>{2, 0, 2};
      },
      [](int& each) { each += 1; },
      [](std::vector<int>& all, std::vector<int>& evolved) {
        EXPECT_EQ(evolved, (std::vector<int>{all[2] + 1, all[0] + 1, all[2] + 1}));
        all[0] = evolved[1];
      },
      [](const std::vector<int>& all, std::size_t) { return all[0] == 15; });
  EXPECT_EQ(generations, 5U);
  EXPECT_EQ(numbers, (std::vector<int>{15, 20, 30}));
}

TEST(evolve, ends_at_once_where_there_is_nothing_to_do) {
  const auto fail_select = [](const population& all) {
    ADD_FAILURE();
    return all;
  };
  population all{1, 2};
  EXPECT_EQ(evolve(all, fail_select, mutate, keep_the_best, [](const population&, std::size_t) { return true; }), 0U);
  EXPECT_EQ(evolve(all, fail_select, mutate, keep_the_best, perfect, {.max_generations = 0}), 0U);
  EXPECT_EQ(all, (population{1, 2}));
}

TEST(evolve, takes_an_empty_population) {
  population none;
  const auto everybody = [](const population& all) { return all; };
  const auto fail_evolve = [](genome&) { ADD_FAILURE(); };
  EXPECT_EQ(evolve(none, everybody, fail_evolve, keep_the_best,
                   [](const population&, std::size_t generation) { return generation == 3; }),
            3U);
  EXPECT_TRUE(none.empty());
}

TEST(evolve, counts_generations_from_nothing) {
  population all{1};
  std::vector<std::size_t> asked;
  evolve(
      all, [](const population& some) { return some; }, [](genome& each) { ++each; },
      [](population& some, population& evolved) { some.swap(evolved); },
      [&](const population&, std::size_t generation) {
        asked.push_back(generation);
        return generation == 2;
      });
  EXPECT_EQ(asked, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(all, population{3});
}

TEST(evolve, what_is_thrown_comes_out_and_leaves_the_last_generation) {
  const auto everybody = [](const population& all) { return all; };
  const auto replace = [](population& all, population& evolved) { all.swap(evolved); };
  const auto never = [](const population&, std::size_t) { return false; };
  population all{1, 2, 3};
  EXPECT_THROW(evolve(
                   all, everybody,
                   [](genome& each) {
                     if (++each == 10) throw std::out_of_range("evolve");
                   },
                   replace, never),
               std::out_of_range);
  EXPECT_EQ(all, (population{7, 8, 9}));
  const auto up = [](genome& each) { ++each; };
  EXPECT_THROW(
      evolve(
          all, [](const population&) -> population { throw std::runtime_error("select"); }, up, replace, never),
      std::runtime_error);
  EXPECT_THROW(evolve(
                   all, everybody, up, [](population&, population&) { throw std::runtime_error("filter"); }, never),
               std::runtime_error);
  EXPECT_THROW(evolve(all, everybody, up, replace,
                      [](const population&, std::size_t) -> bool { throw std::runtime_error("terminate"); }),
               std::runtime_error);
  EXPECT_EQ(all, (population{7, 8, 9}));
}

TEST(evolve, refuses_an_index_of_nobody) {
  std::vector<int> numbers{1, 2};
  try {
    evolve(
        numbers,
        [](const std::vector<int>&) {
          return std::vector<std::size_t>{1, 2};
        },
        [](int&) {}, [](std::vector<int>&, std::vector<int>&) {},
        [](const std::vector<int>&, std::size_t) { return false; });
    FAIL();
  } catch (const std::out_of_range& problem) {
    EXPECT_STREQ(problem.what(),
                 "weir: evolve: individual 2 was selected of a population of 2; select indices below its size");
  }
}

TEST(evolve, a_stop_request_ends_it) {
  std::stop_source stop;
  population all{0, 0, 0};
  EXPECT_THROW(evolve(
                   all, [](const population& some) { return some; },
                   [&](genome& each) {
                     if (++each == 50) stop.request_stop();
                   },
                   [](population& some, population& evolved) { some.swap(evolved); },
                   [](const population&, std::size_t) { return false; }, {.parallel = {.stop = stop.get_token()}}),
               weir::stopped);
  EXPECT_GE(all.front(), 49U);
  EXPECT_LE(all.front(), 50U);
}

TEST(random_engine, depends_on_its_keys_alone) {
  EXPECT_EQ(random_engine(1, 2, 3)(), random_engine(1, 2, 3)());
  std::set<std::uint64_t> first;
  for (std::uint64_t a = 0; a != 100; ++a) {
    for (std::uint64_t b = 0; b != 100; ++b) first.insert(random_engine(a, b)());
  }
  for (std::uint64_t a = 0; a != 100; ++a) first.insert(random_engine(a)());
  EXPECT_EQ(first.size(), 10'100U);
}

TEST(random_engine, is_even_over_its_range) {
  random_engine random(42);
  std::vector<int> counts(16);
  for (int i = 0; i != 160'000; ++i) ++counts[random() >> 60];
  for (const int each : counts) EXPECT_NEAR(each, 10'000, 500);
}

TEST_P(evolution_in_a_node, takes_a_stream_of_populations) {
  std::vector<population> islands;
  for (const std::size_t count : {20U, 30U, 40U, 50U}) islands.push_back(wild(count));
  std::vector<population> expected = islands;
  const weir::evolve_options options{.seed = 3, .max_generations = 20};
  for (population& each : expected) evolve(each, tournaments, mutate, keep_the_best, perfect, options);
  std::vector<population> evolved;
  run(weir::from(islands) |
      weir::farm(weir::evolution<genome>(tournaments, mutate, keep_the_best, perfect, options), 2).ordered() |
      weir::collect(evolved));
  EXPECT_EQ(evolved, expected);
}

// This holds as well if no individual is selected, so that none ever evolves.
TEST_P(evolution_in_a_node, ends_when_the_run_is_cancelled) {
  for (const population& start : {population{1, 2, 3}, population{}}) {
    EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [&](std::atomic<bool>& inside) {
      population all = start;
      evolve(
          all, [](const population& some) { return some; }, [](genome& each) { ++each; },
          [](population&, population&) {},
          [&](const population&, std::size_t) {
            inside = true;
            return false;
          });
    }));
  }
}

}  // namespace
