// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace explore {

/// Depth-first enumeration of the choices of a program that makes the same choices when it is run
/// again.
///
/// Alternative 0 is always the plain one: go on with the same thread, read the last store. The
/// other alternatives draw on one of two budgets, and are only offered while that budget lasts.
class search {
 public:
  enum class kind : std::uint8_t { thread, message };

  /// Begins anew within these bounds.
  void bound(unsigned preemptions, unsigned stale) noexcept {
    preemptions_most_ = preemptions;
    stale_most_ = stale;
    made_.clear();
  }

  /// Begins an execution: the choices made so far will be repeated.
  void begin() noexcept {
    depth_ = 0;
    preemptions_ = preemptions_most_;
    stale_ = stale_most_;
    diverged_ = false;
  }

  /// Picks one of `count` alternatives.
  unsigned choose(kind what, unsigned count) {
    if (depth_ < made_.size()) {
      const choice& before = made_[depth_++];
      if (before.what != what || before.count != count) diverged_ = true;
      return before.taken < count ? before.taken : 0;
    }
    made_.push_back({what, static_cast<std::uint16_t>(count), 0});
    ++depth_;
    return 0;
  }

  /// Called after an execution. @return false if no other execution is left
  bool next() noexcept {
    made_.resize(depth_);
    while (!made_.empty() && made_.back().taken + 1 == made_.back().count) made_.pop_back();
    if (made_.empty()) return false;
    ++made_.back().taken;
    return true;
  }

  bool may_preempt() const noexcept { return preemptions_ != 0; }
  void preempted() noexcept { --preemptions_; }
  bool may_be_stale() const noexcept { return stale_ != 0; }
  void was_stale() noexcept { --stale_; }

  /// Whether this execution offered other choices than an earlier one at the same point.
  bool diverged() const noexcept { return diverged_; }

 private:
  struct choice {
    kind what;
    std::uint16_t count;
    std::uint16_t taken;
  };

  std::vector<choice> made_;
  std::size_t depth_ = 0;
  unsigned preemptions_most_ = 0;
  unsigned stale_most_ = 0;
  unsigned preemptions_ = 0;
  unsigned stale_ = 0;
  bool diverged_ = false;
};

}  // namespace explore
