// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/node_stacks.hpp"

#include "common/display_text.hpp"
#include "common/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t looked_for_most = 16;
// Name prefix of the functions in which the executor gives a node its turn.
constexpr std::string_view turns = "weir::detail::running_node::";

// Returns the process that has the thread of a group of a cluster, if the process is on this
// machine.
std::optional<pid_t> process_of(const std::vector<pid_t>& started, const std::string& group, long thread) {
  std::error_code none;
  for (const pid_t each : started) {
    const fs::path folder = fs::path("/proc") / std::to_string(each);
    if (!fs::exists(folder / "task" / std::to_string(thread), none)) continue;
    // A thread on another machine may have the same number.
    const std::string name = variable_of(folder, "WEIR_GROUP");
    return name.empty() || name == group ? std::optional(each) : std::nullopt;
  }
  return std::nullopt;
}

// The function name of a template has its result type in front.
bool is_in_weir(const std::string& function) {
  const std::string name = function.substr(0, function.find_first_of("<("));
  return name.starts_with("weir::") || name.find(" weir::") != std::string::npos;
}

// Returns how many frames, starting at the innermost one, lie inside of the frames by which weir
// calls the node. Returns the number of all frames if those of weir can't be found.
std::size_t own_frames(const std::vector<stack_frame>& frames) {
  const auto is_turn = [](const stack_frame& each) { return each.function.starts_with(turns); };
  const auto outermost = std::find_if(frames.rbegin(), frames.rend(), is_turn);
  if (outermost == frames.rend()) return frames.size();
  const std::string& file = outermost->file;  // .../src/run/running_node.cpp, if known
  const std::string sources = file.substr(0, file.rfind("run/running_node.cpp"));
  const auto is_of_weir = [&](const stack_frame& each) {
    if (each.file.empty()) return is_in_weir(each.function);
    const bool is_of_library = !sources.empty() && each.file.starts_with(sources);
    return is_of_library || each.file.find("include/weir/") != std::string::npos;
  };
  const auto last = std::find_if_not(outermost, frames.rend(), is_of_weir);
  const auto own = static_cast<std::size_t>(frames.rend() - last);
  // Without debug information the node's function may be inlined into the one that calls it.
  return own != frames.size() && frames[own].file.empty() ? own + 1 : own;
}

std::string line_of(const stack_frame& frame) {
  const auto name_of = [](const std::string& path) { return fs::path(path).filename().native(); };
  const std::string function = frame.function.empty() ? "(a function without a name)" : frame.function;
  if (!frame.file.empty()) return fmt::format("  {}  {}:{}", function, name_of(frame.file), frame.line);
  if (!frame.module.empty()) return fmt::format("  {}  {}", function, name_of(frame.module));
  return "  " + function;
}

}  // namespace

std::vector<node_stack> stacks_of(const live_sample& sample) {
  std::vector<node_stack> made;
  for (const live_run& run : sample.runs) {
    if (run.report.ended) continue;
    for (std::size_t i = 0; i != run.report.nodes.size(); ++i) {
      const weir::node_report& node = run.report.nodes[i];
      if (node.thread == 0) continue;
      made.push_back({.run = run.number,
                      .path = node.path,
                      .group = run.groups.empty() ? std::string() : run.groups[i],
                      .thread = node.thread,
                      .in_own_code = node.in_own_code});
    }
  }
  const bool of_cluster = std::ranges::any_of(made, [](const node_stack& each) { return !each.group.empty(); });
  const std::vector<pid_t> started = of_cluster ? descendants_of(sample.pid) : std::vector<pid_t>();
  std::map<std::pair<pid_t, long>, thread_stack> known;  // a thread may be in several nested nodes
  for (node_stack& each : made) {
    const auto process = each.group.empty() ? std::optional(sample.pid) : process_of(started, each.group, each.thread);
    if (!process) {
      each.stack.problem = "its group is on another machine, or was not started by that weir run; call weir top there";
      continue;
    }
    const std::pair which(*process, each.thread);
    if (!known.contains(which)) {
      if (known.size() == looked_for_most) {
        each.stack.problem = fmt::format("there are more than {}, and only so many are looked for", looked_for_most);
        continue;
      }
      known.emplace(which, stack_of(*process, each.thread));
    }
    each.stack = known.at(which);
  }
  return made;
}

std::vector<std::string> lines_of(const std::vector<node_stack>& stacks) {
  if (stacks.empty()) return {"no node is known to stay inside its own code; that takes half a second"};
  std::vector<std::string> lines;
  for (const node_stack& each : stacks) {
    if (!lines.empty()) lines.emplace_back();
    lines.push_back(fmt::format("{}{}, thread {}, inside its own code for {}:", each.path,
                                each.group.empty() ? "" : " in " + each.group, each.thread,
                                short_time(std::chrono::duration<double>(each.in_own_code).count())));
    if (!each.stack.problem.empty()) {
      lines.push_back("  its stack can't be seen: " + each.stack.problem);
      continue;
    }
    const std::size_t own = own_frames(each.stack.frames);
    std::ranges::transform(each.stack.frames.begin(), each.stack.frames.begin() + static_cast<std::ptrdiff_t>(own),
                           std::back_inserter(lines), line_of);
    if (const std::size_t rest = each.stack.frames.size() - own; rest != 0) {
      lines.push_back(fmt::format("  called by weir, in {} functions", rest));
    }
  }
  return lines;
}
