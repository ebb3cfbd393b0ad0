// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/channel.hpp"
#include "weir/graph/behaviour.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/host.hpp"
#include "weir/graph/loop.hpp"
#include "weir/graph/tag.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Claimed items in the hands of their consumer, one after the other: each is destroyed and completed when the next one
/// is asked for, the last at the end of the scope, also when an exception ends it.
template <class T>
class claimed_items {
 public:
  claimed_items(std::byte* first, channel& from) noexcept
      : next_(std::launder(reinterpret_cast<T*>(first))), from_(from), index_(from.taken()) {}
  claimed_items(const claimed_items&) = delete;
  claimed_items& operator=(const claimed_items&) = delete;
  ~claimed_items() {
    if (in_hand_) done();
    from_.advance(count_);
  }

  T&& take() noexcept {
    in_hand_ = true;
    return std::move(*next_);
  }
  void done() noexcept {
    in_hand_ = false;
    std::destroy_at(next_++);
    ++count_;
    from_.completed_to(++index_);
  }
  std::size_t count() const noexcept { return count_; }

 private:
  T* next_;
  channel& from_;
  channel::index index_;
  std::size_t count_ = 0;
  bool in_hand_ = false;
};

/// Claimed slots in the hands of their consumer, who moves the items out, destroys them, says so, and completes them, one after the
/// other. Where an exception ends the scope, an item that was not destroyed yet stays in its slot.
class claimed_slots {
 public:
  /// @param first where the item of the first slot lies
  claimed_slots(std::byte* first, channel& from) noexcept : next_(first), from_(from), index_(from.taken()) {}
  claimed_slots(const claimed_slots&) = delete;
  claimed_slots& operator=(const claimed_slots&) = delete;
  ~claimed_slots() {
    if (emptied_) done();
    from_.advance(count_);
  }

  std::byte* item() const noexcept { return next_; }
  /// The item was destroyed.
  void empty() noexcept { emptied_ = true; }
  void done() noexcept {
    emptied_ = false;
    next_ += from_.layout().size;
    ++count_;
    from_.completed_to(++index_);
  }
  std::size_t count() const noexcept { return count_; }

 private:
  std::byte* next_;
  channel& from_;
  channel::index index_;
  std::size_t count_ = 0;
  bool emptied_ = false;
};

/// One channel as its consumer sees it. Runner of the consuming activation only.
class in_channel {
 public:
  /// @param around the loop that it closes, or null
  in_channel(channel& data, host& producer, std::size_t index, const loop* around) noexcept
      : data_(&data), producer_(&producer), index_(index), around_(around) {}

  channel& data() noexcept { return *data_; }
  const channel& data() const noexcept { return *data_; }
  std::size_t index() const noexcept { return index_; }
  /// Whether its items come back from a loop.
  bool comes_back() const noexcept { return around_ != nullptr; }
  /// Whether nothing follows what lies in it.
  bool closed() const noexcept { return data_->closed() || (around_ != nullptr && around_->closed()); }

  /// Notes how many items lay there when the consumer looked, for the report.
  void sample_fill() noexcept {
    fill_samples_.store(fill_samples_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    fill_sum_.store(fill_sum_.load(std::memory_order_relaxed) + data_->pending(), std::memory_order_relaxed);
  }
  /// Any thread.
  double mean_fill() const noexcept {
    const std::uint64_t samples = fill_samples_.load(std::memory_order_relaxed);
    const std::uint64_t sum = fill_sum_.load(std::memory_order_relaxed);
    return samples == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(samples);
  }

  /// Wakes a producer that waits for the room made so far. `fenced`: a full fence was executed after the last completion;
  /// without it the call is a cheap attempt that may miss one that is about to wait.
  void offer_room(bool fenced) noexcept {
    const channel::index wanted = data_->room_wanted();  // once: the producer may ask anew at any time
    if (data_->completed() < wanted || wanted == told_) return;
    told_ = wanted;
    if (!fenced) native_atomics::fence_full();
    producer_->notify(cause::room);
  }

  /// No more will be taken from it. The producer is told.
  void abandon() noexcept {
    data_->abandon();
    native_atomics::fence_full();
    producer_->notify(cause::any);
  }

 private:
  channel* data_;
  host* producer_;
  std::size_t index_;
  const loop* around_;
  channel::index told_ = channel::never;
  std::atomic<std::uint64_t> fill_samples_{0};  // written by the runner alone
  std::atomic<std::uint64_t> fill_sum_{0};      // likewise
};

/// An in-port while it runs: the channels that lead to it, read in turn; from those that come back from a loop whatever there is
/// first.
class in_port {
 public:
  explicit in_port(const in_port_description& about) noexcept : type_(about.type), words_(about.words) {}

