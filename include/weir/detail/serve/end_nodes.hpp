// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/serve/open_end.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace weir::detail {

/// A node behind an input end: takes the items that callers have sent, and lets `forward` send them
/// on.
class WEIR_API entry_node : public behaviour {
 public:
  explicit entry_node(std::shared_ptr<input_end> from) : from_(std::move(from)) {}

  void start(ports& at) final;
  progress step(ports& at, std::size_t budget) final;
  void finish(ports&) final;
  void abort(ports&) noexcept final;

 protected:
  channel& data() const noexcept { return from_->data(); }

 private:
  /// Sends on and completes at least one of the next `count` items.
  /// @return the number of items sent
  virtual std::size_t forward(std::size_t count, ports& at) = 0;

  const std::shared_ptr<input_end> from_;
};

/// Sends on the items that callers have sent.
class WEIR_API entry final : public entry_node {
 public:
  using entry_node::entry_node;

 private:
  std::size_t forward(std::size_t count, ports& at) override;
};

/// The node before an output end: moves the items that it receives to the output end, where callers
/// receive them.
class WEIR_API exit final : public behaviour {
 public:
  explicit exit(std::shared_ptr<output_end> to) : to_(std::move(to)) {}

  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports&) override;
  void abort(ports&) noexcept override;

 private:
  progress wait_for_room() noexcept;
  std::size_t put(channel& from, std::size_t count, const item_type& type) noexcept;

  const std::shared_ptr<output_end> to_;
};

}  // namespace weir::detail
