// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/blame.hpp"

#include <algorithm>
#include <utility>

namespace weir::cluster {
namespace {

constexpr const char* ended_early = "has ended before it ran a network";

failure_kind kind_of(loss_cause cause) {
  switch (cause) {
    case loss_cause::damaged: return failure_kind::data;
    case loss_cause::misunderstood: return failure_kind::protocol;
    default: return failure_kind::lost;
  }
}

std::string gone_because(const std::string& why) { return why.empty() ? "has gone" : "has gone: " + why; }

}  // namespace

blame::blame(const roster& groups, std::function<void(std::function<void()>)> after_a_moment,
             std::function<void(const cluster_failure&)> tell)
    : groups_(groups),
      after_a_moment_(std::move(after_a_moment)),
      tell_(std::move(tell)),
      suspicions_(groups.all().size()) {}

std::optional<cluster_failure> blame::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void blame::fail(const cluster_failure& what) {
  {
    const std::lock_guard lock(mutex_);
    if (failure_) return;
    failure_ = what;
  }
  tell_(what);
}

void blame::gone(const member& who, const std::string& how) {
  const bool others_gone =
      std::ranges::any_of(groups_.all(), [&](const member& each) { return &each != &who && each.over; });
  const std::string& status = about(who).how_it_ended;
  if (status.empty()) return fail({who.name(), "", how, failure_kind::lost, others_gone});
  fail({who.name(), "", status, failure_kind::process});
}

void blame::gone_in_a_moment(const member& who, const std::string& how) {
  after_a_moment_([this, &who, how] { gone(who, how); });
}

void blame::refused(const handshake_error& problem) {
  if (problem.claimed.empty()) refused_caller_ = "a caller at " + problem.caller + " was refused: " + problem.what();
  const member* const claimed = groups_.find(problem.claimed);
  if (claimed == nullptr) return;
  const failure_kind kind = problem.about_secret ? failure_kind::authentication : failure_kind::protocol;
  about(*claimed).refused = {claimed->name(), "", std::string("was refused: ") + problem.what(), kind};
}

void blame::came(const member& who) {
  about(who).came = true;
  const auto early = std::ranges::find(suspicions_, true, &suspicion::ended_well_early);
  if (early != suspicions_.end())
    gone(groups_.all()[static_cast<std::size_t>(early - suspicions_.begin())], ended_early);
}

void blame::process_ended(const member& who, const std::string& how) { about(who).how_it_ended = how; }

void blame::has_ended_unconnected(const member& who) {
  suspicion& its = about(who);
  if (its.refused) return fail(*its.refused);
  its.ended_well_early = its.how_it_ended.empty();
  if (!its.ended_well_early || std::ranges::any_of(suspicions_, &suspicion::came)) gone(who, ended_early);
  nobody_came_.store(std::ranges::all_of(suspicions_, &suspicion::ended_well_early), std::memory_order_relaxed);
}

void blame::has_ended_connected(const member& who) {
  if (!about(who).how_it_ended.empty()) gone(who, "");
}

void blame::connection_lost(const member& who, const std::string& why, loss_cause cause) {
  about(who).why = why;
  if (cause != loss_cause::broken) return fail({who.name(), "", gone_because(why), kind_of(cause)});
  gone_in_a_moment(who, gone_because(why));
}

void blame::connection_lost_between(const member& from, const to_coordinator::lost& message) {
  const member& to = groups_.at(message.group);
  const std::string what =
      (message.met ? "has lost its connection to " : "can't be reached by ") + from.name() + ": " + message.text;
  if (message.cause != loss_cause::broken) return fail({to.name(), "", what, kind_of(message.cause)});
  after_a_moment_([this, &to, what] { gone(to, to.over ? gone_because(about(to).why) : what); });
}

void blame::some_are_missing(std::chrono::milliseconds start_within) {
  const auto missing = std::ranges::find(groups_.all(), false, &member::here);
  if (missing == groups_.all().end()) return;
  const suspicion& its = about(*missing);
  if (its.refused) return fail(*its.refused);
  if (its.ended_well_early) return gone(*missing, ended_early);
  std::string text = "has not come up within " + std::to_string(start_within.count() / 1000) + " s";
  for (const member& each : groups_.all()) {
    if (each.here) continue;
    if (&each != &*missing) text += "; nor has " + each.name();
    if (!each.about->host.empty()) text += " on " + each.about->host;
  }
  if (!refused_caller_.empty()) text += "; " + refused_caller_;
  fail({missing->name(), "", text, failure_kind::lost});
}

}  // namespace weir::cluster
