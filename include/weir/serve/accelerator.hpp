// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/refused.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/detail/serve/end_nodes.hpp"
#include "weir/export.hpp"
#include "weir/run/run.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

struct accelerator_maker;

/// The part of an accelerator that does not depend on its item types: the open ends, the network
/// between them, and its run.
class WEIR_API open_network {
 public:
  /// @param in, out null if there is no such end
  open_network(network whole, std::shared_ptr<input_end> in, std::shared_ptr<output_end> out, run_options options);
  ~open_network();

  input_end& in() noexcept { return *in_; }
  output_end& out() noexcept { return *out_; }

  report wait();
  void cancel() noexcept;
  void drain() noexcept;
  report report_so_far() const { return run_->report_so_far(); }

  /// Cancels the run and waits for its end.
  void end() noexcept;

  std::exception_ptr failure() const noexcept { return run_->failure(); }

  /// Throws the reason for which an end reports `stopped`. @throws node_error if a node failed,
  /// else stopped
  [[noreturn]] void throw_why() const;

 private:
  struct outcome;

  network network_;
  const std::shared_ptr<input_end> in_;
  const std::shared_ptr<output_end> out_;
  const std::unique_ptr<outcome> outcome_;
  std::optional<running> run_;
};

[[noreturn]] WEIR_API void throw_moved_from();

/// The network of an accelerator or a server. An object that was moved from has none, and neither
/// has the copy of one in a forked child.
class owned_network {
 public:
  explicit owned_network(std::unique_ptr<open_network> made) noexcept : made_(made.release()) {}

  /// @throws std::logic_error if there is none
  open_network* operator->() const {
    if (made_ == nullptr) [[unlikely]]
      throw_moved_from();
    return &at_home(made_, "accelerator or server");
  }
  bool is_there() const noexcept { return made_ != nullptr && is_here(made_); }
  void reset() noexcept { made_.reset(); }

 private:
  process_ptr<open_network> made_;
};

struct nothing {};
template <class T>
using item_or_nothing = std::conditional_t<std::is_void_v<T>, nothing, T>;

/// Result of an attempt to receive an item. It is not a std::optional, because copying one, a flag
/// beside a value, is expensive in a tight loop.
template <class T>
class taken_item {
 public:
  taken_item() = default;
  taken_item(const taken_item&) = delete;
  taken_item& operator=(const taken_item&) = delete;
  ~taken_item() {
    if (how_ == attempt::done) std::destroy_at(item());
  }

  attempt how(output_end& from) { return how_ = from.try_receive<T>(room_); }
  T&& value() && noexcept { return std::move(*item()); }

 private:
  T* item() noexcept { return std::launder(reinterpret_cast<T*>(room_)); }

  attempt how_ = attempt::later;
  alignas(T) std::byte room_[sizeof(T)];
};

}  // namespace detail

/// A running block with open ends, for use from ordinary threads: they send items to the block and
/// receive its results (F1 §2, the software accelerator). If `In` or `Out` is void, that end does
/// not exist.
///
/// **Threads.** Any number of threads may call any function at the same time, except moving and
/// destroying. A thread that waits sleeps. Items that one thread sends keep their order as far as
/// the block keeps it. Several receivers share the results.
///
/// **Bounded.** Each end holds about 256 KiB of items. The memory that these items own besides is
/// limited to 2 MiB. If it is not known how much they own (see owned_bytes.hpp), about 128 items
/// fit. 16 items always fit, whatever they own. If no thread receives results, `send` eventually
/// waits.
///
/// **Ends.** `close` ends the input stream: items sent before are processed, nodes finish, and then
/// `receive` returns empty. The destructor cancels and waits. A node that throws ends the whole
/// run: from then on the functions that send, receive and wait throw its node_error. After `cancel`
/// they throw `stopped`, but `wait` returns. Functions of one that was moved from throw
/// std::logic_error, or do nothing if they are noexcept. So do those of the copy in a forked child,
/// where the destructor returns at once.
template <class In, class Out>
class [[nodiscard]] accelerator {
 public:
  using in_type = In;
  using out_type = Out;

  /// Sends one item in, and waits for room. The result of a particular item can't be told from the
  /// others; for that, see weir::serve.
  /// @throws stopped after `close`, `cancel` or `drain`, or if no node remains to take the item;
  /// node_error if a node failed
  void send(detail::item_or_nothing<In> item)
    requires(!std::is_void_v<In>)
  {
    for (;;) {
      switch (core_->in().try_send(item)) {
        case detail::attempt::done: return;
        case detail::attempt::later: core_->in().wait_for_room(); break;
        case detail::attempt::ended: throw weir::stopped{};
        case detail::attempt::stopped: core_->throw_why();
      }
    }
  }

