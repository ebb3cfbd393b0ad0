// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/item/owned_limit.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/serve/turn.hpp"
#include "weir/detail/serve/waiting_line.hpp"
#include "weir/export.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace weir::detail {

/// Result of an attempt to send or receive at an open end.
enum class attempt {
  done,
  later,    ///< no room, or no item; this may change
  ended,    ///< the stream has ended: nothing may be sent any more, or no item is left
  stopped,  ///< the run was cancelled or has failed, or no node remains to take the item
};

/// The common part of both open ends of an accelerator: a bounded channel between callers on any
/// threads and one node of the network, and the callers that wait at it.
///
/// **Who may call what.** Callers share one side of the channel: the thread that is inside `turn_`
/// acts as its producer or consumer. The thread that runs the node is the other side. The node
/// registers by `attach`. Its activation lives until the network's next run, and ignores
/// notifications once it has ended, so that callers may notify it at any time.
///
/// **Bounded.** If it is known how much memory items own, the producer measures the next item each
/// time that it needs slots and finds room within the fill limit of the channel, and sets the limit
/// anew. The limit may become less than the number of items that are there. The other side may use
/// an old limit: whoever waits for room looks at the channel itself once it has announced that.
class WEIR_API open_end {
 public:
  open_end(const open_end&) = delete;
  open_end& operator=(const open_end&) = delete;

  /// Any thread: ends all sending and receiving, and wakes all waiting threads.
  void stop() noexcept;

  /// Registers the node; called from its `start`.
  void attach(host& node) noexcept {
    node_.store(&node, std::memory_order_release);  // pairs with the acquire in tell()
  }

 protected:
  explicit open_end(const item_type& type);
  ~open_end() = default;

  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  // Notifies the node. Call it after a full fence that follows the news. A node that is not
  // attached yet will look at the channel later anyway.
  void tell(cause why) noexcept {
    if (host* const node = node_.load(std::memory_order_acquire)) node->notify(why);
  }

  /// Sleeps until another thread wakes it, unless `worthwhile()` returns true.
  /// @throws stopped in a node whose run is cancelled or fails
  template <class Worthwhile>
  void wait_until(Worthwhile&& worthwhile);

  // Half of the items that the channel may hold now.
  std::size_t half() const noexcept { return static_cast<std::size_t>((data_.fill_limit() + 1) / 2); }

  // For the channel's producer: grants up to `most` slots for items of which the next one is
  // `item`.
  std::size_t grant(std::size_t most, const void* item);

  turn turn_;
  channel data_;
  owned_limit owned_;  // for the channel's producer, except for `applies`
  waiting_line waiting_;

 private:
  std::atomic<host*> node_{nullptr};
  std::atomic<bool> stopped_{false};
};

/// The end at which callers receive.
///
/// **No missed room.** A node that finds the channel full asks to be notified when half of it is
/// free (`channel::want_room`), executes a full fence, and looks once more. Callers check for such
/// a request now and then, after a full fence that follows the completion of an item. Therefore one
/// of the two sees the other. The distance between two checks is less than half a channel, so a
/// check happens between the moment when half of the channel is free and the moment when the
/// channel is empty. Where the fill limit may fall between two checks, there is also one when the
/// channel is found empty.
///
/// **No withheld results.** While results are batched, a sleeping caller is woken once for half a
/// channel of items, so that the cost of a wake-up is shared by many items: the node does not wake
/// the caller while `batching` is set and there are fewer items. The node that sets `batching`
/// clears it when the stream slows down or is blocked, then executes a full fence, and calls
/// `offer_items`. The exit node executes a full fence between its items and its check of
/// `batching`. Therefore either the exit node sees that `batching` is cleared, or the thread that
/// cleared it sees the items. An exit node that waits for room wakes the callers in any case, after
/// the fence of its request: the fill limit may have fallen since it wrote fewer items than half.
class WEIR_API output_end final : public open_end {
 public:
  explicit output_end(const item_type& type) : open_end(type) {}

  // ---- callers ----

