// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/item/buffer.hpp>

#include "../groups.hpp"
#include "all_to_all.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace weir_bench {

struct counting_receiver {
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

/// Runs the all-to-all as one of the sending groups L0, L1 … or of the receiving groups R0, R1 …;
/// adds this group's part to the outcome.
inline void all_to_all_in_group(const options& given, weir::group_member& member, all_to_all_outcome& outcome) {
  const auto groups_called = [](const std::string& name) {
    return [name](std::size_t i) { return name + std::to_string(i); };
  };
  const std::vector<weir::block<void, weir::buffer>> sources(
      static_cast<std::size_t>(given["senders"]),
      weir::source(buffer_source{given["items"], static_cast<std::size_t>(given["size"])}));
  weir::network net = weir::set(sources).in_group(groups_called("L")) |
                      weir::farm(counting_receiver{&outcome}, static_cast<std::size_t>(given["receivers"]))
                          .round_robin()
                          .in_group(groups_called("R"));
  const bool sends = given["hosts"] != 0 && member.name()[0] == 'L';
  const std::int64_t before = sends ? bytes_sent_by_host() : 0;
  const weir::report report = weir::run(net, {.member = &member});
  if (sends) outcome.on_links += bytes_sent_by_host() - before;
  if (report.in_result_group) {
    outcome.wall_ns = report.wall.count();
    outcome.cpu_ns = report.cpu.count();
  }
}

}  // namespace weir_bench
