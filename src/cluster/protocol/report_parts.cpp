// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/report_parts.hpp"

#include "cluster/protocol/json_fields.hpp"
#include "cluster/protocol/read_report.hpp"
#include "cluster/wire/frame.hpp"
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

// A list of paths without duplicates.
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

// @param value returns the value of a channel by its number in `part.of`
template <class Value>
json column(std::size_t count, Value&& value) {
  json all = json::array();
  bool alike = true;
  for (std::size_t i = 0; i != count; ++i) {
    all.push_back(value(i));
    alike = alike && all.back() == all.front();
  }
  return count != 0 && alike ? json(all.front()) : all;
}

json links_of(const numbered_report& part, path_list& paths) {
  const std::vector<channel_report>& channels = part.of.channels;
  const std::size_t count = channels.size();
  return {{"number", part.channels},
          {"from", column(count, [&](std::size_t i) { return paths.place_of(channels[i].from); })},
          {"to", column(count, [&](std::size_t i) { return paths.place_of(channels[i].to); })},
          {"items", column(count, [&](std::size_t i) { return channels[i].items; })},
          {"capacity", column(count, [&](std::size_t i) { return channels[i].capacity; })},
          {"waiting", column(count, [&](std::size_t i) { return channels[i].waiting; })},
          {"room", column(count, [&](std::size_t i) { return channels[i].room; })},
          {"fill", column(count, [&](std::size_t i) { return channels[i].fill; })},
          {"input", column(count, [&](std::size_t i) { return channels[i].input; })}};
}

// The values of one property of all channels.
class column_of {
 public:
  column_of(const json& links, const char* name, std::size_t count) : values_(member(links, name)) {
    if (values_.is_array() && values_.size() != count)
      throw protocol_error("a column of a report's channels is not complete");
  }
  std::uint64_t number(std::size_t i) const {
    const json& found = at(i);
    if (!found.is_number_unsigned()) throw protocol_error("a channel of a report has no number where one must be");
    return found.get<std::uint64_t>();
  }
  double real(std::size_t i) const {
    const json& found = at(i);
    if (!found.is_number()) throw protocol_error("a channel of a report has no number where one must be");
    return found.get<double>();
  }
  const std::string& path(std::size_t i, const json& paths) const {
    const std::uint64_t place = number(i);
    if (place >= paths.size() || !paths[place].is_string()) throw protocol_error("a channel of a report leads nowhere");
    return paths[place].get_ref<const std::string&>();
  }

 private:
  static const json& member(const json& links, const char* name) {
    const auto found = links.find(name);
    if (found == links.end()) throw protocol_error("a report's channels lack a column");
    return *found;
  }
  const json& at(std::size_t i) const { return values_.is_array() ? values_[i] : values_; }

  const json& values_;
};

void add_channels(numbered_report& to, const json& part) {
  const json& paths = array_field(part, "paths");
  const json& links = object_field(part, "links");
  const std::size_t count = array_field(links, "number").size();
  const column_of numbers(links, "number", count);
  const column_of from(links, "from", count);
  const column_of at(links, "to", count);
  const column_of items(links, "items", count);
  const column_of capacity(links, "capacity", count);
  const column_of waiting(links, "waiting", count);
  const column_of room(links, "room", count);
  const column_of fill(links, "fill", count);
  const column_of input(links, "input", count);
  for (std::size_t i = 0; i != count; ++i) {
    to.of.channels.push_back({.from = from.path(i, paths),
                              .to = at.path(i, paths),
                              .items = items.number(i),
                              .capacity = capacity.number(i),
                              .waiting = waiting.number(i),
                              .room = room.number(i),
                              .fill = fill.real(i),
                              .input = input.number(i)});
    to.channels.push_back(numbers.number(i));
  }
}

}  // namespace

numbered_report part_of_whole(const graph& whole, detail::group_report own) {
  numbered_report part;
  for (std::size_t i = 0; i != own.of.nodes.size(); ++i) {
    if (own.nodes[i] == no_node) continue;
    part.nodes.push_back(own.nodes[i]);
    part.of.nodes.push_back(std::move(own.of.nodes[i]));
  }
  for (std::size_t i = 0; i != own.of.channels.size(); ++i) {
    // The near end of a cut channel counts all items that have not been completed.
    if (own.channels[i] == no_channel) continue;
    const channel_description& about = whole.channels()[own.channels[i]];
    channel_report& channel = part.of.channels.emplace_back(std::move(own.of.channels[i]));
    channel.to = whole.nodes()[about.to].path;
    channel.input = about.to_port;
    part.channels.push_back(own.channels[i]);
  }
  own.of.nodes = std::move(part.of.nodes);
  own.of.channels = std::move(part.of.channels);
  part.of = std::move(own.of);
  return part;
}

std::vector<numbered_report> parts_of(const numbered_report& whole) {
  const report& of = whole.of;
  std::vector<numbered_report> parts;
  std::size_t node = 0;
  std::size_t channel = 0;
  do {
    numbered_report& part = parts.emplace_back();
    part.of.wall = of.wall;
    part.of.cpu = of.cpu;
    part.of.workers = of.workers;
    part.of.ended = of.ended;
    for (const std::size_t end = std::min(node + nodes_of_part, of.nodes.size()); node != end; ++node) {
      part.of.nodes.push_back(of.nodes[node]);
      part.nodes.push_back(whole.nodes[node]);
    }
    for (const std::size_t end = std::min(channel + channels_of_part, of.channels.size()); channel != end; ++channel) {
      part.of.channels.push_back(of.channels[channel]);
      part.channels.push_back(whole.channels[channel]);
    }
  } while (node != of.nodes.size() || channel != of.channels.size());
  return parts;
}

void add_part(numbered_report& to, numbered_report part) {
  to.of.wall = part.of.wall;
  to.of.cpu = part.of.cpu;
  to.of.workers = part.of.workers;
  to.of.ended = part.of.ended;
  std::ranges::move(part.of.nodes, std::back_inserter(to.of.nodes));
  std::ranges::move(part.of.channels, std::back_inserter(to.of.channels));
  std::ranges::move(part.nodes, std::back_inserter(to.nodes));
  std::ranges::move(part.channels, std::back_inserter(to.channels));
}

json json_of(const numbered_report& part) {
  report nodes;
  nodes.wall = part.of.wall;
  nodes.cpu = part.of.cpu;
  nodes.workers = part.of.workers;
  nodes.ended = part.of.ended;
  nodes.nodes = part.of.nodes;
  json made = detail::parse_json(to_json(nodes, -1));
  made.erase("bottleneck");
  for (std::size_t i = 0; i != part.nodes.size(); ++i) made["nodes"][i]["number"] = part.nodes[i];
  path_list paths;
  made["links"] = links_of(part, paths);
  made["paths"] = std::move(paths.texts);
  return made;
}

numbered_report part_from_json(const json& written) {
  numbered_report made;
  made.of = report_from_json(written);
  made.of.channels.clear();
  for (const json& each : array_field(written, "nodes")) made.nodes.push_back(field<std::uint64_t>(each, "number"));
  add_channels(made, written);
  return made;
}

}  // namespace weir::cluster
