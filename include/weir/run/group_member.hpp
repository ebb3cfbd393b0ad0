// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"
#include "weir/graph/groups.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir {

class group_run;
class run_control;

/// One group of a cluster: what a run must know of it. `cluster_member` is one. One run at a time.
class group_member {
 public:
  /// The group that the environment says this process is; null if it says none. Defined by the
  /// layer `cluster`, of which nothing else is known here. Connects at the first call. @throws
  /// graph_error if the process is meant to be a group, and can't be
  static group_member* of_this_process();

  /// How many cores symbolic widths stand for, the same in every group.
  virtual std::size_t cores() const = 0;

  /// All groups, in the same order in each, and the cores of each; groups on one machine share its
  /// cores.
  virtual std::vector<planned_group> groups() const = 0;

  /// Says which node is in which group. @throws graph_error if that is not clear
  virtual void assign_groups(graph& whole) const = 0;

  /// The name of this group.
  virtual const std::string& name() const = 0;

  /// Begins a run of `whole`, which has its groups.
  virtual std::unique_ptr<group_run> begin(const graph& whole, run_control& control) = 0;

 protected:
  ~group_member() = default;
};

}  // namespace weir
