// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/arrivals.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/loop.hpp"
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

namespace weir {

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

  /// Wakes a producer that waits for the room made so far. `fenced`: a full fence was executed
  /// after the last completion; without it the call is a cheap attempt that may miss one that is
  /// about to wait.
  void offer_room(bool fenced) noexcept {
    const channel::index wanted = data_->room_wanted();  // once: the producer may ask anew at any time
    if (data_->completed() < wanted || wanted == told_) return;
    told_ = wanted;
    if (!fenced) native_atomics::fence_full();
    producer_->notify(cause::room);
  }

  /// The consumer stops for a while although items lie here. A producer that waits for more room
  /// than there is gets what there is, because the consumer may itself wait for what that producer
  /// has to send.
  void offer_all_room() noexcept {
    if (data_->room_wanted() == channel::never || !data_->has_room()) return;
    native_atomics::fence_full();
    producer_->notify(cause::room);
  }

  /// No more will be taken from it. The producer is told.
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
  std::atomic<std::uint64_t> fill_samples_{0};  // written by the runner alone
  std::atomic<std::uint64_t> fill_sum_{0};      // likewise
};

/// An in-port while it runs: the channels that lead to it, read in turn; from those that come back
/// from a loop whatever there is first.
///
/// With `wide` channels or more it looks only where something came. Its channels mark that when
/// they publish (`basic_arrivals`), but an item can be taken before it is published. So it looks at
/// all channels if none is marked or left over from the last look, and at each `look_everywhere`-th
/// look.
class in_port {
 public:
  static constexpr std::size_t wide = 64;
  static constexpr unsigned look_everywhere = 64;

  explicit in_port(const in_port_description& about) : type_(about.type), words_(about.words) {
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

  /// The result of a look at one channel.
  enum class look {
    empty,      ///< nothing that can be taken before something comes
    rest,       ///< something to be taken at the next look
    ended,      ///< nothing, ever
    broken_off  ///< as `rest`; the channels behind this one have their turn at the next look
  };

  /// Calls `visit(channel)`, which gives a `look`, for each open channel where something may have
  /// come, in turn.
  /// @return whether none broke it off
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

  /// The next look is also at channel `number`: a remote sender calls it when items of that were
  /// completed.
  void look_at(std::size_t number) noexcept {
    if (due_ != nullptr) due_->now[number / bits] |= due_->open[number / bits] & bit_of(number);
  }

  /// Hands runs of items to `take(first, count, channel)`, which takes at least one of them and
  /// returns how many; it has moved them out, destroyed them in their slots, and completed them.
  /// `first` is the first item, after its tag. Goes on until the budget is used up, `stop()` is
  /// true, or every open channel was visited once. Returns what to report from a step, and counts
  /// the items off `budget`.
  /// @param run_most the most items between two looks at whether to stop, and whether a producer
  /// waits for room
  template <class Take, class Stop>
  progress consume(std::size_t& budget, std::size_t run_most, Take&& take, Stop&& stop) {
    std::optional<progress> early;
    // Takes at most `most` from a channel.
    const auto visit = [&](in_channel& from, std::size_t most) {
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
          if (most == 0) return look::rest;
          const std::size_t taken =
              take(found.first + data.layout().header, std::min({found.count, budget, some, most}), data);
          found.first += taken * data.layout().size;
          found.count -= taken;
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

  /// Items that lie together in one channel.
  struct run {
    in_channel* from = nullptr;
    std::byte* first = nullptr;
    std::size_t count = 0;
  };

  /// What lies there first, for behaviours that look before they take; nothing if there is nothing
  /// now. Channels that have ended are left out from then on. Whoever completes some of it calls
  /// `took`.
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

  /// One item from any channel into raw memory at `to`, for behaviours that pull and whose items
  /// have no tags.
  /// @return false if there is none now
  bool try_take(void* to);

  /// Runner, at the end of a step, after a full fence: wakes producers that wait for room in what
  /// was consumed.
  void offer_room() noexcept {
    for (in_channel* from : touched_) from->offer_room(true);
  }

  /// Runner, before it waits for room, or for input that some channel does not have.
  void offer_all_room() noexcept {
    for (in_channel* from : open_) from->offer_all_room();
  }

  /// Notes that something was consumed from a channel in this step.
  void touch(in_channel& from) {
    if (touched_.empty() || touched_.back() != &from) touched_.push_back(&from);
  }

  /// The channels that have not ended, for behaviours that choose among them; `leave_ended` changes
  /// them.
  const std::vector<in_channel*>& open() const noexcept { return open_; }

  /// Leaves `from` out from now on: it was found closed, and then empty.
  void leave_ended(in_channel& from) noexcept {
    end(static_cast<std::size_t>(std::find(open_.begin(), open_.end(), &from) - open_.begin()));
  }

  /// Before a behaviour waits for input although it sees some that it can't take yet: that is no
  /// news any more.
  /// @return whether a channel that was empty has got something, or has ended, so that it must look
  /// again
  bool look_again() noexcept {
    bool news = false;
    for (in_channel* from : open_) {
      channel& data = from->data();
      const bool empty = data.pending() == 0;
      const bool filled = data.claim_all_written().count != 0;
      data.note(data.taken() + data.pending());
      news = news || (empty && (filled || from->closed()));
    }
    if (!news) offer_all_room();
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
    if (due_ != nullptr) {
      std::ranges::fill(due_->open, 0);
      std::ranges::fill(due_->now, 0);
    }
  }

  const std::vector<std::unique_ptr<in_channel>>& channels() const noexcept { return channels_; }

  /// The most items between two looks at whether a producer waits for room: an eighth of the
  /// channel, so that a producer who was promised half of it is told in time, also when the next
  /// item's consumer waits for that very producer.
  static std::size_t run_in(const channel& data) noexcept {
    return data.capacity() == channel::unbounded || data.internal() ? channel::never
                                                                    : std::max<std::size_t>(data.capacity() / 8, 1);
  }

 private:
  static constexpr std::size_t bits = basic_arrivals<native_atomics>::bits;
  static std::uint64_t bit_of(std::size_t number) noexcept { return std::uint64_t{1} << number % bits; }

  // A bit for each channel, where there are many.
  struct due_channels {
    explicit due_channels(std::size_t channels) : arrivals(channels), open(arrivals.words()), now(arrivals.words()) {}

    basic_arrivals<native_atomics> arrivals;
    std::vector<std::uint64_t> open;  // not yet ended
    std::vector<std::uint64_t> now;   // to be looked at
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

  // open_[at] was found closed, and then empty.
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
  std::size_t words_;
  std::vector<std::unique_ptr<in_channel>> channels_;
  std::vector<in_channel*> open_;     // not yet ended; first the `back_` that come back from loops
  std::vector<in_channel*> touched_;  // consumed from in this step
  std::size_t back_ = 0;
  bool closes_loop_ = false;
  std::unique_ptr<due_channels> due_;  // where there are many
  std::size_t cursor_ = 0;  // where the next look begins: a channel's number with marks, else a place in open_
  std::size_t from_ = 0;
};

}  // namespace weir
