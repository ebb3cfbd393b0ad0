// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/graph/network.hpp"
#include "weir/run/report.hpp"
#include "weir/run/run.hpp"

#include "lowering.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace ff::detail {

/// The results of an accelerator. Their number is not limited, because programs may offload all
/// tasks before they load the first result. Any thread may call any function.
class results {
 public:
  void add(void* const* some, std::size_t count);
  /// Says that more will come.
  void open();
  /// Says that no more will come.
  void close() noexcept;
  /// Returns the next one; `EOS` at the end, and again after it. Waits for it.
  void* take();
  /// Same as `take`, but returns null if there is none yet.
  void* take_now();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<void*> waiting_;
  bool closed_ = false;
};

/// Keeps the tasks that it takes as results.
class results_node final : public weir::detail::behaviour {
 public:
  explicit results_node(std::shared_ptr<results> to) : to_(std::move(to)) {}

  weir::detail::progress step(weir::detail::ports& at, std::size_t budget) override;
  void finish(weir::detail::ports&) override { to_->close(); }
  void abort(weir::detail::ports&) noexcept override { to_->close(); }

 private:
  const std::shared_ptr<results> to_;
  std::vector<void*> some_;
};

/// A run of a block.
struct run_state {
  /// @param last the results of the run before; null if there are none
  /// @param freezes see lowering
  run_state(ff_node& whole, std::shared_ptr<results> last, bool freezes);

  lowering lowered;
  weir::network net;
  std::optional<weir::running> now;
  std::optional<weir::report> report;  ///< none: it has not ended, or has failed
};

}  // namespace ff::detail