  void attach(channel& data, host& producer, const loop* around = nullptr) {
    channels_.emplace_back(std::make_unique<in_channel>(data, producer, channels_.size(), around));
    in_channel* const made = channels_.back().get();
    if (around == nullptr) {
      open_.push_back(made);
    } else {
      open_.insert(open_.begin() + static_cast<std::ptrdiff_t>(back_++), made);
      closes_loop_ = true;
    }
  }

  const item_type& type() const noexcept { return *type_; }
  /// Words of the tags of its items.
  std::size_t words() const noexcept { return words_; }
  std::size_t width() const noexcept { return channels_.size(); }

  /// The channel the item in hand came from, in [0, width).
  std::size_t from() const noexcept { return from_; }

  /// Whether that item came back from a loop.
  bool from_loop() const noexcept { return channels_[from_]->comes_back(); }
  /// Whether any channel comes back from a loop, also after that has ended.
  bool closes_loop() const noexcept { return closes_loop_; }

  /// Whether every channel has ended.
  bool ended() const noexcept { return open_.empty(); }

  /// Hands runs of items to `take(first, count, channel)`, which takes at least one of them and returns how many; it has
  /// moved them out, destroyed them in their slots, and completed them. `first` is the first item, after its tag. Goes on until the budget is used up, `stop()` is
  /// true, or every open channel was visited once. Returns what to report from a step, and counts the items off `budget`.
  /// @param run_most the most items between two looks at whether to stop, and whether a producer waits for room
  template <class Take, class Stop>
  progress consume(std::size_t& budget, std::size_t run_most, Take&& take, Stop&& stop) {
    std::optional<progress> early;
    // Takes from open_[at], at most `most`. @return whether it is empty now; it has left open_ then if it has ended
    const auto visit = [&](std::size_t at, std::size_t most) {
      in_channel& from = *open_[at];
      channel& data = from.data();
      const std::size_t some = std::min(run_most, run_in(data));
      const bool closed = from.closed();  // before the look: closed and then empty is the end
      channel::slots found = data.claim_written();
      if (found.count != 0) {
        from_ = from.index();
        from.sample_fill();
        touch(from);
      }
      for (; found.count != 0; found = data.claim()) {
        while (found.count != 0) {
          if (most == 0) return false;
          const std::size_t taken =
              take(found.first + data.layout().header, std::min({found.count, budget, some, most}), data);
          found.first += taken * data.layout().size;
          found.count -= taken;
          budget -= taken;
          most -= taken;
          from.offer_room(false);
          if (stop()) [[unlikely]] {
            early = progress::waiting_room;
            return false;
          }
          if (budget == 0) {
            early = progress::more;
            return false;
          }
        }
      }
      if (closed) end(at);
      return true;
    };
    for (bool rest = true; rest;) {
      rest = false;
      for (std::size_t left = std::max<std::size_t>(open_.size() - back_, 1); left != 0; --left) {
        for (std::size_t at = 0; at < back_;) {
          const std::size_t before = open_.size();
          visit(at, channel::never);
          if (early) return *early;
          if (open_.size() == before) ++at;
        }
        if (open_.size() == back_) break;
        if (cursor_ < back_ || cursor_ >= open_.size()) cursor_ = back_;
        const std::size_t before = open_.size();
        if (!visit(cursor_, back_ == 0 ? channel::never : run_most)) rest = true;
        if (open_.size() == before) ++cursor_;
        if (early) return *early;
      }
    }
    return open_.empty() ? progress::ended : progress::waiting_input;
  }

