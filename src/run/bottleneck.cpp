// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir {
namespace {

// Shares of a run's time. A node that is busy for `full` of it has no time left. The same holds for
// all workers together from `all_cores` on.
constexpr double full = 0.85;
constexpr double all_cores = 0.85;
// If nodes are busy on all cores, but the process used less than this share of them, it did not get
// its cores.
constexpr double few_cores = 0.7;
// The work is shared unevenly among equal nodes if their mean busy share is below this part of the
// largest.
constexpr double uneven = 0.6;
// A node below this share is not called busy.
constexpr double hardly = 0.5;
// A node that has been inside its own code for `long_time`, and has used less than `hardly_a_core`,
// waits there.
constexpr nanoseconds long_time = std::chrono::seconds(1);
constexpr double hardly_a_core = 0.1;
// Least share of waiting time that is reported.
constexpr double worth_telling = 0.3;

// The nodes of a farm or set, or one node alone.
struct group {
  std::string path;
  std::vector<std::size_t> nodes;
  std::size_t busiest = 0;
  double most = 0;  // busy share of the busiest node
  double mean = 0;
};

// A report in which fused nodes are merged into one node, which is busy while any of them is.
struct merged_report {
  report all;
  struct origin {
    std::size_t busiest;  // index of the busiest of its nodes
    std::size_t parts = 1;
    std::size_t last;
  };
  std::vector<origin> origins{};  // one per node of `all`; indexes refer to the original
};

merged_report with_fused_as_one(const report& r) {
  merged_report made{r};
  made.all.nodes.clear();
  std::unordered_map<std::string, std::size_t> number;  // position in `all`, by the path of the first node
  std::vector<std::size_t> number_of(r.nodes.size());
  for (std::size_t i = 0; i != r.nodes.size(); ++i) {
    const node_report& node = r.nodes[i];
    const auto [at, is_new] =
        number.try_emplace(node.runs_with.empty() ? node.path : node.runs_with, made.origins.size());
    number_of[i] = at->second;
    if (is_new) {
      made.all.nodes.push_back(node);
      made.origins.push_back({.busiest = i, .last = i});
      continue;
    }
    made.all.nodes[at->second].busy += node.busy;
    merged_report::origin& from = made.origins[at->second];
    ++from.parts;
    from.last = i;
    if (node.busy > r.nodes[from.busiest].busy) from.busiest = i;
  }
  for (std::size_t i = 0; i != made.origins.size(); ++i) {
    const merged_report::origin& from = made.origins[i];
    if (from.parts > 1) made.all.nodes[i].path += (from.parts > 2 ? " + ... + " : " + ") + r.nodes[from.last].path;
  }
  std::unordered_map<std::string, std::string> name;  // merged name, by path of the part
  for (std::size_t i = 0; i != r.nodes.size(); ++i) name[r.nodes[i].path] = made.all.nodes[number_of[i]].path;
  for (channel_report& c : made.all.channels) {
    if (const auto from = name.find(c.from); from != name.end()) c.from = from->second;
    if (const auto to = name.find(c.to); to != name.end()) c.to = to->second;
  }
  std::erase_if(made.all.channels, [](const channel_report& c) { return c.from == c.to; });
  return made;
}

class diagnosis {
 public:
  explicit diagnosis(const report& original)
      : original_(original),
        merged_(with_fused_as_one(original)),
        r_(merged_.all),
        sends_(r_.nodes.size()),
        takes_(r_.nodes.size()) {
    const report& r = r_;
    std::unordered_map<std::string, std::size_t> number;
    for (std::size_t i = 0; i != r.nodes.size(); ++i) number[r.nodes[i].path] = i;
    for (const channel_report& c : r.channels) {
      if (const auto from = number.find(c.from); from != number.end()) sends_[from->second] = true;
      if (const auto to = number.find(c.to); to != number.end()) takes_[to->second] = true;
    }
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i != r.nodes.size(); ++i) {
      const auto [at, is_new] = known.try_emplace(path_without_numbers(r.nodes[i].path), groups_.size());
      if (is_new) groups_.push_back({at->first, {}, i, 0, 0});
      group& its = groups_[at->second];
      its.nodes.push_back(i);
      const double busy = share(r.nodes[i].busy);
      if (busy > its.most) {
        its.most = busy;
        its.busiest = i;
      }
      its.mean += busy;
      all_busy_ += busy;
    }
    for (group& each : groups_) each.mean /= static_cast<double>(each.nodes.size());
  }

