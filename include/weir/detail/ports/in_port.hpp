// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/arrivals.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/export.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace weir::detail {

/// The consumer's view of one channel. Only the runner of the consuming activation may use it.
class in_channel {
 public:
  /// @param around the loop that the channel closes, or null
  in_channel(channel& data, host& producer, std::size_t index, const loop* around) noexcept
      : data_(&data), producer_(&producer), index_(index), around_(around) {}

  channel& data() noexcept { return *data_; }
  const channel& data() const noexcept { return *data_; }
  std::size_t index() const noexcept { return index_; }
  /// Returns whether the channel's items come back from a loop.
  bool comes_back() const noexcept { return around_ != nullptr; }
  /// Returns whether no further item will be written to the channel.
  bool closed() const noexcept { return data_->closed() || (around_ != nullptr && around_->closed()); }

  /// Records how many items lay in the channel when the consumer looked, for the report.
  void sample_fill() noexcept {
    fill_samples_.store(fill_samples_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    fill_sum_.store(fill_sum_.load(std::memory_order_relaxed) + data_->pending(), std::memory_order_relaxed);
  }
  /// Any thread may call it.
  double mean_fill() const noexcept {
    const std::uint64_t samples = fill_samples_.load(std::memory_order_relaxed);
    const std::uint64_t sum = fill_sum_.load(std::memory_order_relaxed);
    return samples == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(samples);
  }

  /// Wakes a producer that waits for the room made so far. `fenced` says that a full fence was
  /// executed after the last completion. Without that fence the call is a cheap attempt that may
  /// miss a producer that is about to wait.
  void offer_room(bool fenced) noexcept {
    const channel::index wanted = data_->room_wanted();  // once: the producer may ask anew at any time
    if (!data_->is_due(wanted)) return;
    // A producer asks after it has found the channel full, so its request is larger than each that
    // was due before. Only if its waiting items are limited, it may ask for the same again, when
    // room was used up.
    if (wanted == told_ && data_->waiting_most() == channel::never) return;
    told_ = wanted;
    if (!fenced) native_atomics::fence_full();
    producer_->notify(cause::room);
  }

  /// Called when the consumer stops for a while although items lie in the channel. Wakes a producer
  /// that waits for more room than there is, because the consumer may itself wait for items that
  /// this producer has yet to send.
  void offer_all_room() noexcept {
    if (data_->room_wanted() == channel::never || !data_->has_room()) return;
    native_atomics::fence_full();
    producer_->notify(cause::room);
  }

  /// Says that no more items will be taken from the channel, and notifies the producer.
  void abandon() noexcept {
    data_->abandon();
    producer_->lost_consumer.store(true, std::memory_order_relaxed);
    native_atomics::fence_full();
    producer_->notify(cause::any);
  }

 private:
  channel* data_;
  host* producer_;
  std::size_t index_;
  const loop* around_;
  channel::index told_ = channel::never;
  std::atomic<std::uint64_t> fill_samples_{0};  // only the runner writes it
  std::atomic<std::uint64_t> fill_sum_{0};      // only the runner writes it
};

/// An in-port while it runs: the channels that lead to it. It reads them in turn, but takes all
/// available items from channels that come back from a loop first.
///
/// With `wide` channels or more it checks only channels with news. Its channels mark news when they
/// publish (`basic_arrivals`), but an item can be taken before it is published. For this reason the
/// port checks all channels if none is marked or left over from the last check, and at every
/// `look_everywhere`-th check.
class WEIR_API in_port {
 public:
  static constexpr std::size_t wide = 64;
  static constexpr unsigned look_everywhere = 64;

  explicit in_port(const in_port_description& about) : type_(about.type), tag_words_(about.tag_words) {
    if (about.channels.size() >= wide) due_ = std::make_unique<due_channels>(about.channels.size());
  }

  void attach(channel& data, host& producer, const loop* around = nullptr) {
    channels_.emplace_back(std::make_unique<in_channel>(data, producer, channels_.size(), around));
    in_channel* const made = channels_.back().get();
    if (due_ != nullptr) {
      data.lead_to(due_->arrivals, made->index());
      due_->open[made->index() / bits] |= bit_of(made->index());
    }
    if (around == nullptr) {
      open_.push_back(made);
    } else {
      open_.insert(open_.begin() + static_cast<std::ptrdiff_t>(back_++), made);
      closes_loop_ = true;
    }
  }

  const item_type& type() const noexcept { return *type_; }
  /// Number of words in the tags of its items.
  std::size_t tag_words() const noexcept { return tag_words_; }
  std::size_t width() const noexcept { return channels_.size(); }

  /// Returns the number of the channel that the current item came from, in [0, width).
  std::size_t from() const noexcept { return from_; }

  /// Returns whether the current item came back from a loop.
  bool from_loop() const noexcept { return channels_[from_]->comes_back(); }
  /// Returns whether any channel comes back from a loop, also after that channel has ended.
  bool closes_loop() const noexcept { return closes_loop_; }

  /// Returns whether every channel has ended.
  bool ended() const noexcept { return open_.empty(); }

