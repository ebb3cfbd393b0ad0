// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Two variables of the environment, and the output of `scontrol show hostnames` for the first:
//
//     SLURM_JOB_NODELIST        names, short for several: "n[1-3],m7"
//     SLURM_JOB_CPUS_PER_NODE   counts ("," count)*, in the order of the nodes
//     count                     cores ["(x" nodes ")"]: this number of consecutive nodes has this number of cores
//                               each: "2(x3),4"
#include "run/slurm_allocation.hpp"

#include "common/process.hpp"
#include "run/mpi_start.hpp"
#include "support/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace {

std::string variable(const char* name) {
  const char* const value = weir::support::variable(name);
  return value == nullptr ? "" : value;
}

// Removes a number that is not 0 from the front.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// Returns the cores by node; none if the text is no such list, or has more or fewer nodes.
std::optional<std::vector<std::size_t>> cores_by_node(std::string_view text, std::size_t nodes) {
  std::vector<std::size_t> made;
  do {
    const auto cores = take_number(text);
    std::optional<std::size_t> times = 1;
    if (take(text, "(x")) {
      times = take_number(text);
      if (!take(text, ")")) return std::nullopt;
    }
    if (!cores || !times || *times > nodes - made.size()) return std::nullopt;
    made.insert(made.end(), *times, *cores);
  } while (take(text, ","));
  if (!text.empty() || made.size() != nodes) return std::nullopt;
  return made;
}

}  // namespace

bool is_in_allocation() { return !variable("SLURM_JOB_ID").empty(); }

std::vector<std::string> allocated_nodes() {
  if (!is_in_allocation()) return {};
  const std::string list = variable("SLURM_JOB_NODELIST");
  if (list.empty()) throw std::runtime_error("SLURM_JOB_ID is set, but not SLURM_JOB_NODELIST");
  std::string said;
  try {
    if (pipe_through({"scontrol", "show", "hostnames", list}, "", said).code != 0) said.clear();
  } catch (const cannot_start& why) {
    throw std::runtime_error("can't ask SLURM for the nodes of the allocation: scontrol: " + std::string(why.what()));
  }
  std::vector<std::string> names = words_in(said);
  if (names.empty())
    throw std::runtime_error("can't ask SLURM for the nodes of the allocation: scontrol does not know " + list);
  return names;
}

std::vector<allocated_node> allocated_nodes_with_cores() {
  const std::vector<std::string> names = allocated_nodes();
  const std::string text = variable("SLURM_JOB_CPUS_PER_NODE");
  const auto cores = cores_by_node(text, names.size());
  if (!cores) {
    throw std::runtime_error("SLURM_JOB_CPUS_PER_NODE is '" + text + "', which does not say the cores of " +
                             std::to_string(names.size()) + " nodes");
  }
  std::vector<allocated_node> made;
  for (std::size_t i = 0; i != names.size(); ++i) made.push_back({names[i], (*cores)[i]});
  return made;
}
