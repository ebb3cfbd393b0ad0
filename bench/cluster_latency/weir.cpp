// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../groups.hpp"
#include "round_trips.hpp"

#include <optional>

using namespace weir_bench;

namespace {

struct thrower {
  std::int64_t count;
  round_trip_outcome* to;
  round_trips trips{count};

  void process(const round_trip_message& first, weir::outlet<round_trip_message>& out, weir::outlet<std::int64_t>&) {
    send(first.number, out);
  }
  void returned(const round_trip_message& back, weir::outlet<round_trip_message>& out, weir::outlet<std::int64_t>&) {
    if (trips.is_back()) send(back.number, out);
  }
  void finish(weir::outlet<round_trip_message>&, weir::outlet<std::int64_t>&) { trips.tell(*to); }

  void send(std::int64_t number, weir::outlet<round_trip_message>& out) {
    trips.leaves();
    out.send({.number = number + 1});
  }
};

}  // namespace

int main(int argc, char** argv) {
  const options given = round_trip_options(argc, argv);
  weir::cluster_configuration groups;
  groups.transport = given["shm"] != 0 ? weir::link_transport::shm : weir::link_transport::tcp;
  for (const char* name : {"here", "there"}) groups.groups.emplace_back().name = name;
  const shared_value<round_trip_outcome> outcome;
  in_groups(groups, 0, [&](weir::cluster_member& member) {
    const auto catcher = weir::node([](const round_trip_message& item) { return item; }).in_group("there");
    weir::network net = weir::source([made = false]() mutable -> std::optional<round_trip_message> {
                          if (made) return std::nullopt;
                          made = true;
                          return round_trip_message{};
                        }).in_group("here") |
                        weir::feedback(thrower{given["items"], &*outcome}, catcher).in_group("here") |
                        weir::sink([](std::int64_t) {}).in_group("here");
    const weir::report report = weir::run(net, {.member = &member});
    if (report.in_result_group) {
      outcome->wall_ns = report.wall.count();
      outcome->cpu_ns = report.cpu.count();
    }
  });
  print_round_trips("weir", given, *outcome);
}
