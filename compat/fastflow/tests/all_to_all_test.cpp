// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// All-to-alls, and nodes that are combined.

#include "nodes.hpp"

#include <gtest/gtest.h>

using namespace ff;
using namespace ff_test;

// Sends some numbers to each consumer in turn.
struct deals : ff_monode_t<long> {
  long* svc(long*) override {
    for (int i = 0; i != 90; ++i) ff_send_out_to(new long(i), i % static_cast<int>(get_num_outchannels()));
    return EOS;
  }
};

TEST(all_to_alls, connect_each_to_each) {
  std::vector<deals*> first{new deals, new deals};
  std::vector<sum_all*> second{new sum_all, new sum_all, new sum_all};
  ff_a2a both;
  EXPECT_EQ(both.add_firstset(first, 0, true), 0);
  EXPECT_EQ(both.add_secondset(second, true), 0);
  EXPECT_EQ(both.run_and_wait_end(), 0);
  long sum = 0;
  for (std::size_t i = 0; i != 3; ++i) {
    EXPECT_EQ(second[i]->get_my_id(), static_cast<ssize_t>(i));
    EXPECT_EQ(second[i]->from, (std::vector<long>{30, 30}));
    EXPECT_EQ(second[i]->ended.size(), 2u);
    sum += second[i]->sum;
  }
  EXPECT_EQ(sum, 2 * sum_below(90));
  EXPECT_EQ(both.cardinality(), 5);
}

TEST(all_to_alls, take_plain_nodes) {
  std::vector<numbers*> first{new numbers(100), new numbers(100)};
  std::vector<sum_up*> second{new sum_up, new sum_up};
  ff_a2a both;
  both.add_firstset(first, 0, true);
  both.add_secondset(second, true);
  EXPECT_EQ(both.run_and_wait_end(), 0);
  for (sum_up* const each : second) {
    EXPECT_EQ(each->count, 100);
    EXPECT_EQ(each->ends, 1);
    EXPECT_EQ(each->last_end, -1);
  }
}

TEST(all_to_alls, are_stages_of_pipelines) {
  struct spreads : ff_monode_t<long> {
    long* svc(long* task) override { return task; }
  };
  struct gathers : ff_minode_t<long> {
    long* svc(long* task) override { return task; }
  };
  numbers source(900);
  spreads spread;
  ff_a2a both;
  both.add_firstset(std::vector<ff_node*>{new increment, new increment}, 0, true);
  both.add_secondset(std::vector<ff_node*>{new gathers, new gathers, new gathers}, true);
  sum_all sink;
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &spread, &both, &sink}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 900);
  EXPECT_EQ(sink.sum, sum_below(900) + 900);
  EXPECT_EQ(sink.from, (std::vector<long>{300, 300, 300}));
}

TEST(all_to_alls, gather_a_task_of_each_input) {
  struct gathers : ff_minode_t<long> {
    long* svc(long* task) override {
      std::vector<long*> all(get_num_inchannels());
      all_gather(task, all.data());
      for (const long* const each : all) {
        ASSERT_each(each);
        delete each;
      }
      ++rounds;
      return GO_ON;
    }
    void ASSERT_each(const long* each) {
      ASSERT_NE(each, nullptr);
      EXPECT_EQ(*each, rounds);
    }
    long rounds = 0;
  };
  std::vector<numbers*> first{new numbers(100), new numbers(100), new numbers(100)};
  std::vector<gathers*> second{new gathers};
  ff_a2a both;
  both.add_firstset(first, 0, true);
  both.add_secondset(second, true);
  EXPECT_EQ(both.run_and_wait_end(), 0);
  EXPECT_EQ(second.front()->rounds, 100);
}

TEST(misuse, sets_that_are_added_twice) {
  ff_a2a both;
  EXPECT_EQ(both.add_firstset(std::vector<ff_node*>{new increment}, 0, true), 0);
  ff_node* const other = new increment;
  testing::internal::CaptureStderr();
  EXPECT_EQ(both.add_firstset(std::vector<ff_node*>{other}, 0, true), -1);
  EXPECT_EQ(both.add_secondset(std::vector<ff_node*>{}), -1);
  EXPECT_EQ(both.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("only once"), std::string::npos);
  delete other;
}

TEST(misuse, a_consumer_that_is_not_there) {
  struct wrong : ff_monode_t<long> {
    long* svc(long*) override {
      static long task = 0;
      ff_send_out_to(&task, 7);
      return EOS;
    }
  };
  ff_a2a both;
  both.add_firstset(std::vector<ff_node*>{new wrong}, 0, true);
  both.add_secondset(std::vector<ff_node*>{new sum_all, new sum_all}, true);
  testing::internal::CaptureStderr();
  EXPECT_EQ(both.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("consumer 7, but has 2"), std::string::npos);
}

// ---- combinations ----

TEST(combinations, run_nodes_one_after_the_other) {
  numbers source(1000);
  sum_up sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(combine_nodes(combine_nodes(increment(), increment()), increment()));
  pipe.add_stage(&sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(1000) + 3000);
  EXPECT_EQ(sink.ends, 1);
  EXPECT_EQ(pipe.cardinality(), 3);
}

