// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include "cluster/protocol/describe.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::cluster {

/// Address of a group's process, by which other processes find it, and know whether they share
/// memory with it.
struct process_address {
  std::uint16_t port = 0;  ///< port at which it listens
  std::string machine;     ///< processes with the same machine share their cores
  std::string network;     ///< processes with the same machine and network share their addresses
  std::uint64_t process = 0;

  bool shares_addresses(const process_address& other) const {
    return machine == other.machine && network == other.network;
  }
  bool is_process(const process_address& other) const { return shares_addresses(other) && process == other.process; }

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    fields("port", self.port);
    fields("machine", self.machine);
    fields("network", self.network);
    fields("process", self.process);
  }
};

/// Location of a group's process, which it sends to the coordinator when it introduces itself.
struct process_place : process_address {
  std::size_t cores = 1;  ///< cores of its machine that it may use
  bool in_mpi = false;    ///< an MPI launcher has started it

  /// @param port port at which it listens
  static process_place of_this_process(std::uint16_t port);

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    constexpr std::size_t cores_most = 4096;  // as many as a configuration may name
    process_address::describe(self, fields);
    fields.up_to("cores", self.cores, cores_most);
    fields("mpi", self.in_mpi);
  }
};

/// A group, as the coordinator describes it to all groups once all have introduced themselves.
struct introduced_group {
  std::string name;
  std::string address;
  std::string host;  ///< as the configuration names it; may be empty
  process_address at;
  double share = 1;  ///< its share of its machine's cores
  std::vector<std::string> nodes;
  std::uint64_t batch_size = 0;
  std::uint64_t frames_under_way = 0;
  std::size_t channel_items = 0;

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    fields("name", self.name);
    fields("address", self.address);
    fields("host", self.host);
    process_address::describe(self.at, fields);
    fields("cores", self.share);
    fields("nodes", self.nodes);
    fields("batch_size", self.batch_size);
    fields("frames_under_way", self.frames_under_way);
    fields("channel_items", self.channel_items);
  }
  /// @throws protocol_error
  void check() const;
};

/// The coordinator's message to all groups once all have introduced themselves.
struct welcome {
  std::vector<introduced_group> groups;
  std::size_t cores = 1;  ///< number of all machines together
  bool watched = false;
  bool traced = false;
  bool plan = false;
  bool checksums = false;
  bool mpi = false;  ///< all groups join MPI
  std::chrono::milliseconds stalled_after{};
  link_transport transport = link_transport::automatic;
  std::vector<link_configuration> links;

  link_transport between(const std::string& one, const std::string& other) const;

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    constexpr std::size_t cores_most = 1'000'000;
    fields.up_to("cores", self.cores, cores_most);
    fields("watched", self.watched);
    fields("traced", self.traced);
    fields("plan", self.plan);
    fields("checksums", self.checksums);
    fields("mpi", self.mpi);
    fields("stalled_after", self.stalled_after);
    fields.up_to("transport", self.transport, last_link_transport);
    fields("links", self.links);
    fields("groups", self.groups);
  }
};

}  // namespace weir::cluster
