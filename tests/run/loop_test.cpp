// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Loops: the items that go round, and how loops end.

#include "counted.hpp"
#include "nestings.hpp"
#include "networks.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace {

using namespace weir_test;
class loops : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(loops);

struct job {
  long id;
  long rounds;  // number of rounds still to go
};
struct result {
  long id;
  long rounds;
};

// Sends each task round as often as its number says, and answers with its number.
struct counting_master {
  void process(long task, weir::outlet<job>& jobs, weir::outlet<long>& answers) {
    if (task == 0) {
      answers.send(0);
    } else {
      jobs.send({task, task % 17});
    }
  }
  void returned(result r, weir::outlet<job>& jobs, weir::outlet<long>& answers) {
    if (r.rounds <= 0) {
      answers.send(r.id);
    } else {
      jobs.send({r.id, r.rounds});
    }
  }
};

auto once_round() {
  return weir::node([](job j) { return result{j.id, j.rounds - 1}; });
}

void expect_each_once(std::vector<long> seen, long count) {
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
  std::sort(seen.begin(), seen.end());
  for (long i = 0; i != count; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST_P(loops, a_master_and_its_workers) {
  for (const std::size_t width : {std::size_t{1}, std::size_t{4}}) {
    for (const long count : {0L, 1L, 2L, 5000L}) {
      std::vector<long> seen;
      run(numbers(count) | weir::feedback(counting_master{}, weir::farm(once_round(), width)) | into(seen));
      expect_each_once(std::move(seen), count);
    }
  }
}

TEST_P(loops, workers_of_every_nesting) {
  for (const auto& [name, block] : nestings()) {
    SCOPED_TRACE(name);
    struct master {
      void process(long task, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(task * 1000); }
      void returned(long result, weir::outlet<long>& jobs, weir::outlet<long>& answers) {
        if (result % 1000 == 3 * (result / 1000 % 7 + 1)) {
          answers.send(result / 1000);
        } else {
          jobs.send(result);
        }
      }
    };
    std::vector<long> seen;
    run(numbers(200) | weir::feedback(master{}, block) | into(seen));
    expect_each_once(std::move(seen), 200);
  }
}

TEST_P(loops, items_that_multiply_and_vanish) {
  // A tree: each node of depth d has three children, of which a filter lets two live.
  struct grow {
    void process(long depth, weir::outlet<long>& leaves, weir::outlet<long>& back) {
      if (depth == 0) {
        leaves.send(1);
        return;
      }
      for (int i = 0; i != 3; ++i) back.send((depth - 1) * 3 + i);
    }
  };
  const auto keep_two = weir::node([](long item) -> std::optional<long> {
    if (item % 3 == 2) return std::nullopt;
    return item / 3;
  });
  std::vector<long> seen;
  const auto body =
      weir::farm(weir::node(grow{}), 3) | weir::split(weir::node([](long leaf) { return leaf; }), keep_two);
  run(numbers(3) | weir::node([](long) { return 12L; }) | weir::feedback(body) | into(seen));
  EXPECT_EQ(seen.size(), 3U * 4096);
}

TEST_P(loops, items_that_all_vanish) {
  std::vector<long> seen;
  run(numbers(1000) |
      weir::feedback(weir::farm(
          [](long item, weir::outlet<long>& out, weir::outlet<long>& back) {
            if (item < 0) out.send(item);
            if (item % 2 == 1) back.send(item - 1);
          },
          3)) |
      into(seen));
  EXPECT_TRUE(seen.empty());
}

TEST_P(loops, a_random_number_of_rounds) {
  struct wanderer {
    std::mt19937 random{42};
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& back) {
      if (random() % 8 == 0) {
        out.send(item);
      } else {
        back.send(item);
      }
    }
  };
  std::vector<long> seen;
  run(numbers(20'000) | weir::feedback(weir::farm(wanderer{}, 4)) | into(seen));
  expect_each_once(std::move(seen), 20'000);
}

TEST_P(loops, from_the_right_set_of_an_all_to_all_to_the_left) {
  const auto left = weir::set(add(1), add(1));
  const auto right = weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& back) {
    if (item % 10 == 9) {
      out.send(item / 10);
    } else {
      back.send(item);
    }
  });
  std::vector<long> seen;
  run(numbers(2000) | weir::node([](long item) { return item * 10; }) |
      weir::feedback(left | weir::farm(right, 3).by_key([](const long& item) { return item / 10; })) | into(seen));
  expect_each_once(std::move(seen), 2000);
}

TEST_P(loops, nothing_leaves) {
  std::atomic<long> rounds{0};
  run(numbers(100) | weir::feedback(weir::node([&](long item) -> std::optional<long> {
        ++rounds;
        if (item == 0) return std::nullopt;
        return item - 1;
      })));
  EXPECT_EQ(rounds.load(), 100 * 101 / 2);
}

TEST_P(loops, in_loops) {
  // The inner loop adds 7 one by one, the outer one does so three times.
  struct inner {
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item * 8); }
    void returned(long item, weir::outlet<long>& jobs, weir::outlet<long>& answers) {
      if (item % 8 == 7) {
        answers.send(item / 8);
      } else {
        jobs.send(item);
      }
    }
  };
  struct outer {
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item * 4); }
    void returned(long item, weir::outlet<long>& jobs, weir::outlet<long>& answers) {
      if (item % 4 == 2) {
        answers.send(item / 4);
      } else {
        jobs.send(item + 1);
      }
    }
  };
  std::vector<long> seen;
  run(numbers(1000) | weir::feedback(outer{}, weir::farm(weir::feedback(inner{}, weir::farm(add(1), 2)), 2)) |
      into(seen));
  expect_each_once(std::move(seen), 1000);
}

