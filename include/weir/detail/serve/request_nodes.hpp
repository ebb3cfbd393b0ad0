// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/item/owned_bytes.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/detail/serve/end_nodes.hpp"
#include "weir/detail/serve/request.hpp"
#include "weir/export.hpp"
#include "weir/graph/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace weir::detail {

/// An item together with its request.
template <class T>
struct requested {
  T item;
  request* what;
};

template <class T>
  requires(knows_what_it_owns<T, depth_most>())
std::size_t owned_bytes(const requested<T>& what) noexcept {
  return owned_bytes_of<T>(what.item);
}

/// The node at which requests enter: sends their items on, each with a tag that identifies the
/// request. (The number in the tag is the request's address. Items that nodes send on their own
/// have the number `outside`, which is no address.)
template <class T>
class request_entry final : public entry_node {
 public:
  using entry_node::entry_node;

 private:
  std::size_t forward(std::size_t count, ports& at) override {
    channel::reader items = data().read(count);
    for (; items.more() && !at.blocked(); items.done()) {
      auto& each = *std::launder(reinterpret_cast<requested<T>*>(items.item()));
      at.current_tag()[0] = tag::numbered(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(each.what)));
      items.emptied();
      at.out().send_relocated(&each.item);
    }
    return items.count();
  }
};

/// The node at which results arrive: resolves the requests of the results.
template <class T>
class request_exit final : public behaviour {
 public:
  request_exit(std::shared_ptr<requests> all, std::shared_ptr<continuations> after)
      : all_(std::move(all)), after_(std::move(after)) {}

  progress step(ports& at, std::size_t budget) override {
    return at.consume(
        budget, [&](channel& from, std::size_t count) { return take(from, count); }, [&] { return at.stopping(); });
  }

  void finish(ports&) override { end(); }
  void abort(ports&) noexcept override { end(); }

 private:
  std::size_t take(channel& from, std::size_t count) {
    channel::reader slots = from.read(count);
    for (; slots.more(); slots.done()) {
      // A punctuation means that no result will come.
      T* const item = tag::is_punctuation(slots.item()) ? nullptr : std::launder(reinterpret_cast<T*>(slots.item()));
      const std::uint64_t number = tag::number(tag::of(slots.item(), 0));
      if (number != tag::number(tag::outside)) {
        auto& what = *static_cast<request_for<T>*>(reinterpret_cast<request*>(static_cast<std::uintptr_t>(number)));
        if (const std::shared_ptr<request> kept = all_->take(what)) {
          if (item != nullptr) what.result.emplace(std::move(*item));
          resolve(*kept);
        }
      }
      if (item != nullptr) std::destroy_at(item);
      slots.emptied();
    }
    return slots.count();
  }

  void end() noexcept {
    for (const std::shared_ptr<request>& each : all_->end()) resolve(*each);
    after_->close();
  }

  void resolve(request& what) noexcept {
    request::continuation* const next = what.resolve();
    if (next == nullptr) return;
    if (next->brief) {
      next->call(*next);
    } else {
      after_->call(*next);
    }
  }

  const std::shared_ptr<requests> all_;
  const std::shared_ptr<continuations> after_;
};

/// The node that resumes coroutines.
class WEIR_API resumption final : public behaviour {
 public:
  explicit resumption(std::shared_ptr<continuations> what) : what_(std::move(what)) {}

  void start(ports& at) override { what_->attach(at.owner()); }

  progress step(ports& at, std::size_t budget) override {
    const bool closed = what_->closed();  // read before the queue
    for (std::size_t left = budget; left != 0; --left) {
      request::continuation* const next = what_->next();
      if (next == nullptr) return closed ? progress::ended : progress::waiting_input;
      at.count(1);
      next->call(*next);
    }
    return progress::more;
  }

  void finish(ports&) override { what_->end(); }
  void abort(ports&) noexcept override { what_->end(); }

 private:
  const std::shared_ptr<continuations> what_;
};

}  // namespace weir::detail
