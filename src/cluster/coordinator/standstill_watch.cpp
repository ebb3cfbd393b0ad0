// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/standstill_watch.hpp"

#include <algorithm>
#include <utility>

namespace weir::cluster {

using order = standstill_watch::order;

order standstill_watch::still(const std::string& group, std::uint64_t rounds) {
  rounds_[group] = rounds;
  return again();
}

order standstill_watch::again() const {
  const bool some_wait =
      std::ranges::any_of(rounds_, [](const auto& each) { return each.second != standstill_answer::is_done; });
  return !asking_ && some_wait && rounds_.size() == groups_.size() ? order::ask : order::none;
}

std::uint64_t standstill_watch::ask() {
  asking_ = true;
  asked_rounds_ = rounds_;
  answers_.clear();
  return ++question_;
}

order standstill_watch::answered(const std::string& group, standstill_answer answer) {
  if (!asking_ || answer.question != question_) return order::none;
  if (answer.rounds == 0) {
    rounds_.erase(group);  // it reports again when it stands still
  } else {
    rounds_[group] = answer.rounds;
  }
  answers_[group] = std::move(answer);
  return answers_.size() == groups_.size() ? judge() : order::none;
}

order standstill_watch::judge() {
  asking_ = false;
  const bool same = std::ranges::all_of(answers_, [&](const auto& each) {
    const auto before = asked_rounds_.find(each.first);
    return before != asked_rounds_.end() && before->second == each.second.rounds;
  });
  if (again() == order::none) return order::none;
  if (!same || !nothing_is_on_its_way()) return order::ask_later;
  const bool some_can_end = std::ranges::any_of(answers_, [](const auto& each) { return each.second.some_can_end; });
  return some_can_end ? order::end_some : order::fail;
}

std::map<std::string, std::uint64_t> standstill_watch::end_some() {
  std::map<std::string, std::uint64_t> made;
  for (const auto& [group, answer] : answers_) {
    if (!answer.some_can_end) continue;
    made[group] = answer.rounds;
    rounds_.erase(group);
  }
  return made;
}

bool standstill_watch::nothing_is_on_its_way() const {
  const auto between = [&](const std::string& from, const std::string& to) {
    const auto& all = answers_.at(from).traffic;
    const auto at = all.find(to);
    return at == all.end() ? crossed() : at->second;
  };
  for (const auto& [from, of_one] : answers_) {
    for (const auto& [to, of_other] : answers_) {
      if (from != to && between(from, to).out != between(to, from).in) return false;
    }
  }
  return true;
}

std::optional<standstill_watch::found> standstill_watch::cycle() const {
  std::vector<detail::waiting_node> all;
  std::map<std::string, std::string> group_of;
  for (const auto& [group, answer] : answers_) {
    for (const detail::waiting_node& each : answer.nodes) group_of.emplace(each.who, group);
    all.insert(all.end(), answer.nodes.begin(), answer.nodes.end());
  }
  if (all.empty()) return std::nullopt;
  detail::waiting_cycle made = detail::cycle_of(all);
  std::string group = group_of.at(made.path);
  return found{std::move(group), std::move(made)};
}

}  // namespace weir::cluster
