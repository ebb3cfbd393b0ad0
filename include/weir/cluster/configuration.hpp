// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/graph/groups.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Error in a configuration. The text has a line for each problem, with the file, the line, and the
/// key.
class WEIR_API configuration_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Configuration of one group: one process of a cluster (F2 §3).
struct group_configuration {
  std::string name;
  std::vector<std::string> nodes;  ///< see group_selection; empty: the nodes that the program puts into it
  std::string host;                ///< host on which it runs; empty: the machine of the launcher
  std::uint16_t port = 0;          ///< port at which it listens; 0: any
  std::size_t batch_size = 0;      ///< number of items that `frames_under_way` counts as one frame; 0: frames as sent
  /// Largest number of frames in transit in each channel to another group (F2's messageOTF). 0:
  /// only bytes are limited.
  std::size_t frames_under_way = 0;
  /// Capacity of the group's channels for which nothing else sets one (F2's internalMessageOTF). 0:
  /// by item size.
  std::size_t channel_items = 0;
  std::string cores;        ///< cores on which it runs, as `0,2,4-7` (F2's threadMapping); empty: all
  std::string pre_command;  ///< put in front of the program (F2's preCmd)
  std::map<std::string, std::string> environment;  ///< set for this group only
};

/// The transport of items between two groups.
enum class link_transport {
  /// Within a process `inproc`; within a machine `shm` if possible; else `mpi` in an MPI job, or
  /// `tcp`.
  automatic,
  tcp,
  shm,     ///< shared memory, on one machine
  inproc,  ///< within one process
  mpi,     ///< the MPI that started the groups
};

/// The launcher of the groups.
enum class cluster_protocol {
  tcp,  ///< weir itself
  mpi,  ///< mpirun, or srun in an allocation of SLURM: each group is a rank
};

/// The transport between two groups, in both directions. `one` and `other` are the names of the
/// groups.
struct link_configuration {
  std::string one;
  std::string other;
  link_transport transport = link_transport::automatic;
};

/// Names of PEM files; the paths are the same on all machines.
struct tls_configuration {
  std::string certificate;  ///< certificate of the process that reads it, with its certificate chain
  std::string key;          ///< private key of that certificate
  std::string authorities;  ///< certificates of the authorities that may sign a peer's certificate

  bool is_set() const noexcept { return !certificate.empty(); }
};

/// The groups of a cluster, and how they are connected. It is the same in all processes of a run.
struct cluster_configuration {
  cluster_protocol protocol = cluster_protocol::tcp;
  std::vector<group_configuration> groups;
  bool plan = false;                                     ///< nodes without a group are distributed by `plan_groups`
  link_transport transport = link_transport::automatic;  ///< transport of links that are not in `links`
  std::vector<link_configuration> links;
  tls_configuration tls;   ///< not set: nothing is encrypted
  bool any_build = false;  ///< groups may run different builds of the program, whose items must have the same layout
  bool checksums = false;  ///< checksums of payloads on TCP connections within a machine, too
  /// Time within which a broken connection may be made again. 0: it may not.
  std::chrono::milliseconds reconnect_within{0};
  std::chrono::milliseconds heartbeat{1000};
  std::chrono::milliseconds dead_after{5000};
  std::chrono::milliseconds start_within{30'000};
  /// Time after which a group reports that items in transit to another group stall, if none of them
  /// was completed meanwhile.
  std::chrono::milliseconds stalled_after{30'000};
};

/// Reads a configuration from JSON, in the format of FastFlow's distributed programs: an object
/// with `groups`. `file` is used in messages.
/// @throws configuration_error that lists all problems
WEIR_API cluster_configuration configuration_from_json(std::string_view text, std::string_view file);

/// Parses a list of cores: `0,2,4-6` are the cores 0, 2, 4, 5 and 6. @return empty if the text has
/// another format
WEIR_API std::optional<std::vector<std::size_t>> cores_from_text(std::string_view text);

/// Returns the nodes that the configuration assigns to each group, in its order, for `cut`.
WEIR_API std::vector<group_selection> selections_of(const cluster_configuration& configuration);

}  // namespace weir
