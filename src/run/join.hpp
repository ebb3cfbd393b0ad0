// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/fork_join.hpp"

#include "run/basic_join.hpp"
#include "run/running_node.hpp"

#include <cstddef>

namespace weir::detail {

/// One call of `fork_join`, with the joins and the run around it.
class join final : public basic_join<native_atomics> {
 public:
  /// @param run the run in whose step this join is, unless it is within a piece of another join; or
  /// null
  join(std::size_t pieces, piece_function f, std::size_t helpers_most, run_context* run) noexcept
      : basic_join(pieces, helpers_most), f_(f), around_(current_), run_(run) {}

  /// Runs pieces until none is left to begin.
  void take_part(std::size_t worker) noexcept;

  /// Whether no further piece should begin: a piece of this join or of one around it has thrown, or
  /// the run is stopping.
  bool fails() const noexcept {
    return failed() || (around_ != nullptr && around_->fails()) || (run_ != nullptr && run_->requests.stopping());
  }

  /// The run that this join is part of, also through the joins around it; or null.
  run_context* run() const noexcept {
    const join* outermost = this;
    while (outermost->around_ != nullptr) outermost = outermost->around_;
    return outermost->run_;
  }

  /// The innermost join of which this thread runs a piece; or null.
  static const join* current() noexcept { return current_; }

 private:
  static thread_local constinit const join* current_;

  const piece_function f_;
  const join* const around_;
  run_context* const run_;
};

using open_joins = basic_open_joins<native_atomics, join>;

}  // namespace weir::detail
