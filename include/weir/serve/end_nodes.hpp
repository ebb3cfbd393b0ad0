// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/graph/claimed.hpp"
#include "weir/serve/open_end.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace weir::detail {

/// A node behind an input end: takes what callers have sent, and leaves it to `forward` to send it on.
class entry_node : public behaviour {
 public:
  explicit entry_node(std::shared_ptr<input_end> from) : from_(std::move(from)) {}

  void start(ports& at) final;
  progress step(ports& at, std::size_t budget) final;
  void finish(ports&) final;
  void abort(ports&) noexcept final;

 protected:
  channel& data() const noexcept { return from_->data(); }

 private:
  /// Sends on and completes at least one of the `count` items that begin at `first`. @return how many
  virtual std::size_t forward(std::byte* first, std::size_t count, ports& at) = 0;

  const std::shared_ptr<input_end> from_;
};

/// Sends on what callers have sent.
template <class T>
class entry final : public entry_node {
 public:
  using entry_node::entry_node;

 private:
  std::size_t forward(std::byte* first, std::size_t count, ports& at) override {
    std::size_t sent = 0;
    emit_run<T>(at.out(), count, [&](auto&& emit, std::size_t some) {
      claimed_items<T> items(first, data());
      for (; some != 0; --some) {
        emit(items.take());
        items.done();
      }
      sent = items.count();
    });
    return sent;
  }
};

/// The node before an output end: puts what comes where callers receive it.
template <class T>
class exit final : public behaviour {
 public:
  explicit exit(std::shared_ptr<output_end> to) : to_(std::move(to)) {}

  void start(ports& at) override { to_->attach(at.owner()); }

  progress step(ports& at, std::size_t budget) override {
    if (to_->room(1) == 0) return wait_for_room();
    const std::size_t given = budget;
    bool full = false;
    const progress how = at.consume(
        budget,
        [&](std::byte* first, std::size_t count, channel& from) {
          const std::size_t taken = put(first, std::min(count, to_->room(count)), from);
          full = to_->room(1) == 0;
          return taken;
        },
        [&] { return full || at.stopping(); });
    if (budget != given) to_->offer_items();
    if (full && how != progress::ended) return wait_for_room();
    return how;
  }

  void finish(ports&) override { to_->close(); }
  void abort(ports&) noexcept override { to_->stop(); }

 private:
  progress wait_for_room() noexcept { return to_->ask_for_room() ? progress::more : progress::waiting_room; }

  std::size_t put(std::byte* first, std::size_t count, channel& from) noexcept {
    claimed_items<T> items(first, from);
    std::byte* at = to_->cursor();
    for (std::size_t left = count; left != 0; --left, at += sizeof(T)) {
      ::new (static_cast<void*>(at)) T(items.take());
      items.done();
    }
    to_->commit(count);
    return count;
  }

  const std::shared_ptr<output_end> to_;
};

}  // namespace weir::detail
