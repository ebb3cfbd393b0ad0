// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Loops that extend over several groups, and how they end.

#include "cluster/coordinator/loop_wave.hpp"
#include "cluster/wire/frame.hpp"
#include "clusters.hpp"

#include <random>

namespace {

using namespace weir_test;
class loops_in_groups : public in_a_cluster {};
WEIR_UNDER_EACH_EXECUTOR(loops_in_groups);

struct job {
  long id;
  long rounds;  // number of rounds still to go
};

// Sends each task round as often as its number says, and answers with its number.
struct counting_master {
  void process(long task, weir::outlet<job>& jobs, weir::outlet<long>& answers) {
    if (task % 17 == 0) {
      answers.send(task);
    } else {
      jobs.send({task, task % 17});
    }
  }
  void returned(job back, weir::outlet<job>& jobs, weir::outlet<long>& answers) {
    if (back.rounds == 0) {
      answers.send(back.id);
    } else {
      jobs.send(back);
    }
  }
};
auto once_round() {
  return weir::node([](job j) { return job{j.id, j.rounds - 1}; });
}

TEST_P(loops_in_groups, a_master_and_its_workers_elsewhere) {
  for (const long count : {0L, 1L, 2L, 3000L}) {
    const maker make = [count](std::vector<long>& seen) -> weir::network {
      return numbers(count).named("a") |
             weir::feedback(counting_master{}, weir::farm(once_round(), 3).named("work")).named("loop") |
             into(seen).named("d");
    };
    std::vector<long> whole = run_whole(make);
    std::ranges::sort(whole);
    for (const auto& groups : std::vector<std::vector<weir::group_selection>>{
             {{"G1", {"a", "loop/master1", "d"}}, {"G2", {"loop/work"}}},
             {{"G1", {"a"}}, {"G2", {"loop/master1"}}, {"G3", {"loop/work[0]", "d"}}, {"G4", {"loop/work[1-2]"}}},
             {{"G1", {"a", "loop/work[1]"}}, {"G2", {"loop/master1", "d", "loop/work[0]", "loop/work[2]"}}},
         }) {
      std::vector<long> cut = run_cut(groups, make);
      std::ranges::sort(cut);
      EXPECT_EQ(cut, whole) << count << " items, " << groups.size() << " groups";
    }
  }
}

// Items that come back go to any of the workers, and each worker may let them leave the loop.
TEST_P(loops_in_groups, a_random_number_of_rounds) {
  struct wanderer {
    std::mt19937 random{42};
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& back) {
      (random() % 8 == 0 ? out : back).send(item);
    }
  };
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(5000).named("a") | weir::feedback(weir::farm(wanderer{}, 3).named("b")).named("loop") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "loop/b[0]"}}, {"G2", {"loop/b[1]", "d"}}, {"G3", {"loop/b[2]"}}}, make);
}

TEST_P(loops_in_groups, from_the_right_set_of_an_all_to_all_to_the_left) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    const auto left = weir::farm(weir::node([](long item) { return item + 1; }), 2).named("left");
    const auto right = weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& back) {
      if (item % 10 == 9) {
        out.send(item / 10);
      } else {
        back.send(item);
      }
    });
    return numbers(1000).named("a") | weir::node([](long item) { return item * 10; }).named("b") |
           weir::feedback(left | weir::farm(right, 3).by_key([](const long& item) { return item / 10; }).named("right"))
               .named("loop") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "b", "loop/pipeline1/left[0]", "loop/pipeline1/right[0]"}},
                      {"G2", {"loop/pipeline1/left[1]", "loop/pipeline1/right[1-2]", "d"}}},
                     make);
  expect_equal_items({{"G1", {"a", "b", "loop/pipeline1/left"}}, {"G2", {"loop/pipeline1/right", "d"}}}, make);
}

// Items that the master sends when it is asked go round, too; the loop ends only after them.
TEST_P(loops_in_groups, a_master_that_sends_when_all_is_quiet) {
  struct master {
    int left = 3;
    void process(long task, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(task); }
    void returned(long back, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(back); }
    void quiet(weir::outlet<long>& jobs, weir::outlet<long>&) {
      if (left-- > 0) jobs.send(-left);
    }
  };
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(100).named("a") |
           weir::feedback(master{}, weir::farm(weir::node([](long i) { return i; }), 2).named("work")).named("loop") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "loop/master1"}}, {"G2", {"loop/work[0]"}}, {"G3", {"loop/work[1]", "d"}}}, make);
  EXPECT_EQ(run_whole(make).size(), 103U);
}

