// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace weir {

/// What kind of thing went wrong in a group.
enum class failure_kind {
  node,            ///< one of its nodes threw
  process,         ///< its process ended, by itself or by a signal
  lost,            ///< nothing is heard of it any more, and how its process ended is not known
  data,            ///< what it sent arrived damaged, or did not decode
  protocol,        ///< it runs another network, or speaks another version of the protocol
  authentication,  ///< it does not know the secret
  configuration,   ///< the network can't be shared out as the configuration says; the text has a line for each reason
};

/// What ended a cluster before its time: the first thing that went wrong.
struct cluster_failure {
  std::string group;
  std::string path;  ///< of the node that failed; empty: it was the group
  std::string text;
  failure_kind kind = failure_kind::node;
  bool others_gone = false;  ///< of a loss: so had others when it was told, and it was only the first that was missed
};

/// The one place that all groups of a cluster are connected to (the command `weir run` holds it):
/// tells each group where the others are, lets them begin and end their runs together, and tells
/// all of them when one fails. Items do not pass through it.
///
/// Any thread.
class coordinator {
 public:
  /// Listens.
  /// @param secret what groups must prove to know; empty: none, and then it listens on the loopback
  /// address only
  /// @param loopback_only no group is on another machine @param port 0: any
  /// @throws std::system_error if it can't
  coordinator(cluster_configuration configuration, std::string secret, bool loopback_only, std::uint16_t port = 0);
  coordinator(const coordinator&) = delete;
  coordinator& operator=(const coordinator&) = delete;
  /// Waits, a second at most, until all groups have heard what was said to them last, such as that
  /// their run has ended.
  ~coordinator();

  std::uint16_t port() const;

  /// Lets `weir top` see all groups as one program of this name: at once, at the socket that the
  /// environment names (see live_view_folder); without one, as soon as `weir top` calls this
  /// process. Before any group connects. @throws graph_error if it can't listen there
  void let_be_watched(const std::string& program);

  /// Writes traces of all groups as one, if the environment asks for them (WEIR_TRACE,
  /// WEIR_TRACE_RUN; see docs/running.md); those that the program asks for are written in any case.
  /// Before any group connects.
  /// @throws graph_error if the first file can't be opened
  void write_traces();

  /// The process of a group has ended: `how` is empty if as it should, else for messages, such as
  /// "was killed by signal 9".
  void process_ended(const std::string& group, const std::string& how);

  /// Tells all groups to cancel their runs.
  void cancel();

  /// Lets the process of a group send itself a signal. @return false: it is not connected
  bool signal(const std::string& group, int number);

  std::optional<cluster_failure> failure() const;

  /// Whether the processes of all groups have ended well, and none of them has connected: that is
  /// no failure where a program was asked for its help.
  bool nobody_came() const;

  /// The group in which results are gathered; empty before the first run.
  std::string home() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

/// The environment of a process that is a group of a cluster. Where there is a `cluster`, the
/// process whose group is the first in it holds the coordinator itself, at the port of its
/// endpoint, and the others find it there. The first `run` of the process takes all of these out of
/// its environment, so that programs which it starts do not take them for their own.
struct group_environment {
  static constexpr const char* group = "WEIR_GROUP";      ///< its name
  static constexpr const char* cluster = "WEIR_CLUSTER";  ///< a file, the configuration; not set: `coordinator` is
  static constexpr const char* coordinator =
      "WEIR_COORDINATOR";  ///< `host:port`; with a `cluster`, instead of what that says
  static constexpr const char* secret = "WEIR_SECRET";
  static constexpr const char* secret_file = "WEIR_SECRET_FILE";  ///< holds the secret, and nobody else may read it
  static constexpr const char* cores = "WEIR_CORES";  ///< on which it runs, see cores_from_text; not set: on all
  static constexpr const char* port = "WEIR_PORT";    ///< at which it listens; not set: any
  // Files, see tls_configuration; not set: connections are not encrypted.
  static constexpr const char* certificate = "WEIR_TLS_CERTIFICATE";
  static constexpr const char* key = "WEIR_TLS_KEY";
  static constexpr const char* authorities = "WEIR_TLS_AUTHORITIES";

  /// Whether this process is a group of a cluster, at any time.
  static bool names_a_group();
};

/// A secret for one run that nobody can guess.
std::string new_cluster_secret();

}  // namespace weir
