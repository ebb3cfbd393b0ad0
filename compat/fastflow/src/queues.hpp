// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"

#include <ff/detail/task_queue.hpp>

#include <cstddef>

namespace ff::detail {

/// Makes each task that is put into a queue notify a node, until `tell` is called with null.
void wake_with(task_queue& from, weir::detail::ports& at);

/// Thaws a node that rests: an element of `rest::orders`.
struct thaw_order {
  thaw_order(std::size_t last_word, bool is_end) : word(last_word), ends(is_end) {}
  explicit thaw_order(const void* what);
  void* as_task() const noexcept;

  std::size_t word;  ///< number of the last word that told the node to rest
  bool ends;         ///< the node ends
};

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
