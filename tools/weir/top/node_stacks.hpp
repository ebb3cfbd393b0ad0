// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_sample.hpp"
#include "top/thread_stack.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// The stack of a node that stays inside its own code, which weir knows after about half a second.
struct node_stack {
  std::uint64_t run = 0;
  std::string path;
  std::string group{};  ///< of a cluster; else empty
  long thread = 0;
  std::chrono::nanoseconds in_own_code{0};
  thread_stack stack{};
};

/// Returns the stacks of all runs under way, in the order of their nodes. At most 16 threads are
/// examined.
std::vector<node_stack> stacks_of(const live_sample& sample);

/// Returns the stacks as lines of any length. Functions by which weir calls the node are only
/// counted.
std::vector<std::string> lines_of(const std::vector<node_stack>& stacks);
