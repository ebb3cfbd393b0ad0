// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/group_member.hpp"

namespace weir {

/// Selects the variant of a pattern that is distributed over the groups of a cluster, as its first
/// argument; see across_groups.hpp.
struct across_groups {
  /// This group's membership in the cluster. Null: there is no cluster, and the pattern runs in
  /// this process alone.
  group_member* member = group_member::of_this_process();

  /// Returns whether there are no other groups.
  bool alone() const { return member == nullptr || member->groups().size() < 2; }

  /// Returns whether this is the first group, or there is no cluster. Use it for actions that only
  /// one group performs, such as printing.
  bool in_first_group() const { return member == nullptr || member->groups().front().name == member->name(); }
  [[deprecated("use in_first_group")]] bool at_home() const { return in_first_group(); }
};

}  // namespace weir
