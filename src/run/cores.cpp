// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/cores.hpp"

#include "weir/run/run.hpp"

#include "graph/file_text.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <vector>

namespace weir {
namespace {

// Whether `word` is an element of the comma-separated `list`.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Returns the path of this process in the cgroup hierarchy that limits processors: version 2 if
// `unified`, else version 1. Nothing if it is in none.
std::optional<std::string> own_path(const std::string& root, bool unified) {
  std::istringstream file(detail::text_of_file(root + "/proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(file, line);) {  // number:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return std::nullopt;
}

// Reads the quota of one group from its files; nothing if it has no limit.
std::optional<double> quota_of(const std::string& group, bool unified) {
  std::string quota;  // a number, or "max"
  double period = 0;
  if (unified) {
    std::istringstream(detail::text_of_file(group + "/cpu.max").value_or("")) >> quota >> period;
  } else {
    std::istringstream(detail::text_of_file(group + "/cpu.cfs_quota_us").value_or("")) >> quota;
    std::istringstream(detail::text_of_file(group + "/cpu.cfs_period_us").value_or("")) >> period;
  }
  double time = 0;
  std::istringstream(quota) >> time;
  if (time <= 0 || period <= 0) return std::nullopt;
  return time / period;
}

void keep_least(std::optional<double>& least, std::optional<double> another) {
  if (another && (!least || *another < *least)) least = another;
}

// Returns the least quota of the group at `path`, below the mount point, and of all groups around
// it.
std::optional<double> least_on_the_way(const std::string& mount, std::string path, bool unified) {
  std::optional<double> least;
  for (;;) {
    keep_least(least, quota_of(mount + path, unified));
    const std::size_t end = path.rfind('/');
    if (end == std::string::npos) return least;
    path.resize(end);
  }
}

}  // namespace

std::optional<double> detail::processor_quota(const std::string& root) {
  std::optional<double> least;
  std::istringstream file(detail::text_of_file(root + "/proc/self/mountinfo").value_or(""));
  for (std::string line; std::getline(file, line);) {
    // number, parent, device, root, mount point, options, …, "-", type, source, options of the file
    // system
    std::istringstream words(line);
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    const auto dash = std::find(all.begin(), all.end(), "-");
    if (dash - all.begin() < 6 || all.end() - dash < 4) continue;
    const bool unified = dash[1] == "cgroup2";
    if (!unified && (dash[1] != "cgroup" || !lists(dash[3], "cpu"))) continue;
    std::optional<std::string> path = own_path(root, unified);
    if (!path) continue;
    // A container may see only a part of the hierarchy, but its own path from the top of the whole.
    const std::string& top = all[3];
    if (top != "/") *path = path->starts_with(top) ? path->substr(top.size()) : "";
    if (*path == "/") path->clear();
    keep_least(least, least_on_the_way(root + all[4], *path, unified));
  }
  return least;
}

// Two threads may both read the files. A static variable of the function would let a child that is
// forked meanwhile wait for ever.
double detail::own_processor_quota() noexcept {
  static constinit std::atomic<double> known{-1};
  double quota = known.load(std::memory_order_relaxed);
  if (quota >= 0) return quota;
  try {
    quota = processor_quota("").value_or(0);
  } catch (...) {  // no memory
    quota = 0;
  }
  known.store(quota, std::memory_order_relaxed);
  return quota;
}

std::size_t available_cores() noexcept {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
  const auto allowed = static_cast<std::size_t>(known ? std::max(CPU_COUNT(&cores), 1) : 1);
  const double quota = detail::own_processor_quota();
  if (quota == 0) return allowed;
  return std::min(allowed, static_cast<std::size_t>(std::ceil(std::min(quota, 1e6))));
}

}  // namespace weir
