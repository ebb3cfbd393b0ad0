// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>
#include <weir/detail/cluster/sha256.hpp>

#include "common/files.hpp"
#include "run/deployment.hpp"

#include <poll.h>
#include <signal.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The requirements of the groups on one host, which are checked before the groups start.
struct host_request {
  std::string host;
  std::vector<std::string> shell;  ///< the command that starts a shell there
  std::vector<const weir::group_configuration*> groups;
  std::string program;
  std::string folder;                 ///< folder in which the groups run, if nothing is deployed
  const deployment* files = nullptr;  ///< null: nothing is deployed
};

/// A shell on another machine that lives as long as groups run there. It makes a folder for the
/// run, receives the deployed files, and checks whether the groups can start. When the session is
/// closed, or this process ends in any way, the shell ends the group processes left there and
/// removes the folder.
class host_session {
 public:
  /// @throws std::runtime_error if the command of the shell can't be started here
  host_session(const host_request& request, const sigset_t& mask);
  /// Closes the session, and waits for its end, but only for some seconds.
  ~host_session();
  host_session(const host_session&) = delete;
  host_session& operator=(const host_session&) = delete;

  const std::string& host() const { return host_; }
  /// Whether the preparation is complete, or the session has failed.
  bool settled() const { return ready_ || !why_.empty(); }
  /// Returns the problems known so far, a line each: all, once the session is settled.
  std::vector<std::string> problems() const;

  /// Returns the value of `run_variable` in the environment of the groups there.
  const std::string& mark() const { return token_; }
  bool is(pid_t child) const { return child == id_; }

  /// Returns the folder in which the groups run there.
  const std::string& folder() const { return folder_; }
  /// Returns a file there that holds the process id of this group while the group runs.
  std::string id_file(const weir::group_configuration& group) const;
  /// Returns another file with the process id, which stays after the end of the group.
  std::string session_file(const weir::group_configuration& group) const;

  /// Adds the descriptors that the session waits for.
  void watch(std::vector<pollfd>& all) const;
  /// Makes as much progress as is possible without waiting.
  void go_on();
  /// Returns the time since the last progress, minus the time that the host may need for the
  /// checksums of the files it has received.
  std::chrono::steady_clock::duration silent_for() const {
    return std::chrono::steady_clock::now() - progress_ - time_for_sums_;
  }
  void give_up(const std::string& why);

  /// Whether the shell has ended, which is too early while groups run there.
  bool has_ended();
  /// Tells the shell that the run is over, without waiting.
  void close() { input_.close(); }

 private:
  void hear(std::string_view text);
  void hear_line(const std::string& line);
  void plan_steps();
  bool fill();
  void write();
  std::string reason();

  struct step {
    std::string order;                    ///< line for the shell
    const deployed_file* file = nullptr;  ///< file whose contents follow
  };

  const host_request request_;
  const std::string host_;
  const std::string token_;  ///< marks the lines of the shell's output that are meant for this process
  descriptor input_;
  descriptor output_;
  descriptor error_;
  pid_t id_ = 0;
  bool ended_ = false;
  std::string end_;  ///< how the shell ended

  std::string base_;    ///< folder of this run there
  std::string folder_;  ///< folder in which the groups run
  std::string heard_;
  std::string complaints_;  ///< text from its standard error
  std::string unwritable_;  ///< file that could not be written there
  std::deque<step> steps_;
  std::string waiting_;  ///< text still to be written
  std::chrono::steady_clock::time_point progress_;
  std::chrono::milliseconds time_for_sums_{0};

  const deployed_file* file_ = nullptr;  ///< file that is being sent
  descriptor from_{-1};
  std::uintmax_t left_ = 0;
  std::unique_ptr<weir::detail::sha256> sum_;

  bool ready_ = false;
  std::string why_;  ///< why the session can't be used; empty: it can
  std::vector<std::string> wrong_;
};

/// The sessions on all hosts. The destructor ends them: it gives their shells the same few seconds
/// to clean up, however many there are, and kills those that have not ended by then.
struct host_sessions {
  host_sessions() = default;
  host_sessions(host_sessions&&) = default;
  ~host_sessions();

  std::vector<std::unique_ptr<host_session>> all;
};