TEST_P(loops, that_share_their_head) {
  // Items go round the inner loop until they are even, and round the outer one until they are a
  // multiple of four.
  const auto body =
      weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& outer, weir::outlet<long>& inner) {
        if (item % 2 == 1) {
          inner.send(item + 1);
        } else if (item % 4 == 2) {
          outer.send(item + 1);
        } else {
          out.send(item);
        }
      });
  std::vector<long> seen;
  run(numbers(1000) | weir::feedback(weir::feedback(body)) | into(seen));
  ASSERT_EQ(seen.size(), 1000U);
  for (const long item : seen) ASSERT_EQ(item % 4, 0);
}

TEST_P(loops, in_farms) {
  std::vector<long> seen;
  run(numbers(3000) | weir::farm(weir::feedback(counting_master{}, weir::farm(once_round(), 2)), 3) | into(seen));
  expect_each_once(std::move(seen), 3000);
}

TEST_P(loops, around_an_ordered_farm) {
  std::vector<long> seen;
  struct master {
    long due = 0;
    void process(long task, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(task); }
    void returned(long result, weir::outlet<long>&, weir::outlet<long>& answers) {
      if (result != due++) throw std::logic_error("out of order");
      answers.send(result);
    }
  };
  run(numbers(5000) | weir::feedback(master{}, weir::farm(add(0), 3).ordered()) | into(seen));
  expect_each_once(std::move(seen), 5000);
}

// `quiet` comes when everything sent before has been answered, and may start another round.
TEST_P(loops, quiet_may_start_another_round) {
  struct master {
    std::vector<int>* quiets;
    int open = 0;
    int rounds = 0;
    void process(long task, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(task), ++open; }
    void returned(long result, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(result), --open; }
    void quiet(weir::outlet<long>& jobs, weir::outlet<long>&) {
      quiets->push_back(open);
      if (++rounds <= 3) {
        for (long i = 0; i != 100; ++i) jobs.send(i), ++open;
      }
    }
    void finish(weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(-1); }
  };
  std::vector<int> quiets;
  std::vector<long> seen;
  run(numbers(1000) | weir::feedback(master{&quiets}, weir::farm(add(1), 4).on_demand()) | into(seen));
  EXPECT_EQ(quiets, std::vector<int>(4, 0));
  EXPECT_EQ(seen.size(), 1000U + 300 + 1);
  EXPECT_EQ(seen.back(), -1);
}

TEST_P(loops, quiet_of_several_heads) {
  struct worker {
    int quiets = 0;
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& back) {
      if (item == 0) {
        out.send(0);
      } else {
        back.send(item - 1);
      }
    }
    void quiet(weir::outlet<long>&, weir::outlet<long>& back) {
      if (++quiets == 1) back.send(5);
    }
  };
  std::vector<long> seen;
  run(numbers(10) | weir::feedback(weir::farm(worker{}, 3)) | into(seen));
  EXPECT_EQ(seen.size(), 13U);
}

// The upstream sends each item only when all earlier items have left the loop, and ends after the
// last one has left it.
TEST_P(loops, an_upstream_that_ends_last) {
  std::atomic<long> answered{0};
  long sent = 0;
  run(weir::source([&]() -> std::optional<long> {
        while (answered.load() != sent) {
          answered.wait(answered.load() == sent ? -1 : answered.load());
        }
        if (sent == 50) return std::nullopt;
        return sent++;
      }).on_own_thread() |
      weir::feedback(counting_master{}, weir::farm(once_round(), 2)) | weir::sink([&](long) {
        ++answered;
        answered.notify_all();
      }));
  EXPECT_EQ(answered.load(), 50);
}