  /// Result of a check of one channel.
  enum class look {
    empty,      ///< no item that can be taken until news arrives
    rest,       ///< items that can be taken at the next check
    ended,      ///< no item, and none will come
    broken_off  ///< same as `rest`; the channels after this one have their turn at the next check
  };

  /// Calls `visit(channel)`, which returns a `look`, for each open channel that may have news, in
  /// turn.
  /// @return whether no call returned `broken_off`
  template <class Visit>
  bool each_arrived(Visit&& visit) {
    if (due_ == nullptr) return each_open(visit);
    begin_look();
    if (cursor_ >= channels_.size()) cursor_ = 0;
    const std::size_t words = due_->now.size();
    const std::uint64_t from_cursor = ~std::uint64_t{0} << cursor_ % bits;
    for (std::size_t n = 0, word = cursor_ / bits; n <= words; ++n, word = word + 1 == words ? 0 : word + 1) {
      const std::uint64_t of_word = n == 0 ? from_cursor : n == words ? ~from_cursor : ~std::uint64_t{0};
      for (std::uint64_t rest = due_->now[word] & of_word; rest != 0; rest &= (rest - 1) & due_->now[word]) {
        const std::size_t number = word * bits + static_cast<std::size_t>(std::countr_zero(rest));
        cursor_ = number + 1;
        in_channel& from = *channels_[number];
        const look found = visit(from);
        if (found == look::broken_off) return false;
        if (found == look::ended) leave_ended(from);
        if (found == look::empty) due_->now[word] &= ~bit_of(number);
      }
    }
    return true;
  }

  /// Makes the next check include channel `number`. A remote sender calls it when items of that
  /// channel were completed.
  void look_at(std::size_t number) noexcept {
    if (due_ != nullptr) due_->now[number / bits] |= due_->open[number / bits] & bit_of(number);
  }

  /// Passes runs of items to `take(channel, count)`. `take` reads at least one of the next `count`
  /// items of the channel and returns the number of slots it has passed. The function goes on until
  /// the budget is used up, `stop()` returns true, or every open channel was visited once. It
  /// returns the result for the step, and subtracts the number of items from `budget`.
  /// @param run_most the maximum number of items between two checks of `stop` and of producers that
  /// wait for room
  template <class Take, class Stop>
  progress consume(std::size_t& budget, std::size_t run_most, Take&& take, Stop&& stop) {
    std::optional<progress> early;
    // Takes at most `most` items from a channel.
    const auto visit = [&](in_channel& from, std::size_t most) {
      channel& data = from.data();
      const std::size_t some = std::min(run_most, run_in(data));
      const bool closed = from.closed();  // read before the check: a closed, then empty channel has ended
      std::size_t found = data.claim_written();
      if (found != 0) {
        from_ = from.index();
        from.sample_fill();
        touch(from);
      }
      for (; found != 0; found = data.claim()) {
        if (most == 0) return look::rest;
        const std::size_t taken = take(data, std::min({found, budget, some, most}));
        budget -= taken;
        most -= taken;
        from.offer_room(false);
        if (stop()) [[unlikely]] {
          early = progress::waiting_room;
          return look::broken_off;
        }
        if (budget == 0) {
          early = progress::more;
          return look::broken_off;
        }
      }
      return closed ? look::ended : look::empty;
    };
    if (due_ != nullptr && !closes_loop_) {
      if (!each_arrived([&](in_channel& from) { return visit(from, channel::never); })) return *early;
      return open_.empty() ? progress::ended : progress::waiting_input;
    }
    for (bool rest = true; rest;) {
      rest = false;
      for (std::size_t left = std::max<std::size_t>(open_.size() - back_, 1); left != 0; --left) {
        for (std::size_t at = 0; at < back_;) {
          const look found = visit(*open_[at], channel::never);
          if (found == look::ended) end(at);
          if (early) return *early;
          if (found != look::ended) ++at;
        }
        if (open_.size() == back_) break;
        if (cursor_ < back_ || cursor_ >= open_.size()) cursor_ = back_;
        const look found = visit(*open_[cursor_], back_ == 0 ? channel::never : run_most);
        rest = rest || found == look::rest;
        if (found == look::ended) {
          end(cursor_);
        } else {
          ++cursor_;
        }
        if (early) return *early;
      }
    }
    return open_.empty() ? progress::ended : progress::waiting_input;
  }

  /// Items that are contiguous in one channel.
  struct run {
    in_channel* from = nullptr;
    std::size_t count = 0;
  };

