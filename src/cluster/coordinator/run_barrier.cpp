// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/run_barrier.hpp"

#include "cluster/wire/frame.hpp"

#include <algorithm>
#include <utility>

namespace weir::cluster {

void run_barrier::ready(std::size_t number, to_coordinator::ready message) {
  group_state& from = groups_[number];
  if (message.run <= from.ready_for || from.ready_for != from.done_with) {
    throw protocol_error("it is ready for run " + std::to_string(message.run) + " after run " +
                         std::to_string(from.ready_for));
  }
  from.ready_for = message.run;
  from.fingerprint = std::move(message.fingerprint);
  from.trace = std::move(message.trace);
  from.loops = std::move(message.loops);
}

void run_barrier::check_end(std::size_t number, std::uint32_t run, std::string_view message) const {
  const group_state& from = groups_[number];
  const std::string what = "it says \"" + std::string(message) + "\" of run " + std::to_string(run);
  if (run != run_ || run != from.ready_for) throw protocol_error(what + ", which it was not told to begin");
  if (run == from.done_with) throw protocol_error(what + ", with which it is done");
}

bool run_barrier::all_are_done() const noexcept {
  return std::ranges::all_of(groups_, [&](const group_state& each) { return each.done_with == run_; });
}

run_barrier::next run_barrier::begin_if_ready() {
  using kind = next::kind;
  const std::uint32_t run = std::ranges::max(groups_, {}, &group_state::ready_for).ready_for;
  if (run == run_) return {};
  const auto late = std::ranges::find_if(groups_, [&](const group_state& each) { return each.ready_for != run; });
  if (late != groups_.end()) {
    if (late->left) return {kind::one_has_left, static_cast<std::size_t>(late - groups_.begin()), run};
    return {};
  }
  const auto differs = std::ranges::find_if(
      groups_, [&](const group_state& each) { return each.fingerprint != groups_.front().fingerprint; });
  if (differs != groups_.end())
    return {kind::networks_differ, static_cast<std::size_t>(differs - groups_.begin()), run};
  run_ = run;
  return {kind::begin, 0, run};
}

std::map<loop_id, std::set<std::string>> run_barrier::loops() const {
  std::map<loop_id, std::set<std::string>> parts;
  for (std::size_t i = 0; i != groups_.size(); ++i) {
    for (const loop_id id : groups_[i].loops) parts[id].insert(names_[i]);
  }
  return parts;
}

std::string run_barrier::trace_file(const std::string& result_group) const {
  std::string file;
  for (std::size_t i = 0; i != groups_.size(); ++i) {
    if (file.empty() || names_[i] == result_group) file = groups_[i].trace;
  }
  return file;
}

}  // namespace weir::cluster
