// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that are frozen and thawed while the network runs, and manager channels.

#include "nodes.hpp"

#include <ff/buffernode.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

using namespace ff;
using ff_test::numbers;
using ff_test::raw;
using ff_test::sum_all;

namespace {

// Counts its runs and its tasks.
struct worker : ff_node_t<long> {
  int svc_init() override {
    ++begun;
    return 0;
  }
  long* svc(long* task) override {
    seen.push_back(*task);
    ++done;
    return task;
  }
  void eosnotify(ssize_t) override { ++notified; }
  void svc_end() override { ++ended; }

  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  std::atomic<int> done{0};
  int notified = 0;
  std::vector<long> seen;
};

worker& worker_of(const ff_farm& farm, std::size_t number) { return static_cast<worker&>(*farm.getWorkers()[number]); }

// An emitter that calls a function once, and ends.
struct once : ff_node {
  explicit once(std::function<void()> what) : f(std::move(what)) {}
  void* svc(void*) override {
    f();
    return EOS;
  }
  std::function<void()> f;
};

// A farm of workers without a collector.
struct farm_of : ff_farm {
  farm_of(std::size_t number, std::function<void(ff_loadbalancer&)> what) : emitter([this, what] { what(*getlb()); }) {
    add_workers(raw<worker>(number));
    add_emitter(&emitter);
    cleanup_workers();
  }
  once emitter;
};

TEST(rests, workers_are_frozen_and_thawed_again_and_again) {
  std::vector<int> done;
  std::vector<int> ended;
  farm_of farm(3, [&](ff_loadbalancer& lb) {
    lb.freezeWorkers();
    for (int round = 0; round != 20; ++round) {
      for (int i = 0; i != 3; ++i) lb.ff_send_out_to(new long(round), i);
      lb.broadcast_task(FF_GO_OUT);
      for (std::size_t i = 0; i != 3; ++i) {
        EXPECT_EQ(lb.wait_freezing(i), 0);
        done.push_back(worker_of(farm, i).done);
        ended.push_back(worker_of(farm, i).ended);
      }
      EXPECT_EQ(lb.thawWorkers(true, -1), 0);
    }
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  for (int i = 0; i != 60; ++i) {
    EXPECT_EQ(done[i], i / 3 + 1);
    EXPECT_EQ(ended[i], i / 3 + 1);
  }
  for (std::size_t i = 0; i != 3; ++i) {
    EXPECT_EQ(worker_of(farm, i).begun, 21);
    EXPECT_EQ(worker_of(farm, i).ended, 21);
    EXPECT_EQ(worker_of(farm, i).notified, 1);
  }
}

TEST(rests, tasks_wait_for_a_worker_that_rests) {
  int while_it_rests = -1;
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freeze(0);
    lb.ff_send_out_to(FF_GO_OUT, 0);
    for (long i = 0; i != 100; ++i) lb.ff_send_out_to(new long(i), 0);
    lb.wait_freezing(0);
    lb.ff_send_out_to(FF_GO_OUT, 1);  // this one ends, as it was not frozen
    lb.wait_freezing(1);
    while_it_rests = worker_of(farm, 0).done;
    lb.thaw(0, false);
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(while_it_rests, 0);
  ASSERT_EQ(worker_of(farm, 0).seen.size(), 100U);
  for (long i = 0; i != 100; ++i) EXPECT_EQ(worker_of(farm, 0).seen[i], i);
  EXPECT_EQ(worker_of(farm, 0).begun, 2);
  EXPECT_EQ(worker_of(farm, 1).begun, 1);
  EXPECT_EQ(worker_of(farm, 1).ended, 1);
}

TEST(rests, tasks_are_not_lost_if_nobody_thaws) {
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freezeWorkers();
    lb.broadcast_task(FF_GO_OUT);
    for (long i = 0; i != 10; ++i) lb.ff_send_out_to(new long(i), 0);
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(worker_of(farm, 0).done, 10);
  EXPECT_EQ(worker_of(farm, 0).begun, 2);
  EXPECT_EQ(worker_of(farm, 1).begun, 1);
  EXPECT_EQ(worker_of(farm, 1).ended, 1);
}

TEST(rests, a_thaw_may_come_before_the_rest_and_one_too_many_does_nothing) {
  farm_of farm(1, [&](ff_loadbalancer& lb) {
    lb.freeze(0);
    lb.thaw(0, true);
    for (int i = 0; i != 50; ++i) {
      lb.ff_send_out_to(new long(i), 0);
      lb.ff_send_out_to(FF_GO_OUT, 0);
      lb.thaw(0, true);
      lb.thaw(0, true);
    }
    lb.ff_send_out_to(FF_GO_OUT, 0);
    lb.wait_freezing(0);
    EXPECT_EQ(worker_of(farm, 0).ended, 51);
    lb.thaw(0, false);
    lb.ff_send_out_to(new long(50), 0);
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(worker_of(farm, 0).done, 51);
  EXPECT_EQ(worker_of(farm, 0).begun, 52);
}

TEST(rests, stop_makes_the_next_thaw_the_end) {
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freezeWorkers();
    lb.broadcast_task(FF_GO_OUT);
    lb.wait_freezingWorkers();
    lb.stop();
    lb.thawWorkers(false, -1);
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  for (std::size_t i = 0; i != 2; ++i) {
    EXPECT_EQ(worker_of(farm, i).begun, 1);
    EXPECT_EQ(worker_of(farm, i).ended, 1);
  }
}

TEST(rests, a_worker_that_rests_leaves_the_tasks_on_demand_to_others) {
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freeze(0);
    lb.ff_send_out_to(FF_GO_OUT, 0);
    lb.wait_freezing(0);
    for (long i = 0; i != 100; ++i) farm.emitter.ff_send_out(new long(i));
  });
  farm.set_scheduling_ondemand();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_LE(worker_of(farm, 0).done, 2);
  EXPECT_EQ(worker_of(farm, 0).done + worker_of(farm, 1).done, 100);
}

TEST(rests, words_that_go_nowhere_or_come_twice_do_no_harm) {
  bool is_sent = true;
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freezeWorkers();
    lb.ff_send_out_to(FF_GO_OUT, 1);
    lb.ff_send_out_to(FF_GO_OUT, 1);  // is still there when it rests
    EXPECT_EQ(lb.wait_freezing(1), 0);
    while (is_sent) is_sent = lb.ff_send_out_to(new long(1), 1, 1);
    EXPECT_FALSE(lb.ff_send_out_to(FF_GO_OUT, 1, 1));
    EXPECT_EQ(lb.wait_freezing(0), 0);  // it was not told to rest
    lb.thaw(1, true);
    EXPECT_EQ(lb.wait_freezing(1), 0);  // by the second word
    lb.thaw(1, true);
  });
  farm.set_scheduling_ondemand(3);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(worker_of(farm, 1).begun, 3);
  EXPECT_EQ(worker_of(farm, 1).ended, 3);
}

TEST(rests, words_without_a_number_make_workers_on_demand_rest) {
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freezeWorkers();
    for (int i = 0; i != 2; ++i) farm.emitter.ff_send_out(FF_GO_OUT);
    lb.wait_freezingWorkers();
    lb.thawWorkers(false);
    for (int i = 0; i != 2; ++i) lb.ff_send_out_to(new long(1), i);
  });
  farm.set_scheduling_ondemand();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  for (std::size_t i = 0; i != 2; ++i) {
    EXPECT_EQ(worker_of(farm, i).done, 1);
    EXPECT_EQ(worker_of(farm, i).begun, 2);
  }
}