  /// Moves an item to raw memory at `to`.
  template <class T>
  attempt try_receive(void* to) {
    const turn::guard inside(turn_);
    if (stopped()) [[unlikely]]
      return attempt::stopped;
    if (data_.claim_written() == 0) {
      if (owned_.applies()) look_for_wishes();
      return data_.ended() ? attempt::ended : attempt::later;
    }
    {
      channel::reader items = data_.read(1);
      T& item = *std::launder(reinterpret_cast<T*>(items.item()));
      ::new (to) T(std::move(item));
      std::destroy_at(&item);
      items.done();
    }
    received_.store(received_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (data_.taken() >= next_look_) [[unlikely]]
      look_for_wishes();
    return attempt::done;
  }

  /// Called after `later`: returns when another attempt may succeed. Sleeps, but a caller that
  /// takes only a few items at a time first polls for some microseconds.
  /// @throws stopped in a node whose run is cancelled or fails
  void wait_for_item();

  /// Returns whether no item is left and none will come.
  bool ended() noexcept;

  // ---- the thread that runs the node ----

  /// Grants free slots, up to `most`, and returns their number.
  /// @param item the next item, if it is known: the memory that it owns counts
  std::size_t room(std::size_t most, const void* item = nullptr);
  /// Begins to write into the granted slots. Callers see the items at the end.
  channel::writer write() noexcept { return data_.write(detail::told::together); }

  /// Wakes callers that wait for items; called after items were written. Any thread.
  void offer_items() noexcept;

  /// Sets whether more items will follow immediately. Called by the thread that runs the node
  /// behind the input end.
  void set_batching(bool whether) noexcept { batching_.store(whether, std::memory_order_relaxed); }

  /// Called if there is no room. @return whether there is room now; if not, the node will be
  /// notified
  bool ask_for_room() noexcept;

  /// Ends the stream: no item follows.
  void close() noexcept;

 private:
  bool worth_a_look() const noexcept { return data_.has_written() || data_.closed() || stopped(); }
  void look_for_wishes() noexcept;

  std::atomic<bool> batching_{false};
  std::atomic<std::size_t> received_{0};  // since a caller last waited
  channel::index told_ = 0;               // for callers: the last request of the node that was answered
  channel::index next_look_ = 0;          // for callers
  bool asked_ = false;                    // for the node: whether it asked for room
};

/// The end at which callers send.
///
/// **No item is overlooked.** An item can be claimed as soon as it is committed, so it is
/// sufficient that the node looks. While `watching_` is false, each sender executes a full fence
/// after its item and then notifies the node, as the producer of any channel does at the end of its
/// step (see `basic_readiness`). While `watching_` is true, senders do neither, because the node
/// will look again without a notification. Before it stops watching, the node stores false,
/// executes a heavy fence, and looks once more. A sender that loaded true before that fence also
/// wrote its item before the fence, so this look finds the item. A sender that loads after the
/// fence finds false, and notifies. The node begins to watch when it has taken a thousand items
/// since it last stopped, so that the cost of a heavy fence is shared by many items, and stops when
/// a look finds few items.
class WEIR_API input_end final : public open_end {
 public:
  /// @param results the output end of the same network, or null
  input_end(const item_type& type, std::shared_ptr<output_end> results)
      : open_end(type), results_(std::move(results)) {}

  // ---- callers ----

  /// Moves the item in, if there is room and the end is open.
  template <class T>
  attempt try_send(T& item) {
    const turn::guard inside(turn_);
    if (stopped()) [[unlikely]]
      return attempt::stopped;
    if (data_.closed()) [[unlikely]]
      return attempt::ended;
    // An item is measured only if the present limit leaves room: not at each attempt at a full end.
    if (!data_.position().has_slot() && ((owned_.applies() && !data_.has_room()) || grant(granted_most, &item) == 0))
      return attempt::later;
    {
      channel::writer slots(data_.position(), sizeof(T));
      ::new (static_cast<void*>(slots.item())) T(std::move(item));
      slots.done();
    }
    native_atomics::fence_light();  // pairs with the heavy one in keep_watching()
    if (!asymmetric_ || !watching_.load(std::memory_order_relaxed)) {
      native_atomics::fence_full();
      tell(cause::input);
    }
    return attempt::done;
  }

  /// Called after `later`: sleeps until another attempt may succeed.
  /// @throws stopped in a node whose run is cancelled or fails
  void wait_for_room();

  /// Ends the stream: no item follows. May be called again.
  void close() noexcept;

  // ---- the thread that runs the node ----

  channel& data() noexcept { return data_; }

  /// Called at the end of a step in which the node took `taken` items: wakes senders that wait for
  /// room.
  void note(std::size_t taken) noexcept;

  /// Called after a look that found `taken` items and then none. Returns whether the node should
  /// look again without a notification.
  bool keep_watching(std::size_t taken) noexcept;

  /// Called before the node waits for room, or ends: the next results may come late.
  void end_batching() noexcept;

 private:
  static constexpr std::size_t granted_most = 256;
  static constexpr std::size_t patience_least = 1024;
  static constexpr std::size_t patience_most = 65536;
  static constexpr std::size_t few_items = 8;    // in a look: fewer items mean that notifications are cheaper
  static constexpr std::size_t batch_size = 64;  // in a step: from this many on, results can wait for each other

  void offer_room() noexcept;

  const std::shared_ptr<output_end> results_;
  const bool asymmetric_ = native_atomics::has_fence_heavy();
  std::atomic<bool> watching_{false};
  // Used by the thread that runs the node:
  bool batching_ = false;  // last value passed to the output end
  std::size_t taken_ = 0;  // items since it last stopped watching
  // Number of items after which the node begins to watch; it grows when the node had to stop soon.
  std::size_t patience_ = patience_least;
};

}  // namespace weir::detail
