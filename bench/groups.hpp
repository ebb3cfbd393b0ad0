// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/coordinator.hpp>
#include <weir/cluster/member.hpp>
#include <weir/item/buffer.hpp>
#include <weir/run/group_member.hpp>

#include "processes.hpp"
#include "weir_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace weir_bench {

/// Sends buffers; only the number at the beginning of each is written.
struct buffer_source {
  std::int64_t count;
  std::size_t size;
  std::int64_t made = 0;

  std::optional<weir::buffer> next() {
    if (made == count) return std::nullopt;
    weir::buffer message(size);
    std::memcpy(message.writable().data(), &made, sizeof made);
    ++made;
    return message;
  }
};

/// `count` groups called `name0`, `name1` …
inline void add_groups(weir::cluster_configuration& to, const std::string& name, std::int64_t count) {
  for (std::int64_t i = 0; i != count; ++i) to.groups.emplace_back().name = name + std::to_string(i);
}

/// Sets the maximum number of items in a frame, and of frames that a channel may have under way; 0:
/// weir's default.
inline void set_batches(weir::cluster_configuration& of, std::int64_t batch, std::int64_t frames_under_way = 0) {
  for (weir::group_configuration& group : of.groups) {
    group.batch_size = static_cast<std::size_t>(batch);
    group.frames_under_way = static_cast<std::size_t>(frames_under_way);
  }
}

/// Returns the group that this process is for `weir run`. Ends the program with 2 if it is none.
inline weir::group_member& member_of_this_process() {
  weir::group_member* const member = weir::group_member::of_this_process();
  if (member != nullptr) return *member;
  std::fprintf(stderr, "this is a group; start it with weir run\n");
  std::exit(2);
}

/// Runs `act(member)` in a process for each group, and waits for them. With `hosts` group i is on
/// host i % hosts + 1 of scripts/cluster.sh, else all are on this host. Ends the program with 1 if
/// one fails.
template <class Act>
void in_groups(const weir::cluster_configuration& groups, std::int64_t hosts, Act&& act) {
  struct place {
    int port[2];
  };
  std::vector<place> places(groups.groups.size());
  for (place& each : places) {
    if (::pipe2(each.port, O_CLOEXEC) != 0) give_up("pipe");
  }
  const std::string launcher = hosts == 0 ? "127.0.0.1:" : "10.213.0.254:";
  std::vector<pid_t> processes;
  for (std::size_t i = 0; i != places.size(); ++i) {
    processes.push_back(start_process([&] {
      if (hosts != 0) enter_host(static_cast<std::int64_t>(i) % hosts + 1);
      std::uint16_t port = 0;
      if (!read_all(places[i].port[0], &port, sizeof port)) std::_Exit(1);
      const std::string& name = groups.groups[i].name;
      try {
        weir::cluster_member member(name, launcher + std::to_string(port), "secret");
        act(member);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "group %s: %s\n", name.c_str(), error.what());
        std::_Exit(1);
      }
    }));
  }
  weir::coordinator coordinator(groups, "secret", hosts == 0);
  const std::uint16_t port = coordinator.port();
  for (const place& each : places) {
    write_all(each.port[1], &port, sizeof port);
    ::close(each.port[0]);
    ::close(each.port[1]);
  }
  const int failures = wait_for_processes(processes, [&](std::size_t i, const std::string& how) {
    if (!how.empty()) std::fprintf(stderr, "group %s %s\n", groups.groups[i].name.c_str(), how.c_str());
    coordinator.process_ended(groups.groups[i].name, how);
  });
  if (failures != 0) std::exit(1);
}

}  // namespace weir_bench
