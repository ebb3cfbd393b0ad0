// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"

#include <ff/detail/task_queue.hpp>

#include <cstddef>

namespace ff::detail {

/// Sends on the tasks of a queue, until `EOS` comes.
class from_queue final : public weir::detail::behaviour {
 public:
  explicit from_queue(task_queue& from) : from_(from) {}

  void start(weir::detail::ports& at) override;
  weir::detail::progress step(weir::detail::ports& at, std::size_t budget) override;
  void finish(weir::detail::ports&) override { from_.tell(nullptr, nullptr); }
  void abort(weir::detail::ports&) noexcept override { from_.tell(nullptr, nullptr); }

 private:
  task_queue& from_;
};

/// Puts tasks into a queue, and `EOS` behind the last one.
class to_queue final : public weir::detail::behaviour {
 public:
  explicit to_queue(task_queue& to) : to_(to) {}

  weir::detail::progress step(weir::detail::ports& at, std::size_t budget) override;
  void finish(weir::detail::ports&) override;

 private:
  task_queue& to_;
};

}  // namespace ff::detail
