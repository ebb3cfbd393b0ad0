// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/fork_join.hpp"

#include "run/activation.hpp"
#include "run/basic_join.hpp"

#include <cstddef>

namespace weir::detail {

/// One call of `fork_join`, with the joins and the node around it.
class join final : public basic_join<native_atomics> {
 public:
  /// @param node the activation in whose step this join is, unless it is within a piece of another
  /// join; or null
  join(std::size_t pieces, piece_function f, std::size_t helpers_most, activation* node) noexcept
      : basic_join(pieces, helpers_most), f_(f), around_(current_), node_(node) {}

  /// Runs pieces until none is left to begin.
  void take_part(std::size_t worker) noexcept;

  /// Whether no further piece should begin: a piece of this join or of one around it has thrown, or
  /// the run is stopping.
  bool fails() const noexcept {
    return failed() || (around_ != nullptr && around_->fails()) ||
           (node_ != nullptr && node_->context().requests.stopping());
  }

  /// The activation in whose step this join is, also through the joins around it; or null.
  activation* node() const noexcept {
    const join* outermost = this;
    while (outermost->around_ != nullptr) outermost = outermost->around_;
    return outermost->node_;
  }

  /// The innermost join of which this thread runs a piece; or null.
  static const join* current() noexcept { return current_; }

  /// Called in a forked child, where the piece that has forked is the parent's.
  static void forget_current() noexcept { current_ = nullptr; }

 private:
  static thread_local constinit const join* current_;

  const piece_function f_;
  const join* const around_;
  activation* const node_;
};

using open_joins = basic_open_joins<native_atomics, join>;

}  // namespace weir::detail