  /// Items that lie together in one channel.
  struct run {
    in_channel* from = nullptr;
    std::byte* first = nullptr;
    std::size_t count = 0;
  };

  /// What lies there first, for behaviours that look before they take; nothing if there is nothing now. Channels that have
  /// ended are left out from then on. Whoever completes some of it calls `took`.
  run first_run() noexcept {
    for (std::size_t left = open_.size(); left != 0; --left) {
      if (cursor_ >= open_.size()) cursor_ = 0;
      in_channel& from = *open_[cursor_];
      const bool closed = from.closed();  // before the look
      const channel::slots found = from.data().claim_written();
      if (found.count != 0) {
        from_ = from.index();
        return {&from, found.first + from.data().layout().header, found.count};
      }
      if (closed) {
        end(cursor_);
      } else {
        ++cursor_;
      }
    }
    return {};
  }
  void took(in_channel& from) {
    from.sample_fill();
    touch(from);
    from.offer_room(false);
  }

  /// One item from any channel into raw memory at `to`, for behaviours that pull and whose items have no tags.
  /// @return false if there is none now
  bool try_take(void* to);

  /// Runner, at the end of a step, after a full fence: wakes producers that wait for room in what was consumed.
  void offer_room() noexcept {
    for (in_channel* from : touched_) from->offer_room(true);
  }

  /// Notes that something was consumed from a channel in this step.
  void touch(in_channel& from) {
    if (touched_.empty() || touched_.back() != &from) touched_.push_back(&from);
  }

  /// The channels that have not ended, for behaviours that choose among them; `leave_ended` changes them.
  const std::vector<in_channel*>& open() const noexcept { return open_; }

  /// Leaves `from` out from now on: it was found closed, and then empty.
  void leave_ended(in_channel& from) noexcept {
    end(static_cast<std::size_t>(std::find(open_.begin(), open_.end(), &from) - open_.begin()));
  }

  /// Before a behaviour waits for input although it sees some that it can't take yet: that is no news any more. @return whether
  /// a channel that was empty has got something, or has ended, so that it must look again
  bool look_again() noexcept {
    bool news = false;
    for (in_channel* from : open_) {
      channel& data = from->data();
      const bool empty = data.pending() == 0;
      const bool filled = data.claim_all_written().count != 0;
      data.note(data.taken() + data.pending());
      news = news || (empty && (filled || from->closed()));
    }
    return news;
  }

  /// Whether something was consumed in this step.
  bool touched() const noexcept { return !touched_.empty(); }
  void begin_step() noexcept { touched_.clear(); }

  /// No more will be taken from the channels that have not ended.
  void abandon() noexcept {
    for (in_channel* from : open_) from->abandon();
    open_.clear();
    back_ = 0;
  }

  const std::vector<std::unique_ptr<in_channel>>& channels() const noexcept { return channels_; }

  /// The most items between two looks at whether a producer waits for room: an eighth of the channel, so that a producer who
  /// was promised half of it is told in time, also when the next item's consumer waits for that very producer.
  static std::size_t run_in(const channel& data) noexcept {
    return data.capacity() == channel::unbounded ? channel::never : std::max<std::size_t>(data.capacity() / 8, 1);
  }

 private:
  // open_[at] was found closed, and then empty.
  void end(std::size_t at) noexcept {
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    if (at < back_) --back_;
  }

  const item_type* type_;
  std::size_t words_;
  std::vector<std::unique_ptr<in_channel>> channels_;
  std::vector<in_channel*> open_;     // not yet ended; first the `back_` that come back from loops
  std::vector<in_channel*> touched_;  // consumed from in this step
  std::size_t back_ = 0;
  bool closes_loop_ = false;
  std::size_t cursor_ = 0;
  std::size_t from_ = 0;
};

/// An out-port while it runs: routes items into channels as its policy tree says. Runner of its activation only, but for
/// `offer`.
///
/// `acquire` and `commit` bracket the construction of an item in its slot; the typed `outlet` skips both while the cursor
/// has granted slots. What has no room goes to the spill, and the behaviour is not stepped again until that has drained; a
/// spill past its limit makes the sender wait in place.
class out_port {
 public:
  struct place {
    void* slot;
    void* to;  ///< the leaf, or null for the spill
  };

