// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/divide_and_conquer.hpp"
#include "weir/patterns/task_graph.hpp"
#include "weir/run/fork_join.hpp"

#include <ff/dc.hpp>
#include <ff/detail/pieces.hpp>
#include <ff/mdf.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

// The patterns of FastFlow on those of weir.

namespace ff::detail {

// The pieces of a loop. Any thread may call the functions.
class pieces_of_loop {
 public:
  pieces_of_loop(std::size_t count, void (*call)(void* of, std::size_t piece), void* of)
      : count_(count), call_(call), of_(of) {}

  /// Runs pieces that nobody has begun until there is none left.
  void run_some() {
    while (run_one()) {
    }
  }
  /// @return false if there is none left
  bool run_one() {
    const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= count_) return false;
    call_(of_, piece);
    ended_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::size_t left() const noexcept { return count_ - std::min(next_.load(std::memory_order_relaxed), count_); }
  /// Changes when a piece begins or ends.
  std::size_t progress() const noexcept {
    return std::min(next_.load(std::memory_order_relaxed), count_) + ended_.load(std::memory_order_relaxed);
  }
  /// Makes the pieces that have not begun not begin.
  void give_up() noexcept { next_.store(count_, std::memory_order_relaxed); }

 private:
  const std::size_t count_;
  void (*const call_)(void* of, std::size_t piece);
  void* const of_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> ended_{0};
};

// Its thread begins with the first loop, and looks at the loops now and then. It sleeps if there
// has been none for a while.
class loop_watch {
 public:
  loop_watch() = default;
  loop_watch(const loop_watch&) = delete;
  loop_watch& operator=(const loop_watch&) = delete;
  ~loop_watch() {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  /// Runs the loop on the pool, and on more threads if that is needed.
  void run(pieces_of_loop& loop, std::size_t threads) {
    watched one{loop, loop.progress(), {}, nullptr, false};
    {
      const std::lock_guard lock(mutex_);
      if (!thread_.joinable()) thread_ = std::thread([this] { watch(); });
      all_.push_back(&one);
      if (sleeps_) changed_.notify_one();
    }
    try {
      weir::fork_join(threads, [&](std::size_t, std::size_t) { loop.run_some(); });
    } catch (...) {
      fails(one, std::current_exception());
    }
    {
      const std::lock_guard lock(mutex_);
      std::erase(all_, &one);
    }
    for (std::thread& each : one.more) each.join();
    if (one.problem != nullptr) std::rethrow_exception(one.problem);
  }

 private:
  struct watched {
    pieces_of_loop& loop;
    std::size_t before;             // its progress when it was last looked at
    std::vector<std::thread> more;  // for the pieces that had not begun
    std::exception_ptr problem;     // the first one
    bool has_complained = false;
  };

  void fails(watched& one, std::exception_ptr problem) {
    one.loop.give_up();
    const std::lock_guard lock(mutex_);
    if (one.problem == nullptr) one.problem = std::move(problem);
  }

  void watch() {
    constexpr std::chrono::milliseconds patience{5};
    constexpr int looks_without_loops = 20;
    std::unique_lock lock(mutex_);
    for (int idle = 0; !stops_; idle = all_.empty() ? idle + 1 : 0) {
      if (idle >= looks_without_loops) {
        sleeps_ = true;
        changed_.wait(lock, [this] { return stops_ || !all_.empty(); });
        sleeps_ = false;
      }
      changed_.wait_for(lock, patience, [this] { return stops_; });
      for (watched* const each : all_) {
        const std::size_t now = each->loop.progress();
        if (std::exchange(each->before, now) == now) give_threads(*each);
      }
    }
  }

  void give_threads(watched& one) {
    try {
      for (std::size_t left = one.loop.left(); left != 0; --left) {
        one.more.emplace_back([this, &one] {
          try {
            one.loop.run_one();
          } catch (...) {
            fails(one, std::current_exception());
          }
        });
      }
    } catch (const std::exception& problem) {
      // Workers may wait for those that have no thread yet, so that it is tried again.
      if (!std::exchange(one.has_complained, true))
        error("no thread for a worker of a loop: %s; trying again\n", problem.what());
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<watched*> all_;
  bool sleeps_ = false;
  bool stops_ = false;
  std::thread thread_;
};

std::shared_ptr<loop_watch> make_loop_watch() { return std::make_shared<loop_watch>(); }

void run_pieces(std::size_t pieces, loop_watch* watch, void (*call)(void* of, std::size_t piece), void* of) {
  const std::size_t threads = weir::concurrency();
  if (watch == nullptr || pieces <= threads) {
    weir::fork_join(pieces, [&](std::size_t piece, std::size_t) { call(of, piece); });
  } else {
    pieces_of_loop loop(pieces, call, of);
    watch->run(loop, threads);
  }
}

void run_data_flow(const std::function<void(data_flow& tasks)>& f, std::size_t window, std::size_t workers) {
  class on_weir final : public data_flow {
   public:
    explicit on_weir(weir::task_graph& tasks) : tasks_(tasks) {}
    void add(const std::vector<param_info>& uses, std::function<void()> task) override {
      accesses_.clear();
      for (const param_info& each : uses) {
        if (each.dir != VALUE) accesses_.push_back({reinterpret_cast<const void*>(each.tag), each.dir == OUTPUT});
      }
      tasks_.add(std::move(task), std::span<const weir::data_access>(accesses_));
    }

   private:
    weir::task_graph& tasks_;
    std::vector<weir::data_access> accesses_;
  };
  weir::run_tasks(
      [&](weir::task_graph& tasks) {
        on_weir all(tasks);
        f(all);
      },
      {.window = window, .workers = workers});
}

void refuse_task() { throw std::logic_error("ff_mdf::AddTask outside the function that adds the tasks"); }

division::result divide_and_conquer(division::problem whole, const division& by) {
  using problem = division::problem;
  return weir::divide_and_conquer(
      std::move(whole), [&](const problem& each) { return by.is_base(each); },
      [&](const problem& each) { return by.solve(each); }, [&](const problem& each) { return by.divide(each); },
      [&](std::vector<division::result> parts) { return by.combine(std::move(parts)); });
}

}  // namespace ff::detail