TEST_P(loops_in_groups, a_loop_around_a_loop) {
  struct halving {
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& back) {
      (item % 2 == 1 || item == 0 ? out : back).send(item / 2);
    }
  };
  struct again {
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& back) { (item < 8 ? out : back).send(item); }
  };
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(2000).named("a") |
           weir::feedback(weir::feedback(weir::farm(halving{}, 2).named("inner")).named("small") |
                          weir::farm(again{}, 2).named("outer"))
               .named("loop") |
           into(seen).named("d");
  };
  for (const auto& groups : std::vector<std::vector<weir::group_selection>>{
           {{"G1", {"a", "loop/pipeline1/small/inner[0]", "loop/pipeline1/outer[0]"}},
            {"G2", {"loop/pipeline1/small/inner[1]", "loop/pipeline1/outer[1]", "d"}}},
           {{"G1", {"a", "loop/pipeline1/small/inner"}}, {"G2", {"loop/pipeline1/outer", "d"}}},
           {{"G1", {"loop/pipeline1/small/inner[0]"}},
            {"G2", {"loop/pipeline1/small/inner[1]"}},
            {"G3", {"loop/pipeline1/outer[0]"}},
            {"G4", {"a", "loop/pipeline1/outer[1]", "d"}}},
       }) {
    expect_equal_items(groups, make);
  }
}

TEST_P(loops_in_groups, runs_again_and_again) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return weir::source([next = 0L]() mutable -> std::optional<long> {
             if (++next % 50 == 0) return std::nullopt;
             return next;
           }).named("a") |
           weir::feedback(counting_master{}, weir::farm(once_round(), 2).named("work")).named("loop") |
           into(seen).named("d");
  };
  runs = 20;
  const std::vector<long> seen = run_cut({{"G1", {"a", "loop/master1", "d"}}, {"G2", {"loop/work"}}}, make);
  EXPECT_EQ(seen.size(), 20U * 49);
}

// A worker that has been told of the end of one wave may be behind another one. A part may be quiet
// before, between and after the orders. The loop closes only if nothing was sent between two
// comparisons.
TEST(loop_wave, closes_when_two_comparisons_find_the_same) {
  using order = weir::cluster::loop_wave::order;
  weir::cluster::loop_wave wave({"A", "B"});
  EXPECT_EQ(wave.quiet("A"), order::none);
  EXPECT_EQ(wave.quiet("A"), order::none);
  EXPECT_EQ(wave.quiet("B"), order::note);
  EXPECT_EQ(wave.noted("A"), order::none);
  EXPECT_EQ(wave.noted("B"), order::compare);
  EXPECT_EQ(wave.compared("A", true, true, 10), order::none);
  EXPECT_EQ(wave.compared("B", false, false, 0), order::none);  // B reports again when it is quiet
  EXPECT_EQ(wave.quiet("B"), order::note);
  wave.noted("A");
  EXPECT_EQ(wave.noted("B"), order::compare);
  EXPECT_EQ(wave.quiet("A"), order::none);  // arrives before A's answer to the comparison
  EXPECT_EQ(wave.compared("A", false, false, 0), order::none);
  EXPECT_EQ(wave.compared("B", true, true, 10), order::note);
  wave.noted("A");
  EXPECT_EQ(wave.noted("B"), order::compare);
  wave.compared("A", true, true, 11);
  EXPECT_EQ(wave.compared("B", true, true, 10), order::ask);
  EXPECT_EQ(wave.answered("B"), order::none);
  EXPECT_EQ(wave.answered("A"), order::note);
  wave.noted("A");
  EXPECT_EQ(wave.noted("B"), order::compare);
  wave.compared("A", true, true, 12);  // A's head has sent an item
  EXPECT_EQ(wave.compared("B", true, true, 10), order::ask);
  wave.answered("A");
  EXPECT_EQ(wave.answered("B"), order::note);
  wave.noted("A");
  EXPECT_EQ(wave.noted("B"), order::compare);
  wave.compared("B", true, true, 10);
  EXPECT_EQ(wave.compared("A", true, true, 12), order::close);
}

TEST(loop_wave, refuses_answers_to_what_was_not_asked) {
  using weir::cluster::protocol_error;
  weir::cluster::loop_wave wave({"A", "B"});
  EXPECT_THROW(wave.noted("A"), protocol_error);
  EXPECT_THROW(wave.compared("A", true, true, 1), protocol_error);
  wave.quiet("A");
  wave.quiet("B");
  EXPECT_THROW(wave.answered("A"), protocol_error);
  wave.noted("A");
  EXPECT_THROW(wave.noted("A"), protocol_error);
  EXPECT_THROW(wave.noted("C"), protocol_error);
}

}  // namespace