TEST(rests, of_a_node_with_several_producers_wait_for_all) {
  struct left : ff_monode_t<long> {
    explicit left(bool does_wait) : waits(does_wait) {}
    long* svc(long*) override {
      ff_send_out_to(new long(1), 0);
      broadcast_task(EOSW);
      if (waits) getlb()->wait_freezing(0);
      ff_send_out_to(new long(1), 0);
      return EOS;
    }
    bool waits;
  };
  struct right : ff_minode_t<long> {
    int svc_init() override {
      ++begun;
      return 0;
    }
    long* svc(long* task) override {
      delete task;
      ++seen;
      return GO_ON;
    }
    int begun = 0;
    int seen = 0;
  };
  left one(true);
  left other(false);
  right sink;
  ff_a2a both;
  EXPECT_EQ(both.add_firstset(std::vector<ff_node*>{&one, &other}), 0);
  EXPECT_EQ(both.add_secondset(std::vector<ff_node*>{&sink}), 0);
  ff_pipeline pipe;
  pipe.add_stage(&both);
  EXPECT_EQ(pipe.run_then_freeze(), 0);
  EXPECT_EQ(pipe.wait_freezing(), 0);
  EXPECT_EQ(sink.seen, 4);
}

// A worker that rests uses no processor while tasks wait for it.
TEST(rests, are_quiet) {
  bool is_quiet = false;
  farm_of farm(2, [&](ff_loadbalancer& lb) {
    lb.freeze(0);
    lb.ff_send_out_to(FF_GO_OUT, 0);
    for (long i = 0; i != 10; ++i) lb.ff_send_out_to(new long(i), 0);
    lb.wait_freezing(0);
    for (int i = 0; i != 200 && !is_quiet; ++i) {
      const std::clock_t before = std::clock();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      is_quiet = std::clock() - before < CLOCKS_PER_SEC / 100;
    }
  });
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_TRUE(is_quiet);
}

