// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/run_view.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <unordered_map>
#include <utility>

namespace {

// Most inputs of one node that are shown.
constexpr std::size_t inputs_most = 1024;

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

double share(std::chrono::nanoseconds part, std::chrono::nanoseconds whole) {
  if (whole.count() <= 0) return 0;
  return std::min(1.0, static_cast<double>(part.count()) / static_cast<double>(whole.count()));
}

// A path without its numbers: `/split[]/count[]` and 0, 3 for `/split[0]/count[3]`.
struct numbered_path {
  std::string without;
  std::vector<std::size_t> numbers;

  explicit numbered_path(const std::string& path) {
    const char* const end = path.data() + path.size();
    for (const char* at = path.data(); at != end; ++at) {
      without += *at;
      if (*at != '[') continue;
      std::size_t number = 0;
      const auto [stopped, problem] = std::from_chars(at + 1, end, number);
      if (problem != std::errc() || stopped == end || *stopped != ']') continue;
      numbers.push_back(number);
      at = stopped - 1;
    }
  }
};

// Nodes whose paths differ only in their numbers.
struct group {
  node_view sum;
  std::set<std::string> groups;                             // names of the cluster's groups
  std::vector<std::pair<std::size_t, std::size_t>> ranges;  // least and greatest value of each number
  std::string without;

  std::string path() const {
    if (sum.nodes == 1) return sum.path;
    std::string made;
    std::size_t next = 0;
    for (std::size_t i = 0; i != without.size(); ++i) {
      made += without[i];
      if (without[i] != '[' || without[i + 1] != ']' || next == ranges.size()) continue;
      const auto [least, most] = ranges[next++];
      made += std::to_string(least);
      if (most != least) made += '-' + std::to_string(most);
    }
    return made;
  }
};

void add(queue_view& to, const queue_view& queue) {
  to.waiting += queue.waiting;
  to.room += queue.room;
}

void add(group& to, const node_view& node) {
  node_view& sum = to.sum;
  ++sum.nodes;
  sum.items += node.items;
  sum.sent += node.sent;
  sum.items_per_second += node.items_per_second;
  sum.busy_so_far += node.busy_so_far;
  sum.busy += node.busy;
  sum.busy_least = std::min(sum.busy_least, node.busy_least);
  sum.busy_most = std::max(sum.busy_most, node.busy_most);
  sum.ready += node.ready;
  sum.waiting_input += node.waiting_input;
  sum.waiting_room += node.waiting_room;
  sum.bottleneck = sum.bottleneck || node.bottleneck;
  if (!node.before) return;
  if (!sum.before) sum.before.emplace();
  add(*sum.before, *node.before);
  if (sum.inputs.size() < node.inputs.size()) sum.inputs.resize(node.inputs.size());
  for (std::size_t i = 0; i != node.inputs.size(); ++i) {
    input_view& input = sum.inputs[i];
    for (const std::string& each : node.inputs[i].from) {
      if (std::ranges::find(input.from, each) == input.from.end()) input.from.push_back(each);
    }
    add(input.queue, node.inputs[i].queue);
  }
}

// Returns the kernel function in which a thread of a process on this machine sleeps. Empty if the
// thread does not sleep, or if the system does not tell.
std::string sleeping_place(pid_t process, long thread) {
  std::string place;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/wchan"), place);
  return place == "0" ? std::string() : place;
}

}  // namespace

