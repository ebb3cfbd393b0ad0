// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Farms: emitters, collectors, load balancers, order, and farms as accelerators.

#include "nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace ff;
using namespace ff_test;

TEST(farms, give_each_task_to_one_worker) {
  numbers source(10'000);
  ff_Farm<long> farm(owned<increment>(4));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 10'000);
  EXPECT_EQ(sink.sum, sum_below(10'000) + 10'000);
  for (ff_node* const each : farm.getWorkers()) EXPECT_EQ(static_cast<increment*>(each)->seen, 2500);
  EXPECT_EQ(pipe.cardinality(), 8);
}

TEST(farms, of_one_worker_may_be_ordered) {
  numbers source(1000);
  ff_OFarm<long> farm(owned<increment>(1));
  farm.setFixedSize(true);
  farm.setInputQueueLength(4, true);
  farm.setOutputQueueLength(4, true);
  farm.add_emitter(source);
  sum_up sink;
  farm.add_collector(sink);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1000);

  ff_ofarm accelerator(true);
  accelerator.add_workers(raw<increment>(1));
  accelerator.cleanup_workers();
  EXPECT_EQ(accelerator.run(), 0);
  long task = 1;
  void* result = nullptr;
  EXPECT_TRUE(accelerator.offload(&task));
  EXPECT_TRUE(accelerator.load_result(&result));
  EXPECT_EQ(result, &task);
  EXPECT_TRUE(accelerator.offload(FF_EOS));
  EXPECT_EQ(accelerator.wait(), 0);
}

TEST(farms, are_made_of_a_function) {
  numbers source(100);
  ff_Farm<long> farm(
      [](long* task, ff_node* const) {
        *task *= 2;
        return task;
      },
      3);
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * sum_below(100));
}

TEST(farms, tell_collectors_the_worker_and_the_ends) {
  numbers source(300);
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers(raw<increment>(3));
  farm.cleanup_workers();
  sum_all collector;
  farm.add_collector(&collector);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(collector.from, (std::vector<long>{100, 100, 100}));
  std::sort(collector.ended.begin(), collector.ended.end());
  EXPECT_EQ(collector.ended, (std::vector<ssize_t>{0, 1, 2}));
}

TEST(farms, let_plain_nodes_use_the_load_balancer_and_the_gatherer) {
  struct emitter : ff_node {
    explicit emitter(ff_loadbalancer* of_farm) : lb(of_farm) {}
    void* svc(void*) override {
      for (std::size_t i = 0; i != 90; ++i) lb->ff_send_out_to(new long(1), static_cast<int>(i % lb->getnworkers()));
      return EOS;
    }
    ff_loadbalancer* lb;
  };
  struct collector : ff_node {
    explicit collector(ff_gatherer* of_farm) : gt(of_farm) {}
    void* svc(void* task) override {
      ++from[static_cast<std::size_t>(gt->get_channel_id())];
      delete static_cast<long*>(task);
      return GO_ON;
    }
    ff_gatherer* gt;
    std::vector<int> from = std::vector<int>(3);
  };
  ff_farm farm;
  emitter sends(farm.getlb());
  collector takes(farm.getgt());
  farm.add_emitter(&sends);
  farm.add_workers(raw<increment>(3));
  farm.cleanup_workers();
  farm.add_collector(&takes);
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(takes.from, (std::vector<int>{30, 30, 30}));
}

TEST(farms, broadcast) {
  struct emitter : ff_monode_t<long> {
    long* svc(long*) override {
      for (long i = 1; i != 11; ++i) broadcast_task(reinterpret_cast<long*>(i));
      return EOS;
    }
  } sends;
  struct worker : ff_node {
    void* svc(void* task) override { return sum += reinterpret_cast<long>(task), GO_ON; }
    long sum = 0;
  };
  ff_farm farm;
  farm.add_emitter(&sends);
  farm.add_workers(raw<worker>(3));
  farm.cleanup_workers();
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  for (ff_node* const each : farm.getWorkers()) EXPECT_EQ(static_cast<worker*>(each)->sum, 55);
}

