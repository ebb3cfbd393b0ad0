// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// The heap of one explored execution. While it is active, the program's `operator new` (which
/// arena.cpp replaces) takes memory from this heap and `operator delete` only records. So addresses
/// repeat from one execution to the next, and no address is used twice within one execution (a
/// reused address never looks like a race). An execution can be abandoned anywhere, for `reset`
/// takes all memory back at once.
namespace explore::arena {

/// Called for each block freed while the arena is active.
using free_hook = void (*)(const void* block, std::size_t size);

extern bool active;
extern free_hook on_free;

/// Takes all blocks back.
void reset() noexcept;

/// Number of blocks allocated since `reset` and not freed.
std::size_t live_blocks() noexcept;

/// Whether a block was freed twice since `reset`.
bool freed_twice() noexcept;

/// Suspends the arena: the explorer's own data live on the ordinary heap.
class pause {
 public:
  pause() noexcept : was_(active) { active = false; }
  ~pause() { active = was_; }
  pause(const pause&) = delete;
  pause& operator=(const pause&) = delete;

 private:
  bool was_;
};

}  // namespace explore::arena
