// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Loops, patterns, queues and utilities.

#include "weir/run/fork_join.hpp"

#include "nodes.hpp"

#include <ff/allocator.hpp>
#include <ff/barrier.hpp>
#include <ff/dc.hpp>
#include <ff/dynqueue.hpp>
#include <ff/map.hpp>
#include <ff/mapper.hpp>
#include <ff/mdf.hpp>
#include <ff/mpmc/MPMCqueues.hpp>
#include <ff/poolEvolution.hpp>
#include <ff/selector.hpp>
#include <ff/taskf.hpp>
#include <ff/ubuffer.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

using namespace ff;
using namespace ff_test;

// ---- loops ----

TEST(loops, call_their_body_once_for_each_index) {
  ParallelFor loops(4);
  std::vector<long> calls(1000);
  loops.parallel_for(
      0, 1000, [&](const long i) { ++calls[i]; }, 4);
  loops.parallel_for(0, 1000, 1, [&](const long i) { ++calls[i]; });
  loops.parallel_for(
      0, 1000, 1, 7, [&](const long i) { ++calls[i]; }, 3);
  loops.parallel_for_static(
      0, 1000, 1, 9, [&](const long i) { ++calls[i]; }, 4);
  loops.parallel_for_thid(
      0, 1000, 1, 0, [&](const long i, const int worker) { calls[i] += worker < 2 ? 1 : 100; }, 2);
  loops.parallel_for_idx(
      0, 1000, 1, 0,
      [&](const long start, const long stop, const int) {
        for (long i = start; i < stop; ++i) ++calls[i];
      },
      4);
  parallel_for(
      0, 1000, [&](const long i) { ++calls[i]; }, 2);
  for (const long each : calls) ASSERT_EQ(each, 7);
  loops.parallel_for(0, 1000, 3, [&](const long i) { calls[i] = -1; });
  for (long i = 0; i != 1000; ++i) ASSERT_EQ(calls[i], i % 3 == 0 ? -1 : 7);
  loops.parallel_for(5, 5, [&](const long) { ADD_FAILURE(); });
}

TEST(loops, reduce_and_keep_what_was_there) {
  ParallelForReduce<long> loops(4);
  const auto add = [](long& to, const long& value) { to += value; };
  long sum = 5;
  loops.parallel_reduce(
      sum, 0L, 0, 1000, [](const long i, long& to) { to += i; }, add, 3);
  EXPECT_EQ(sum, 5 + sum_below(1000));
  loops.parallel_reduce_static(
      sum, 0L, 0, 1000, 1, 13, [](const long i, long& to) { to += i; }, add, 3);
  EXPECT_EQ(sum, 5 + 2 * sum_below(1000));
  loops.parallel_reduce_idx(
      sum, 0L, 0, 1000, 1, 13,
      [](const long start, const long stop, long& to, const int) {
        for (long i = start; i < stop; ++i) to += i;
      },
      add, 3);
  EXPECT_EQ(sum, 5 + 3 * sum_below(1000));
  long most = 0;
  parallel_reduce(
      most, 0L, 0, 1000, [](const long i, long& to) { to = std::max(to, i); },
      [](long& to, const long& value) { to = std::max(to, value); });
  EXPECT_EQ(most, 999);
}

TEST(loops, hand_pieces_to_one_that_reduces) {
  ParallelForPipeReduce<long*> loops(4);
  long sum = 0;
  loops.parallel_reduce_idx(
      0, 1000, 1, 100,
      [](const long start, const long stop, const int, ff_buffernode& to) {
        long* const piece = new long(0);
        for (long i = start; i < stop; ++i) *piece += i;
        to.put(piece);
      },
      [&](long* piece) {
        sum += *piece;
        delete piece;
      },
      4);
  EXPECT_EQ(sum, sum_below(1000));
}