TEST_P(loops, finish_runs_from_the_head_onwards) {
  std::vector<std::string> order;
  std::mutex mutex;
  const auto note = [&](const char* what) {
    const std::lock_guard lock(mutex);
    order.emplace_back(what);
  };
  struct head {
    decltype(note)* say;
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
    void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
    void finish(weir::outlet<long>& jobs, weir::outlet<long>&) {
      (*say)("master");
      jobs.send(-1);
    }
  };
  struct worker {
    decltype(note)* say;
    long last = 0;
    std::optional<long> process(long item) {
      last = item;
      if (item < 0) return std::nullopt;
      return item;
    }
    void finish() { (*say)(last == -1 ? "worker, told" : "worker"); }
  };
  std::vector<long> seen;
  run(numbers(10) | weir::feedback(head{&note}, weir::node(worker{&note})) | into(seen));
  EXPECT_EQ(order, (std::vector<std::string>{"master", "worker, told"}));
  expect_each_once(std::move(seen), 10);
}

TEST_P(loops, sending_into_one_that_has_ended_is_an_error) {
  struct worker {
    void process(long item, weir::outlet<long>& out) { out.send(item); }
    void finish(weir::outlet<long>& out) { out.send(1); }
  };
  struct head {
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
    void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
  };
  std::vector<long> seen;
  try {
    run(numbers(10) | weir::feedback(head{}, weir::node(worker{}).named("work")).named("search") | into(seen));
    FAIL() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "/search/work: sends into the loop /search after it has ended; send from process or quiet, not from finish");
  }
}

TEST_P(loops, the_byte_limit_names_the_loop) {
  std::vector<long> seen;
  try {
    run(numbers(1) |
        weir::feedback(weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& back) {
                         if (item < 0) out.send(item);
                         back.send(item);
                         back.send(item);
                       }),
                       {.byte_limit = 100'000})
            .named("breed") |
        into(seen));
    FAIL() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "/breed/node1: what waits in the loop /breed is more than its 100000 bytes; let fewer items come back, "
              "or raise "
              "loop_options::byte_limit");
  }
}

TEST_P(loops, an_exception_or_a_cancellation_ends_them) {
  std::vector<long> seen;
  EXPECT_THROW(run(numbers(200) |
                   weir::feedback(weir::farm(
                       [](long item, weir::outlet<long>&, weir::outlet<long>& back) {
                         if (item == 300) throw std::runtime_error("enough");
                         back.send(item + 1);
                       },
                       3)) |
                   into(seen)),
               weir::node_error);
  census::reset();
  {
    std::atomic<long> rounds{0};
    weir::network net = weir::source([]() -> std::optional<counted> { return counted(1); }) |
                        weir::feedback(weir::farm(
                            [&](counted item, weir::outlet<counted>& out, weir::outlet<counted>& back) {
                              ++rounds;
                              rounds.notify_all();
                              if (item.value() < 0)
                                out.send(std::move(item));
                              else
                                back.send(std::move(item));
                            },
                            2)) |
                        weir::sink([](counted) {});
    weir::running running = weir::start(net, GetParam().options);
    while (rounds.load() < 1000) rounds.wait(rounds.load());
    running.cancel();
    running.wait();
  }
  EXPECT_EQ(census::alive.load(), 0);
}

TEST_P(loops, a_sink_that_ends_early_ends_them) {
  run(weir::source([next = 0L]() mutable -> std::optional<long> { return next++; }) |
      weir::feedback(counting_master{}, weir::farm(once_round(), 2)) | weir::sink([](long item) {
        if (item == 500) throw weir::stopped{};
      }));
}

// The source that ends last has sent to the head that ended early.
TEST_P(loops, a_head_that_ends_early_beside_one_that_waits) {
  std::atomic<int> sources{0};
  std::atomic<bool> gone{false};
  struct late {
    std::atomic<int>* sources;
    std::atomic<bool>* gone;
    int number = -1;
    bool sent = false;
    std::optional<long> next() {
      if (number < 0) number = (*sources)++;
      if (number == 1 || sent) {
        if (sent) gone->wait(false);
        return std::nullopt;
      }
      sent = true;
      return 1;
    }
  };
  struct head {
    std::atomic<bool>* gone;
    void process(long, weir::outlet<long>&, weir::outlet<long>&) {
      *gone = true;
      gone->notify_all();
      throw weir::stopped{};
    }
  };
  run(weir::farm(weir::source(late{&sources, &gone}), 2).on_own_thread() |
      weir::feedback(weir::farm(weir::node(head{&gone}), 2).one_to_one()) | weir::sink([](long) {}));
}

