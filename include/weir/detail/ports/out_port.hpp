// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/item_sender.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace weir {

/// An out-port while it runs: routes items into channels according to its policy tree. Only the
/// runner of its activation may use it, except for `offer`.
///
/// An item for which there is no room goes to the spill, and the behaviour gets no further step
/// until the spill is empty. If the spill exceeds its limit, the sender waits in place.
class out_port : public item_sender {
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

  /// Same as `cursor`, but also works if items have tags. The granted slots are for `tagged`, not
  /// for plain items.
  channel::producer_side* run() noexcept { return run_; }

  std::size_t header() const noexcept { return header_; }
  std::size_t stride() const noexcept { return stride_; }

  /// Writes the current tag into a slot. @return the address of the item after the tag
  std::byte* tagged(std::byte* slot) noexcept {
    std::byte* const at = slot + header_;
    for (std::size_t i = 0; i != words_; ++i) tag::of(at, i) = (*current_)[i];
    has_sent_ = has_sent_ || words_ != 0;
    return at;
  }
  /// Same as above. If `item` is null, the slot becomes a marker.
  std::byte* tagged(std::byte* slot, const void* item) noexcept {
    std::byte* const at = tagged(slot);
    if (item == nullptr && words_ != 0) tag::of(at, 0) |= tag::marker;
    return at;
  }

  /// Returns whether the cursor has granted slots.
  bool has_room() const noexcept { return cursor_->at != cursor_->limit; }

  /// Returns whether there is a slot that needs no decision of the policy. `next_in_run` returns
  /// the address at which its item may be constructed, and `send_in_run` then sends the item.
  bool has_run() const noexcept { return run_->at != run_->limit; }
  std::byte* next_in_run() const noexcept { return run_->at + header_; }
  /// Sends the item in that slot, with the current tag.
  void send_in_run() {
    tagged(run_->at);
    sent_in_run();
  }
  /// Same as send_in_run, for a slot that already has its tag.
  void sent_in_run() {
    run_->commit(stride_);
    after_cursor_write();
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

  /// Sends a slot without an item, with the current tag. @throws stopped
  void send_marker();

  /// Returns whether an item was sent since `forget_sent`. Valid only if items have tags.
  bool has_sent() const noexcept { return has_sent_; }
  void forget_sent() noexcept { has_sent_ = false; }

  void hurry_cursor() noexcept {
    if (owner_->refuses_to_send()) close_cursor();
    if (lent_ != nullptr) return send_lent();
    if (asleep_->any()) hurry(cursor_leaf_);
  }

  const item_type& type() const noexcept { return *type_; }
  /// Number of words in the tags of its items.
  std::size_t words() const noexcept { return words_; }
  // ---- the engine ----

  bool spilled() const noexcept { return spill_count_ != 0; }

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

  /// Any thread may call it while the activation is known to run: makes consumers ready that wait
  /// although items are written for them.
  void offer() noexcept;

  /// Returns whether no consumer is left that could ever take an item.
  bool abandoned() const noexcept { return root_ == nullptr || all_gone(*root_); }

  /// Returns the number of items sent in this run that their consumers have completed.
  std::uint64_t completed() const noexcept;

  /// Asks for a notification (`cause::room`) when completed() exceeds `seen`.
  /// @return whether it has done so already
  bool watch_completion(std::uint64_t seen) noexcept;

  /// Returns the number of items sent in this run.
  std::uint64_t sent() const noexcept;

  /// Returns the channel to consumer `index` of the outermost policy, which must be a node.
  channel& channel_to(std::size_t index) const noexcept;

  struct route_node;
  struct lent_slots;

 private:
  route_node& consumer(std::size_t index) const noexcept;
  bool ready(route_node& node, const void* item);
  bool one_ready(route_node& node, const void* item, std::size_t begin, std::size_t end, std::size_t& first);
  std::size_t choose(route_node& node, const void* item);
  void mark(route_node& leaf);
  place put(route_node& node, const void* item);
  void relocate(void* to, void* from) noexcept;
  place acquire(route_node& node, const void* item);
  place acquire_to_relay();
  route_node* choose_flat(const void* item);
  void lend() noexcept;
  void send_lent() noexcept;
  void send_chosen(void* from);
  place spill(route_node& node, const void* item);
  void make_spill(std::size_t capacity);
  std::size_t owned_by(const void* item) const noexcept;
  void forget(route_node& node) noexcept;
  bool extend(route_node& leaf, const void* item);
  void began_to_spill() noexcept;
  void ceased_to_spill() noexcept;
  bool all_gone(const route_node& node) const noexcept;
  bool ask(route_node& node, const void* item);
  void ask_for_completion(route_node& node);
  void take_back_requests() noexcept;
  void hurry(route_node* leaf) noexcept;
  void reset_cursor() noexcept;
  void close_cursor() noexcept;

  const item_type* type_;
  const std::size_t words_;   // words in the tags
  const bool copies_;         // an item is one word that can be copied as bytes
  const std::size_t header_;  // bytes of a slot before the item
  const std::size_t stride_;  // bytes of a slot
  const std::vector<tag::word>* current_;
  bool has_sent_ = false;
  channel::producer_side* run_;
  host* owner_;
  const sleepers* asleep_;  // the threads that may sleep; the code of the node looks at `sleeping_` instead
  bool internal_ = false;
  bool flat_choice_ = false;     // the policy is one choice by key or function among channels
  bool flat_broadcast_ = false;  // the policy sends one copy to each of several channels
  route_node* cursor_leaf_ = nullptr;
  std::unique_ptr<lent_slots> lent_;
  std::unique_ptr<route_node> root_;
  std::vector<route_node*> leaves_;
  std::vector<route_node*> dirty_;
  bool ends_turn_ = false;
  std::vector<channel*> asked_;
  std::size_t width_ = 0;
  std::unique_ptr<channel> spill_;  // for a relay: the one slot that items pass through
  struct spilled_item {
    route_node* to;
    std::size_t owned;  // bytes that the item owned when it was spilled
  };
  std::deque<spilled_item> spill_to_;
  std::size_t spill_count_ = 0;
  std::size_t spill_owned_ = 0;  // bytes
  std::size_t spill_most_ = 0;   // a sender with at least this many spilled items waits in place
  void* relay_to_ = nullptr;
  void (*relay_)(void* to, void* item) = nullptr;
};

}  // namespace weir