TEST(loops, of_macros) {
  std::vector<long> seen(1000);
  FF_PARFOR_BEGIN(once, i, 0, 1000, 1, 0, 4) { seen[i] += 1; }
  FF_PARFOR_END(once);
  FF_PARFOR_INIT(loops, 4);
  FF_PARFOR_START(loops, i, 0, 1000, 1, 5, 4) { seen[i] += 2; }
  FF_PARFOR_STOP(loops);
  FF_PARFOR_DONE(loops);
  for (const long each : seen) ASSERT_EQ(each, 3);
  long sum = 1;
  FF_PARFORREDUCE_INIT(reduces, long, 4);
  FF_PARFORREDUCE_START(reduces, sum, 0, i, 0, 1000, 1, 0, 4) { sum += seen[i]; }
  FF_PARFORREDUCE_STOP(reduces, sum, +);
  FF_PARFORREDUCE_DONE(reduces);
  EXPECT_EQ(sum, 3001);
}

// A barrier in a body needs as many threads as there are workers.
TEST(loops, have_bodies_that_wait_for_each_other) {
  const long workers = static_cast<long>(weir::concurrency()) + 10;  // more than the pool has
  Barrier barrier;
  barrier.barrierSetup(static_cast<std::size_t>(workers));
  ParallelFor loops(workers);
  std::atomic<long> before{0};
  std::atomic<long> wrong{0};
  for (int round = 1; round != 4; ++round) {
    loops.parallel_for_thid(
        0, workers, 1, 0,
        [&](const long, const int thid) {
          ++before;
          barrier.doBarrier(static_cast<std::size_t>(thid));
          if (before != round * workers) ++wrong;
          barrier.doBarrier(static_cast<std::size_t>(thid));
        },
        workers);
  }
  EXPECT_EQ(before, 3 * workers);
  EXPECT_EQ(wrong, 0);
}

TEST(loops, with_many_workers_throw_what_a_body_throws) {
  const long workers = static_cast<long>(weir::concurrency()) + 40;
  ParallelFor loops(workers);
  const auto body = [&](const long i) {
    if (i + 1 == workers) throw std::runtime_error("the last one");
  };
  EXPECT_THROW(loops.parallel_for(0, workers, body, workers), std::runtime_error);
}

TEST(loops, of_pieces_may_have_nobody_that_reduces) {
  ParallelForPipeReduce<long*> loops(2);
  std::atomic<long> sum{0};
  loops.parallel_for_idx(0, 100, 1, 10, [&](long start, long stop, int, ff_buffernode&) {
    for (long i = start; i != stop; ++i) sum += i;
  });
  EXPECT_EQ(sum, sum_below(100));
}

TEST(loops, of_macros_deal_out_chunks_in_turn) {
  std::vector<int> by(60, -1);
  FF_PARFOR_BEGIN(once, i, 0, 60, 1, PARFOR_STATIC(10), 3) { by[i] = _ff_thread_id; }
  FF_PARFOR_END(once);
  for (int i = 0; i != 60; ++i) EXPECT_EQ(by[i], i / 10 % 3);
  FF_PARFOR_BEGIN(again, i, 0, 60, 1, PARFOR_DYNAMIC(10), 3) { by[i] = -2; }
  FF_PARFOR_END(again);
  EXPECT_EQ(std::count(by.begin(), by.end(), -2), 60);
}