TEST(farms, let_a_load_balancer_of_the_user_choose) {
  struct always_last : ff_loadbalancer {
    std::size_t selectworker() override { return getnworkers() - 1; }
  } lb;
  numbers source(50);
  ff_farm farm(raw<increment>(3));
  farm.cleanup_workers();
  farm.setlb(&lb);
  sum_up sink;
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &farm, &sink}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(static_cast<increment*>(farm.getWorkers()[2])->seen, 50);
  EXPECT_EQ(sink.count, 50);
}

TEST(farms, of_fixed_size_send_to_each_worker_in_turn) {
  numbers source(400);
  std::vector<increment> workers(4);
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers({&workers[0], &workers[1], &workers[2], &workers[3]});
  sum_up sink;
  farm.add_collector(&sink);
  farm.setFixedSize(true);  // there is room for all tasks
  ASSERT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 400);
  for (const increment& each : workers) EXPECT_EQ(each.seen, 100);
}

// The second worker is busy until the first one has had nearly all tasks.
TEST(farms, of_fixed_size_pass_over_a_worker_that_is_full) {
  static std::atomic<long> of_first;
  of_first = 0;
  struct worker : ff_node_t<long> {
    long* svc(long* task) override {
      if (get_my_id() == 0) ++of_first;
      while (get_my_id() == 1 && of_first < 190) std::this_thread::yield();
      return task;
    }
  } first, second;
  numbers source(200);
  sum_up sink;
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers({&first, &second});
  farm.add_collector(&sink);
  farm.setFixedSize(true);
  farm.setInputQueueLength(1, true);
  ASSERT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(200));
}

TEST(farms, on_demand_keep_tasks_from_workers_that_are_busy) {
  struct worker : increment {
    long* svc(long* task) override {
      if (get_my_id() == 0) ticks_wait(2'000'000);
      return increment::svc(task);
    }
  };
  numbers source(400);
  ff_farm farm(raw<worker>(2));
  farm.cleanup_workers();
  farm.set_scheduling_ondemand();
  sum_up sink;
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &farm, &sink}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 400);
  EXPECT_LT(static_cast<increment*>(farm.getWorkers()[0])->seen, 200);
}

TEST(farms, lie_in_farms) {
  std::vector<std::unique_ptr<ff_node>> workers;
  for (int i = 0; i != 2; ++i) {
    workers.push_back(ff::make_unique<ff_Pipe<>>(std::make_unique<increment>(),
                                                 std::make_unique<ff_Farm<long>>(owned<increment>(2)),
                                                 std::make_unique<increment>()));
  }
  numbers source(1000);
  ff_Farm<long> farm(std::move(workers));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 1000);
  EXPECT_EQ(sink.sum, sum_below(1000) + 3000);
}

TEST(farms, without_collector_send_to_the_emitter_of_the_next_one) {
  numbers source(1000);
  ff_farm first;
  first.add_workers(raw<increment>(3));
  first.cleanup_workers();
  ff_farm second;
  second.add_workers(raw<increment>(2));
  second.cleanup_workers();
  sum_up sink;
  second.add_collector(&sink);
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &first, &second}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(1000) + 2000);
}

TEST(farms, run_with_some_of_their_workers) {
  numbers source(120);
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers(raw<increment>(4));
  farm.cleanup_workers();
  sum_up sink;
  farm.add_collector(&sink);
  EXPECT_EQ(farm.run_then_freeze(3), 0);
  EXPECT_EQ(farm.wait_freezing(), 0);
  for (std::size_t i = 0; i != 4; ++i) EXPECT_EQ(static_cast<increment*>(farm.getWorkers()[i])->seen, i < 3 ? 40 : 0);
  source.next = 0;
  EXPECT_EQ(farm.thaw(true, 2), 0);
  EXPECT_EQ(farm.wait_freezing(), 0);
  EXPECT_EQ(static_cast<increment*>(farm.getWorkers()[1])->seen, 100);
  source.next = 0;
  EXPECT_EQ(farm.thaw(), 0);
  EXPECT_EQ(farm.wait(), 0);
  EXPECT_EQ(static_cast<increment*>(farm.getWorkers()[3])->seen, 30);
  EXPECT_EQ(sink.count, 360);
}

