// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/messages.hpp"
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
#include <vector>

namespace weir::cluster {

/// The report of one group on its part of a run, in the terms of the whole network: nodes and
/// channels with their numbers there. Channels are those of its producers.
numbered_report part_of_whole(const graph& whole, group_report own);

/// The messages with such a report; null: there is none.
std::vector<to_coordinator::sampled> sampled(std::uint64_t number, std::uint64_t run, const numbered_report* report);

/// The report of a whole network, as JSON, out of the parts of its groups: each node has its
/// `group`.
nlohmann::json whole_of_parts(const std::map<std::string, const numbered_report*>& parts);

/// The reports of a group on its runs. Its answer to a question and the end of a run are said by
/// two threads of it, so their parts may mix, and an answer may come after the end of the run that
/// it is about.
struct live_group {
  std::uint64_t answered = 0;  ///< the last question
  std::uint64_t run = 0;       ///< 0: none so far
  std::int64_t cpu_ns = 0;
  numbered_report part;

  /// @return whether that was the last part of something
  bool hear(to_coordinator::sampled message);

 private:
  std::map<std::uint64_t, numbered_report> coming_;  // by the number of the question
};

/// A cluster for those who watch it: all groups as one program (see live_server). When it is asked,
/// it asks the groups; one that does not answer in time is shown as it last was.
///
/// `hear` is for the coordinator's thread, `stop` for any other; the rest belongs to the server's.
class live_cluster {
 public:
  struct asked {
    std::set<std::string> groups;
    std::size_t cores = 0;  ///< of all machines
  };
  /// @param ask sends all groups that are there the message; called by any thread, must not wait
  /// for `hear`
  live_cluster(live_socket socket, std::string program, std::function<asked(const to_group::sample&)> ask);
  ~live_cluster();

  /// Those who have asked are told a last time. After that, nothing is asked any more.
  void stop();

  /// The answer of a group, or what it says unasked when its part of a run has ended.
  void hear(const std::string& group, to_coordinator::sampled message);

 private:
  std::string document();
  const std::string program_;
  const std::function<asked(const to_group::sample&)> ask_;
  std::uint64_t questions_ = 0;  // of the server's thread
  std::mutex mutex_;             // of what follows
  std::condition_variable changed_;
  std::map<std::string, live_group> groups_;
  std::unique_ptr<nlohmann::json> last_runs_;
  std::optional<live_server> server_;  // calls what is above
};

}  // namespace weir::cluster