TEST_P(loops, quiet_reaches_loops_that_share_their_head) {
  struct node {
    int quiets = 0;
    void process(long item, weir::outlet<long>& out, weir::outlet<long>& outer, weir::outlet<long>& inner) {
      (item == 1 ? inner : item == 2 ? outer : out).send(item == 1 ? 2 : 0);
    }
    void quiet(weir::outlet<long>&, weir::outlet<long>& outer, weir::outlet<long>& inner) {
      if (++quiets == 1) inner.send(2);
      if (quiets == 2) outer.send(1);
    }
  };
  std::vector<long> seen;
  run(numbers(3) | weir::feedback(weir::feedback(weir::node(node{}))) | into(seen));
  EXPECT_EQ(seen.size(), 5U);
}

TEST_P(loops, run_again) {
  std::vector<long> seen;
  weir::network net = weir::source([next = 0L]() mutable -> std::optional<long> {
                        if (next == 100) {
                          next = 0;
                          return std::nullopt;
                        }
                        return next++;
                      }) |
                      weir::feedback(counting_master{}, weir::farm(once_round(), 2)) | into(seen);
  for (std::size_t times = 1; times != 20; ++times) {
    run(net);
    ASSERT_EQ(seen.size(), 100 * times);
  }
}

TEST_P(loops, what_comes_back_is_told_apart) {
  std::vector<long> seen;
  run(numbers(100) |
      weir::feedback(weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& back, weir::context& where) {
        if (where.from_loop()) {
          out.send(item);
        } else {
          back.send(item);
        }
      })) |
      into(seen));
  expect_each_once(std::move(seen), 100);
}

TEST_P(loops, quiet_of_a_node_with_one_outlet) {
  struct worker {
    int rounds = 0;
    std::atomic<long>* seen;
    void process(long, weir::outlet<long>&) { ++*seen; }
    void quiet(weir::outlet<long>& back) {
      if (++rounds <= 3) back.send(rounds);
    }
  };
  std::atomic<long> seen{0};
  run(numbers(10) | weir::feedback(weir::node(worker{0, &seen})));
  EXPECT_EQ(seen.load(), 13);
}

TEST(loop_errors, inside_an_ordered_block) {
  std::vector<long> seen;
  try {
    weir::run(numbers(1) |
              weir::farm(weir::feedback(counting_master{}, once_round()).named("search"), 2).ordered().named("all") |
              into(seen));
    FAIL() << "nothing was thrown";
  } catch (const weir::graph_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "/all[0]/search: is a loop inside an ordered block, and what it sends has no order; say ordered() of "
              "blocks inside "
              "the loop, or not at all");
  }
}

TEST(loop_errors, leaving_an_ordered_block) {
  std::vector<long> seen;
  try {
    weir::run(
        numbers(1) |
        weir::feedback(
            weir::farm(weir::node([](long, weir::outlet<long>&, weir::outlet<long>&) {}), 2).ordered().named("all")) |
        into(seen));
    FAIL() << "nothing was thrown";
  } catch (const weir::graph_error& error) {
    EXPECT_EQ(error.path(), "/feedback2/all[0]");
  }
}

// Waits in vain for `quiet` if it is no head of a loop.
struct asked_in_vain {
  long process(long item) { return item; }
  void quiet(weir::outlet<long>& out) { out.send(1); }
};

TEST(loop_errors, quiet_where_nothing_comes_back) {
  const auto refused = [](const auto& middle) -> std::string {
    try {
      weir::run(numbers(1) | middle | weir::sink([](long) {}));
    } catch (const weir::graph_error& error) {
      return error.what();
    }
    return "";
  };
  const std::string why =
      ": has quiet, but takes no items that come back in a loop, so that nothing calls it; use finish, or a class "
      "without quiet";
  const auto same = [](long item) { return item; };
  EXPECT_EQ(refused(weir::node(asked_in_vain{}).named("work")), "/work" + why);
  EXPECT_EQ(refused(weir::farm(weir::fuse(same, asked_in_vain{}), 2).named("work")), "/work[0]" + why);
  struct master {
    void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
    void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
  };
  EXPECT_EQ(refused(weir::feedback(master{}, weir::node(asked_in_vain{}).named("work")).named("loop")),
            "/loop/work" + why);
  EXPECT_EQ(refused(weir::fuse(same, same)), "");

  weir::network net = numbers(1) | weir::node(same).named("work") | weir::sink([](long) {});
  weir::run(net);
  net.replace("/work", asked_in_vain{});
  EXPECT_THROW(weir::run(net), weir::graph_error);
  net.replace("/work", same);
  weir::run(net);
}

}  // namespace
