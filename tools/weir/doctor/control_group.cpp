// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/control_group.hpp"

#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream all(text);
  for (std::string each; std::getline(all, each, at);) parts.push_back(each);
  return parts;
}

bool lists(const std::string& list, std::string_view word) {
  for (const std::string& each : split(list, ',')) {
    if (each == word) return true;
  }
  return false;
}

// The path of this process among the groups of a controller; an empty controller stands for
// version 2. proc(5): a line of the file is NUMBER:CONTROLLERS:PATH.
std::optional<std::string> path_among(std::string_view controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3) continue;
    if (controller.empty() ? parts[1].empty() : lists(parts[1], controller)) return line.substr(line.find(parts[2]));
  }
  return std::nullopt;
}

std::optional<double> number_in(const std::string& file) {
  double number = 0;
  std::ifstream from(file);
  if (from >> number && number > 0) return number;
  return std::nullopt;
}

std::optional<double> cores_of(const std::string& group, bool unified) {
  if (!unified) {
    const auto quota = number_in(group + "/cpu.cfs_quota_us"), period = number_in(group + "/cpu.cfs_period_us");
    return quota && period ? std::optional(*quota / *period) : std::nullopt;
  }
  double quota = 0, period = 0;
  std::ifstream file(group + "/cpu.max");  // "max PERIOD" if there is none
  if (file >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::nullopt;
}

std::optional<double> memory_of(const std::string& group, bool unified) {
  constexpr double none = 4e18;  // version 1 tells of no limit by a number that is near 2^63
  const auto limit = number_in(group + (unified ? "/memory.max" : "/memory.limit_in_bytes"));
  return limit && *limit < none ? limit : std::nullopt;
}

void keep_least(std::optional<double>& least, std::optional<double> another) {
  if (another && (!least || *another < *least)) least = another;
}

}  // namespace

control_group_limits own_limits() {
  control_group_limits found;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // number, parent, device, root, mount point, …, "-", type, source, options
    const std::size_t dash = line.find(" - ");
    const std::vector<std::string> before = split(line.substr(0, dash), ' ');
    if (dash == std::string::npos || before.size() < 5) continue;
    const std::vector<std::string> behind = split(line.substr(dash + 3), ' ');
    if (behind.size() < 3 || !behind[0].starts_with("cgroup")) continue;
    const bool unified = behind[0] == "cgroup2";
    for (const std::string_view controller : {"cpu", "memory"}) {
      if (!unified && !lists(behind[2], controller)) continue;
      std::optional<std::string> path = path_among(unified ? "" : controller);
      if (!path) continue;
      // A container may see a part of the groups only, but its own path from the top of all.
      const std::string& top = before[3];
      if (top != "/") *path = path->starts_with(top) ? path->substr(top.size()) : "";
      if (*path == "/") path->clear();
      for (;;) {
        const std::string group = before[4] + *path;
        if (controller == "cpu") keep_least(found.cores, cores_of(group, unified));
        if (controller == "memory") keep_least(found.memory, memory_of(group, unified));
        const std::size_t last = path->rfind('/');
        if (last == std::string::npos) break;
        path->resize(last);
      }
    }
  }
  return found;
}
