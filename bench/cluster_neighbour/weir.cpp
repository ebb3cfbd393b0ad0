// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Two channels share a link. The measured time is that of the first channel, from its first to its
// last item. With `asleep` the consumer of the second channel sleeps in its first item until then;
// its sender has far more items than there is room for.
#include "../groups.hpp"

#include <array>
#include <atomic>
#include <optional>

using namespace weir_bench;

namespace {

constexpr std::int64_t ballast = 20'000;

struct message {
  std::int64_t number = 0;
  std::array<std::int64_t, 63> others{};
};

struct neighbour_outcome {
  double sum = 0;
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
  std::atomic<std::int64_t> grown_kib{0};
};

struct ballast_source {
  std::int64_t count;
  std::int64_t made = 0;

  std::optional<message> next() {
    if (made == count) return std::nullopt;
    return message{.number = made++, .others = {}};
  }
};

struct measured_source {
  std::int64_t count;
  neighbour_outcome* to;
  std::int64_t made = 0;
  std::int64_t resident = 0;

  std::optional<message> next() {
    if (made == count / 10) resident = resident_kib_now();
    if (made == count) {
      to->grown_kib += resident_kib_now() - resident;
      return std::nullopt;
    }
    return message{.number = made++, .others = {}};
  }
};

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"items", 1'000'000}, {"asleep", 0}, {"shm", 0}});
  const std::int64_t items = given["items"];
  const bool asleep = given["asleep"] != 0;
  weir::cluster_configuration groups;
  groups.transport = given["shm"] != 0 ? weir::link_transport::shm : weir::link_transport::tcp;
  for (const char* name : {"sender", "receiver"}) groups.groups.emplace_back().name = name;
  const shared_value<neighbour_outcome> outcome;
  in_groups(groups, 0, [&](weir::cluster_member& member) {
    std::atomic<bool> done{false};
    std::int64_t resident = 0;
    std::int64_t came = 0;
    std::int64_t start = 0;
    double sum = 0;
    const auto sleeper = weir::sink([&](const message& item) {
                           if (asleep && item.number == 0) done.wait(false);
                         }).on_own_thread();
    const auto measured = weir::sink([&](const message& item) {
      if (came == 0) start = now_ns();
      if (came == items / 10) resident = resident_kib_now();
      sum += static_cast<double>(item.number);
      if (++came != items) return;
      outcome->wall_ns = now_ns() - start;
      outcome->grown_kib += resident_kib_now() - resident;
      outcome->sum = sum;
      done = true;
      done.notify_all();
    });
    weir::network net = weir::split(weir::source(ballast_source{asleep ? ballast : 1}).on_own_thread(),
                                    weir::source(measured_source{items, &*outcome}))
                            .in_group("sender") |
                        weir::split(sleeper, measured).in_group("receiver");
    const weir::report report = weir::run(net, {.member = &member});
    if (report.in_result_group) outcome->cpu_ns = report.cpu.count();
  });
  verify("sum of the numbers", outcome->sum, static_cast<double>(items) * static_cast<double>(items - 1) / 2);
  print_result("cluster_neighbour", "weir", items, {outcome->wall_ns, outcome->cpu_ns},
               {{"grown_kib", static_cast<double>(outcome->grown_kib)}});
}
