// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Bare TCP: a connection for each sender, and a thread that reads it.
#include "incast.hpp"

#include <cstring>
#include <mutex>
#include <thread>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = incast_options(argc, argv);
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::int64_t items = given["items"];
  const auto host_of = [&](std::int64_t process) { return given["hosts"] == 0 ? 0 : process % given["hosts"] + 1; };

  const listener at = listen_on(host_of(incast_senders));
  const shared_value<incast_outcome> outcome;
  std::vector<pid_t> processes;
  const std::int64_t start = now_ns();
  for (std::int64_t i = 0; i != incast_senders; ++i) {
    processes.push_back(start_process([&, i] {
      enter_host(host_of(i));
      const int connection = connect_to(at);
      std::vector<char> message(size);
      std::memcpy(message.data(), &i, sizeof i);
      for (std::int64_t sent = 0; sent != items; ++sent) write_all(connection, message.data(), size);
      // All messages have arrived when the other side closes.
      ::shutdown(connection, SHUT_WR);
      read_all(connection, message.data(), 1);
    }));
  }
  processes.push_back(start_process([&] {
    std::mutex mutex;
    std::vector<std::jthread> threads;
    for (std::int64_t i = 0; i != incast_senders; ++i) {
      threads.emplace_back([&, connection = accept_at(at)] {
        std::vector<char> message(size);
        while (read_all(connection, message.data(), size)) {
          std::int64_t sender = 0;
          std::memcpy(&sender, message.data(), sizeof sender);
          const std::lock_guard lock(mutex);
          outcome->came(sender, items * incast_senders);
        }
        ::close(connection);
      });
    }
  }));
  wait_for_processes(processes);
  outcome->wall_ns = now_ns() - start;
  outcome->cpu_ns = cpu_ns_with_children();
  print_incast("bare", given, *outcome);
}
