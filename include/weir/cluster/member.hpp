// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/export.hpp"
#include "weir/run/group_member.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir {

/// Options of `cluster_member`.
struct cluster_member_options {
  std::uint16_t port = 0;  ///< port at which it listens; 0: any
  /// Port at which the other groups reach it, if a host in between maps ports. 0: the same as
  /// `port`.
  std::uint16_t advertised_port = 0;
  /// Whether this process ends when the coordinator is lost: it gets SIGTERM after 0.8 s, and
  /// SIGKILL 0.8 s later.
  bool ends_with_coordinator = false;
  std::chrono::milliseconds coordinator_within{0};  ///< how long to wait for the coordinator to start; 0: not at all
  tls_configuration tls;
};

/// A group of a cluster, for programs that don't take their group from the environment (see
/// `group_environment`). It is passed to the runs of one network after the other, in
/// `run_options::member`. The destructor says goodbye to the other groups. A forked child has no
/// part in the cluster: all functions but `name` throw std::logic_error there, and the destructor
/// leaves the connections of the parent as they are.
class WEIR_API cluster_member final : public group_member {
 public:
  /// Connects to the coordinator, and waits until all groups have connected.
  /// @param coordinator `host:port`
  /// @param secret empty: none, which is allowed only on the loopback address
  /// @throws graph_error if it can't connect
  cluster_member(const std::string& group, const std::string& coordinator, const std::string& secret,
                 const cluster_member_options& options = {});
  ~cluster_member();

  std::size_t cores() const override;
  std::vector<planned_group> groups() const override;
  void assign_groups(graph& whole) const override;
  const std::string& name() const override;
  std::unique_ptr<detail::group_run> begin(const graph& whole, detail::run_control& control) override;

 private:
  class state;
  state& here() const;
  detail::process_ptr<state> state_;
};

}  // namespace weir