  /// @param current the tag of what is sent now; outlives it
  out_port(const out_port_description& about, host& owner, const std::vector<tag::word>& current) noexcept;
  out_port(const out_port&) = delete;
  out_port& operator=(const out_port&) = delete;
  ~out_port();

  /// Instead of routes: hands each item to `take(to, item)`, which moves it out. This is how nodes are fused.
  void relay(void* to, void (*take)(void* to, void* item));

  /// Builds the routes. `lookup` gives the channel and the consumer of a leaf.
  struct target {
    channel* data;
    host* consumer;
    const loop* around;  ///< the loop that the channel closes, or null
  };
  void route(const policy_tree& tree, const std::function<target(channel_id)>& lookup);

  // ---- sending ----

  /// The cursor of the channel that the next item goes to without asking the policy; has no room if it must be asked.
  channel::producer_side* cursor() noexcept { return cursor_; }

  /// As cursor, but also where items have tags; what it grants is for `tagged`, not for plain items.
  channel::producer_side* run() noexcept { return run_; }

  std::size_t header() const noexcept { return header_; }
  std::size_t stride() const noexcept { return stride_; }

  /// Where the item of a slot lies; in front of it the current tag is written. Without an item the slot becomes a marker.
  void* tagged(std::byte* slot, const void* item) noexcept {
    std::byte* const at = slot + header_;
    for (std::size_t i = 0; i != words_; ++i) tag::of(at, i) = (*current_)[i];
    if (words_ != 0) {
      if (item == nullptr) tag::of(at, 0) |= tag::marker;
      has_sent_ = true;
    }
    return at;
  }

  /// Moves the item, which has a tag of its own or none, into what `run` granted, or else wherever the policy says, with the
  /// current tag. @throws stopped
  template <class Construct>
  void send_tagged(const void* item, Construct&& construct) {
    if (run_->at != run_->limit) [[likely]] {
      construct(tagged(run_->at, item));
      run_->commit(stride_);
      after_cursor_write();
      return;
    }
    const place to = acquire(item);
    construct(to.slot);
    commit(to);
  }

  /// A slot for `item`, which is only looked at. @throws stopped
  place acquire(const void* item);

  /// A slot in consumer `index` of the outermost policy. @throws stopped, std::out_of_range
  place acquire(const void* item, std::size_t index);

  /// As acquire, but never spills or waits: no slot if there is no room now. `closed` tells whether there never will be.
  place try_acquire(const void* item, bool& closed);

  /// The item in `at.slot` is constructed. May wait. @throws stopped
  void commit(place at);

  /// Sends a slot without an item, with the current tag. @throws stopped
  void send_marker();

  /// Whether an item was sent since `forget_sent`. Only where items have tags.
  bool has_sent() const noexcept { return has_sent_; }
  void forget_sent() noexcept { has_sent_ = false; }

  /// The cursor's item was constructed and counted; tells the consumer if threads are asleep.
  void after_cursor_write() {
    if (sleeping_->any()) [[unlikely]]
      hurry_cursor();
  }
  const sleepers& sleeping() const noexcept { return *sleeping_; }
  void hurry_cursor() noexcept { hurry(cursor_leaf_); }

  const item_type& type() const noexcept { return *type_; }
  /// Words of the tags of its items.
  std::size_t words() const noexcept { return words_; }
  /// The number of consumers the outermost policy shares out among.
  std::size_t width() const noexcept { return width_; }

  // ---- the engine ----

  bool spilled() const noexcept { return spill_count_ != 0; }

  /// Moves spilled items on as far as there is room. @return whether the spill is empty. @throws stopped
  bool drain();

