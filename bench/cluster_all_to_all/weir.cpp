// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../groups.hpp"
#include "all_to_all.hpp"

#include <cstring>
#include <string>
#include <vector>

using namespace weir_bench;

namespace {

struct receiver {
  all_to_all_outcome* to;
  std::int64_t messages = 0;
  std::int64_t sum = 0;

  void process(const weir::buffer& message) {
    std::int64_t number = 0;
    std::memcpy(&number, message.bytes().data(), sizeof number);
    ++messages;
    sum += number;
  }
  void finish() {
    to->messages += messages;
    to->sum += sum;
  }
};

auto groups_called(const std::string& name) {
  return [name](std::size_t i) { return name + std::to_string(i); };
}

}  // namespace

int main(int argc, char** argv) {
  const options given = all_to_all_options(argc, argv);
  weir::cluster_configuration groups;
  groups.transport = weir::link_transport::tcp;
  add_groups(groups, "L", given["senders"]);
  add_groups(groups, "R", receivers);
  const shared_value<all_to_all_outcome> outcome;
  in_groups(groups, given["hosts"], [&](weir::cluster_member& member) {
    const auto senders = static_cast<std::size_t>(given["senders"]);
    const std::vector<weir::block<void, weir::buffer>> sources(
        senders, weir::source(buffer_source{given["items"], static_cast<std::size_t>(given["size"])}));
    weir::network net = weir::set(sources).in_group(groups_called("L")) |
                        weir::farm(receiver{&*outcome}, receivers).round_robin().in_group(groups_called("R"));
    const bool sends = given["hosts"] != 0 && member.name()[0] == 'L';
    const std::int64_t before = sends ? bytes_sent_by_host() : 0;
    const weir::report report = weir::run(net, {.member = &member});
    if (sends) outcome->on_links += bytes_sent_by_host() - before;
    if (report.home()) {
      outcome->wall_ns = report.wall.count();
      outcome->cpu_ns = report.cpu.count();
    }
  });
  print_all_to_all("weir", given, *outcome);
}
