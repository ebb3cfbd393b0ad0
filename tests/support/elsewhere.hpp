// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace weir_test {

/// Threads that resume waiting coroutines, in another order than the coroutines arrived.
class elsewhere {
 public:
  explicit elsewhere(int threads = 2) {
    for (int i = 0; i != threads; ++i) threads_.emplace_back([this, i] { resume(static_cast<unsigned>(i)); });
  }
  ~elsewhere() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (std::thread& each : threads_) each.join();
  }

  auto later() {
    struct awaiter {
      elsewhere& by;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> waiting) {
        elsewhere& there = by;  // the coroutine may be resumed at once and destroy this awaiter
        {
          const std::lock_guard lock(there.mutex_);
          there.waiting_.push_back(waiting);
        }
        there.changed_.notify_one();
      }
      void await_resume() const noexcept {}
    };
    return awaiter{*this};
  }

 private:
  void resume(unsigned seed) {
    std::minstd_rand random(seed + 1);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::swap(waiting_[random() % waiting_.size()], waiting_.back());
      const std::coroutine_handle<> next = waiting_.back();
      waiting_.pop_back();
      lock.unlock();
      next.resume();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::coroutine_handle<>> waiting_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace weir_test