  /// Asks the consumers for room for the first spilled item. @return whether it is there already
  bool ask_for_room();

  /// Publishes what was written since the last flush; after a full fence `notify_consumers` completes it.
  bool publish() noexcept;
  void notify_consumers() noexcept;

  /// Takes back the room granted in channels that close a loop, so that the next item is refused there if it has closed.
  void begin_finish() noexcept;

  /// No item follows: closes the channels and tells the consumers.
  void close() noexcept;

  /// Drops what was spilled.
  void discard() noexcept;

  /// Any thread, while the activation is known to run: makes consumers ready that wait although something is written.
  void offer() noexcept;

  /// Whether nobody is left who could ever take an item.
  bool abandoned() const noexcept { return root_ == nullptr || all_gone(*root_); }

  /// Items sent so far in this run that their consumers have completed.
  std::uint64_t completed() const noexcept;

  /// Asks to be notified (`cause::room`) when completed() passes `seen`. @return whether it has already
  bool watch_completion(std::uint64_t seen) noexcept;

  /// Items sent so far in this run.
  std::uint64_t sent() const noexcept;

  struct route_node;

 private:
  bool ready(route_node& node, const void* item);
  std::size_t choose(route_node& node, const void* item);
  void mark(route_node& leaf);
  place put(route_node& node, const void* item);
  void relocate(void* to, void* from) noexcept;
  place acquire(route_node& node, const void* item);
  place spill(route_node& node, const void* item);
  void make_spill(std::size_t capacity);
  void forget(route_node& node) noexcept;
  bool extend(route_node& leaf);
  void began_to_spill() noexcept;
  void ceased_to_spill() noexcept;
  bool all_gone(const route_node& node) const noexcept;
  bool ask(route_node& node, const void* item);
  void ask_for_completion(route_node& node);
  void take_back_requests() noexcept;
  void hurry(route_node* leaf) noexcept;
  void reset_cursor() noexcept;

  const item_type* type_;
  const std::size_t words_;   // of the tags
  const bool copies_;         // an item is a word without any meaning to its copies
  const std::size_t header_;  // bytes of a slot in front of the item
  const std::size_t stride_;  // bytes of a slot
  const std::vector<tag::word>* current_;
  bool has_sent_ = false;
  channel::producer_side* cursor_;
  channel::producer_side* run_;
  const sleepers* sleeping_;
  host* owner_;
  bool flat_choice_ = false;     // the policy is one choice by key or function among channels
  bool flat_broadcast_ = false;  // the policy is one copy for each of several channels
  route_node* cursor_leaf_ = nullptr;
  std::unique_ptr<route_node> root_;
  std::vector<route_node*> leaves_;
  std::vector<route_node*> dirty_;
  std::vector<channel*> asked_;
  std::size_t width_ = 0;
  std::unique_ptr<channel> spill_;  // or, of a relay, the slot that items pass through
  std::deque<route_node*> spill_to_;
  std::size_t spill_count_ = 0;
  void* relay_to_ = nullptr;
  void (*relay_)(void* to, void* item) = nullptr;
};

/// What a behaviour sees of its place in the network.
class ports {
 public:
  ports(host& owner, std::string path, std::size_t index, std::size_t width)
      : owner_(&owner), path_(std::move(path)), index_(index), width_(width) {}
  ports(const ports&) = delete;
  ports& operator=(const ports&) = delete;

  in_port& in(std::size_t i = 0) noexcept { return in_[i]; }
  const in_port& in(std::size_t i = 0) const noexcept { return in_[i]; }
  out_port& out(std::size_t i = 0) noexcept { return *out_[i]; }

  /// An out-port that leads nowhere yet, for fused nodes.
  std::unique_ptr<out_port> inner_port(const item_type& type) {
    return std::make_unique<out_port>(out_port_description{&type, {}}, *owner_, tag_);
  }
  std::size_t ins() const noexcept { return in_.size(); }
  std::size_t outs() const noexcept { return out_.size(); }

