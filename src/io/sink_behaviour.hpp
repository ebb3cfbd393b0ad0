// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/item/buffer.hpp"

#include "io/node_waker.hpp"
#include "io/output.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace weir::io {

inline void add(output& to, const std::string& line) {
  to.add(line);
  to.add("\n");
}
inline void add(output& to, const buffer& chunk) { to.add(chunk.text()); }

/// Writes items to an output, which is opened when the run starts.
template <class Item>
class sink_behaviour final : public detail::behaviour {
 public:
  using opener = std::function<std::unique_ptr<output>(std::shared_ptr<node_waker>)>;

  explicit sink_behaviour(opener open) : open_(std::move(open)) {}

  void start(detail::ports& at) override {
    ended_ = false;
    waker_ = std::make_shared<node_waker>(at.owner());
    to_ = open_(waker_);
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    if (!ended_) {
      const detail::progress how = take(at, budget);
      if (how != detail::progress::ended) {
        if (how == detail::progress::waiting_input && to_->as_items_come()) to_->flush();
        return how;
      }
      to_->end();
      ended_ = true;
    }
    return to_->flush() ? detail::progress::ended : detail::progress::waiting_room;
  }

  void finish(detail::ports&) override {
    waker_->close();
    const auto to = std::move(to_);
    to->commit();
  }
  void abort(detail::ports&) noexcept override {
    if (waker_ != nullptr) waker_->close();
    to_.reset();
  }

 private:
  detail::progress take(detail::ports& at, std::size_t budget) {
    bool full = !to_->has_room();
    if (full) return detail::progress::waiting_room;
    return at.consume(
        budget,
        [&](detail::channel& from, std::size_t count) {
          detail::channel::reader items = from.read(count);
          while (items.more() && !full) {
            items.take<Item>([&](Item&& item) { add(*to_, std::move(item)); });
            full = !to_->has_room();
          }
          return items.count();
        },
        [&] { return full || at.interrupted(); });
  }

  opener open_;
  std::shared_ptr<node_waker> waker_;
  std::unique_ptr<output> to_;
  bool ended_ = false;  // whether the input has ended, and only writing is left
};

/// Makes a sink that can't be replicated, because two copies would write to the same destination.
template <class Item>
block<Item, void> sink_into(const char* kind, typename sink_behaviour<Item>::opener open) {
  return detail::behaviour_block<Item, void>(
      kind, [open = std::move(open)] { return std::make_unique<sink_behaviour<Item>>(open); }, false);
}

}  // namespace weir::io
