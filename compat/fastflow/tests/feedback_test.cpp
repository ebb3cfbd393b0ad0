// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Tasks that come back.

#include "nodes.hpp"

#include <gtest/gtest.h>

using namespace ff;
using namespace ff_test;

// Sends `count` tasks when it begins, and ends when it has got each back.
struct master : ff_node_t<long> {
  explicit master(long how_many) : count(how_many) {}
  long* svc(long* task) override {
    if (task == nullptr) {
      for (long i = 0; i != count; ++i) ff_send_out(new long(i));
      return GO_ON;
    }
    delete task;
    return ++back == count ? EOS : GO_ON;
  }
  long count;
  long back = 0;
};

TEST(feedback, of_workers_to_the_emitter) {
  master emitter(10'000);
  ff_farm farm(raw<increment>(4), &emitter);
  farm.cleanup_workers();
  farm.remove_collector();
  EXPECT_EQ(farm.wrap_around(), 0);
  for (int round = 0; round != 2; ++round) {
    emitter.back = 0;
    EXPECT_EQ(farm.run_and_wait_end(), 0);
    EXPECT_EQ(emitter.back, 10'000);
  }
}

TEST(feedback, of_the_collector_to_the_emitter) {
  master emitter(1000);
  increment collector;
  ff_farm farm(raw<increment>(3), &emitter, &collector);
  farm.cleanup_workers();
  EXPECT_EQ(farm.wrap_around(), 0);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(emitter.back, 1000);
  EXPECT_EQ(collector.seen, 1000);
}

// The emitter gets tasks from the stage before the farm, and tells them from those that come back.
TEST(feedback, beside_an_input) {
  struct emitter : ff_monode_t<long> {
    explicit emitter(ff_loadbalancer* of_farm) : lb(of_farm) {}
    long* svc(long* task) override {
      if (lb->get_channel_id() == -1) {
        ++given;
        return task;
      }
      ++back;
      delete task;
      return ended && back == given ? EOS : GO_ON;
    }
    void eosnotify(ssize_t) override {
      ended = true;
      if (back == given) broadcast_task(EOS);
    }
    ff_loadbalancer* lb;
    long given = 0;
    long back = 0;
    bool ended = false;
  };
  numbers source(5000);
  ff_farm farm;
  emitter sends(farm.getlb());
  farm.add_emitter(&sends);
  farm.add_workers(raw<increment>(3));
  farm.cleanup_workers();
  farm.wrap_around();
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&farm);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sends.given, 5000);
  EXPECT_EQ(sends.back, 5000);
}

TEST(feedback, of_a_pipeline) {
  struct first : ff_node_t<long> {
    long* svc(long* task) override {
      if (task == nullptr) {
        for (long i = 0; i != 100; ++i) ff_send_out(new long(0));
        return GO_ON;
      }
      ++rounds;
      if (*task < 10) return task;
      delete task;
      return --left == 0 ? EOS : GO_ON;
    }
    long left = 100;
    long rounds = 0;
  } head;
  increment tail;
  ff_pipeline pipe;
  pipe.add_stage(&head);
  pipe.add_stage(&tail);
  EXPECT_EQ(pipe.wrap_around(), 0);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(head.rounds, 1000);
}

// Feedback channels have the first numbers, and `ff_send_out` uses no others.
TEST(feedback, beside_an_output) {
  struct first : ff_minode_t<long> {
    long* svc(long* task) override {
      EXPECT_EQ(get_channel_id(), 0);
      if (fromInput()) return ++given, task;
      ++back;
      delete task;
      return ended && back == given ? EOS : GO_ON;
    }
    void eosnotify(ssize_t) override {
      ended = true;
      if (back == given) ff_send_out(EOS);
    }
    long given = 0;
    long back = 0;
    bool ended = false;
  } head;
  struct last : ff_monode_t<long> {
    long* svc(long* task) override {
      EXPECT_EQ(get_num_feedbackchannels(), 1u);
      EXPECT_EQ(get_num_outchannels(), 2u);
      ff_send_out_to(new long(*task), 1);
      return task;
    }
  } tail;
  numbers source(500);
  sum_up sink;
  ff_pipeline loop;
  loop.add_stage(&head);
  loop.add_stage(&tail);
  loop.wrap_around();
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &loop, &sink}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(head.back, 500);
  EXPECT_EQ(sink.count, 500);
}