// ---- order ----

struct slow_at_times : ff_node_t<long> {
  long* svc(long* task) override {
    if (*task % 7 == 0) ticks_wait(20'000);
    return task;
  }
};

TEST(ordered_farms, keep_the_order) {
  for (const int ondemand : {0, 1, 4}) {
    numbers source(20'000);
    ff_OFarm<long> farm(owned<slow_at_times>(3));
    if (ondemand != 0) farm.set_scheduling_ondemand(ondemand);
    sum_up sink;
    ff_Pipe<> pipe(source, farm, sink);
    EXPECT_EQ(pipe.run_and_wait_end(), 0);
    EXPECT_EQ(sink.count, 20'000);
    EXPECT_TRUE(sink.in_order);
  }
}

// FastFlow's own order is lost if a worker does not send exactly one result.
TEST(ordered_farms, keep_the_order_of_any_number_of_results) {
  struct some_of_them : ff_node_t<long> {
    long* svc(long* task) override {
      const long number = *task;
      delete task;
      for (long i = 0; i != number % 3; ++i) ff_send_out(new long(number));
      return GO_ON;
    }
  };
  struct grows : ff_node_t<long> {
    long* svc(long* task) override {
      in_order = in_order && *task >= last;
      last = *task;
      ++count;
      delete task;
      return GO_ON;
    }
    long last = 0;
    long count = 0;
    bool in_order = true;
  } sink;
  numbers source(3000);
  ff_OFarm<long> farm(owned<some_of_them>(4));
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 3000);
  EXPECT_TRUE(sink.in_order);
}

// ---- accelerators ----

TEST(accelerators, give_all_results_also_if_they_are_loaded_last) {
  ff_Farm<long> farm(
      [](long* task, ff_node* const) {
        *task *= 2;
        return task;
      },
      3, true);
  for (const long count : {100'000L, 1L, 0L}) {
    EXPECT_EQ(farm.run_then_freeze(), 0);
    for (long i = 0; i != count; ++i) EXPECT_TRUE(farm.offload(new long(i)));
    EXPECT_TRUE(farm.offload(farm.EOS));
    long sum = 0;
    long loaded = 0;
    for (long* result = nullptr; farm.load_result(result); ++loaded) {
      sum += *result;
      delete result;
    }
    EXPECT_EQ(farm.wait_freezing(), 0);
    EXPECT_EQ(loaded, count);
    EXPECT_EQ(sum, 2 * sum_below(count));
  }
  EXPECT_EQ(farm.wait(), 0);
}

TEST(accelerators, load_without_waiting) {
  increment node;
  ff_pipeline pipe(true);
  pipe.add_stage(&node);
  EXPECT_EQ(pipe.run(), 0);
  void* result = nullptr;
  EXPECT_FALSE(pipe.load_result_nb(&result));
  long task = 1;
  EXPECT_TRUE(pipe.offload(&task));
  EXPECT_TRUE(pipe.load_result(&result));
  EXPECT_EQ(result, &task);
  EXPECT_EQ(task, 2);
  EXPECT_TRUE(pipe.offload(pipe.EOS));
  EXPECT_EQ(pipe.wait(), 0);
  EXPECT_TRUE(pipe.load_result_nb(&result));
  EXPECT_EQ(result, pipe.EOS);
}

TEST(misuse, a_farm_without_workers_and_one_with_too_many) {
  testing::internal::CaptureStderr();
  ff_farm farm;
  EXPECT_EQ(farm.add_workers({}), -1);
  EXPECT_EQ(farm.run_and_wait_end(), -1);
  ff_farm small(false, 8, 8, true, 2);
  const std::vector<ff_node*> three = raw<increment>(3);
  EXPECT_EQ(small.add_workers(three), -1);
  for (ff_node* const each : three) delete each;
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("has no workers"), std::string::npos);
  EXPECT_NE(said.find("too many workers"), std::string::npos);
}

TEST(misuse, to_offload_to_what_is_no_accelerator) {
  ff_farm farm;
  farm.add_workers(raw<increment>(2));
  farm.cleanup_workers();
  long task = 0;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(farm.offload(&task));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("input_ch"), std::string::npos);
}

TEST(misuse, a_plain_node_behind_several_ones) {
  numbers source(10);
  ff_farm farm;
  farm.add_workers(raw<increment>(2));
  farm.cleanup_workers();
  sum_up sink;
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &farm, &sink}) pipe.add_stage(each);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("PIPE, cannot connect stage 1 with stage 2"),
            std::string::npos);
}