TEST(rests, a_worker_must_be_a_node) {
  worker first;
  worker second;
  ff_pipeline both;
  both.add_stage(&first);
  both.add_stage(&second);
  ff_farm farm;
  once emitter([&] { farm.getlb()->freeze(0); });
  farm.add_emitter(&emitter);
  farm.add_workers({&both});
  EXPECT_EQ(farm.run_and_wait_end(), -1);
}

TEST(rests, an_ordered_farm_rests_with_its_collector) {
  struct collector : ff_minode_t<long> {
    int svc_init() override {
      ++begun;
      return 0;
    }
    long* svc(long* task) override {
      in_order = in_order && *task == count;
      ++count;
      delete task;
      return GO_ON;
    }
    void svc_end() override { ++ended; }
    std::atomic<long> count{0};
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    bool in_order = true;
  };
  ff_OFarm<long> farm(ff_test::owned<worker>(3));
  collector sink;
  std::vector<long> counts;
  long sent = 0;
  once emitter([&] {
    ff_loadbalancer& lb = *farm.getlb();
    lb.freezeWorkers();
    farm.getgt()->freeze();
    for (int round = 0; round != 5; ++round) {
      for (int i = 0; i != 10 && round != 2; ++i) emitter.ff_send_out(new long(sent++));
      lb.broadcast_task(FF_EOSW);
      EXPECT_EQ(lb.wait_freezingWorkers(), 0);
      EXPECT_EQ(farm.getgt()->wait_freezing(), 0);
      counts.push_back(sink.count);
      EXPECT_EQ(sink.ended, round + 1);
      lb.thawWorkers(true, -1);
      farm.getgt()->thaw(true, -1);
    }
  });
  farm.add_emitter(emitter);
  farm.add_collector(sink);
  EXPECT_EQ(farm.run(), 0);
  EXPECT_EQ(farm.getgt()->wait(), 0);
  EXPECT_EQ(counts, (std::vector<long>{10, 20, 20, 30, 40}));
  EXPECT_TRUE(sink.in_order);
  EXPECT_EQ(sink.begun, sink.ended);
}

TEST(rests, in_a_network_that_freezes_nodes_need_no_freeze) {
  struct emitter : ff_monode_t<long> {
    long* svc(long*) override {
      ff_send_out_to(GO_OUT, 1);
      getlb()->wait_freezing(1);
      ff_send_out_to(new long(7), 1);
      getlb()->thaw(1, true);
      return EOS;
    }
  };
  emitter sends;
  ff_farm farm(raw<worker>(2), &sends);
  farm.cleanup_workers();
  farm.remove_collector();
  EXPECT_EQ(farm.run_then_freeze(), 0);
  EXPECT_EQ(farm.wait_freezing(), 0);
  EXPECT_EQ(worker_of(farm, 1).done, 1);
  EXPECT_EQ(worker_of(farm, 1).begun, 2);
  EXPECT_EQ(worker_of(farm, 0).begun, 1);
}

TEST(rests, mistakes_are_errors) {
  farm_of farm(2, [](ff_loadbalancer& lb) { lb.freeze(2); });
  EXPECT_EQ(farm.getlb()->thawWorkers(true, 1), -1);
  EXPECT_EQ(farm.getlb()->wait_freezing(0), -1);
  EXPECT_EQ(farm.getgt()->wait_freezing(), -1);
  EXPECT_EQ(farm.run_and_wait_end(), -1);
}