  /// Sends one item if there is room now. Otherwise returns the item, together with whether there
  /// may be room later.
  /// @throws as send, but not after `close` and `drain`
  [[nodiscard]] std::optional<refused<detail::item_or_nothing<In>>> try_send(detail::item_or_nothing<In> item)
    requires(!std::is_void_v<In>)
  {
    switch (core_->in().try_send(item)) {
      case detail::attempt::done: return std::nullopt;
      case detail::attempt::later: return refused<detail::item_or_nothing<In>>{std::move(item), refusal::full};
      case detail::attempt::ended: return refused<detail::item_or_nothing<In>>{std::move(item), refusal::closed};
      case detail::attempt::stopped: break;
    }
    core_->throw_why();
  }

  /// Ends the input. May be called again.
  void close() noexcept
    requires(!std::is_void_v<In>)
  {
    if (core_.is_there()) core_->in().close();
  }

  /// Receives one result, and waits for it. Empty at the end of the stream.
  /// @throws stopped after `cancel`; node_error if a node failed
  std::optional<detail::item_or_nothing<Out>> receive()
    requires(!std::is_void_v<Out>)
  {
    for (;;) {
      detail::taken_item<detail::item_or_nothing<Out>> item;
      switch (item.how(core_->out())) {
        case detail::attempt::done: return std::move(item).value();
        case detail::attempt::later: core_->out().wait_for_item(); break;
        case detail::attempt::ended: return std::nullopt;
        case detail::attempt::stopped: core_->throw_why();
      }
    }
  }

  /// Receives one result if there is one now. `ended` tells whether there may be one later.
  /// @throws as receive
  std::optional<detail::item_or_nothing<Out>> try_receive()
    requires(!std::is_void_v<Out>)
  {
    detail::taken_item<detail::item_or_nothing<Out>> item;
    switch (item.how(core_->out())) {
      case detail::attempt::done: return std::move(item).value();
      case detail::attempt::later:
      case detail::attempt::ended: return std::nullopt;
      case detail::attempt::stopped: break;
    }
    core_->throw_why();
  }

  /// Returns whether the stream has ended and every result was received.
  bool ended() const noexcept
    requires(!std::is_void_v<Out>)
  {
    return !core_.is_there() || core_->out().ended();
  }

  /// Waits for the end of the run. Call `close` first; this or another thread must receive the
  /// results.
  /// @throws node_error
  report wait() { return core_->wait(); }

  /// Ends the run early. Queued items, and results not yet received, are discarded.
  void cancel() noexcept {
    if (core_.is_there()) core_->cancel();
  }

  /// Ends the input, and the sources of the block. All items sent before are processed.
  void drain() noexcept {
    if (core_.is_there()) core_->drain();
  }

  report report_so_far() const { return core_->report_so_far(); }

 private:
  friend struct detail::accelerator_maker;

  explicit accelerator(std::unique_ptr<detail::open_network> core) noexcept : core_(std::move(core)) {}

  detail::owned_network core_;
};

namespace detail {
// Makes accelerators in place of `start`, which clang 16 doesn't accept as a friend because of its
// constraint.
struct accelerator_maker {
  template <class In, class Out>
  static accelerator<In, Out> make(std::unique_ptr<open_network> core) noexcept {
    return accelerator<In, Out>(std::move(core));
  }
};
}  // namespace detail

/// Starts a block with open ends, and returns at once. The nodes at its ends have the paths
/// `/entry` and `/exit`.
/// @throws graph_error if the graph can't work, before anything starts
template <class In, class Out>
  requires(!(std::is_void_v<In> && std::is_void_v<Out>))
accelerator<In, Out> start(const block<In, Out>& what, run_options options = {}) {
  static_assert(detail::stream_count<In> <= 1 && detail::stream_count<Out> <= 1,
                "weir: an accelerator takes at most one stream and sends at most one; merge them inside the block");
  std::shared_ptr<detail::input_end> in;
  std::shared_ptr<detail::output_end> out;
  if constexpr (!std::is_void_v<Out>) out = std::make_shared<detail::output_end>(item_type_of<Out>());
  const auto closed_in = [&] {
    if constexpr (std::is_void_v<In>) {
      return what;
    } else {
      in = std::make_shared<detail::input_end>(item_type_of<In>(), out);
      return detail::behaviour_block<void, In>(
                 "entry", [in] { return std::make_unique<detail::entry>(in); }, false)
                 .named("entry") |
             what;
    }
  }();
  const auto closed = [&] {
    if constexpr (std::is_void_v<Out>) {
      return closed_in;
    } else {
      return closed_in | detail::behaviour_block<Out, void>(
                             "exit", [out] { return std::make_unique<detail::exit>(out); }, false)
                             .named("exit");
    }
  }();
  return detail::accelerator_maker::make<In, Out>(
      std::make_unique<detail::open_network>(closed, in, out, std::move(options)));
}

}  // namespace weir
