// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 100 pages, 690 bytes

#include <weir/all.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// One thread that calls back later. It stands for a library that reads files, sends requests to
// servers, or drives a device.
class remote {
 public:
  ~remote() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  // An awaiter: the coroutine goes on in the thread of the library.
  auto answers_in(std::chrono::milliseconds time) {
    struct awaiter {
      remote& from;
      std::chrono::steady_clock::time_point due;
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> waiting) { from.add(due, waiting); }
      void await_resume() const {}
    };
    return awaiter{*this, std::chrono::steady_clock::now() + time};
  }

 private:
  using timer = std::pair<std::chrono::steady_clock::time_point, std::coroutine_handle<>>;

  void add(std::chrono::steady_clock::time_point due, std::coroutine_handle<> waiting) {
    {
      const std::lock_guard lock(mutex_);
      timers_.push_back({due, waiting});
    }
    changed_.notify_one();
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      const auto next = std::min_element(timers_.begin(), timers_.end(),
                                         [](const timer& a, const timer& b) { return a.first < b.first; });
      if (next == timers_.end()) {
        changed_.wait(lock);
      } else if (const auto due = next->first; due > std::chrono::steady_clock::now()) {
        changed_.wait_until(lock, due);
      } else {
        const std::coroutine_handle<> waiting = next->second;
        timers_.erase(next);
        lock.unlock();
        waiting.resume();
        lock.lock();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<timer> timers_;
  bool over_ = false;
  std::thread thread_{[this] { run(); }};
};

int main() {
  remote server;
  int pages = 0;
  std::size_t bytes = 0;
  auto addresses = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 100) return std::nullopt;
    return next++;
  });
  auto count = weir::sink([&](const std::string& page) {
    ++pages;
    bytes += page.size();
  });

  // Each answer takes 50 ms, and at most 25 requests are open at a time, so a hundred of them take
  // 0.2 s, without further threads.
  auto get = [&](int address) -> weir::coroutine<std::string> {
    co_await server.answers_in(50ms);
    co_return "page " + std::to_string(address);
  };
  weir::run(addresses | weir::async(get, 25) | count);

  std::cout << pages << " pages, " << bytes << " bytes\n";
}
