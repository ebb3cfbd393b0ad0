// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/planning_member.hpp"

#include "weir/cluster/configuration.hpp"
#include "weir/detail/passes/assign_groups.hpp"
#include "weir/detail/passes/cut.hpp"
#include "weir/detail/passes/plan.hpp"
#include "weir/detail/passes/relay_broadcasts.hpp"
#include "weir/graph/error.hpp"

#include "cluster/member/measured_costs.hpp"
#include "cluster/protocol/read_report.hpp"
#include "graph/file_text.hpp"
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

using nlohmann::ordered_json;

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

ordered_json answer_to(const ordered_json& request, graph& whole) {
  ordered_json answer{{"problems", ordered_json::array()}};
  const auto complain = [&](const std::string& problem) { answer["problems"].push_back(problem); };
  const std::string text = request.at("configuration");
  const std::string file = request.at("file");
  const cluster_configuration configuration = configuration_from_json(text, file);
  const std::vector<group_selection> selections = selections_of(configuration);
  const bool measured = !request.at("report").is_null();
  const detail::graph_costs costs = measured
                                        ? measured_costs(whole, report_from_json(detail::text_of(request.at("report"))))
                                        : detail::estimated_costs(whole);
  const ordered_json cores_of = request.value("cores_of", ordered_json::object());
  std::vector<planned_group> planned;
  if (configuration.plan) {
    for (const group_selection& each : selections) planned.push_back({each.group, cores_of.value(each.group, 1.0)});
  }
  for (const graph_error& wrong : detail::settle_groups(whole, selections, planned, costs)) complain(wrong.what());
  if (!answer["problems"].empty()) return answer;

  const graph cuttable = detail::relay_broadcasts(whole, {});
  for (const group_selection& each : selections) {
    try {
      detail::cut(cuttable, each.group, {});
    } catch (const graph_error& problem) {
      if (answer["problems"].empty() || answer["problems"].back() != problem.what()) complain(problem.what());
    }
  }
  const double work = std::max(sum_of(costs.nodes), 1e-300);
  const double bytes = std::max(sum_of(costs.channels), 1e-300);
  answer["groups"] = ordered_json::array();
  for (const group_selection& each : selections) {
    double own = 0;
    for (node_id id = 0; id != whole.nodes().size(); ++id) {
      if (std::as_const(whole).nodes()[id].traits.group == each.group) own += costs.nodes[id];
    }
    answer["groups"].push_back(
        {{"name", each.group}, {"nodes", detail::selection_of(whole, each.group)}, {"work", own / work}});
  }
  const auto source =
      std::ranges::find_if(std::as_const(whole).nodes(), [](const auto& each) { return each.in.empty(); });
  answer["first"] = source == std::as_const(whole).nodes().end() ? "" : source->traits.group;
  std::vector<detail::cut_channel> crossing = detail::cut_channels(cuttable);
  const auto cost_of = [&](const detail::cut_channel& c) {
    return c.channel < costs.channels.size() ? costs.channels[c.channel]
                                             : detail::relayed_cost(cuttable, c.channel, costs.channels);
  };
  std::ranges::stable_sort(crossing, std::ranges::greater{}, cost_of);
  double cut = 0;
  answer["channels"] = ordered_json::array();
  for (const detail::cut_channel& each : crossing) {
    const channel_description& c = cuttable.channels()[each.channel];
    const double share = cost_of(each) / bytes;
    cut += share;
    answer["channels"].push_back(
        {{"from", cuttable.nodes()[c.from].path}, {"to", cuttable.nodes()[c.to].path}, {"share", share}});
  }
  answer["cut"] = cut;
  answer["measured"] = measured;
  return answer;
}

}  // namespace

planning_member::planning_member(const std::string& file) : file_(file) {
  request_ = detail::text_of_file(file).value_or("");
  try {
    cores_ = detail::parse_ordered_json(request_).at("cores");
  } catch (const ordered_json::exception& problem) {
    throw graph_error("WEIR_PLAN", "names no request: " + std::string(problem.what()));
  }
}

void planning_member::assign_groups(graph& whole) const {
  ordered_json answer;
  try {
    answer = answer_to(detail::parse_ordered_json(request_), whole);
  } catch (const std::exception& problem) {
    answer = {{"problems", {problem.what()}}};
  }
  detail::answer_and_end("WEIR_PLAN", file_, detail::text_of(answer, 1) + "\n");
}

}  // namespace weir::cluster
