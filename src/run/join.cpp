// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/join.hpp"

#include "weir/graph/error.hpp"

#include "graph/per_process.hpp"

#include <utility>

namespace weir::detail {

thread_local constinit const join* join::current_ = nullptr;

void join::take_part(std::size_t worker) noexcept {
  const join* const around = std::exchange(current_, this);
  basic_join::take_part([&](std::size_t piece) {
    if (fails()) throw stopped{};
    const child_ends_here within("a piece of fork_join");
    f_(piece, worker);
  });
  current_ = around;
}

}  // namespace weir::detail