  const std::string& path() const noexcept { return path_; }
  /// Which of the equal nodes of its farm this is, in [0, width).
  std::size_t index() const noexcept { return index_; }
  std::size_t width() const noexcept { return width_; }

  /// How many items a step may take without looking up: about two microseconds' worth, one while the cost is unknown.
  std::size_t run_length() const noexcept {
    const std::uint64_t cost = owner_->item_cost.load(std::memory_order_relaxed);
    return cost == 0 ? 1 : static_cast<std::size_t>(std::clamp<std::uint64_t>(2000 / cost, 1, 256));
  }

  /// Whether a step should return early.
  bool interrupted() const noexcept { return blocked() || stopping(); }

  /// Whether it can't go on: some of what it gave to consumers under tags, which are waited for further on, is lost.
  bool cut_off() const noexcept {
    return std::any_of(out_.begin(), out_.end(),
                       [](const auto& port) { return port->words() != 0 && port->abandoned(); });
  }

  /// Whether an out-port has spilled; the step should return `waiting_room`.
  bool blocked() const noexcept { return owner_->spilling.load(std::memory_order_relaxed) != 0; }
  bool stopping() const noexcept { return owner_->stopping(); }
  /// Whether sources shall end.
  bool draining() const noexcept { return owner_->draining(); }

  /// Counts items that the behaviour took in (a source: made).
  void count(std::uint64_t items) noexcept { processed_ += items; }
  std::uint64_t processed() const noexcept { return processed_; }

  host& owner() noexcept { return *owner_; }

  /// The in-port whose item is in hand, where there are several; for `context`.
  std::size_t taking() const noexcept { return taking_; }
  void take_from(std::size_t port) noexcept { taking_ = port; }

  /// It is a member of `around`; with a number, a head that is asked under it.
  void join_loop(loop& around, std::optional<std::size_t> number) { seats_.push_back({&around, number}); }
  bool in_loop() const noexcept { return !seats_.empty(); }

  /// There was no input. @return whether to look again
  bool settle(behaviour& what) {
    bool again = false;
    for (const seat& each : seats_) {
      each.around->look();
      if (!each.number || !each.around->asks(*each.number)) continue;
      what.quiet(*this);
      each.around->answer(*each.number);
      again = true;
    }
    return again;
  }

  /// The node has ended.
  void leave_loops() noexcept {
    for (const seat& each : seats_) {
      if (each.number) each.around->left(*each.number);
      each.around->look();
    }
  }

  /// The tag of what is sent from now on.
  std::vector<tag::word>& current_tag() noexcept { return tag_; }

  /// What is sent from now on stems from `item`, and has its tag; `clear` is taken away from each word.
  /// @return whether something waits for the last that stems from it
  bool tag_as(const void* item, tag::word clear = 0) noexcept {
    tag::word all = 0;
    for (std::size_t i = 0; i != in_.front().words(); ++i) {
      const tag::word word = tag::of(item, i);
      all |= word & ~tag::marker;
      tag_[i] = word & ~clear;
    }
    return (all & tag::last) != 0;
  }

  /// What is sent from now on stems from no item.
  void tag_outside() noexcept { std::fill(tag_.begin(), tag_.end(), tag::outside); }

  void add_in(const in_port_description& about) {
    in_.emplace_back(about);
    make_tag(about.words);
  }
  void add_out(const out_port_description& about) {
    out_.push_back(std::make_unique<out_port>(about, *owner_, tag_));
    make_tag(about.words);
  }

 private:
  void make_tag(std::size_t words) { tag_.resize(std::max(tag_.size(), words), tag::outside); }

  struct seat {
    loop* around;
    std::optional<std::size_t> number;
  };

  host* owner_;
  std::string path_;
  std::size_t index_;
  std::size_t width_;
  std::size_t taking_ = 0;
  std::vector<seat> seats_;
  std::uint64_t processed_ = 0;
  std::vector<tag::word> tag_;
  std::deque<in_port> in_;
  std::vector<std::unique_ptr<out_port>> out_;
};

}  // namespace weir
