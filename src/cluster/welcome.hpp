// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include "cluster/program_build.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::cluster {

/// Where a group's process is, as it says to the coordinator when it introduces itself.
struct process_place {
  std::uint16_t port = 0;  ///< it listens there
  std::size_t cores = 1;   ///< of its machine, as many as it may use
  std::string machine;     ///< processes with the same share their cores
  std::string network;     ///< and with the same their addresses
  std::uint64_t process = 0;
  bool in_mpi = false;  ///< an MPI has started it

  /// @param port where it listens
  static process_place of_this_process(std::uint16_t port);
  bool shares_addresses(const process_place& other) const {
    return machine == other.machine && network == other.network;
  }
  bool is_process(const process_place& other) const { return shares_addresses(other) && process == other.process; }
};

/// A group, as all of the cluster hear of it when all have introduced themselves.
struct introduced_group {
  std::string name;
  std::string address;
  std::string host;  ///< as the configuration names it; may be empty
  process_place at;  ///< but the cores
  double share = 1;  ///< of its machine's cores
  std::vector<std::string> nodes;
  std::uint64_t batch_size = 0;
  std::uint64_t frames_under_way = 0;
  std::size_t channel_items = 0;
};

/// What the coordinator says then.
struct welcome {
  std::vector<introduced_group> groups;
  std::size_t cores = 1;  ///< of all machines
  bool watched = false;
  bool traced = false;
  bool plan = false;
  bool checksums = false;
  bool mpi = false;  ///< all groups join MPI
  std::chrono::milliseconds stalled_after{};
  link_transport transport = link_transport::automatic;
  std::vector<link_configuration> links;

  link_transport between(const std::string& one, const std::string& other) const;
};

nlohmann::json json_of(const process_place& place);
nlohmann::json json_of(const program_build& build);
nlohmann::json json_of(const welcome& what);
/// @throws protocol_error
process_place place_from_json(const nlohmann::json& message);
program_build build_from_json(const nlohmann::json& message);
welcome welcome_from_json(const nlohmann::json& message);

}  // namespace weir::cluster
