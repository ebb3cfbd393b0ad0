// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/group_call.hpp"

#include "weir/detail/run/group_run.hpp"
#include "weir/run/run.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <stop_token>

namespace weir::detail {
namespace {

// The cluster for networks whose nodes already have their groups. It ignores the configuration,
// which is about the nodes of the program.
class placed_already final : public group_member {
 public:
  explicit placed_already(group_member& of) : of_(of) {}
  std::size_t cores() const override { return of_.cores(); }
  std::vector<planned_group> groups() const override { return of_.groups(); }
  void assign_groups(graph&) const override {}
  const std::string& name() const override { return of_.name(); }
  std::unique_ptr<group_run> begin(const graph& whole, run_control& control) override {
    return of_.begin(whole, control);
  }

 private:
  group_member& of_;
};

}  // namespace

std::vector<index_part> parts_by_cores(std::size_t count, const std::vector<planned_group>& groups) {
  double all = 0;
  for (const planned_group& each : groups) all += each.cores;
  std::vector<index_part> parts;
  double before = 0;
  std::uint64_t begin = 0;
  for (const planned_group& each : groups) {
    before += each.cores;
    const bool last = parts.size() + 1 == groups.size();
    const auto until = static_cast<std::uint64_t>(static_cast<double>(count) * (before / all));
    const std::uint64_t end = last ? count : std::clamp<std::uint64_t>(until, begin, count);
    parts.push_back({parts.size(), begin, end});
    begin = end;
  }
  return parts;
}

std::vector<index_part> parts_by_number(std::size_t groups) {
  std::vector<index_part> parts;
  for (std::size_t i = 0; i != groups; ++i) parts.push_back({i, i, i + 1});
  return parts;
}

void run_in_groups(network net, group_member& member, const std::stop_token& stop) {
  placed_already placed(member);
  const std::stop_source never;  // a source that is drained may begin this run, but all groups need its result
  try {
    run(std::move(net), {.stop = stop, .drain = never.get_token(), .member = &placed});
  } catch (const node_error& problem) {
    const bool elsewhere = dynamic_cast<const group_error*>(&problem) != nullptr;
    if (!elsewhere && problem.nested_ptr() != nullptr) std::rethrow_exception(problem.nested_ptr());
    throw;
  }
}

group_names::group_names(const across_groups& where) {
  for (planned_group& each : where.member->groups()) names_.push_back(std::move(each.name));
}

}  // namespace weir::detail