  std::string sentence() const {
    if (measured_nothing()) return "nothing was measured";
    if (const node_report* const waits = one_that_waits_in_its_own_code()) return blocked(*waits);
    const group& busiest = this->busiest();
    if (cores_are_the_limit() && used_all_cores()) return limited_by_cores(busiest) + missing_cores();
    if (busiest.most >= full) return limited_by(busiest) + missing_cores();
    if (cores_are_the_limit()) return limited_by_cores(busiest) + missing_cores();
    if (busiest.most >= hardly) return limited_by(busiest);
    return "no node is busy for more than " + percent(busiest.most) + " of the time (" + name(busiest) +
           "): the run waits for what is outside, or is too short to tell";
  }

  // Returns indexes in the original report. Fused nodes are represented by the busiest of them.
  std::vector<std::size_t> nodes() const {
    if (measured_nothing()) return {};
    if (const node_report* const waits = one_that_waits_in_its_own_code()) {
      return {static_cast<std::size_t>(waits - original_.nodes.data())};
    }
    const group& busiest = this->busiest();
    if (busiest.most < hardly && !cores_are_the_limit()) return {};
    std::vector<std::size_t> found = busiest.nodes;
    if (is_uneven(busiest) && (busiest.most >= full || !cores_are_the_limit())) found = {busiest.busiest};
    for (std::size_t& node : found) node = merged_.origins[node].busiest;
    return found;
  }

 private:
  bool measured_nothing() const { return r_.nodes.empty() || r_.wall.count() <= 0; }
  const group& busiest() const {
    return *std::max_element(groups_.begin(), groups_.end(),
                             [](const group& a, const group& b) { return a.most < b.most; });
  }
  bool cores_are_the_limit() const {
    return r_.workers != 0 && all_busy_ >= all_cores * static_cast<double>(r_.workers);
  }
  double cores_used() const { return share(r_.cpu); }
  bool used_all_cores() const { return cores_used() >= all_cores * static_cast<double>(r_.workers); }

  // Whether the process has used a quota up, as far as that is known. If it used less, others took
  // the cores.
  bool used_all_of_the_quota() const {
    return r_.quota != 0 && r_.quota <= static_cast<double>(r_.workers) &&
           (r_.cpu.count() == 0 || cores_used() >= all_cores * r_.quota);
  }

  // Returns the node that has waited there for longest.
  const node_report* one_that_waits_in_its_own_code() const {
    const node_report* found = nullptr;
    for (const node_report& node : original_.nodes) {
      if (!weir::waits_in_its_own_code(node)) continue;
      if (found == nullptr || node.in_own_code > found->in_own_code) found = &node;
    }
    return found;
  }

