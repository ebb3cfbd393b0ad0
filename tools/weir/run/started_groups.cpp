// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/started_groups.hpp"

#include "run/child_process.hpp"
#include "run/remote_start.hpp"
#include "run/tell.hpp"
#include "support/output.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

host_session* launch_context::session_of(const weir::group_configuration& group) const {
  const auto found = std::ranges::find_if(sessions, [&](const auto& each) { return each->host() == group.host; });
  return found == sessions.end() ? nullptr : found->get();
}

std::vector<std::string> launch_context::program_of(const host_session* there) const {
  std::vector<std::string> words = options.program;
  if (there != nullptr && options.deployed) words.front() = options.deployed->program;
  return words;
}

std::vector<std::string> launch_context::words_of(const weir::group_configuration& group) const {
  std::vector<std::string> words = program_of(session_of(group));
  if (!group.pre_command.empty()) {
    const std::vector<std::string> shell{"/bin/sh", "-c", "exec " + group.pre_command + " \"$@\"", "sh"};
    words.insert(words.begin(), shell.begin(), shell.end());
  }
  return words;
}

launch_context::variables launch_context::variables_of_all() const {
  using names = weir::group_environment;
  variables made{{names::coordinator, in_brackets(address) + ":" + std::to_string(coordinator.port())},
                 {names::secret, secret}};
  for (const char* other_way : {names::cluster, names::secret_file}) made.emplace_back(other_way, "");
  if (const weir::tls_configuration& tls = options.configuration.tls; tls.is_set()) {
    made.emplace_back(names::certificate, tls.certificate);
    made.emplace_back(names::key, tls.key);
    made.emplace_back(names::authorities, tls.authorities);
  }
  return made;
}

launch_context::variables launch_context::variables_of(const weir::group_configuration& group) {
  using names = weir::group_environment;
  variables made(group.environment.begin(), group.environment.end());
  made.emplace_back(names::group, group.name);
  if (!group.cores.empty()) made.emplace_back(names::cores, group.cores);
  if (group.port != 0) made.emplace_back(names::port, std::to_string(group.port));
  return made;
}

std::vector<std::string> own_environment_with(const launch_context::variables& added) {
  std::vector<std::string> made = own_environment();
  for (const auto& [name, value] : added) {
    // If a variable is set twice, the last value counts.
    std::erase_if(made, [&](const std::string& earlier) { return earlier.starts_with(name + "="); });
    made.push_back(name + "=" + value);
  }
  return made;
}

std::string how_it_ended(const process_end& end) {
  if (end.signal != 0) return "was killed by signal " + std::to_string(end.signal) + " (" + end.signal_name() + ")";
  if (end.code != 0) return "has ended with exit code " + std::to_string(end.code);
  return "";
}

std::optional<int> say(const weir::cluster_failure& failure) {
  if (failure.kind == weir::failure_kind::configuration) {
    std::string lines;
    for (const auto each : std::views::split(failure.text, '\n')) {
      lines += weir::support::complaint("weir run", std::string_view(each.begin(), each.end()));
    }
    tell(lines);
    return exit_configuration;
  }
  const std::string what =
      failure.path.empty() ? "group " + failure.group : failure.path + " (group " + failure.group + ")";
  tell_problem(what + ": " + failure.text);
  switch (failure.kind) {
    case weir::failure_kind::lost: return exit_group_lost;
    case weir::failure_kind::data: return exit_data;
    case weir::failure_kind::protocol: return exit_protocol;
    case weir::failure_kind::authentication: return exit_authentication;
    default: return std::nullopt;
  }
}

bool is_loss(weir::failure_kind kind) {
  return kind == weir::failure_kind::lost || kind == weir::failure_kind::process;
}
