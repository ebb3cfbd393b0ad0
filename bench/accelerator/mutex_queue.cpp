// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../harness.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

using namespace weir_bench;

namespace {

class queue {
 public:
  void push(std::int64_t item) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(item);
    }
    filled_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }
  std::optional<std::int64_t> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    const std::int64_t first = items_.front();
    items_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::int64_t> items_;
  bool closed_ = false;
};

}  // namespace

// The solution without a library: a thread between two queues with mutexes. Otherwise the same as
// weir.cpp.
int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 500}, {"others", 0}});
  queue in;
  queue out;
  std::jthread worker([&] {
    while (const auto item = in.pop()) out.push(*item);
  });
  std::atomic<bool> go_on{true};
  std::vector<std::jthread> others;
  for (std::int64_t i = 0; i != given["others"]; ++i) {
    others.emplace_back([&] {
      while (go_on) {
        in.push(1);
        out.pop();
      }
    });
  }
  std::vector<double> us;
  const stopwatch watch;
  for (std::int64_t i = 0; i != given["items"]; ++i) {
    if (given["others"] == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::int64_t before = now_ns();
    in.push(1);
    verify("answer", out.pop().value(), 1);
    us.push_back(static_cast<double>(now_ns() - before) / 1000);
  }
  const duration took = watch.elapsed();
  go_on = false;
  others.clear();
  in.close();
  print_result("accelerator", "mutex_queue", given["items"], took,
               {{"median_us", quantile(us, 0.5)}, {"p99_us", quantile(us, 0.99)}});
  return 0;
}