  /// Claims the first run of available items, for behaviours that look at items before they take
  /// them. The run is empty if no items are available. Channels that have ended are removed. A
  /// caller that reads some of the items must call `took`.
  run first_run() noexcept {
    for (std::size_t left = open_.size(); left != 0; --left) {
      if (cursor_ >= open_.size()) cursor_ = 0;
      in_channel& from = *open_[cursor_];
      const bool closed = from.closed();  // read before the check of the channel
      const std::size_t found = from.data().claim_written();
      if (found != 0) {
        from_ = from.index();
        return {&from, found};
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

  /// Moves one item from any channel into the raw memory at `to`, for behaviours that pull items
  /// and whose items have no tags.
  /// @return false if no item is available now
  bool try_take(void* to);

  /// For the runner, at the end of a step, after a full fence: wakes producers that wait for room
  /// in channels from which items were consumed.
  void offer_room() noexcept {
    for (in_channel* from : touched_) from->offer_room(true);
  }

  /// For the runner, before it waits for room, or for input that is missing in some channel.
  void offer_all_room() noexcept {
    for (in_channel* from : open_) from->offer_all_room();
  }

  /// Records that items were consumed from a channel in this step.
  void touch(in_channel& from) {
    if (touched_.empty() || touched_.back() != &from) touched_.push_back(&from);
  }

  /// Returns the channels that have not ended, for behaviours that choose among them. `leave_ended`
  /// changes the list.
  const std::vector<in_channel*>& open() const noexcept { return open_; }

  /// Removes `from`, which was found closed and then empty.
  void leave_ended(in_channel& from) noexcept {
    end(static_cast<std::size_t>(std::find(open_.begin(), open_.end(), &from) - open_.begin()));
  }

  /// To be called before a behaviour waits for input although it sees items that it can't take yet.
  /// These items are then no longer news.
  /// @return whether a channel that was empty now has an item or has ended, so that the behaviour
  /// must look again
  bool look_again() noexcept {
    bool news = false;
    for (in_channel* from : open_) {
      channel& data = from->data();
      const bool empty = data.pending() == 0;
      const bool filled = data.claim_all_written() != 0;
      data.note(data.taken() + data.pending());
      news = news || (empty && (filled || from->closed()));
    }
    if (!news) offer_all_room();
    return news;
  }

  /// Returns whether items were consumed in this step.
  bool touched() const noexcept { return !touched_.empty(); }
  void begin_step() noexcept { touched_.clear(); }

  /// Says that no more items will be taken from the channels that have not ended.
  void abandon() noexcept {
    for (in_channel* from : open_) from->abandon();
    open_.clear();
    back_ = 0;
    if (due_ != nullptr) {
      std::ranges::fill(due_->open, 0);
      std::ranges::fill(due_->now, 0);
    }
  }

  const std::vector<std::unique_ptr<in_channel>>& channels() const noexcept { return channels_; }

  /// Returns the maximum number of items between two checks for a producer that waits for room: an
  /// eighth of the channel. A producer waits for half of the channel to be free, and this limit
  /// makes sure that it is told in time, also if the consumer of the next item waits for that
  /// producer.
  static std::size_t run_in(const channel& data) noexcept {
    return data.capacity() == channel::unbounded || data.internal() ? channel::never
                                                                    : std::max<std::size_t>(data.capacity() / 8, 1);
  }

 private:
  static constexpr std::size_t bits = basic_arrivals<native_atomics>::bits;
  static std::uint64_t bit_of(std::size_t number) noexcept { return std::uint64_t{1} << number % bits; }

  // One bit for each channel, for ports with many channels.
  struct due_channels {
    explicit due_channels(std::size_t channels) : arrivals(channels), open(arrivals.words()), now(arrivals.words()) {}

    basic_arrivals<native_atomics> arrivals;
    std::vector<std::uint64_t> open;  // channels that have not ended
    std::vector<std::uint64_t> now;   // channels to check
    unsigned looks = 0;
  };

  void begin_look() noexcept {
    std::uint64_t any = 0;
    for (std::size_t word = 0; word != due_->now.size(); ++word) {
      due_->now[word] |= due_->arrivals.take(word) & due_->open[word];
      any |= due_->now[word];
    }
    if (any == 0 || ++due_->looks % look_everywhere == 0) due_->now = due_->open;
  }

  template <class Visit>
  bool each_open(Visit&& visit) {
    for (std::size_t left = open_.size(); left != 0; --left) {
      if (cursor_ >= open_.size()) cursor_ = 0;
      const look found = visit(*open_[cursor_]);
      if (found == look::ended) {
        end(cursor_);
      } else {
        ++cursor_;
      }
      if (found == look::broken_off) return false;
    }
    return true;
  }

  // Removes open_[at], which was found closed and then empty.
  void end(std::size_t at) noexcept {
    if (due_ != nullptr) {
      const std::size_t number = open_[at]->index();
      due_->open[number / bits] &= ~bit_of(number);
      due_->now[number / bits] &= ~bit_of(number);
    }
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    if (at < back_) --back_;
  }

  const item_type* type_;
  std::size_t tag_words_;
  std::vector<std::unique_ptr<in_channel>> channels_;
  std::vector<in_channel*> open_;     // channels that have not ended; the first `back_` come back from loops
  std::vector<in_channel*> touched_;  // channels from which items were consumed in this step
  std::size_t back_ = 0;
  bool closes_loop_ = false;
  std::unique_ptr<due_channels> due_;  // null if there are few channels
  std::size_t cursor_ = 0;  // start of the next check: a channel number if `due_` is set, else an index into open_
  std::size_t from_ = 0;
};

}  // namespace weir::detail
