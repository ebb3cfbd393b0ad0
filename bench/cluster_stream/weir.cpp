// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/cluster/coordinator.hpp>
#include <weir/cluster/member.hpp>

#include "../weir_parts.hpp"
#include "messages.hpp"

#include <optional>
#include <string>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  const std::int64_t items = given["items"];
  weir::cluster_configuration groups;
  for (const char* name : {"sender", "receiver"}) {
    auto& group = groups.groups.emplace_back();
    group.name = name;
    group.batch_size = static_cast<std::size_t>(given["batch"]);
  }
  int port_to_child[2];
  if (pipe(port_to_child) != 0) return 1;

  double sum = 0;
  const auto run_as = [&](const std::string& name, std::uint16_t port) {
    weir::cluster_member member(name, "127.0.0.1:" + std::to_string(port), "secret");
    return with_message(given["size"], [&]<class Message>(Message) {
      const auto stream = [&](std::int64_t count) {
        sum = 0;
        weir::network net =
            weir::source([next = std::int64_t{0}, count, made = Message{}]() mutable -> std::optional<Message> {
              if (next == count) return std::nullopt;
              made.first = next++;
              return made;
            }).in_group("sender") |
            weir::sink([&](const Message& came) { sum += static_cast<double>(came.first); }).in_group("receiver");
        return weir::run(net, {.member = &member});
      };
      stream(items / 20 + 1);
      return stream(items);
    });
  };
  const weir::report report = in_two_processes(
      [&] {
        std::uint16_t port = 0;
        if (read(port_to_child[0], &port, sizeof port) != sizeof port) std::_Exit(1);
        run_as("sender", port);
      },
      [&] {
        const weir::coordinator coordinator(groups, "secret", true);
        const std::uint16_t port = coordinator.port();
        if (write(port_to_child[1], &port, sizeof port) != sizeof port) std::_Exit(1);
        return run_as("receiver", port);
      });
  print_stream("weir", items, given["size"], {report.wall.count(), report.cpu.count()}, sum);
}
