// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/live_runs.hpp"

#include "weir/run/run.hpp"

#include "graph/json_text.hpp"
#include "graph/per_process.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

std::int64_t now(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::nanoseconds(std::chrono::seconds(time.tv_sec)).count() + time.tv_nsec;
}

}  // namespace

live_runs& live_runs::of_this_process() {
  static constinit made_once<live_runs> all;
  return all.get([] { return std::make_unique<live_runs>(); });
}

live_runs::shown_run::shown_run(live_runs& all)
    : all_(all), run_([&] {
        const std::lock_guard lock(all.mutex_);
        all.under_way_.try_emplace(all.runs_ + 1);
        return ++all.runs_;
      }()) {}

void live_runs::shown_run::enter(std::function<report()> ask) noexcept {
  const std::lock_guard lock(all_.mutex_);
  all_.under_way_.find(run_)->second = std::move(ask);
}

live_runs::shown_run::~shown_run() {
  const std::lock_guard lock(all_.mutex_);
  all_.under_way_.erase(run_);
}

void live_runs::shown_run::leave(report last) {
  const std::lock_guard lock(all_.mutex_);
  if (all_.under_way_.erase(run_) == 0) return;
  all_.last_run_ = run_;
  all_.last_ = std::move(last);
}

std::string live_runs::document() const {
  std::vector<std::pair<std::uint64_t, report>> reports;
  std::string text = R"({"live_view":)" + std::to_string(format) + R"(,"pid":)" + std::to_string(::getpid()) +
                     R"(,"program":)" + quoted_json(program_invocation_short_name) + R"(,"cores":)" +
                     std::to_string(available_cores());
  {
    const std::lock_guard lock(mutex_);
    text += R"(,"at_ns":)" + std::to_string(now(CLOCK_MONOTONIC)) + R"(,"cpu_ns":)" +
            std::to_string(now(CLOCK_PROCESS_CPUTIME_ID));
    for (const auto& [run, ask] : under_way_) {
      if (ask) reports.emplace_back(run, ask());
    }
    if (reports.empty() && last_) reports.emplace_back(last_run_, *last_);
  }
  text += R"(,"runs":[)";
  for (const auto& [run, its] : reports) {
    text += R"({"run":)" + std::to_string(run) + R"(,"report":)" + to_json(its, -1) + "},";
  }
  if (!reports.empty()) text.pop_back();
  return text + "]}\n";
}

}  // namespace weir::detail
