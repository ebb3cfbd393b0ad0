// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir {

namespace detail {
class group_run;
class run_control;
}  // namespace detail

/// One group of a cluster, as a run sees it; `cluster_member` implements it. It has one run at a
/// time.
class WEIR_API group_member {
 public:
  /// Returns the group that the environment assigns to this process; null if it assigns none, and
  /// in a forked child of that group, whose networks run within the child. The layer `cluster`
  /// defines this function; it is all that this layer knows of `cluster`. Connects at the first
  /// call.
  /// @throws graph_error if the process should be a group but can't become one
  static group_member* of_this_process();

  /// Returns the number of cores for which symbolic widths stand; it is the same in every group.
  virtual std::size_t cores() const = 0;

  /// Returns all groups, in the same order in each group, with the number of cores of each. Groups
  /// on one machine share its cores.
  virtual std::vector<planned_group> groups() const = 0;

  /// Assigns each node to a group. @throws graph_error if the assignment is incomplete or ambiguous
  virtual void assign_groups(graph& whole) const = 0;

  /// Returns the name of this group.
  virtual const std::string& name() const = 0;

  /// Begins a run of `whole`, whose nodes are assigned to groups.
  virtual std::unique_ptr<detail::group_run> begin(const graph& whole, detail::run_control& control) = 0;

 protected:
  ~group_member() = default;
};

}  // namespace weir
