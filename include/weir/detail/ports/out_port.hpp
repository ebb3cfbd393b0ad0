// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/item/copy_item.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/item_sender.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/export.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace weir::detail {
class leaf;
class lent_slots;
class route;
class spill;
struct route_tree;
/// An out-port while it runs: routes items into channels according to its policy tree. Only the
/// runner of its activation may use it, except for `offer`.
///
/// An item for which there is no room goes to the spill, and the behaviour gets no further step
/// until the spill is empty. If the spill exceeds its limit, the sender waits in place.
class WEIR_API out_port : public item_sender {
 public:
  /// @param current the tag of the items that are sent now; it must outlive the port
  out_port(const out_port_description& about, host& owner, const std::vector<tag::word>& current) noexcept;
  ~out_port();

  /// Used instead of routes, to fuse nodes: hands each item to `take(to, item)`, which moves it
  /// out.
  void relay(void* to, void (*take)(void* to, void* item));

  /// Builds the routes. `lookup` returns the channel and the consumer of a leaf.
  struct target {
    channel* data;
    host* consumer;
    const loop* around;   ///< the loop that the channel closes, or null
    bool far = false;     ///< in another group: balance and on_demand use it only if no near consumer has room
    bool chosen = false;  ///< the library chose its capacity: the memory that its items own limits it, too
  };
  void route(const policy_tree& tree, const std::function<target(channel_id)>& lookup);

  // ---- sending ----

  /// Returns whether the port leads to exactly one channel, and that channel is `internal`.
  bool internal() const noexcept { return internal_; }

  /// Begins to write into the run: slots that need no decision of the policy, also if items have
  /// tags. The caller writes the tags, and calls `after_write` after each item.
  channel::writer write(detail::told how = detail::told::each) noexcept {
    return channel::writer(*run_, stride_, header_, how);
  }

  /// Returns the bytes of a slot, with the tag.
  std::size_t stride() const noexcept { return stride_; }

  /// Gives the item at `item`, or the punctuation, the current tag.
  std::byte* tagged(std::byte* item, bool is_punctuation = false) noexcept {
    for (std::size_t i = 0; i != tag_words_; ++i) tag::of(item, i) = (*current_)[i];
    if (is_punctuation && tag_words_ != 0) tag::of(item, 0) |= tag::punctuation;
    has_sent_ = has_sent_ || tag_words_ != 0;
    return item;
  }

  /// Returns whether the position has granted slots.
  bool has_room() const noexcept { return position_->has_slot(); }
  /// Returns the number of slots at the position, at most `most`.
  std::size_t room(std::size_t most) const noexcept { return position_->room(stride_, most); }

  /// Returns whether the run has slots. `next_in_run` returns the address at which the next item
  /// may be constructed, and `send_in_run` then sends the item, with the current tag.
  bool has_run() const noexcept { return run_->has_slot(); }
  std::size_t room_in_run(std::size_t most) const noexcept { return run_->room(stride_, most); }
  std::byte* next_in_run() const noexcept { return run_->item(header_); }
  void send_in_run() {
    {
      channel::writer slots = write();
      tagged(slots.item());
      slots.done();
    }
    after_write();
  }

  /// Sends contiguous items at `items`, at most `count`, to consumer `index` of the outermost
  /// policy, which must be a node. Copies their bytes. Sends as many items as there is room for
  /// now. Requires a trivially copyable type without tags, so that a slot is an item.
  /// @return the number of items sent
  /// @throws stopped
  std::size_t try_send_copies(std::size_t index, const std::byte* items, std::size_t count);

  /// Passed as the item if the item will only be constructed in the slot that it gets.
  static constexpr char unseen = 0;

  /// Sends contiguous items at `items`, at most `count`, by copying their bytes, while there are
  /// slots that need no decision of the policy. The items are as in `try_send_copies`.
  /// @return the number of items sent
  std::size_t send_copies_in_run(const std::byte* items, std::size_t count);

  // See item_sender.
  place acquire(const void* item);
  place acquire(const void* item, std::size_t index);
  place try_acquire(const void* item, bool& closed);
  /// Returns a slot in the channel to consumer `index` of the outermost policy, which must be a
  /// node. Returns no slot if the channel has no room now.
  /// @throws stopped
  place try_acquire(const void* item, std::size_t index);
  void commit(place at);
  std::size_t width() const noexcept { return width_; }

  /// Moves the item at `from`, which has no tag, to the consumer that the policy chooses, with the
  /// current tag. Destroys the original, also if it throws.
  /// @throws stopped, and exceptions of the author's function
  void send_relocated(void* from);

  /// Sends a punctuation: a slot without an item, with the current tag. @throws stopped
  void send_punctuation();

  /// Returns whether an item was sent since `forget_sent`. Valid only if items have tags.
  bool has_sent() const noexcept { return has_sent_; }
  void forget_sent() noexcept { has_sent_ = false; }

