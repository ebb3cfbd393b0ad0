// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/display_text.hpp"
#include "top/run_view.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// The content to show of a program at one time.
struct top_content {
  std::string program;
  pid_t pid = 0;
  std::string state{};  ///< such as `ended`; empty while the program runs
  std::size_t cores = 0;
  double cores_used = 0;
  std::vector<run_view> runs{};
  std::vector<std::string> output{};  ///< last lines of the program
  std::vector<std::string> page{};    ///< shown in place of the runs, if not empty
  std::string keys{};                 ///< keys that may be pressed
};

/// Smallest screen that is useful.
constexpr std::size_t narrowest = 60;
constexpr std::size_t lowest = 10;
/// Value of `height` for as many lines as are needed.
constexpr std::size_t any_height = 0;

/// Returns the lines of a screen, none wider than `width`. A node with several inputs has a line
/// for each input below it. Farms are folded to one line each if their nodes don't fit into
/// `height`. If the folded farms don't fit either, inputs are left out, and then only the busiest
/// nodes are shown. The layout depends on the nodes and the size alone, not on the figures.
std::vector<std::string> top_lines(const top_content& content, std::size_t width, std::size_t height,
                                   const text_style& style);
