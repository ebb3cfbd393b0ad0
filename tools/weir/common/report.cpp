// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "common/report.hpp"

#include "common/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace {

using nlohmann::json;

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

double share(const json& part, double whole) { return whole > 0 ? part.get<double>() / whole : 0; }

void add_node(weir::detail::drawing::node& to, const json& from, double wall) {
  to.busy = share(from.at("busy_ns"), wall);
  to.waiting_input = share(from.at("waiting_input_ns"), wall);
  to.waiting_room = share(from.at("waiting_room_ns"), wall);
  to.bottleneck = from.value("bottleneck", false);
  to.note = fmt::format("{} items taken in, {} sent\nready {:.0f} %, waits for input {:.0f} %, for room {:.0f} %",
                        from.at("items").get<std::uint64_t>(), from.at("sent").get<std::uint64_t>(),
                        100 * share(from.at("ready_ns"), wall), 100 * *to.waiting_input, 100 * *to.waiting_room);
}

void add_channel(weir::detail::drawing::channel& to, const json& from, double wall) {
  const auto capacity = from.at("capacity").get<std::size_t>();
  to.items = from.at("items").get<std::uint64_t>();
  to.note = fmt::format("{} items, ", *to.items);
  if (wall > 0) to.note += fmt::format("{:.0f} a second, ", 1e9 * static_cast<double>(*to.items) / wall);
  to.note += capacity == 0 ? std::string("no limit") : fmt::format("capacity {}", capacity);
  if (capacity != 0) to.fill = from.at("fill").get<double>();
}

// Returns the part of an answer of `weir top --once --json` that belongs to one run.
json run_of(const json& sample, unsigned long run) {
  if (!sample.at("runs").is_array()) return {};
  for (const json& each : sample["runs"]) {
    if (each.is_object() && each.value("run", 0UL) == run) return each;
  }
  return {};
}

}  // namespace

report_file::report_file(std::string name, unsigned long run) : report_file(name, read_file(name), run) {}

report_file::report_file(std::string name, const std::string& text, unsigned long run) : name_(std::move(name)) {
  json report = json::parse(text, nullptr, false);
  if (report.is_object() && report.contains("runs")) {
    report = run_of(report, run);
    if (report.is_null())
      throw std::runtime_error(fmt::format("{} has no run {}; choose another with --run", name_, run));
  }
  if (report.is_discarded() || !report.is_object() || !report.contains("wall_ns") || !report.contains("nodes")) {
    throw std::runtime_error(name_ + " is not a report; write the text of weir::to_json(report) into it");
  }
  report_ = std::make_shared<const json>(std::move(report));
}

void report_file::add_to(weir::detail::drawing& d) const {
  const json& report = *report_;
  const std::string other = name_ + " is the report of another graph: ";
  const std::string remedy = "; make the report with the same program, arguments and number of cores";
  try {
    const double wall = report.at("wall_ns").get<double>();
    std::unordered_map<std::string, const json*> nodes;
    for (const json& node : report.at("nodes")) nodes.emplace(node.at("path"), &node);
    for (weir::detail::drawing::node& node : d.nodes) {
      const auto found = nodes.find(node.path);
      if (found == nodes.end()) throw std::runtime_error(other + "it lacks the node " + node.path + remedy);
      add_node(node, *found->second, wall);
      nodes.erase(found);
    }
    if (!nodes.empty()) {
      throw std::runtime_error(other + "the program has no node " + nodes.begin()->first + remedy);
    }
    // Both list the channels in the order of the graph, even several channels between the same two
    // nodes.
    const json& channels = report.at("channels");
    for (std::size_t i = 0; i != d.channels.size(); ++i) {
      weir::detail::drawing::channel& c = d.channels[i];
      const std::string &from = d.nodes[c.from].path, &to = d.nodes[c.to].path;
      if (i >= channels.size() || channels[i].at("from") != from || channels[i].at("to") != to) {
        throw std::runtime_error(other + "it lacks the channel from " + from + " to " + to + remedy);
      }
      add_channel(c, channels[i], wall);
    }
    if (channels.size() != d.channels.size()) throw std::runtime_error(other + "it has more channels" + remedy);
    d.seconds = wall / 1e9;
    d.verdict = report.value("bottleneck", "");
    d.caption =
        fmt::format("{}{} of wall-clock time, {} of CPU time",
                    report.value("ended", true) ? "" : "so far: ", duration(wall), duration(report.at("cpu_ns")));
  } catch (const json::exception& problem) {
    throw std::runtime_error(fmt::format("{} is not a report of this version of weir: {}", name_, problem.what()));
  }
}

bool is_whole_json(const std::string& text) { return json::accept(text); }
