// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace extsort {
namespace {

// Keeps the first exception of a team: none may leave a parallel region.
class first_error {
 public:
  template <class F>
  void guarded(F&& body) {
    if (has_come_) return;
    try {
      body();
    } catch (...) {
      const std::lock_guard held(mutex_);
      if (!has_come_.exchange(true)) what_ = std::current_exception();
    }
  }
  bool has_come() const noexcept { return has_come_; }
  void rethrow() const {
    if (what_) std::rethrow_exception(what_);
  }

 private:
  std::atomic<bool> has_come_ = false;
  std::mutex mutex_;
  std::exception_ptr what_;
};

// Each thread of a team takes the next item itself, as in S's OpenMP version except for its
// scanning ahead (S, section 2.1).
class openmp final : public engine {
 public:
  openmp(std::size_t workers, std::stop_token stop) : workers_(workers), stop_(std::move(stop)) {}

  void each(std::size_t tasks, std::size_t workers,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    first_error error;
    std::atomic<std::size_t> next = 0;
    const int team = static_cast<int>(std::min(workers, workers_));
#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int worker = 0; worker < team; ++worker) {
      error.guarded([&] {
        for (std::size_t task = 0; !error.has_come() && (task = next++) < tasks;) {
          if (stop_.stop_requested()) throw interrupted();
          work(static_cast<std::size_t>(worker), task);
        }
      });
    }
    error.rethrow();
  }

  std::size_t chunks(std::size_t workers, bool) const noexcept override { return std::min(workers, workers_); }
  std::size_t workers() const noexcept override { return workers_; }

 private:
  void run_stream(const chunk_stream<std::any>& of) override {
    first_error error;
    std::mutex reading, collecting;
    bool is_at_end = false;
    const auto read = [&](std::span<std::byte> free) -> std::optional<chunk> {
      const std::lock_guard held(reading);
      if (is_at_end || error.has_come()) return std::nullopt;
      std::optional<chunk> next = of.read(free);
      is_at_end = !next;
      return next;
    };
    const auto collect = [&](std::any made) {
      const std::lock_guard held(collecting);
      of.collect(std::move(made));
    };
    const int team = static_cast<int>(std::min(of.workers, workers_));
#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int worker = 0; worker < team; ++worker) {
      const auto own = static_cast<std::size_t>(worker);
      error.guarded([&] {
        while (const std::optional<chunk> next = read(of.memory[own])) {
          if (stop_.stop_requested()) throw interrupted();
          collect(of.work(own, *next));
        }
        if (of.finish && !error.has_come()) collect(of.finish(own));
      });
    }
    error.rethrow();
  }

  std::size_t workers_;
  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<engine> openmp_engine(std::size_t workers, std::stop_token stop) {
  return std::make_unique<openmp>(workers, std::move(stop));
}

}  // namespace extsort
