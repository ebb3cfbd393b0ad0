// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/report.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace weir {

/// The runs under way in this process, for those who watch it; and the one that ended last, to be
/// shown between runs.
///
/// Any thread. A report is asked for under the lock, so that none is asked of a run that has left;
/// a run that ends waits for that, but never for who reads the text.
class live_runs {
 public:
  /// One run: not shown before `enter` and after `leave`.
  class entry {
   public:
    explicit entry(live_runs& all);
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry();

    /// The run has begun. @param ask is called by any thread
    void enter(std::function<report()> ask) noexcept;

    /// It has ended. From here on `ask` is not called.
    void leave(report last);

   private:
    live_runs& all_;
    const std::uint64_t run_;
  };

  /// Those of this process. Never destroyed: who watches may outlive main.
  static live_runs& of_this_process();

  /// Around a fork: no other thread is within. The runs of a parent are not those of its child.
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork(bool in_child) noexcept {
    if (in_child) under_way_.clear();
    mutex_.unlock();
  }

  /// Of the text below, and the one that a cluster shows of itself.
  static constexpr int format = 1;

  /// One line of JSON: the process, and the report of each run under way; of the last one, if there
  /// is none.
  ///
  ///     document = { "live_view": 1, "pid", "program", "cores", "at_ns": on a steady clock, "cpu_ns": of the process,
  ///                  "runs": [ { "run": counted from 1, "report": weir::to_json(report) }, … ] } newline
  std::string document() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t runs_ = 0;
  std::map<std::uint64_t, std::function<report()>> under_way_;  // null: not yet
  std::uint64_t last_run_ = 0;
  std::optional<report> last_;
};

}  // namespace weir
