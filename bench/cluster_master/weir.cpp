// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../groups.hpp"
#include "tasks.hpp"

#include <optional>
#include <string>

using namespace weir_bench;

namespace {

struct task_source {
  std::int64_t count;
  std::int64_t ns;
  std::int64_t made = 0;

  std::optional<task> next() {
    if (made == count) return std::nullopt;
    return task{.number = made++, .ns = ns};
  }
};

struct master {
  std::int64_t sum = 0;

  void process(const task& next, weir::outlet<task>& jobs, weir::outlet<std::int64_t>&) { jobs.send(task(next)); }
  void returned(std::int64_t number, weir::outlet<task>&, weir::outlet<std::int64_t>&) { sum += number; }
  void finish(weir::outlet<task>&, weir::outlet<std::int64_t>& answers) { answers.send(sum); }
};

struct worker {
  master_outcome* to;
  std::int64_t slept = 0;

  std::int64_t process(const task& next) {
    slept += sleep_ns(next.ns);
    return next.number;
  }
  void finish() { to->slept += slept; }
};

}  // namespace

int main(int argc, char** argv) {
  const options given = master_options(argc, argv);
  weir::cluster_configuration groups;
  groups.transport = given["shm"] != 0 ? weir::link_transport::shm : weir::link_transport::tcp;
  add_groups(groups, "G", given["groups"]);
  set_batches(groups, given["batch"], given["frames"]);
  const shared_value<master_outcome> outcome;
  in_groups(groups, 0, [&](weir::cluster_member& member) {
    const auto each = static_cast<std::size_t>(given["workers"]);
    std::int64_t sum = 0;
    const auto workers =
        weir::farm(weir::node(worker{&*outcome}).on_own_thread(), each * static_cast<std::size_t>(given["groups"]))
            .on_demand(static_cast<std::size_t>(given["depth"]))
            .in_group([each](std::size_t i) { return "G" + std::to_string(i / each); });
    weir::network net = weir::source(task_source{given["items"], given["work"]}).in_group("G0") |
                        weir::feedback(master{}, workers).in_group("G0") |
                        weir::sink([&](std::int64_t total) { sum += total; }).in_group("G0");
    const weir::report report = weir::run(net, {.member = &member});
    if (report.in_result_group) {
      outcome->sum = sum;
      outcome->wall_ns = report.wall.count();
      outcome->cpu_ns = report.cpu.count();
    }
  });
  print_master("weir", given, *outcome);
}
