// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/group_member.hpp"

namespace weir {

/// The first argument of patterns that are shared out over the groups of a cluster; see
/// across_groups.hpp.
struct across_groups {
  /// The cluster; null: there is none, and the pattern runs in this process alone.
  group_member* member = group_member::of_this_process();

  /// Whether there are no other groups.
  bool alone() const { return member == nullptr || member->groups().size() < 2; }

  /// Whether this is the first group, or there is no cluster: for what one of them shall do, such
  /// as printing.
  bool at_home() const { return member == nullptr || member->groups().front().name == member->name(); }
};

}  // namespace weir
