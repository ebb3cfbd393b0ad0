// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/serve/turn.hpp"
#include "weir/detail/serve/waiting_line.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace weir {

/// What came of an attempt at an open end.
enum class attempt {
  done,
  later,    ///< no room, or nothing there; that may change
  ended,    ///< the stream has ended: nothing may be sent any more, or nothing is left to be received
  stopped,  ///< the run was cancelled or has failed, or nobody is left to take the item
};

/// What both open ends of an accelerator have: a bounded channel between callers, who are any
/// threads, and one node of the network, and who waits at it.
///
/// **Who may call what.** Callers share one side of the channel: whoever is inside `turn_` is its
/// producer, or its consumer. The node's runner is the other side. The node says where it runs by
/// `attach`; its activation lives until the network's next run, and takes no notice once it has
/// ended, so that callers may tell it of news at any time.
class open_end {
 public:
  open_end(const open_end&) = delete;
  open_end& operator=(const open_end&) = delete;

  /// Any thread: nothing is sent or received any more. Everyone who waits is woken.
  void stop() noexcept;

  /// The node, from its `start`.
  void attach(host& node) noexcept {
    node_.store(&node, std::memory_order_release);  // pairs with the acquire in tell()
  }

 protected:
  explicit open_end(const item_type& type);
  ~open_end() = default;

  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  // After a full fence that follows the news. A node that is not attached yet has its first look
  // still before it.
  void tell(cause why) noexcept {
    if (host* const node = node_.load(std::memory_order_acquire)) node->notify(why);
  }

  /// Sleeps until somebody wakes it, unless it is `worthwhile` to go on at once.
  /// @throws stopped in a node whose run is cancelled or fails
  template <class Worthwhile>
  void wait_until(Worthwhile&& worthwhile);

  std::size_t half() const noexcept { return (data_.capacity() + 1) / 2; }

  turn turn_;
  channel data_;
  waiting_line waiting_;

 private:
  std::atomic<host*> node_{nullptr};
  std::atomic<bool> stopped_{false};
};

/// Where callers receive.
///
/// **Room is not missed.** A node that finds the channel full asks to be told when half of it is
/// free (`channel::want_room`), executes a full fence, and looks once more. Callers look whether it
/// asked once for `between_looks` items, after a full fence that follows their completion; so one
/// of the two sees the other. That number is less than half a channel, so such a look comes between
/// the moment when half of the channel is free and that when nothing is left in it.
///
/// **Results are not withheld.** In a dense stream, a caller asleep is woken for half a channel of
/// items at a time, so that many items pay for it: the node does not wake it while `dense` is set
/// and there are fewer. Who sets it clears it when the stream ebbs or is held up, executes a full
/// fence, and calls `offer_items`. The node executes one between its items and its look at `dense`.
/// So either the node sees the ebb, or who noticed it sees the items.
class output_end final : public open_end {
 public:
  explicit output_end(const item_type& type);

  // ---- callers ----

  /// Moves an item out, to raw memory at `to`.
  template <class T>
  attempt try_receive(void* to) {
    const turn::guard inside(turn_);
    if (stopped()) [[unlikely]]
      return attempt::stopped;
    const channel::slots found = data_.claim_written();
    if (found.count == 0) return data_.ended() ? attempt::ended : attempt::later;
    T& item = *std::launder(reinterpret_cast<T*>(found.first));
    ::new (to) T(std::move(item));
    std::destroy_at(&item);
    data_.complete(1);
    received_.store(received_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (data_.taken() >= next_look_) [[unlikely]]
      look_for_wishes();
    return attempt::done;
  }

  /// After `later`: returns when another attempt may do better. Sleeps; but a caller who takes only
  /// a few items at a time looks for some microseconds first.
  /// @throws stopped in a node whose run is cancelled or fails
  void wait_for_item();

  /// Whether nothing is left and nothing will come.
  bool ended() noexcept;

  // ---- the node's runner ----

  /// Free slots at the cursor, up to `most`.
  std::size_t room(std::size_t most);
  std::byte* cursor() noexcept { return data_.producer.at; }
  void commit(std::size_t count) noexcept { data_.commit(count); }

  /// After some items were committed: wakes callers that wait for them. Any thread.
  void offer_items() noexcept;

  /// Whether more items are going to come at once. The runner of the node behind the input end.
  void set_dense(bool whether) noexcept { dense_.store(whether, std::memory_order_relaxed); }

  /// There is no room. @return whether there is now; if not, the node will be told
  bool ask_for_room() noexcept;

  /// No item follows.
  void close() noexcept;

 private:
  bool worth_a_look() const noexcept { return data_.has_written() || data_.closed() || stopped(); }
  void look_for_wishes() noexcept;

  const std::size_t between_looks_;
  std::atomic<bool> dense_{false};
  std::atomic<std::size_t> received_{0};  // since a caller last waited
  channel::index told_ = 0;               // the callers': what the node asked for last and was told of
  channel::index next_look_ = 0;          // the callers'
  bool asked_ = false;                    // the runner's: for room
};

/// Where callers send.
///
/// **No item is left lying.** An item can be claimed as soon as it is committed, so what has to be
/// seen to is that the node looks. While `watching_` is false, each sender executes a full fence
/// after its item and then notifies the node, as the producer of any channel does at the end of its
/// step (see `basic_readiness`). While it is true, senders do nothing of that kind: the node is
/// going to look again by itself. Before it stops doing so it stores false, executes a heavy fence,
/// and looks once more. A sender that loaded true before that fence wrote its item before it too,
/// so that this look finds the item; one that loads after it finds false, and notifies. The node
/// begins to watch when it has taken a thousand items since it last stopped, so that many items pay
/// for a heavy fence, and stops when a look finds few.
class input_end final : public open_end {
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
    channel::producer_side& side = data_.producer;
    if (side.at == side.limit && data_.grant(granted_most) == 0) return attempt::later;
    ::new (static_cast<void*>(side.at)) T(std::move(item));
    side.commit(sizeof(T));
    native_atomics::fence_light();  // pairs with the heavy one in keep_watching()
    if (!asymmetric_ || !watching_.load(std::memory_order_relaxed)) {
      native_atomics::fence_full();
      tell(cause::input);
    }
    return attempt::done;
  }

  /// After `later`: sleeps until another attempt may do better.
  /// @throws stopped in a node whose run is cancelled or fails
  void wait_for_room();

  /// No item follows. May be called again.
  void close() noexcept;

  // ---- the node's runner ----

  channel& data() noexcept { return data_; }

  /// At the end of a step in which it took `taken` items: wakes senders that wait for room.
  void note(std::size_t taken) noexcept;

  /// After a look that found `taken` items and then none: whether to look again without being told.
  bool keep_watching(std::size_t taken) noexcept;

  /// Before the node waits for room, or ends: the next results may take their time.
  void ebb() noexcept;

 private:
  static constexpr std::size_t granted_most = 256;
  static constexpr std::size_t patience_least = 1024;
  static constexpr std::size_t patience_most = 65536;
  static constexpr std::size_t few_items = 8;     // in a look: that it would have been better to be told of
  static constexpr std::size_t dense_items = 64;  // in a step: that results can wait for each other

  void offer_room() noexcept;

  const std::shared_ptr<output_end> results_;
  const bool asymmetric_ = native_atomics::has_fence_heavy();
  std::atomic<bool> watching_{false};
  // The runner's:
  bool dense_ = false;                     // what it told the output end
  std::size_t taken_ = 0;                  // since it last stopped to watch
  std::size_t patience_ = patience_least;  // begins after so many; more when it had to stop soon
};

}  // namespace weir
