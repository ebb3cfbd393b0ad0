// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/protocol/messages.hpp"
#include "run/live_server.hpp"

#include <nlohmann/json_fwd.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace weir::cluster {

/// Combines the parts of all groups into the report of the whole network, as JSON. Each node has
/// its `group`.
nlohmann::json whole_of_parts(const std::map<std::string, const numbered_report*>& parts);

/// The reports of a group on its runs. Two threads of the group send its answer to a question and
/// its report at the end of a run. So their parts may interleave, and an answer may arrive after
/// the end of the run that it is about.
struct live_group {
  std::uint64_t answered = 0;  ///< number of the last answered question
  std::uint64_t run = 0;       ///< 0: none so far
  std::int64_t cpu_ns = 0;
  numbered_report part;

  /// @return whether the message was the last part of a report
  bool hear(to_coordinator::sampled message);

 private:
  std::map<std::uint64_t, numbered_report> coming_;  // incomplete reports, by the number of the question
};

/// Shows a cluster to watchers: all groups as one program (see `live_server`). When a watcher asks,
/// it asks the groups. A group that does not answer in time is shown in its last known state.
///
/// `hear` is for the coordinator's thread, `stop` for any other; the rest belongs to the server's
/// thread.
class live_cluster {
 public:
  struct asked {
    std::set<std::string> groups;
    std::size_t cores = 0;  ///< number of all machines together
  };
  /// @param ask sends the message to all connected groups; called by any thread, must not wait for
  /// `hear`
  live_cluster(detail::live_socket socket, std::string program, std::function<asked(const to_group::sample&)> ask);
  ~live_cluster();

  /// Sends a last document to the watchers that have asked. After this, the groups are not asked
  /// any more.
  void stop();

  /// Takes a group's answer, or the report that it sends unasked when its part of a run has ended.
  void hear(const std::string& group, to_coordinator::sampled message);

 private:
  std::string document();
  const std::string program_;
  const std::function<asked(const to_group::sample&)> ask_;
  std::uint64_t questions_ = 0;  // used by the server's thread only
  std::mutex mutex_;             // guards the members that follow
  std::condition_variable changed_;
  std::map<std::string, live_group> groups_;
  std::unique_ptr<nlohmann::json> last_runs_;
  std::optional<detail::live_server> server_;  // last member: it calls the functions above
};

}  // namespace weir::cluster