TEST(load_balancers, of_a_farm_are_those_of_its_emitter) {
  struct emitter : ff_monode_t<long> {
    explicit emitter(ff_farm& around) : farm(around) {}
    long* svc(long*) override {
      is_same = getlb() == farm.getlb();
      for (int i = 0; i != 3; ++i) {
        getlb()->set_victim(1);
        ff_send_out(new long(1));
      }
      return EOS;
    }
    ff_farm& farm;
    bool is_same = false;
  };
  struct collector : ff_minode_t<long> {
    explicit collector(ff_farm& around) : farm(around) {}
    long* svc(long* task) override {
      is_same = getgt() == farm.getgt();
      delete task;
      return GO_ON;
    }
    ff_farm& farm;
    bool is_same = false;
  };
  ff_farm farm;
  emitter sends(farm);
  collector takes(farm);
  farm.add_emitter(&sends);
  farm.add_workers(raw<worker>(2));
  farm.cleanup_workers();
  farm.add_collector(&takes);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_TRUE(sends.is_same);
  EXPECT_TRUE(takes.is_same);
  EXPECT_EQ(worker_of(farm, 1).done, 3);
}

// ---- manager channels ----

TEST(manager_channels, lead_to_the_emitter) {
  constexpr long count = 1000;
  // Ends when the emitter has got all commands.
  struct until : numbers {
    explicit until(std::atomic<bool>& flag) : numbers(-1), all(flag) {}
    long* svc(long*) override { return all ? EOS : new long(next++); }
    std::atomic<bool>& all;
  };
  struct emitter : ff_monode_t<long> {
    explicit emitter(std::atomic<bool>& flag) : all(flag) {}
    long* svc(long* task) override {
      if (get_channel_id() != 500) return task;
      sum += *task;
      if (*task == count - 1) all = true;
      delete task;
      return GO_ON;
    }
    std::atomic<bool>& all;
    long sum = 0;
  };
  std::atomic<bool> all{false};
  ff_buffernode channel(10, true, 500);
  until source(all);
  emitter sends(all);
  sum_all sink;
  ff_farm farm(raw<worker>(2), &sends, &sink);
  farm.cleanup_workers();
  farm.getlb()->addManagerChannel(&channel);
  ff_Pipe<> pipe(source, farm);
  EXPECT_EQ(pipe.run(), 0);
  for (long i = 0; i != count; ++i) channel.ff_send_out(new long(i));
  EXPECT_EQ(pipe.wait(), 0);
  EXPECT_EQ(sends.sum, ff_test::sum_below(count));
  EXPECT_EQ(sink.count, source.next);
}

TEST(manager_channels, may_be_the_only_input) {
  struct emitter : ff_node_t<long> {
    explicit emitter(ff_loadbalancer* of_farm) : lb(of_farm) {}
    long* svc(long* task) override {
      if (task == nullptr) {
        ++without;
        return GO_ON;
      }
      is_manager = is_manager && lb->get_channel_id() == 500;
      return task;
    }
    ff_loadbalancer* lb;
    int without = 0;
    bool is_manager = true;
  };
  constexpr long count = 1000;
  ff_buffernode channel(10, true, 500);
  ff_farm farm(raw<worker>(2));
  farm.cleanup_workers();
  emitter sends(farm.getlb());
  farm.add_emitter(&sends);
  sum_all sink;
  farm.remove_collector();
  farm.add_collector(&sink);
  farm.getlb()->addManagerChannel(&channel);
  EXPECT_EQ(farm.run(), 0);
  for (long i = 0; i != count; ++i) channel.ff_send_out(new long(i));
  channel.ff_send_out(FF_EOS);
  EXPECT_EQ(farm.wait(), 0);
  EXPECT_EQ(sink.sum, ff_test::sum_below(count));
  EXPECT_EQ(sends.without, 1);
  EXPECT_TRUE(sends.is_manager);
}

TEST(manager_channels, need_a_queue) {
  worker no_channel;
  ff_farm farm(raw<worker>(2));
  farm.cleanup_workers();
  farm.getlb()->addManagerChannel(&no_channel);
  EXPECT_EQ(farm.run_and_wait_end(), -1);
}

TEST(buffer_nodes, may_be_tried) {
  ff_buffernode channel(1, true);
  long task = 1;
  long* found = nullptr;
  EXPECT_FALSE(channel.gather_task(found, 1));
  EXPECT_EQ(found, nullptr);
  EXPECT_TRUE(channel.ff_send_out(&task, -1, 1));
  EXPECT_FALSE(channel.ff_send_out(&task, -1, 3));
  EXPECT_TRUE(channel.gather_task(found, 3));
  EXPECT_EQ(found, &task);
}

}  // namespace
