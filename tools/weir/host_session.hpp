// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "deployment.hpp"
#include "files.hpp"
#include "sha256.hpp"

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

/// What a host of groups is asked before they start.
struct host_request {
  std::string host;
  std::vector<std::string> shell;  ///< what starts one there
  std::vector<const weir::group_configuration*> groups;
  std::string program;
  std::string folder;                 ///< where the groups run, if nothing is deployed
  const deployment* files = nullptr;  ///< null: nothing is
};

/// A shell on another machine, as long as groups run there. It makes a folder of this run, takes
/// the files that are deployed, and looks whether the groups can start. When it is closed, and when
/// this process is gone, however that came, it ends what is left there of the groups, and removes
/// the folder.
class host_session {
 public:
  /// @throws std::runtime_error if its command can't be started here
  host_session(const host_request& request, const sigset_t& mask);
  /// Closes it, and waits for its end, some seconds at most.
  ~host_session();
  host_session(const host_session&) = delete;
  host_session& operator=(const host_session&) = delete;

  const std::string& host() const { return host_; }
  /// All is there, or one knows what is wrong.
  bool settled() const { return ready_ || !why_.empty(); }
  /// What is wrong, a line each. Once it is settled.
  std::vector<std::string> problems() const;

  /// For `run_variable` in the environment of the groups there.
  const std::string& mark() const { return token_; }
  bool is(pid_t child) const { return child == id_; }

  /// Where the groups run there.
  const std::string& folder() const { return folder_; }
  /// A file there that holds the process id of this group while it runs.
  std::string id_file(const weir::group_configuration& group) const;
  /// Another one, which stays.
  std::string session_file(const weir::group_configuration& group) const;

  /// Adds what it waits for.
  void watch(std::vector<pollfd>& all) const;
  /// Goes on as far as it can.
  void go_on();
  /// Nothing has come of it for so long, without what it may take for the sums of the files it has
  /// got.
  std::chrono::steady_clock::duration silent_for() const {
    return std::chrono::steady_clock::now() - progress_ - time_for_sums_;
  }
  void give_up(const std::string& why);

  /// Whether it has ended, which is too early while groups run there.
  bool has_ended();
  /// Says that all is over, without waiting.
  void close() { input_.close(); }

 private:
  void hear(std::string_view text);
  void hear_line(const std::string& line);
  void plan_steps();
  bool fill();
  void write();
  std::string reason();

  struct step {
    std::string order;                    ///< a line for the shell
    const deployed_file* file = nullptr;  ///< whose contents follow
  };

  const host_request request_;
  const std::string host_;
  const std::string token_;  ///< which lines of its begin with that are meant for us
  descriptor input_;
  descriptor output_;
  descriptor error_;
  pid_t id_ = 0;
  bool ended_ = false;
  std::string end_;  ///< how

  std::string base_;    ///< the folder of this run there
  std::string folder_;  ///< where groups run
  std::string heard_;
  std::string complaints_;  ///< what comes on its standard error
  std::string unwritable_;  ///< the file that could not be written there
  std::deque<step> steps_;
  std::string waiting_;  ///< to be written
  std::chrono::steady_clock::time_point progress_;
  std::chrono::milliseconds time_for_sums_{0};

  const deployed_file* file_ = nullptr;  ///< that is being sent
  descriptor from_{-1};
  std::uintmax_t left_ = 0;
  std::unique_ptr<sha256> sum_;

  bool ready_ = false;
  std::string why_;  ///< it is of no use
  std::vector<std::string> wrong_;
};
