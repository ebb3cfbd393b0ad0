// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/run_watch.hpp"

#include "cluster/wire/connection.hpp"
#include "cluster/wire/frame.hpp"
#include "graph/control_characters.hpp"

#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

using namespace std::chrono_literals;

// Time between two questions to all groups whether they stand still.
constexpr auto ask_again_after = 500ms;

}  // namespace

run_watch::run_watch(const roster& groups, std::function<void(std::chrono::milliseconds, std::function<void()>)> after,
                     std::function<void(const cluster_failure&)> fail)
    : groups_(groups), after_(std::move(after)), fail_(std::move(fail)) {}

void run_watch::begin(std::uint32_t run, std::map<loop_id, std::set<std::string>> loops) {
  run_ = run;
  const std::vector<std::string> names = groups_.names();
  standstill_ = standstill_watch({names.begin(), names.end()});
  loops_.clear();
  for (auto& [id, groups] : loops) loops_.try_emplace(id, std::move(groups));
}

void run_watch::order(const to_group::any& message, const member* but) {
  ++orders_;
  groups_.tell_all(message, but);
}

// ---- loops ----

void run_watch::hear(const member& from, const to_coordinator::quiet& message) {
  if (auto* wave = wave_of(from, message)) act(*wave, message.loop, wave->quiet(from.name()));
}
void run_watch::hear(const member& from, const to_coordinator::noted& message) {
  if (auto* wave = wave_of(from, message)) act(*wave, message.loop, wave->noted(from.name()));
}
void run_watch::hear(const member& from, const to_coordinator::compared& message) {
  if (auto* wave = wave_of(from, message))
    act(*wave, message.loop, wave->compared(from.name(), message.quiet, message.quiet_now, message.sent));
}
void run_watch::hear(const member& from, const to_coordinator::answered& message) {
  if (auto* wave = wave_of(from, message)) act(*wave, message.loop, wave->answered(from.name()));
}

// Returns the wave of the loop; null if the message belongs to another run. @throws protocol_error
loop_wave* run_watch::wave_of(const member& from, const about_loop& message) {
  if (message.run != run_) return nullptr;
  const auto found = loops_.find(message.loop);
  if (found == loops_.end() || !found->second.parts().contains(from.name()))
    throw protocol_error("it speaks of a loop that it has no part in");
  return &found->second;
}

void run_watch::act(const loop_wave& wave, loop_id id, loop_wave::order next) {
  using order = loop_wave::order;
  const about_loop what{.run = run_, .loop = id};
  std::string text;
  switch (next) {
    case order::none: return;
    case order::note: text = wire_text(to_group::note{what}); break;
    case order::compare: text = wire_text(to_group::compare{what}); break;
    case order::ask: text = wire_text(to_group::ask{what}); break;
    case order::close: text = wire_text(to_group::close{what}); break;
  }
  ++orders_;
  for (const member& each : groups_.all()) {
    if (wave.parts().contains(each.name())) each.connected->send_control(text);
  }
}

// ---- standstill ----

void run_watch::hear(const member& from, const to_coordinator::still& message) {
  if (message.run == run_) act(standstill_.still(from.name(), message.rounds));
}
void run_watch::hear(const member& from, to_coordinator::standstill&& message) {
  if (message.run == run_) act(standstill_.answered(from.name(), std::move(message.answer)));
}
void run_watch::done(const member& who) { act(standstill_.still(who.name(), standstill_answer::is_done)); }

void run_watch::act(standstill_watch::order what) {
  using order = standstill_watch::order;
  // An order that was given since may wake some nodes.
  if ((what == order::fail || what == order::end_some) && orders_ != orders_then_) what = order::ask_later;
  switch (what) {
    case order::none: return;
    case order::ask:
      orders_then_ = orders_;
      return groups_.tell_all(to_group::standstill{.run = run_, .question = standstill_.ask()});
    case order::ask_later:
      return after_(ask_again_after, [this, run = run_] {
        if (run == run_) act(standstill_.again());
      });
    case order::end_some:
      for (const auto& [group, rounds] : standstill_.end_some()) {
        roster::tell(groups_.at(group), to_group::end_some{{.run = run_, .rounds = rounds}});
      }
      return;
    case order::fail:
      if (const auto found = standstill_.cycle()) {
        fail_({found->group, detail::printable_lines(found->cycle.path), detail::printable_lines(found->cycle.text),
               failure_kind::node});
      }
      return;
  }
}

}  // namespace weir::cluster
