// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/processors.hpp"

#include "graph/file_text.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <compare>
#include <optional>
#include <set>
#include <string>

namespace weir::detail {
namespace {

struct processor {
  int package;
  int core;
  int number;  // that of the operating system

  friend auto operator<=>(const processor&, const processor&) = default;
};

std::optional<int> number_in(const std::string& file) {
  const std::optional<std::string> text = text_of_file(file);
  int number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

// Returns the processors of the machine, neighbours beside each other. Linux tells their places;
// where it does not, as in some containers, each processor counts as a core of its own.
std::vector<processor> all_processors() {
  std::vector<processor> all;
  const int most = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int number = 0; number < most; ++number) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(number) + "/topology/";
    all.push_back({number_in(folder + "physical_package_id").value_or(0),
                   number_in(folder + "core_id").value_or(number), number});
  }
  std::ranges::sort(all);
  return all;
}

bool share_a_core(const processor& one, const processor& other) {
  return one.package == other.package && one.core == other.core;
}

}  // namespace

std::vector<int> choose_processors(std::size_t count) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  std::vector<int> chosen;  // first the first one of each core
  std::vector<int> others;
  std::optional<processor> last;
  for (const processor& each : all_processors()) {
    if (!CPU_ISSET(static_cast<std::size_t>(each.number), &allowed)) continue;
    (last && share_a_core(*last, each) ? others : chosen).push_back(each.number);
    last = each;
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  if (chosen.size() > count) chosen.resize(count);
  return chosen;
}

machine_size size_of_machine() {
  const std::vector<processor> all = all_processors();
  std::set<std::pair<int, int>> cores;
  std::set<int> packages;
  for (const processor& each : all) {
    cores.emplace(each.package, each.core);
    packages.insert(each.package);
  }
  return {std::max<std::size_t>(cores.size(), 1), std::max<std::size_t>(packages.size(), 1)};
}

}  // namespace weir::detail
