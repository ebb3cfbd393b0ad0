// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// What is wrong with a configuration: a line for each problem, with the file, the line, and the
/// key.
class configuration_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One process of a cluster (F2 §3).
struct group_configuration {
  std::string name;
  std::vector<std::string> nodes;  ///< see group_selection; none: those that the program puts into it
  std::string host;                ///< where it runs; empty: on the machine of the launcher
  std::uint16_t port = 0;          ///< at which it listens; 0: any
  std::size_t batch_size = 0;      ///< items that `frames_under_way` counts as one frame; 0: a real one
  std::size_t frames_under_way =
      0;  ///< in each channel to another group at most (F2's messageOTF); 0: only bytes are limited
  std::size_t channel_items =
      0;                    ///< room of its channels that nobody else gave one (F2's internalMessageOTF); 0: by size
  std::string cores;        ///< on which it runs, as `0,2,4-7` (F2's threadMapping); empty: on all
  std::string pre_command;  ///< put in front of the program (F2's preCmd)
  std::map<std::string, std::string> environment;  ///< set for this group alone
};

/// What carries items between two groups.
enum class link_transport {
  /// Within a process `inproc`, within a machine `shm` if that is possible, else `mpi` in an MPI
  /// job, or `tcp`.
  automatic,
  tcp,
  shm,     ///< shared memory, on one machine
  inproc,  ///< within one process
  mpi,     ///< the MPI that has started the groups
};

/// Who starts the groups.
enum class cluster_protocol {
  tcp,  ///< weir itself
  mpi,  ///< mpirun, or in an allocation of SLURM srun: each group is a rank
};

struct link_configuration {
  std::string one;
  std::string other;
  link_transport transport = link_transport::automatic;
};

/// PEM files, the same paths on all machines.
struct tls_configuration {
  std::string certificate;  ///< of the process that reads it, and those it depends on
  std::string key;          ///< of that certificate
  std::string authorities;  ///< certificates of those whose word counts for that of a peer

  bool is_set() const noexcept { return !certificate.empty(); }
};

struct cluster_configuration {
  cluster_protocol protocol = cluster_protocol::tcp;
  std::vector<group_configuration> groups;
  bool plan = false;  ///< nodes that are put in no group are shared out by `plan_groups`
  link_transport transport = link_transport::automatic;  ///< of links that are not in `links`
  std::vector<link_configuration> links;
  tls_configuration tls;   ///< not set: nothing is encrypted
  bool any_build = false;  ///< groups may run different builds of the program, which lay out items alike
  bool checksums = false;  ///< of payloads also between groups on one machine
  /// How long a connection that broke may take to be made again; 0: it may not.
  std::chrono::milliseconds reconnect_within{0};
  std::chrono::milliseconds heartbeat{1000};
  std::chrono::milliseconds dead_after{5000};
  std::chrono::milliseconds start_within{30'000};
  /// A group says so if items have been under way to another one for so long, and none was
  /// completed.
  std::chrono::milliseconds stalled_after{30'000};
};

/// Reads the JSON that FastFlow's distributed programs have, too: an object with `groups`. `file`
/// is for messages.
/// @throws configuration_error that tells all that is wrong
cluster_configuration configuration_from_json(std::string_view text, std::string_view file);

/// `0,2,4-6` are the cores 0, 2, 4, 5 and 6. @return nothing if the text is something else
std::optional<std::vector<std::size_t>> cores_from_text(std::string_view text);

std::vector<group_selection> selections_of(const cluster_configuration& configuration);

}  // namespace weir
