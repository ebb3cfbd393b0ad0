// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/channel.hpp"
#include "weir/graph/host.hpp"
#include "weir/item/item_type.hpp"
#include "weir/serve/turn.hpp"
#include "weir/serve/waiting_line.hpp"

#include <atomic>
#include <cstddef>
#include <new>
#include <optional>
#include <utility>

namespace weir {

/// What came of an attempt at an open end.
enum class attempt {
  done,
  later,    ///< no room, or nothing there; that may change
  ended,    ///< the stream has ended: nothing may be sent any more, or nothing is left to be received
  stopped,  ///< the run was cancelled or has failed, or nobody is left to take the item
};

/// What both open ends of an accelerator have: a bounded channel between callers, who are any threads, and one node of the
/// network, and who waits at it.
///
/// **Who may call what.** Callers share one side of the channel: whoever is inside `turn_` is its producer, or its consumer. The
/// node's runner is the other side. The node says where it runs by `attach`; its activation lives until the network's next
/// run, and takes no notice once it has ended, so that callers may tell it of news at any time.
class open_end {
 public:
  open_end(const open_end&) = delete;
  open_end& operator=(const open_end&) = delete;

  /// Any thread: nothing is sent or received any more. Everyone who waits is woken.
  void stop() noexcept;

  /// The node, from its `start`.
  void attach(host& node) noexcept {
    node_.store(&node, std::memory_order_release);
  }  // pairs with the acquire in tell()

 protected:
  explicit open_end(const item_type& type);
  ~open_end() = default;

  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  // After a full fence that follows the news. A node that is not attached yet has its first look still before it.
  void tell(cause why) noexcept {
    if (host* const node = node_.load(std::memory_order_acquire)) node->notify(why);
  }

  std::size_t half() const noexcept { return (data_.capacity() + 1) / 2; }

  turn turn_;
  channel data_;
  waiting_line waiting_;

 private:
  std::atomic<host*> node_{nullptr};
  std::atomic<bool> stopped_{false};
};

/// Where callers send.
///
/// **No item is left lying.** An item can be claimed as soon as it is committed, so what has to be seen to is that the node looks.
/// While `watching_` is false, each sender executes a full fence after its item and then notifies the node, as the
/// producer of any channel does at the end of its step (see `basic_readiness`). While it is true, senders do nothing
/// of that kind: the node is going to look again by itself. Before it stops doing so it stores false, executes a heavy
/// fence, and looks once more. A sender that loaded true before that fence wrote its item before it too, so that this
/// look finds the item; one that loads after it finds false, and notifies. The node watches only while it finds
/// `watched_items` at every look, so the heavy fence is paid for by that many items.
class input_end final : public open_end {
 public:
  explicit input_end(const item_type& type) : open_end(type) {}

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
    if (!asymmetric_ || !watching_.load(std::memory_order_relaxed)) {
      native_atomics::fence_full();
      tell(cause::input);
    }
    return attempt::done;
  }

  /// After `later`: sleeps until another attempt may do better.
  void wait_for_room() noexcept;

  /// No item follows. May be called again.
  void close() noexcept;

  // ---- the node's runner ----

  channel& data() noexcept { return data_; }

  /// After a look that found `taken` items and then none: whether to look again without being told.
  bool keep_watching(std::size_t taken) noexcept;

  /// After some items were taken: wakes senders that wait for room.
  void offer_room() noexcept;

 private:
  static constexpr std::size_t granted_most = 256;
  static constexpr std::size_t watched_items = 1024;

  const bool asymmetric_ = native_atomics::has_fence_heavy();
  std::atomic<bool> watching_{false};
};

/// Where callers receive.
///
/// **Room is not missed.** A node that finds the channel full asks for room (`channel::want_room`), executes a heavy fence, and looks
/// once more; a caller that has taken an item looks whether room was asked for. As in `basic_sleepers`, one of the two
/// sees the other; where the system has no heavy fence, callers execute a full one.
class output_end final : public open_end {
 public:
  explicit output_end(const item_type& type) : open_end(type) {}

  // ---- callers ----

  template <class T>
  attempt try_receive(std::optional<T>& to) {
    const turn::guard inside(turn_);
    if (stopped()) [[unlikely]]
      return attempt::stopped;
    const channel::slots found = data_.claim_written();
    if (found.count == 0) return data_.ended() ? attempt::ended : attempt::later;
    T& item = *std::launder(reinterpret_cast<T*>(found.first));
    to.emplace(std::move(item));
    std::destroy_at(&item);
    data_.complete(1);
    if (asymmetric_) {
      native_atomics::fence_light();
    } else {
      native_atomics::fence_full();
    }
    if (data_.room_is_due()) [[unlikely]]
      tell_of_room();
    return attempt::done;
  }

  /// After `later`: returns when another attempt may do better. Looks for a few microseconds, and then sleeps.
  void wait_for_item() noexcept;

  /// Whether nothing is left and nothing will come.
  bool ended() noexcept;

  // ---- the node's runner ----

  /// Free slots at the cursor, up to `most`.
  std::size_t room(std::size_t most);
  std::byte* cursor() noexcept { return data_.producer.at; }
  void commit(std::size_t count) noexcept { data_.commit(count); }

  /// After some items were committed: wakes callers that wait for them.
  void offer_items() noexcept;

  /// There is no room. @return whether there is now; if not, the node will be told
  bool ask_for_room() noexcept;

  /// No item follows.
  void close() noexcept;

 private:
  bool worth_a_look() const noexcept { return data_.has_written() || data_.closed() || stopped(); }
  void tell_of_room() noexcept;

  const bool asymmetric_ = native_atomics::has_fence_heavy();
  bool asked_ = false;  // the runner's: for room
};

}  // namespace weir