// ---- more of order ----

TEST(ordered_farms, keep_what_workers_send_at_the_end) {
  struct counts : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      ++seen;
      return GO_ON;
    }
    void eosnotify(ssize_t) override { ff_send_out(new long(seen)); }
    long seen = 0;
  };
  numbers source(300);
  ff_OFarm<long> farm(owned<counts>(3));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 3);
  EXPECT_EQ(sink.sum, 300);
}

TEST(ordered_farms, go_on_without_a_worker_that_has_ended) {
  struct worker : ff_node_t<long> {
    long* svc(long* task) override {
      if (get_my_id() != 0 || ++seen < 5) return task;
      delete task;
      return EOS;
    }
    int seen = 0;
  };
  struct counts : ff_node {
    void* svc(void* task) override {
      delete static_cast<long*>(task);
      return ++seen, GO_ON;
    }
    long seen = 0;
  } sink;
  numbers source(40);
  ff_farm farm(raw<worker>(2));
  farm.cleanup_workers();
  farm.set_ordered();
  ff_pipeline pipe;
  for (ff_node* const each : std::vector<ff_node*>{&source, &farm, &sink}) pipe.add_stage(each);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.seen, 24);  // twenty of the second worker, four of the first
}

TEST(misuse, an_ordered_farm_of_farms) {
  std::vector<std::unique_ptr<ff_node>> workers;
  workers.push_back(std::make_unique<ff_Farm<long>>(owned<increment>(2)));
  numbers source(10);
  ff_OFarm<long> farm(std::move(workers));
  sum_up sink;
  ff_Pipe<> pipe(source, farm, sink);
  testing::internal::CaptureStderr();
  EXPECT_EQ(pipe.run_and_wait_end(), -1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no order"), std::string::npos);
}

// ---- bounded channels ----

// The first worker ends early. What waits for it is dropped, and the second one gets all of its
// own.
TEST(bounded_farms, go_on_without_a_worker_that_has_ended) {
  struct worker : ff_node {
    void* svc(void*) override { return ++seen == 3 && get_my_id() == 0 ? EOS : GO_ON; }
    int seen = 0;
  };
  struct emitter : ff_monode {
    void* svc(void*) override {
      for (long i = 1; i != 1001; ++i) ff_send_out_to(reinterpret_cast<void*>(i), static_cast<int>(i % 2));
      return EOS;
    }
  } source;
  ff_farm farm(false, 4, 4, true, 8, true);
  farm.add_emitter(&source);
  farm.add_workers(raw<worker>(2));
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(static_cast<worker*>(farm.getWorkers()[0])->seen, 3);
  EXPECT_EQ(static_cast<worker*>(farm.getWorkers()[1])->seen, 500);
}

// Attempts that are limited succeed once there is room, also after a send that had to wait.
TEST(bounded_farms, let_nodes_try_again) {
  struct worker : ff_node {
    void* svc(void*) override { return ++seen, GO_ON; }
    int seen = 0;
  };
  struct emitter : ff_monode {
    void* svc(void*) override {
      for (long i = 1; i != 101; ++i) ff_send_out_to(reinterpret_cast<void*>(i), 0);
      for (long i = 1; i != 101; ++i) {
        while (!ff_send_out_to(reinterpret_cast<void*>(i), 1, 1)) ff_relax();
      }
      for (int i = 0; i != 100; ++i) {
        int id = -1;
        while ((id = get_next_free_channel(i % 2 == 0)) < 0) ff_relax();
        ff_send_out_to(reinterpret_cast<void*>(1L), id);
      }
      return EOS;
    }
  } source;
  ff_farm farm(false, 2, 2, true, 8, true);
  farm.add_emitter(&source);
  farm.add_workers(raw<worker>(2));
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(static_cast<worker*>(farm.getWorkers()[0])->seen + static_cast<worker*>(farm.getWorkers()[1])->seen, 300);
}

// ---- more of accelerators ----

TEST(accelerators, get_tasks_from_another_thread_while_the_owner_waits) {
  increment node;
  for (int round = 0; round != 20; ++round) {
    ff_pipeline pipe(true);
    pipe.add_stage(&node);
    EXPECT_EQ(pipe.run(), 0);
    std::thread offloads([&] {
      for (int i = 0; i != 100; ++i) EXPECT_TRUE(pipe.offload(new long(i)));
      EXPECT_TRUE(pipe.offload(FF_EOS));
    });
    EXPECT_EQ(pipe.wait(), 0);
    EXPECT_TRUE(pipe.done());
    offloads.join();
    long sum = 0;
    for (void* task = nullptr; pipe.load_result(&task);) {
      sum += *static_cast<long*>(task);
      delete static_cast<long*>(task);
    }
    EXPECT_EQ(sum, sum_below(100) + 100);
  }
}

TEST(accelerators, give_up_after_some_attempts) {
  increment node;
  ff_pipeline pipe(true);
  pipe.add_stage(&node);
  EXPECT_EQ(pipe.run(), 0);
  void* task = nullptr;
  EXPECT_FALSE(pipe.load_result(&task, 3));
  EXPECT_TRUE(pipe.offload(FF_EOS));
  EXPECT_EQ(pipe.wait(), 0);
}

TEST(accelerators, in_order_without_a_collector_of_their_own) {
  ff_OFarm<long> farm(owned<slow_at_times>(3), true);
  EXPECT_EQ(farm.run(), 0);
  for (long i = 0; i != 1000; ++i) EXPECT_TRUE(farm.offload(new long(i)));
  EXPECT_TRUE(farm.offload(farm.EOS));
  long next = 0;
  for (long* task = nullptr; farm.load_result(task); ++next) {
    EXPECT_EQ(*task, next);
    delete task;
  }
  EXPECT_EQ(next, 1000);
  EXPECT_EQ(farm.wait(), 0);
}

TEST(frozen_farms, end_without_a_further_run) {
  numbers source(10);
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers(raw<increment>(2));
  farm.cleanup_workers();
  EXPECT_EQ(farm.run_then_freeze(), 0);
  EXPECT_EQ(farm.wait_freezing(), 0);
  EXPECT_TRUE(farm.isfrozen());
  source.next = 0;
  farm.stop();
  EXPECT_EQ(farm.thaw(), 0);
  EXPECT_EQ(farm.wait(), 0);
  EXPECT_EQ(source.next, 0);
  EXPECT_FALSE(farm.isfrozen());
}

// Without an emitter of its own, and without input, a farm calls each worker once, with GO_ON.
TEST(farms, that_begin_a_network_call_each_worker_once) {
  struct sends_two : ff_node_t<long> {
    long* svc(long* task) override {
      EXPECT_EQ(task, GO_ON);
      ff_send_out(new long(1));
      return new long(2);
    }
  } one, other;
  sum_all sink;
  ff_farm farm;
  farm.add_workers({&one, &other});
  ff_pipeline pipe;
  pipe.add_stage(&farm);
  pipe.add_stage(&sink);
  ASSERT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 6);
  EXPECT_EQ(sink.from, (std::vector<long>{2, 2}));
}
