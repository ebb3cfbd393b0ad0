// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "display_text.hpp"
#include "run_view.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// What there is to show of a program at one time.
struct top_content {
  std::string program;
  pid_t pid = 0;
  std::string state{};  ///< such as `ended`; empty while it goes on
  std::size_t cores = 0;
  double cores_used = 0;
  std::vector<run_view> runs{};
  std::vector<std::string> output{};  ///< the program's last lines
  std::vector<std::string> page{};    ///< shown in place of the runs, if there are any
  std::string keys{};                 ///< what may be pressed
};

/// Less is not worth being looked at.
constexpr std::size_t narrowest = 60;
constexpr std::size_t lowest = 10;
/// For `height`: as many lines as it takes.
constexpr std::size_t any_height = 0;

/// The lines of a screen, none wider than `width`. Below a node with several inputs there is a line
/// for each. Farms are folded to one line each where their nodes don't fit into `height`; where
/// even those don't fit, inputs are left out, and then the busiest nodes shown. Where things stand
/// depends on the nodes and the size alone, not on figures.
std::vector<std::string> top_lines(const top_content& content, std::size_t width, std::size_t height,
                                   const text_style& style);
