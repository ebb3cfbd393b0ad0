// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Bare TCP. Each pair has a connection and a thread at both ends, which write and read message by
// message.
#include "all_to_all.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = all_to_all_options(argc, argv);
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::int64_t senders = given["senders"];
  const std::int64_t receivers = given["receivers"];
  const std::int64_t hosts = given["hosts"];
  const auto host_of = [&](std::int64_t process) { return hosts == 0 ? 0 : process % hosts + 1; };

  std::vector<listener> listeners;
  for (std::int64_t i = 0; i != receivers; ++i) listeners.push_back(listen_on(host_of(senders + i)));
  const shared_value<all_to_all_outcome> outcome;
  std::vector<pid_t> processes;
  const std::int64_t start = now_ns();
  for (std::int64_t i = 0; i != senders; ++i) {
    processes.push_back(start_process([&] {
      enter_host(host_of(i));
      const std::int64_t before = hosts != 0 ? bytes_sent_by_host() : 0;
      std::vector<std::jthread> threads;
      for (std::int64_t to = 0; to != receivers; ++to) {
        threads.emplace_back([&, to] {
          const int connection = connect_to(listeners[static_cast<std::size_t>(to)]);
          std::vector<char> message(size);
          for (std::int64_t next = to; next < given["items"]; next += receivers) {
            std::memcpy(message.data(), &next, sizeof next);
            write_all(connection, message.data(), size);
          }
          // All messages have arrived when the other side closes.
          ::shutdown(connection, SHUT_WR);
          read_all(connection, message.data(), 1);
        });
      }
      threads.clear();
      if (hosts != 0) outcome->on_links += bytes_sent_by_host() - before;
    }));
  }
  for (std::int64_t i = 0; i != receivers; ++i) {
    processes.push_back(start_process([&] {
      std::vector<std::jthread> threads;
      for (std::int64_t from = 0; from != senders; ++from) {
        threads.emplace_back([&, connection = accept_at(listeners[static_cast<std::size_t>(i)])] {
          std::vector<char> message(size);
          std::int64_t messages = 0;
          std::int64_t sum = 0;
          while (read_all(connection, message.data(), size)) {
            std::int64_t number = 0;
            std::memcpy(&number, message.data(), sizeof number);
            ++messages;
            sum += number;
          }
          ::close(connection);
          outcome->messages += messages;
          outcome->sum += sum;
        });
      }
    }));
  }
  wait_for_processes(processes);
  outcome->wall_ns = now_ns() - start;
  outcome->cpu_ns = cpu_ns_with_children();
  print_all_to_all("bare", given, *outcome);
}