TEST(feedback, of_an_all_to_all) {
  struct left : ff_monode_t<long> {
    long* svc(long* task) override {
      if (task == nullptr) {
        for (int i = 0; i != 20; ++i) ff_send_out_to(new long(get_my_id()), i % 3);
        return GO_ON;
      }
      EXPECT_EQ(*task, get_my_id());
      delete task;
      return ++back == 20 ? EOS : GO_ON;
    }
    long back = 0;
  };
  struct takes : ff_minode_t<long> {
    long* svc(long* task) override { return task; }
  };
  struct sends : ff_monode_t<long> {
    long* svc(long* task) override { return ff_send_out_to(task, static_cast<int>(*task)), GO_ON; }
  };
  std::vector<left*> first{new left, new left};
  std::vector<ff_node*> second;
  for (int i = 0; i != 3; ++i) second.push_back(new ff_comb(new takes, new sends, true, true));
  ff_a2a both;
  both.add_firstset(first, 0, true);
  both.add_secondset(second, true);
  both.wrap_around();
  EXPECT_EQ(both.run_and_wait_end(), 0);
  for (left* const each : first) EXPECT_EQ(each->back, 20);
}

// FastFlow would wait for ever.
TEST(misuse, a_loop_that_nobody_ends) {
  struct waits : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      return GO_ON;
    }
  } emitter;
  ff_farm farm(raw<increment>(2), &emitter);
  farm.cleanup_workers();
  farm.remove_collector();
  farm.wrap_around();
  testing::internal::CaptureStderr();
  EXPECT_EQ(farm.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("wait"), std::string::npos);
}

// An emitter that is an ff_monode knows the farm's input by -1, and its workers by their numbers.
TEST(feedback, is_told_from_the_input_by_an_emitter) {
  struct emitter : ff_monode_t<long> {
    long* svc(long* task) override {
      if (get_channel_id() == -1) return ++given, task;
      ++back[static_cast<std::size_t>(get_channel_id())];
      delete task;
      return ended && back[0] + back[1] == given ? EOS : GO_ON;
    }
    void eosnotify(ssize_t input) override {
      if (input != -1) return;
      ended = true;
      if (back[0] + back[1] == given) broadcast_task(EOS);
    }
    long given = 0;
    std::vector<long> back = std::vector<long>(2);
    bool ended = false;
  } sends;
  numbers source(100);
  ff_farm farm;
  farm.add_emitter(&sends);
  farm.add_workers(raw<increment>(2));
  farm.cleanup_workers();
  farm.wrap_around();
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&farm);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sends.back, (std::vector<long>{50, 50}));
}

// wrap_around before the collector is there: the workers send to the emitter and to the collector.
TEST(feedback, of_workers_that_have_a_collector_too) {
  struct worker : ff_monode_t<long> {
    long* svc(long* task) override {
      EXPECT_EQ(get_num_outchannels(), 2u);
      ff_send_out_to(new long(*task), 1);
      return task;
    }
  };
  master emitter(100);
  sum_all collector;
  ff_farm farm;
  farm.add_emitter(&emitter);
  farm.add_workers(raw<worker>(3));
  farm.cleanup_workers();
  farm.wrap_around();
  farm.add_collector(&collector);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(emitter.back, 100);
  EXPECT_EQ(collector.sum, sum_below(100));
}

// The emitter takes one task from outside, and no further one until the task has come back.
TEST(inputs, that_are_not_active_give_no_task) {
  struct one_at_a_time : ff_monode_t<long> {
    long* svc(long* task) override {
      if (task == nullptr) return GO_ON;  // nothing else to do
      if (farm->getlb()->get_channel_id() == -1) {
        most = std::max(most, ++outside);
        input_active(false);
        return task;
      }
      --outside;
      sum += *task;
      delete task;
      input_active(true);
      return GO_ON;
    }
    void eosnotify(ssize_t input) override {
      if (input == -1) broadcast_task(EOS);
    }
    ff_farm* farm = nullptr;
    long outside = 0;
    long most = 0;
    long sum = 0;
  } emitter;
  numbers source(1000);
  increment one;
  increment other;
  ff_farm farm;
  emitter.farm = &farm;
  farm.add_emitter(&emitter);
  farm.add_workers({&one, &other});
  farm.wrap_around();
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&farm);
  ASSERT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(emitter.most, 1);
  EXPECT_EQ(emitter.sum, sum_below(1000) + 1000);
}
