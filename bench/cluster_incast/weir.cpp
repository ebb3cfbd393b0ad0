// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/item/buffer.hpp>

#include "../groups.hpp"
#include "incast.hpp"

using namespace weir_bench;

namespace {

// Sends messages that begin with the number of the sender.
struct numbered_source {
  std::int64_t sender;
  std::int64_t count;
  std::size_t size;
  std::int64_t made = 0;

  std::optional<weir::buffer> next() {
    if (made++ == count) return std::nullopt;
    weir::buffer message(size);
    std::memcpy(message.writable().data(), &sender, sizeof sender);
    return message;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const options given = incast_options(argc, argv);
  const std::int64_t items = given["items"];
  weir::cluster_configuration groups;
  groups.transport = weir::link_transport::tcp;
  add_groups(groups, "L", incast_senders);
  add_groups(groups, "R", 1);
  const shared_value<incast_outcome> outcome;
  in_groups(groups, given["hosts"], [&](weir::cluster_member& member) {
    std::vector<weir::block<void, weir::buffer>> sources;
    for (std::int64_t i = 0; i != incast_senders; ++i) {
      sources.push_back(weir::source(numbered_source{i, items, static_cast<std::size_t>(given["size"])}));
    }
    const auto receive = weir::sink([&](const weir::buffer& message) {
      std::int64_t sender = 0;
      std::memcpy(&sender, message.bytes().data(), sizeof sender);
      outcome->came(sender, items * incast_senders);
    });
    weir::network net =
        weir::set(sources).in_group([](std::size_t i) { return "L" + std::to_string(i); }) | receive.in_group("R0");
    const weir::report report = weir::run(net, {.member = &member});
    if (!report.in_result_group) return;
    outcome->wall_ns = report.wall.count();
    outcome->cpu_ns = report.cpu.count();
  });
  print_incast("weir", given, *outcome);
}
