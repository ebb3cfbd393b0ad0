// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/run/group_member.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir {

struct cluster_member_options {
  std::uint16_t port = 0;             ///< at which it listens; 0: any
  std::uint16_t advertised_port = 0;  ///< at which others reach it, if something in between maps ports; 0: the same
  /// When the coordinator is lost, this process ends too: after 0.8 s it gets SIGTERM, and after as
  /// long again SIGKILL.
  bool ends_with_coordinator = false;
  std::chrono::milliseconds coordinator_within{0};  ///< how long the coordinator may take to come up; 0: it is there
  tls_configuration tls;
};

/// A group of a cluster, for programs that do not leave it to their environment (see
/// `group_environment`) which one they are: given to the runs of one network after the other, with
/// `run_options::member`. Destroyed, it says goodbye to the others.
class cluster_member final : public group_member {
 public:
  /// Connects to the coordinator, and waits until all groups have.
  /// @param coordinator `host:port`
  /// @param secret empty: none, which does only on the loopback address
  /// @throws graph_error if that can't be done
  cluster_member(const std::string& group, const std::string& coordinator, const std::string& secret,
                 const cluster_member_options& options = {});
  ~cluster_member();

  std::size_t cores() const override;
  std::vector<planned_group> groups() const override;
  void assign_groups(graph& whole) const override;
  const std::string& name() const override;
  std::unique_ptr<group_run> begin(const graph& whole, run_control& control) override;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace weir
