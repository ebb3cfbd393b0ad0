// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/export.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace weir {

/// Kind of a failure of a group.
enum class failure_kind {
  node,            ///< one of its nodes threw
  process,         ///< its process ended, by itself or by a signal
  lost,            ///< the connection to it is lost, and the end of its process is not known
  data,            ///< data from it arrived damaged, or did not decode
  protocol,        ///< it runs another network, or speaks another version of the protocol
  authentication,  ///< it does not know the secret
  configuration,   ///< the network can't be distributed as the configuration says; the text has a line for each reason
};

/// The failure that ended a cluster early: the first one that occurred.
struct cluster_failure {
  std::string group;
  std::string path;  ///< path of the node that failed; empty: the group failed
  std::string text;
  failure_kind kind = failure_kind::node;
  /// For a loss: other groups were lost too when it was reported, and this one was only noticed
  /// first.
  bool others_gone = false;
};

/// The process to which all groups of a cluster connect; the command `weir run` holds it. It tells
/// each group the addresses of the others, lets the groups begin and end their runs together, and
/// tells all of them when one fails. Items do not pass through it.
///
/// Any thread may call its functions. In a forked child they throw std::logic_error, and the
/// destructor does nothing.
class WEIR_API coordinator {
 public:
  /// Listens for groups.
  /// @param secret the secret that groups must prove to know; empty: none, and it then listens on
  /// the loopback address only
  /// @param loopback_only no group is on another machine
  /// @param port 0: any
  /// @throws std::system_error if it can't listen
  coordinator(cluster_configuration configuration, std::string secret, bool loopback_only, std::uint16_t port = 0);
  coordinator(const coordinator&) = delete;
  coordinator& operator=(const coordinator&) = delete;
  /// Waits, at most a second, until all groups have received the last messages, such as that their
  /// run has ended.
  ~coordinator();

  std::uint16_t port() const;

  /// Lets `weir top` watch all groups as one program of this name: immediately, at the socket that
  /// the environment names (see live_view_folder); without one, as soon as `weir top` calls this
  /// process. Call it before any group connects. @throws graph_error if it can't listen there
  void let_be_watched(const std::string& program);

  /// Writes the traces of all groups as one file, if the environment asks for them (WEIR_TRACE,
  /// WEIR_TRACE_RUN; see docs/running.md). Traces that the program asks for are written in any
  /// case. Call it before any group connects.
  /// @throws graph_error if the first file can't be opened
  void write_traces();

  /// Reports that the process of a group has ended. `how` is empty if it ended normally; else it is
  /// a phrase for messages, such as "was killed by signal 9".
  void process_ended(const std::string& group, const std::string& how);

  /// Tells all groups to cancel their runs.
  void cancel();

  /// Tells the process of a group to send itself a signal. @return false if the group is not
  /// connected
  bool signal(const std::string& group, int number);

  std::optional<cluster_failure> failure() const;

  /// Returns whether the processes of all groups have ended normally and none of them has
  /// connected. This is no failure if, for example, the program was only asked for its help text.
  bool nobody_came() const;

  /// Returns the name of the group in which results are gathered; empty before the first run.
  std::string result_group() const;
  [[deprecated("use result_group")]] std::string home() const { return result_group(); }

 private:
  class state;
  state& here() const;
  detail::process_ptr<state> state_;
};

/// Environment variables of a process that is a group of a cluster. With a `cluster`, the process
/// of the first group in it holds the coordinator itself, at the port of the group's endpoint, and
/// the other groups find it there. The first `run` of the process removes all these variables from
/// its environment, so that programs started by it do not use them.
struct WEIR_API group_environment {
  static constexpr const char* group = "WEIR_GROUP";      ///< name of the group
  static constexpr const char* cluster = "WEIR_CLUSTER";  ///< a file, the configuration; not set: see `coordinator`
  /// Address `host:port` of the coordinator. With a `cluster`, it overrides the address in that
  /// file.
  static constexpr const char* coordinator = "WEIR_COORDINATOR";
  static constexpr const char* secret = "WEIR_SECRET";
  static constexpr const char* secret_file = "WEIR_SECRET_FILE";  ///< a file with the secret, private to its owner
  static constexpr const char* cores = "WEIR_CORES";  ///< cores on which it runs, see cores_from_text; not set: all
  static constexpr const char* port = "WEIR_PORT";    ///< port at which it listens; not set: any
  // Files, see tls_configuration. Not set: connections are not encrypted.
  static constexpr const char* certificate = "WEIR_TLS_CERTIFICATE";
  static constexpr const char* key = "WEIR_TLS_KEY";
  static constexpr const char* authorities = "WEIR_TLS_AUTHORITIES";

  /// Returns whether this process is a group of a cluster; valid at any time. A forked child of a
  /// group is none.
  static bool names_a_group();
  /// Returns the name of the group that this process is; empty: none. Valid at any time. Does not
  /// connect.
  static std::string name();
};

/// Returns a random secret for one run.
WEIR_API std::string new_cluster_secret();

}  // namespace weir