TEST(combinations, begin_and_end_in_order) {
  struct told : increment {
    told(std::string& all, char own) : to(all), name(own) {}
    int svc_init() override { return to += name, 0; }
    void svc_end() override { to += name; }
    void eosnotify(ssize_t) override { to += name; }
    std::string& to;
    char name;
  };
  std::string said;
  numbers source(3);
  told a(said, 'a');
  told b(said, 'b');
  ff_comb both(&a, &b);
  sum_up sink;
  ff_Pipe<> pipe(source, both, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(said, "ababab");
  EXPECT_EQ(sink.sum, sum_below(3) + 6);
}

TEST(combinations, end_with_the_first_node) {
  numbers source(1'000'000);
  struct ends_at_ten : ff_node_t<long> {
    long* svc(long* task) override {
      if (*task < 10) return task;
      delete task;
      return EOS;
    }
  } first;
  sum_up last;
  ff_comb both(&source, &first);
  ff_comb all(&both, &last);
  ff_pipeline pipe;
  pipe.add_stage(&all);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(last.count, 10);
  EXPECT_EQ(last.ends, 1);
}

TEST(combinations, of_several_inputs_and_outputs) {
  struct takes : ff_minode_t<long> {
    long* svc(long* task) override {
      EXPECT_EQ(get_num_inchannels(), 2u);
      ++from[static_cast<std::size_t>(get_channel_id())];
      return task;
    }
    std::vector<long> from = std::vector<long>(2);
  };
  struct sends : ff_monode_t<long> {
    long* svc(long* task) override { return ff_send_out_to(task, static_cast<int>(*task % 3)), GO_ON; }
  };
  std::vector<deals*> left{new deals, new deals};
  takes* const input = new takes;
  ff_a2a first;
  first.add_firstset(left, 0, true);
  first.add_secondset(std::vector<ff_node*>{new ff_comb(input, new sends, true, true)}, true);
  ff_a2a second;
  std::vector<sum_all*> right{new sum_all, new sum_all, new sum_all};
  second.add_firstset(std::vector<ff_node*>{new increment, new increment, new increment}, 0, true);
  second.add_secondset(right, true);
  ff_pipeline pipe;
  pipe.add_stage(&first);
  pipe.add_stage(&second);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(input->from, (std::vector<long>{90, 90}));
  EXPECT_EQ(right[0]->sum + right[1]->sum + right[2]->sum, 2 * sum_below(90) + 180);
}

// The second input gets its first task after 100 000 of the first one.
TEST(all_to_alls, gather_tasks_that_come_one_input_after_the_other) {
  struct deals_late : ff_monode_t<long> {
    long* svc(long*) override {
      for (int to = 0; to != 2; ++to) {
        for (int i = 0; i != 100'000; ++i) ff_send_out_to(reinterpret_cast<long*>(1L), to);
      }
      return EOS;
    }
  } source;
  struct gathers : ff_minode_t<long> {
    long* svc(long* task) override {
      long* all[2];
      all_gather(task, all);
      rounds += all[0] != nullptr && all[1] != nullptr ? 1 : 0;
      return GO_ON;
    }
    long rounds = 0;
  } sink;
  struct passes : ff_node_t<long> {
    long* svc(long* task) override { return task; }
  };
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers(raw<passes>(2));
  farm.cleanup_workers();
  farm.add_collector(&sink);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.rounds, 100'000);
}

TEST(combinations, keep_nodes_that_are_variables) {
  numbers source(10);
  increment one;
  sum_up sink;
  ff_comb both(one, sink);
  ff_Pipe<> pipe(source, both);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(10) + 10);
  numbers again(10);
  const auto all = unique_combine_nodes(again, one);
  sum_up other;
  ff_Pipe<> next(*all, combine_nodes(increment(), other));
  EXPECT_EQ(next.run_and_wait_end(), 0);
  EXPECT_EQ(other.sum, sum_below(10) + 20);
}

TEST(misuse, a_combination_of_a_farm) {
  ff_farm farm(raw<increment>(2));
  farm.cleanup_workers();
  numbers source(1);
  ff_comb both(&source, &farm);
  ff_pipeline pipe;
  pipe.add_stage(&both);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("can't be combined"), std::string::npos);
}

TEST(all_to_alls, may_be_changed) {
  struct counted : increment {
    explicit counted(int& of) : alive(of) { ++alive; }
    ~counted() override { --alive; }
    int& alive;
  };
  int alive = 0;
  {
    ff_a2a both;
    std::vector<ff_node*> old{new counted(alive)};
    both.add_firstset(std::vector<ff_node*>{new numbers(10)}, 0, true);
    both.add_secondset(old, true);
    ff_comb* const wrapped = new ff_comb(old.front(), new sum_up, true, true);
    both.change_secondset(std::vector<ff_node*>{wrapped}, true, true);
    EXPECT_EQ(both.run_and_wait_end(), 0);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(broadcasts, of_null_are_errors) {
  struct broadcasts_null : ff_monode_t<long> {
    long* svc(long*) override {
      broadcast_task(nullptr);
      return EOS;
    }
  } source;
  sum_all one;
  sum_all other;
  ff_a2a both;
  both.add_firstset<broadcasts_null>({&source});
  both.add_secondset<sum_all>({&one, &other});
  EXPECT_EQ(both.run_and_wait_end(), -1);
}
