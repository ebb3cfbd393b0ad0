// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/group_member.hpp"

#include "cluster/member/clock_comparison.hpp"
#include "cluster/member/remote_input.hpp"
#include "cluster/member/remote_output.hpp"
#include "cluster/protocol/report_parts.hpp"
#include "cluster/wire/transport.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir::cluster {

class membership;

/// A run of a network in this group's process.
class member_run final : public detail::group_run {
 public:
  member_run(membership& of, std::uint32_t number, const graph& whole, detail::run_control& control);
  ~member_run() override;

  std::shared_ptr<detail::outgoing_link> outgoing(channel_id first) override { return ends_.at(first).out; }
  std::shared_ptr<detail::incoming_link> incoming(channel_id first) override { return ends_.at(first).in; }
  detail::loop_arbiter& take_part(loop_id id, detail::loop& part) override;
  bool join(const std::string& trace) override;
  trace_part begin_trace() override;
  void end_trace(std::uint64_t dropped) override;
  void let_ask(std::function<detail::group_report()> ask) override;
  bool looked(std::chrono::steady_clock::time_point began, const detail::standstill& found) override;
  void failed(const std::string& path, const std::string& text, bool undecodable) noexcept override;
  void cancelled() noexcept override;
  void drained() noexcept override;
  report end(detail::group_report own) override;

  // Called by the member on its I/O thread:
  void hear(arrived_frame& what);
  /// Returns the report of its part so far (see part_of_whole); none: it is not under way. Under
  /// the member's lock.
  std::optional<numbered_report> part() const;
  /// Returns text such as "from /a to /b"; empty: it is no channel of this group.
  std::string ends_of(channel_id id) const;
  /// Reports on standard error each channel without progress for at least `time`.
  std::vector<std::string> stalls(std::chrono::milliseconds time) const;
  /// Answers the coordinator's question whether this group stands still.
  void ask_for_standstill(std::uint64_t question);
  /// Lets the nodes end that can, as the coordinator orders, if nothing has run since.
  void end_some_after(std::uint64_t rounds) {
    const std::lock_guard lock(still_mutex_);
    end_some_after_ = rounds;
    still_told_ = 0;  // if they don't end, it is reported again
  }
  /// Returns this group's part of a loop. @throws protocol_error if it has none
  detail::loop& part_of(loop_id id);

  const std::uint32_t number;
  detail::run_control& control;

  /// The last stage that was reported to the coordinator. It decides which messages the coordinator
  /// may send. Set (release) before the report.
  enum class stage { entered, ready, done };
  std::atomic<stage> said{stage::entered};

  // Under the member's lock:
  bool begun = false;
  bool over = false;
  bool traced = false;
  std::int64_t began_at = 0;                       // on the coordinator's clock
  std::map<std::string, numbered_report> reports;  // received from other groups so far, if this is the result group

 private:
  struct asked_of_standstill {
    std::chrono::steady_clock::time_point at;
    standstill_answer answer;
  };

  void say_standstill(const standstill_answer& answer);
  void answer_at_end();
  std::map<std::string, crossed> traffic() const;

  // One of `out` and `in` is null.
  struct end_here {
    std::string other;  // name of the other group
    std::shared_ptr<remote_output> out;
    std::shared_ptr<remote_input> in;
  };
  // A channel, by its number at its remote end here.
  struct place {
    const end_here* end = nullptr;  // null: the channel is not cut, or no channel of this group
    std::uint32_t channel = 0;
  };
  const place& place_of(std::uint64_t id, bool sends) const;

  // Reports the events of a loop's part to the coordinator.
  class loop_reporter final : public detail::loop_arbiter {
   public:
    loop_reporter(member_run& of, loop_id id, detail::loop& here) : part(here), of_(of), id_(id) {}
    void part_is_quiet() noexcept override;
    void part_has_answered() noexcept override;

    detail::loop& part;

   private:
    member_run& of_;
    const loop_id id_;
  };

  membership& of_;
  const graph& whole_;
  std::string result_group_;
  std::map<channel_id, end_here> ends_;               // by first channel
  std::vector<place> places_;                         // by channel of the whole
  std::optional<clock_comparison> first_comparison_;  // only if the run is traced
  std::optional<clock_translation> clock_;            // only if the run is traced, at its end
  // A second lock, because the member's lock is held while user code is called, and the thread that
  // looks must not wait for user code.
  std::mutex still_mutex_;        // guards the members that follow
  std::uint64_t still_told_ = 0;  // rounds of the last report
  std::uint64_t end_some_after_ = 0;
  std::optional<asked_of_standstill> asked_;

  std::function<detail::group_report()> ask_;  // under the member's lock
  std::map<loop_id, loop_reporter> loops_;     // by loop of the whole; complete before `join`
};

}  // namespace weir::cluster