  /// For the runner, from inside user code: if sends are refused now, so is the next one. Else the
  /// node's code might have slots for some more items.
  void hold_next() noexcept;

  // See item_sender.
  void wake_early() noexcept;

  const item_type& type() const noexcept { return *type_; }
  /// Number of words in the tags of its items.
  std::size_t tag_words() const noexcept { return tag_words_; }
  // ---- the engine ----

  bool spilled() const noexcept;

  /// Moves spilled items into channels while there is room.
  /// @return whether the spill is empty.
  /// @throws stopped
  bool drain();

  /// Asks the consumers for room for the first spilled item. @return whether there is room already
  bool ask_for_room();

  /// Returns the channels that `ask_for_room` asked last.
  const std::vector<channel*>& asked() const noexcept { return asked_; }

  /// Says whether the turn ends with the current item. If so, no consumer is told of items before
  /// the end of the turn.
  void ends_turn(bool ends) noexcept { ends_turn_ = ends; }

  /// Publishes all items written since the last flush. After a full fence `notify_consumers`
  /// completes the flush.
  bool publish() noexcept;
  void notify_consumers() noexcept;

  /// Takes back the room granted in channels that close a loop, so that they refuse the next item
  /// if the loop has closed.
  void begin_finish() noexcept;

  /// Says that no item follows: closes the channels and notifies the consumers.
  void close() noexcept;
  /// Says that no item follows for consumer `index` of the outermost policy, which must be a node.
  void close(std::size_t index) noexcept;

  /// Drops the spilled items.
  void discard() noexcept;

  /// Says that a spilled item whose consumers have ended is dropped, and does not end the node.
  /// Before the first send.
  void drop_lost_items() noexcept { drops_lost_items_ = true; }

  /// Any thread may call it while the activation is known to run: makes consumers ready that wait
  /// although items are written for them.
  void offer() noexcept;

  /// Returns whether no consumer is left that could ever take an item.
  bool abandoned() const noexcept;

  /// Returns the number of items sent in this run that their consumers have completed.
  std::uint64_t completed() const noexcept;

  /// Asks for a notification (`cause::room`) when completed() exceeds `seen`.
  /// @return whether it has done so already
  bool watch_completion(std::uint64_t seen) noexcept;

  /// Returns the number of items sent in this run.
  std::uint64_t sent() const noexcept;

  /// Returns the channel to consumer `index` of the outermost policy, which must be a node.
  channel& channel_to(std::size_t index) const noexcept;

  // ---- for the routes of the port ----

  const detail::item_copier& copier() const noexcept { return copier_; }
  /// Returns the threads that may sleep and must be told of an item.
  const sleepers& asleep() const noexcept { return *asleep_; }
  bool turn_ends() const noexcept { return ends_turn_; }

  /// Makes the node send its next items to this leaf without asking the policy, while the leaf has
  /// granted slots.
  void lead_to(detail::leaf& to) noexcept;
  /// Makes the node call `wake_early` after each item, which then calls `from.send`.
  void lend_through(detail::lent_slots& from) noexcept;
  /// Leads the node to the lent slots. @return the first of them
  place lent_place() noexcept;

  /// Remembers a leaf in which items were written since the last flush.
  void flush_later(detail::leaf& what) { dirty_.push_back(&what); }
  /// Remembers a channel that was asked for room.
  void asks(channel& data) { asked_.push_back(&data); }

 private:
  template <class Decide>
  auto decide(Decide&& by);
  place acquire(detail::route& to, const void* item);
  place acquire_to_relay();
  place add_to_spill(detail::route& to, const void* item);
  detail::leaf& consumer(std::size_t index) const noexcept;
  const std::vector<detail::leaf*>& leaves() const noexcept;
  std::size_t most_spilled() const noexcept;
  bool gone(const detail::route& to) const noexcept;
  void take_back_requests() noexcept;
  void reset_position() noexcept;

  const item_type* type_;
  const std::size_t tag_words_;  // words in the tags
  const detail::item_copier copier_;
  const std::size_t header_;  // bytes of a slot before the item
  const std::size_t stride_;  // bytes of a slot
  const std::vector<tag::word>* current_;
  bool has_sent_ = false;
  write_position* run_;
  host* owner_;
  const sleepers* asleep_;  // the threads that may sleep; the code of the node looks at `sleeping_` instead
  bool internal_ = false;
  detail::leaf* position_leaf_ = nullptr;
  detail::lent_slots* lent_ = nullptr;
  std::unique_ptr<detail::route_tree> routes_;  // null if the port is not connected
  std::vector<detail::leaf*> dirty_;
  bool ends_turn_ = false;
  bool drops_lost_items_ = false;
  std::vector<channel*> asked_;
  std::size_t width_ = 0;
  std::unique_ptr<detail::spill> spill_;  // null while nothing was spilled
  std::unique_ptr<channel> passage_;      // for a relay: the one slot that items pass through
  void* relay_to_ = nullptr;
  void (*relay_)(void* to, void* item) = nullptr;
};

}  // namespace weir::detail