TEST(loops, in_a_node) {
  struct sums : ff_Map<long, long, long> {
    long* svc(long* count) override {
      long sum = 0;
      parallel_reduce(
          sum, 0L, 0, *count, 1, 10, [](const long i, long& to) { to += i; },
          [](long& to, const long& value) { to += value; }, 4);
      *count = sum;
      return count;
    }
  };
  numbers source(100);
  sums map;
  sum_up sink;
  ff_Pipe<> pipe(source, map, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 161'700);  // the sum of n (n - 1) / 2 below 100
}

// ---- patterns ----

struct fibonacci {
  ff_mdf* tasks = nullptr;
  long a = 0;
  long b = 1;
  long sum = 0;
};

void add_tasks(fibonacci* const of) {
  const auto tag = [](const long& what) { return reinterpret_cast<std::uintptr_t>(&what); };
  for (int i = 0; i != 50; ++i) {
    of->tasks->AddTask(
        std::vector<param_info>{{tag(of->a), INPUT}, {tag(of->b), INPUT}, {tag(of->sum), OUTPUT}},
        [](fibonacci* f) { f->sum = f->a + f->b; }, of);
    of->tasks->AddTask(
        std::vector<param_info>{{tag(of->b), INPUT}, {tag(of->a), OUTPUT}},
        [](const long* from, long* to) { *to = *from; }, &of->b, &of->a);
    of->tasks->AddTask(
        std::vector<param_info>{{tag(of->sum), INPUT}, {tag(of->b), OUTPUT}},
        [](const long* from, long* to) { *to = *from; }, &of->sum, &of->b);
  }
}

TEST(patterns, macro_data_flow_follows_the_data) {
  fibonacci numbers;
  ff_mdf tasks(add_tasks, &numbers, 16, 3);
  numbers.tasks = &tasks;
  EXPECT_EQ(tasks.run_and_wait_end(), 0);
  EXPECT_EQ(numbers.sum, 20'365'011'074);
}

TEST(patterns, a_farm_of_tasks) {
  std::atomic<long> sum{0};
  ff_taskf tasks(3);
  for (long i = 0; i != 100; ++i) tasks.AddTask([&](long value) { sum += value; }, i);
  EXPECT_EQ(tasks.run_and_wait_end(), 0);
  EXPECT_EQ(sum, sum_below(100));
  EXPECT_EQ(tasks.run(), 0);
  tasks.AddTask([&] { sum = 7; });
  EXPECT_EQ(tasks.wait(), 0);
  EXPECT_EQ(sum, 7);
}

TEST(patterns, divide_and_conquer) {
  const long operand = 20;
  long result = 0;
  ff_DC<long, long> fib(
      [](const long& n, std::vector<long>& parts) {
        parts = {n - 1, n - 2};
      },
      [](std::vector<long>& parts, long& sum) { sum = parts[0] + parts[1]; }, [](const long&, long& one) { one = 1; },
      [](const long& n) { return n <= 2; }, operand, result, 3);
  EXPECT_EQ(fib.run_and_wait_end(), 0);
  EXPECT_EQ(result, 6765);
}

void select_all(ParallelForReduce<long>&, std::vector<long>& all, std::vector<long>& some, long&) { some = all; }
const long& doubled(long& one, const long&, const int) { return one *= 2; }
void take_all(ParallelForReduce<long>&, std::vector<long>&, std::vector<long>&, long& rounds) { ++rounds; }
bool after_five(const std::vector<long>&, long& rounds) { return rounds == 5; }

TEST(patterns, evolution_of_a_population) {
  std::vector<long> population{1, 2, 3};
  poolEvolution<long, long> evolves(2, population, select_all, doubled, take_all, after_five, 0L);
  EXPECT_EQ(evolves.run_and_wait_end(), 0);
  EXPECT_EQ(evolves.get_result(), (std::vector<long>{32, 64, 96}));
  EXPECT_EQ(evolves.getEnv(), 5);
}

TEST(patterns, a_node_out_of_several) {
  struct adds_ten : ff_node_t<long> {
    long* svc(long* task) override { return *task += 10, task; }
  } ten;
  increment one;
  ff_nodeSelector<long> either(one, ten);
  EXPECT_EQ(either.numNodes(), 2u);
  numbers source(10);
  sum_up sink;
  either.selectNode(1);
  ff_Pipe<> pipe(source, either, sink);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(10) + 100);
}

// ---- queues ----

template <class Queue>
void pass_through(Queue& queue) {
  constexpr long count = 100'000;
  std::thread producer([&] {
    for (long i = 1; i <= count; ++i) {
      while (!queue.push(reinterpret_cast<void*>(i))) std::this_thread::yield();
    }
  });
  for (long next = 1; next <= count;) {
    void* found = nullptr;
    if (!queue.pop(&found)) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(found, reinterpret_cast<void*>(next));
    ++next;
  }
  producer.join();
  EXPECT_TRUE(queue.empty());
}

TEST(queues, of_one_producer_and_one_consumer) {
  SWSR_Ptr_Buffer bounded(16);
  ASSERT_TRUE(bounded.init());
  pass_through(bounded);
  uSWSR_Ptr_Buffer unbounded(16);
  ASSERT_TRUE(unbounded.init());
  pass_through(unbounded);
  dynqueue list;
  pass_through(list);
}

TEST(queues, are_full_and_empty) {
  SWSR_Ptr_Buffer queue(2);
  queue.init();
  int one = 1;
  EXPECT_FALSE(queue.push(nullptr));
  EXPECT_TRUE(queue.push(&one));
  EXPECT_TRUE(queue.available());
  EXPECT_TRUE(queue.push(&one));
  EXPECT_FALSE(queue.available());
  EXPECT_FALSE(queue.push(&one));
  EXPECT_EQ(queue.length(), 2u);
  EXPECT_EQ(queue.top(), &one);
  EXPECT_TRUE(queue.inc());
  void* found = nullptr;
  EXPECT_TRUE(queue.pop(&found));
  EXPECT_FALSE(queue.pop(&found));
  uSWSR_Ptr_Buffer fixed(2, true);
  fixed.init();
  EXPECT_TRUE(fixed.push(&one) && fixed.push(&one));
  EXPECT_FALSE(fixed.push(&one));
}

template <class Queue>
void share(Queue& queue) {
  constexpr long each = 20'000;
  std::atomic<long> sum{0};
  std::atomic<long> popped{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 2; ++i) {
    threads.emplace_back([&] {
      for (long k = 1; k <= each; ++k) {
        while (!queue.push(reinterpret_cast<void*>(k))) std::this_thread::yield();
      }
    });
    threads.emplace_back([&] {
      void* found = nullptr;
      while (popped < 2 * each) {
        if (queue.pop(&found)) {
          sum += reinterpret_cast<long>(found);
          ++popped;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, each * (each + 1));
}

TEST(queues, of_several_producers_and_consumers) {
  MPMC_Ptr_Queue bounded;
  ASSERT_TRUE(bounded.init(64));
  share(bounded);
  uMPMC_Ptr_Queue unbounded;
  ASSERT_TRUE(unbounded.init());
  share(unbounded);
}

// ---- utilities ----

TEST(utilities, a_lock_and_a_barrier) {
  lock_t lock;
  init_unlocked(lock);
  Barrier all;
  all.barrierSetup(3);
  long count = 0;
  std::vector<std::thread> threads;
  for (std::size_t id = 0; id != 3; ++id) {
    threads.emplace_back([&, id] {
      for (int round = 1; round != 50; ++round) {
        for (int i = 0; i != 100; ++i) {
          spin_lock(lock);
          ++count;
          spin_unlock(lock);
        }
        all.doBarrier(id);
        if (count != 300 * round) ADD_FAILURE() << count;
        all.doBarrier(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(utilities, a_barrier_by_itself_lets_everybody_pass) {
  ffBarrier none;
  EXPECT_EQ(none.barrierSetup(2), 0);
  none.doBarrier(0);
  BARRIER_T one(1);
  EXPECT_EQ(one.barrierSetup(1), 0);
  one.doBarrier(0);
}

TEST(utilities, time_memory_and_the_machine) {
  ffTime(START_TIME);
  const unsigned long began = getusec();
  ticks_wait(1'000'000);
  EXPECT_GT(getusec(), began);
  EXPECT_GT(ffTime(STOP_TIME), 0);
  EXPECT_EQ(ffTime(GET_TIME), ffTime(GET_TIME));
  ff_allocator memory;
  EXPECT_EQ(memory.registerAllocator(), 0);
  void* some = memory.malloc(100);
  some = memory.realloc(some, 200);
  memory.free(some);
  ff_free(ff_malloc(10));
  EXPECT_GE(ff_numCores(), 1);
  EXPECT_GE(ff_realNumCores(), 1);
  EXPECT_GE(ff_numSockets(), 1);
  threadMapper::instance()->setMappingList("1, 0,3");
  EXPECT_EQ(threadMapper::instance()->getCoreId(), 1);
  EXPECT_EQ(threadMapper::instance()->getCoreId(), 0);
  EXPECT_EQ(threadMapper::instance()->getCoreId(), 3);
  EXPECT_EQ(threadMapper::instance()->getCoreId(), 1);
  svector<int> none(10);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_GE(none.capacity(), 10u);
}