  static std::string blocked(const node_report& node) {
    return node.path + " has waited inside its own code for " + seconds(node.in_own_code) + ", where its thread " +
           std::to_string(node.thread) + " used " + seconds(node.in_own_code_cpu) +
           " of a core: see what it waits for, a lock, a file or another program";
  }
  static std::string seconds(nanoseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(time.count()) / 1e9);
    return text;
  }

  // Explains that nodes are busy on all cores, but the process did not get all cores, or can get no
  // more.
  std::string missing_cores() const {
    if (cores_are_the_limit() && used_all_of_the_quota()) {
      char granted[96];
      std::snprintf(granted, sizeof granted, " (a quota, cpu.max, grants the process the time of %.2f cores)",
                    r_.quota);
      return granted;
    }
    if (r_.cpu.count() == 0 || !cores_are_the_limit() || cores_used() >= few_cores * static_cast<double>(r_.workers))
      return "";
    char used[32];
    std::snprintf(used, sizeof used, "%.2f", cores_used());
    return std::string(" (the process got ") + used + " of " + std::to_string(r_.workers) +
           " cores: others use them, or its nodes wait in their own code)";
  }
  static bool is_uneven(const group& g) { return g.nodes.size() > 1 && g.mean < uneven * g.most; }
  double share(nanoseconds part) const {
    return static_cast<double>(part.count()) / static_cast<double>(r_.wall.count());
  }
  static std::string percent(double part) { return std::to_string(std::lround(100 * std::min(part, 1.0))) + " %"; }
  const std::string& name(const group& g) const {
    return g.nodes.size() == 1 ? r_.nodes[g.nodes.front()].path : g.path;
  }

  std::string limited_by(const group& g) const {
    const std::size_t width = g.nodes.size();
    if (is_uneven(g)) {
      return r_.nodes[g.busiest].path + " is busy " + percent(g.most) + ", the " + std::to_string(width) + " of " +
             g.path + " only " + percent(g.mean) + " on average" + waiting() +
             ": the work is shared out unevenly; choose a key with more values, or another policy";
    }
    const std::string who = width == 1
                                ? name(g) + " is busy " + percent(g.most)
                                : "the " + std::to_string(width) + " of " + g.path + " are busy " + percent(g.mean);
    const std::size_t node = g.busiest;
    if (merged_.origins[node].parts > 1) {
      const node_report& part = original_.nodes[merged_.origins[node].busiest];
      return who + waiting() + ": they run as one; let " + part.path + ", which is busy " + percent(share(part.busy)) +
             ", run by itself";
    }
    if (!takes_[node]) {
      return who +
             " and the rest waits for it: the source is the limit; let it do less for each item, or read from several";
    }
    std::string remedy;
    if (width > 1) {
      remedy = "give " + g.path + " more workers";
    } else if (!sends_[node]) {
      remedy = "the last node is the limit; let " + name(g) + " do less for each item, or make several of it";
    } else {
      remedy = "make " + name(g) + " a farm";
    }
    return who + waiting() + ": " + remedy;
  }

  std::string limited_by_cores(const group& g) const {
    const auto waits = std::max_element(r_.nodes.begin(), r_.nodes.end(),
                                        [](const node_report& a, const node_report& b) { return a.ready < b.ready; });
    std::string text =
        (r_.workers == 1 ? std::string("the one worker is") : "all " + std::to_string(r_.workers) + " workers are") +
        " busy " + percent(all_busy_ / static_cast<double>(r_.workers));
    if (share(waits->ready) >= worth_telling) {
      text += "; " + waits->path + " is ready and finds no core " + percent(share(waits->ready));
    }
    return text + ": the cores are the limit; use more of them, or do less for each item, first in " + name(g) + " (" +
           percent(g.mean * static_cast<double>(g.nodes.size()) / std::max(all_busy_, 1e-9)) + " of the work)";
  }

  // Names the node that waits longest for room, if the wait is long enough to report.
  std::string waiting() const {
    const auto waits =
        std::max_element(r_.nodes.begin(), r_.nodes.end(),
                         [](const node_report& a, const node_report& b) { return a.waiting_room < b.waiting_room; });
    if (share(waits->waiting_room) < worth_telling) return "";
    return "; " + waits->path + " waits for room " + percent(share(waits->waiting_room));
  }

  const report& original_;
  const merged_report merged_;
  const report& r_;  // refers to `merged_`
  std::vector<bool> sends_;
  std::vector<bool> takes_;
  std::vector<group> groups_;
  double all_busy_ = 0;
};

}  // namespace

bool waits_in_its_own_code(const node_report& node) noexcept {
  const auto time = static_cast<double>(node.in_own_code.count());
  return node.in_own_code >= long_time && static_cast<double>(node.in_own_code_cpu.count()) < hardly_a_core * time;
}

std::string bottleneck(const report& r) { return diagnosis(r).sentence(); }

std::vector<std::size_t> bottleneck_nodes(const report& r) { return diagnosis(r).nodes(); }

}  // namespace weir
