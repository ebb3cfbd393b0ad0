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

namespace weir::detail {

/// The runs under way in this process, for those who watch it, and the run that ended last, which
/// is shown between runs.
///
/// Any thread. A report is requested under the lock, so none is requested of a run that has left. A
/// run that ends waits for such a request, but never for a reader of the text.
class live_runs {
 public:
  /// One run. It is shown from `enter` until `leave`.
  class shown_run {
   public:
    explicit shown_run(live_runs& all);
    shown_run(const shown_run&) = delete;
    shown_run& operator=(const shown_run&) = delete;
    ~shown_run();

    /// Called when the run has begun. @param ask makes a report; any thread may call it
    void enter(std::function<report()> ask) noexcept;

    /// Called when the run has ended. `ask` is not called after this.
    void leave(report last);

   private:
    live_runs& all_;
    const std::uint64_t run_;
  };

  /// The runs of this process. Never destroyed, since watching threads may outlive `main`.
  static live_runs& of_this_process();

  /// Called around a fork: no other thread holds the lock meanwhile. The child has none of the
  /// parent's runs.
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork(bool in_child) noexcept {
    if (in_child) under_way_.clear();
    mutex_.unlock();
  }

  /// Version of the text below, and of the text that a cluster shows.
  static constexpr int format = 1;

  /// Returns one line of JSON: the process and the report of each run under way; if there is none,
  /// of the last run.
  ///
  ///     document = { "live_view": 1, "pid", "program", "cores", "at_ns": on a steady clock, "cpu_ns": of the process,
  ///                  "runs": [ { "run": counted from 1, "report": weir::to_json(report) }, … ] } newline
  std::string document() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t runs_ = 0;
  std::map<std::uint64_t, std::function<report()>> under_way_;  // null: not begun yet
  std::uint64_t last_run_ = 0;
  std::optional<report> last_;
};

}  // namespace weir::detail