run_view view_of(const live_run& now, const live_run* before) {
  const weir::report& total = now.report;
  const weir::report lately = before == nullptr ? total : difference(total, before->report);
  run_view made{.number = now.number,
                .ended = total.ended,
                .wall = total.wall,
                .over = lately.wall,
                .workers = total.workers,
                .cores = lately.wall.count() > 0 ? seconds(lately.cpu) / seconds(lately.wall) : 0,
                .bottleneck = weir::bottleneck(lately)};
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t i = 0; i != total.nodes.size(); ++i) {
    const weir::node_report& node = lately.nodes[i];
    node_view& view = made.nodes.emplace_back();
    number.emplace(node.path, i);
    view.path = node.path;
    view.kind = node.kind;
    if (!now.groups.empty()) view.group = now.groups[i];
    view.items = total.nodes[i].items;
    view.sent = total.nodes[i].sent;
    view.items_per_second = lately.wall.count() > 0 ? static_cast<double>(node.items) / seconds(lately.wall) : 0;
    view.seconds_per_item = node.items == 0 ? 0 : seconds(node.busy) / static_cast<double>(node.items);
    view.busy_so_far = share(total.nodes[i].busy, total.wall);
    view.busy = view.busy_least = view.busy_most = share(node.busy, lately.wall);
    view.ready = share(node.ready, lately.wall);
    view.waiting_input = share(node.waiting_input, lately.wall);
    view.waiting_room = share(node.waiting_room, lately.wall);
  }
  std::vector<bool> sends(made.nodes.size());
  std::vector<std::set<std::size_t>> without_limit(made.nodes.size());  // inputs that have a channel without a limit
  for (const weir::channel_report& channel : total.channels) {
    if (const auto from = number.find(channel.from); from != number.end()) sends[from->second] = true;
    const auto to = number.find(channel.to);
    if (to == number.end()) continue;
    node_view& node = made.nodes[to->second];
    if (!node.before) node.before.emplace();
    if (channel.input >= inputs_most) continue;
    if (node.inputs.size() <= channel.input) node.inputs.resize(channel.input + 1);
    input_view& input = node.inputs[channel.input];
    input.from.push_back(channel.from);
    for (queue_view* const queue : {&*node.before, &input.queue})
      add(*queue, {.waiting = channel.waiting, .room = channel.room});
    if (channel.room == 0) without_limit[to->second].insert(channel.input);
  }
  for (std::size_t i = 0; i != made.nodes.size(); ++i) {
    node_view& node = made.nodes[i];
    if (!without_limit[i].empty()) node.before->room = 0;
    for (const std::size_t input : without_limit[i]) node.inputs[input].queue.room = 0;
    if (!node.before) made.in += node.items;
    if (!sends[i]) made.out += node.items;
  }
  for (const std::size_t i : weir::bottleneck_nodes(lately)) {
    made.nodes[i].bottleneck = true;
    if (weir::waits_in_its_own_code(lately.nodes[i])) made.waits_in_thread = lately.nodes[i].thread;
  }
  return made;
}

std::vector<run_view> views_of(const live_sample& now, const live_sample* before) {
  std::vector<run_view> made;
  made.reserve(now.runs.size());
  for (const live_run& run : now.runs) {
    // A run that has ended does not change any more; its view covers the whole run.
    run_view& view =
        made.emplace_back(view_of(run, before == nullptr || run.report.ended ? nullptr : before->find(run.number)));
    if (view.waits_in_thread == 0 || !run.groups.empty()) continue;
    if (const std::string place = sleeping_place(now.pid, view.waits_in_thread); !place.empty()) {
      view.bottleneck += " (the kernel has it in " + place + ")";
    }
  }
  return made;
}

std::string silence_of(const live_sample& sample) {
  std::string list;
  for (const std::string& group : sample.silent) list += (list.empty() ? "" : ", ") + group;
  if (list.empty()) return list;
  return list + (sample.silent.size() == 1 ? " does not answer" : " do not answer");
}

run_view folded(const run_view& whole) {
  std::vector<group> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t number = 0; number != whole.nodes.size(); ++number) {
    const node_view& node = whole.nodes[number];
    numbered_path path(node.path);
    const auto [at, is_new] = known.try_emplace(path.without, groups.size());
    if (is_new) {
      group& made = groups.emplace_back();
      made.sum = node;
      made.sum.members = {number};
      made.groups.insert(node.group);
      made.without = std::move(path.without);
      for (const std::size_t n : path.numbers) made.ranges.emplace_back(n, n);
      continue;
    }
    group& its = groups[at->second];
    for (std::size_t i = 0; i != path.numbers.size(); ++i) {
      its.ranges[i].first = std::min(its.ranges[i].first, path.numbers[i]);
      its.ranges[i].second = std::max(its.ranges[i].second, path.numbers[i]);
    }
    its.groups.insert(node.group);
    its.sum.members.push_back(number);
    add(its, node);
  }
  run_view made = whole;
  made.nodes.clear();
  for (group& each : groups) {
    node_view& sum = each.sum;
    sum.path = each.path();
    if (each.groups.size() > 1) sum.group = std::to_string(each.groups.size()) + " groups";
    const auto count = static_cast<double>(sum.nodes);
    if (sum.items_per_second > 0) sum.seconds_per_item = sum.busy / sum.items_per_second;
    for (double* const part : {&sum.busy_so_far, &sum.busy, &sum.ready, &sum.waiting_input, &sum.waiting_room})
      *part /= count;
    made.nodes.push_back(sum);
  }
  return made;
}

std::string folded(const std::vector<std::string>& paths) {
  run_view of_paths;
  for (const std::string& each : paths) of_paths.nodes.emplace_back().path = each;
  std::string list;
  for (const node_view& each : folded(of_paths).nodes) list += (list.empty() ? "" : ", ") + each.path;
  return list;
}
