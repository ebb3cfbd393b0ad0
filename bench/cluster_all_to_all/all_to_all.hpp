// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../processes.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace weir_bench {

/// `senders` processes, each of which sends `items` messages to `receivers` others in turn (F2
/// §5.1). With as many `hosts` of scripts/cluster.sh as there are receivers, each host has one
/// process of either kind, and `rate` is the limit of its links in Mbit/s.
inline options all_to_all_options(int argc, char** argv) {
  return {
      argc, argv, {{"items", 320}, {"senders", 16}, {"receivers", 16}, {"size", 65'536}, {"hosts", 0}, {"rate", 200}}};
}

struct all_to_all_outcome {
  std::atomic<std::int64_t> messages{0};
  std::atomic<std::int64_t> sum{0};
  std::atomic<std::int64_t> on_links{0};  ///< bytes that left the senders' hosts, including headers
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
};

/// Number of bytes that the queue of this host's interface has sent so far, as its limit counts
/// them; 0 if there is no such queue.
inline std::int64_t bytes_sent_by_host() {
  struct close_pipe {
    void operator()(std::FILE* file) const { ::pclose(file); }
  };
  const std::unique_ptr<std::FILE, close_pipe> listing(::popen("tc -s qdisc show dev e0 2>/dev/null", "r"));
  if (listing == nullptr) give_up("tc");
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), listing.get()) != nullptr) {
    long long bytes = 0;
    if (std::sscanf(line.data(), " Sent %lld bytes", &bytes) == 1) return bytes;
  }
  return 0;
}

inline void print_all_to_all(const char* contender, const options& given, const all_to_all_outcome& was) {
  const std::int64_t items = given["items"];
  const std::int64_t senders = given["senders"];
  verify("number of messages", was.messages, items * senders);
  verify("sum", was.sum, senders * (items * (items - 1) / 2));
  const double seconds = static_cast<double>(was.wall_ns) / 1e9;
  const double payload = static_cast<double>(items * senders * given["size"]);
  extras all{{"MB_per_s", payload / 1e6 / seconds}, {"result", static_cast<double>(was.sum)}};
  if (given["hosts"] != 0) {
    const double limit = static_cast<double>(senders * given["rate"]) * 1e6 / 8 * seconds;
    all.emplace_back("link_share", static_cast<double>(was.on_links) / limit);
  }
  print_result("cluster_all_to_all", contender, items * senders, {was.wall_ns, was.cpu_ns}, all);
}

}  // namespace weir_bench
