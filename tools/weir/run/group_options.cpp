// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_options.hpp"

void add_group_options(weir::support::command& command, group_options& into) {
  command.add("--on", into.count, "Without a configuration: divide the network into N groups")
      .whole_number(1, 10'000)
      .value_name("N");
  command
      .add(
          "--hosts", [&into](const std::string& names) { into.hosts = weir::support::split_list(names); },
          "Hosts for groups without an endpoint, in turn; without --on and a configuration, one group on each")
      .value_name("HOST,HOST...");
}

weir::cluster_configuration made_up(const group_options& options) {
  weir::cluster_configuration made;
  made.plan = true;
  const std::size_t count = options.count != 0 ? options.count : options.hosts.size();
  for (std::size_t i = 1; i <= count; ++i) made.groups.emplace_back().name = "G" + std::to_string(i);
  place_on(options.hosts, made);
  return made;
}

void place_on(const std::vector<std::string>& hosts, weir::cluster_configuration& configuration) {
  if (hosts.empty()) return;
  std::size_t next = 0;
  for (auto& group : configuration.groups) {
    if (group.host.empty()) group.host = hosts[next++ % hosts.size()];
  }
}
