// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/roster.hpp"

#include "cluster/wire/connection.hpp"

#include <algorithm>
#include <utility>

namespace weir::cluster {

roster::roster(const std::vector<group_configuration>& groups) {
  for (const group_configuration& group : groups) {
    member& made = members_.emplace_back();
    made.about = &group;
    made.number = members_.size() - 1;
  }
}

const member* roster::find(const std::string& name) const noexcept {
  const auto found = std::ranges::find(members_, name, &member::name);
  return found == members_.end() ? nullptr : &*found;
}

const member& roster::at(const std::string& name) const {
  const member* const found = find(name);
  if (found == nullptr) throw protocol_error("there is no group " + name);
  return *found;
}
member& roster::at(const std::string& name) { return members_[std::as_const(*this).at(name).number]; }

std::vector<std::string> roster::names() const {
  std::vector<std::string> all;
  for (const member& each : members_) all.push_back(each.name());
  return all;
}

void roster::tell(const member& to, const to_group::any& message) { to.connected->send_control(wire_text(message)); }

void roster::tell_all(const to_group::any& message, const member* but) const {
  const std::string text = wire_text(message);
  for (const member& each : members_) {
    if (&each != but && each.connected) each.connected->send_control(text);
  }
}

}  // namespace weir::cluster
