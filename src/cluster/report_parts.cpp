// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/report_parts.hpp"

#include "cluster/frame.hpp"
#include "cluster/merge_reports.hpp"
#include "cluster/message.hpp"
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr std::size_t nodes_of_part = 1024;
constexpr std::size_t channels_of_part = 4096;

// The places of paths in a list of them.
class path_list {
 public:
  std::size_t place_of(const std::string& path) {
    const auto [found, is_new] = places_.try_emplace(path, texts.size());
    if (is_new) texts.push_back(path);
    return found->second;
  }

  json texts = json::array();

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

const json& element(const json& of, std::size_t i) {
  if (!of.is_array() || i >= of.size()) throw protocol_error("a channel of a report is not complete");
  return of[i];
}
std::uint64_t whole_number(const json& of, std::size_t i) {
  const json& found = element(of, i);
  if (!found.is_number_unsigned()) throw protocol_error("a channel of a report has no number where one must be");
  return found.get<std::uint64_t>();
}
double number(const json& of, std::size_t i) {
  const json& found = element(of, i);
  if (!found.is_number()) throw protocol_error("a channel of a report has no number where one must be");
  return found.get<double>();
}
const std::string& path(const json& paths, std::uint64_t place) {
  if (place >= paths.size() || !paths[place].is_string()) throw protocol_error("a channel of a report leads nowhere");
  return paths[place].get_ref<const std::string&>();
}

std::vector<json> parts_of(const report& of, const numbered_report* numbers) {
  std::vector<json> parts;
  std::size_t node = 0;
  std::size_t channel = 0;
  do {
    report some;
    some.wall = of.wall;
    some.cpu = of.cpu;
    some.workers = of.workers;
    some.ended = of.ended;
    const std::size_t first = node;
    for (; node != std::min(first + nodes_of_part, of.nodes.size()); ++node) some.nodes.push_back(of.nodes[node]);
    json part = parse_json(to_json(some, -1));
    part.erase("bottleneck");
    if (numbers != nullptr) {
      for (std::size_t i = first; i != node; ++i) part["nodes"][i - first]["number"] = numbers->nodes[i];
    }
    path_list paths;
    json links = json::array();
    for (const std::size_t end = std::min(channel + channels_of_part, of.channels.size()); channel != end; ++channel) {
      const channel_report& c = of.channels[channel];
      json& link = links.emplace_back(
          json{paths.place_of(c.from), paths.place_of(c.to), c.items, c.capacity, c.waiting, c.room, c.fill, c.input});
      if (numbers != nullptr) link.push_back(numbers->channels[channel]);
    }
    part["paths"] = std::move(paths.texts);
    part["links"] = std::move(links);
    parts.push_back(std::move(part));
  } while (node != of.nodes.size() || channel != of.channels.size());
  return parts;
}

}  // namespace

std::vector<json> parts_of(const report& of) { return parts_of(of, nullptr); }
std::vector<json> parts_of(const numbered_report& numbered) { return parts_of(numbered.of, &numbered); }

void add_part(report& to, const json& part) {
  report some = report_from_json(part);
  const json& paths = array_field(part, "paths");
  for (const json& link : array_field(part, "links")) {
    some.channels.push_back({.from = path(paths, whole_number(link, 0)),
                             .to = path(paths, whole_number(link, 1)),
                             .items = whole_number(link, 2),
                             .capacity = whole_number(link, 3),
                             .waiting = whole_number(link, 4),
                             .room = whole_number(link, 5),
                             .fill = number(link, 6),
                             .input = whole_number(link, 7)});
  }
  to.wall = some.wall;
  to.cpu = some.cpu;
  to.workers = some.workers;
  to.ended = some.ended;
  std::ranges::move(some.nodes, std::back_inserter(to.nodes));
  std::ranges::move(some.channels, std::back_inserter(to.channels));
}

void add_part(numbered_report& to, const json& part) {
  add_part(to.of, part);
  for (const json& each : array_field(part, "nodes")) to.nodes.push_back(field<std::uint64_t>(each, "number"));
  for (const json& link : array_field(part, "links")) to.channels.push_back(whole_number(link, 8));
}

}  // namespace weir::cluster
