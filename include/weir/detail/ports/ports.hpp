// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/detail/ports/in_port.hpp"
#include "weir/detail/ports/loop.hpp"
#include "weir/detail/ports/out_port.hpp"
#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/item_type.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

/// The interface of a behaviour to its place in the network: its ports, path and tags.
class ports {
 public:
  ports(host& owner, std::string path, std::size_t index, std::size_t width)
      : owner_(&owner), path_(std::move(path)), index_(index), width_(width) {}
  ports(const ports&) = delete;
  ports& operator=(const ports&) = delete;

  in_port& in(std::size_t i = 0) noexcept { return in_[i]; }
  const in_port& in(std::size_t i = 0) const noexcept { return in_[i]; }
  out_port& out(std::size_t i = 0) noexcept { return *out_[i]; }

  /// Makes an out-port that is not connected, for fused nodes.
  std::unique_ptr<out_port> inner_port(const item_type& type) {
    return std::make_unique<out_port>(out_port_description{&type, {}}, *owner_, tag_);
  }
  std::size_t ins() const noexcept { return in_.size(); }
  std::size_t outs() const noexcept { return out_.size(); }

  const std::string& path() const noexcept { return path_; }
  /// Returns the number of this node among the equal nodes of its farm, in [0, width).
  std::size_t index() const noexcept { return index_; }
  std::size_t width() const noexcept { return width_; }

  /// Returns the number of items that a step may take between two checks: about two microseconds of
  /// work, or one item while the cost is unknown.
  std::size_t run_length() const noexcept {
    const std::uint64_t cost = owner_->item_cost.load(std::memory_order_relaxed);
    return cost == 0 ? 1 : static_cast<std::size_t>(std::clamp<std::uint64_t>(2000 / cost, 1, 256));
  }

  /// Returns whether a step should return early.
  bool interrupted() const noexcept { return blocked() || stopping(); }

  /// Returns whether the node can't continue because tagged items that it gave to consumers are
  /// lost. A node further downstream waits for these items.
  bool cut_off() const noexcept {
    return std::any_of(out_.begin(), out_.end(),
                       [](const auto& port) { return port->tag_words() != 0 && port->abandoned(); });
  }

  /// Returns whether no consumer of any out-port can take an item any more, although there was one.
  bool sends_to_nobody() const noexcept {
    return owner_->lost_consumer.load(std::memory_order_relaxed) &&
           std::all_of(out_.begin(), out_.end(), [](const auto& port) { return port->abandoned(); });
  }

  /// Returns whether an out-port has spilled. The step should then return `waiting_room`.
  bool blocked() const noexcept { return owner_->spilling.load(std::memory_order_relaxed) != 0; }
  bool stopping() const noexcept { return owner_->stopping(); }
  /// Returns whether sources shall end.
  bool draining() const noexcept { return owner_->draining(); }

  /// Counts items that the behaviour took (a source: made).
  void count(std::uint64_t items) noexcept { processed_ += items; }
  std::uint64_t processed() const noexcept { return processed_; }

  /// The step of a behaviour that takes items from one in-port. Works like `in_port::consume`, and
  /// counts the items.
  template <class Take, class Stop>
  progress consume(std::size_t& budget, Take&& take, Stop&& stop, std::size_t port = 0) {
    const std::size_t given = budget;
    const progress how = in_[port].consume(budget, run_length(), take, stop);
    count(given - budget);
    return how;
  }
  /// Same as above, until the step is interrupted.
  template <class Take>
  progress consume(std::size_t& budget, Take&& take, std::size_t port = 0) {
    return consume(
        budget, take, [this] { return interrupted(); }, port);
  }

  host& owner() noexcept { return *owner_; }

  /// Returns the in-port that the current item came from, if there are several. For `context`.
  std::size_t taking() const noexcept { return taking_; }
  void take_from(std::size_t port) noexcept { taking_ = port; }

  /// Makes the node a member of `around`. With a number, the node is a head that is asked under
  /// this number.
  void join_loop(loop& around, std::optional<std::size_t> number) { memberships_.push_back({&around, number}); }
  bool in_loop() const noexcept { return !memberships_.empty(); }

  /// To be called when there was no input. @return whether to look again
  bool settle(behaviour& what) {
    bool again = false;
    for (const loop_membership& each : memberships_) {
      each.around->look();
      if (!each.number || !each.around->asks(*each.number)) continue;
      what.quiet(*this);
      each.around->answer(*each.number);
      again = true;
    }
    return again;
  }

  /// To be called when the node has ended.
  void leave_loops() noexcept {
    for (const loop_membership& each : memberships_) {
      if (each.number) each.around->left(*each.number);
      each.around->look();
    }
  }

  /// Returns the tag of the items that are sent from now on.
  std::vector<tag::word>& current_tag() noexcept { return tag_; }

  /// Says that items sent from now on stem from `item`, and gives them its tag. Clears the bits of
  /// `clear` in each word.
  /// @return whether a node waits for the last item that stems from `item`
  bool tag_as(const void* item, tag::word clear = 0) noexcept {
    tag::word all = 0;
    for (std::size_t i = 0; i != in_.front().tag_words(); ++i) {
      const tag::word word = tag::of(item, i);
      all |= word & ~tag::punctuation;
      tag_[i] = word & ~clear;
    }
    return (all & tag::last) != 0;
  }

  /// Makes `whom` receive the exceptions that the node throws while it processes an item. To be
  /// called before the node runs.
  void tell_failures(item_failures* whom) noexcept { failures_ = whom; }

  /// Says that the exception being handled has lost the item whose tag has this first word.
  /// @throws the exception, if it fails the run
  void lose_item(tag::word first_word) {
    if (failures_ == nullptr || tag::number(first_word) == tag::number(tag::outside)) throw;
    try {
      throw;
    } catch (const stopped&) {
      throw;
    } catch (...) {
      failures_->failed(tag::number(first_word), node_error_of(path_, std::current_exception()));
    }
  }

  /// Says that items sent from now on stem from no item.
  void tag_outside() noexcept { std::fill(tag_.begin(), tag_.end(), tag::outside); }

  void add_in(const in_port_description& about) {
    in_.emplace_back(about);
    make_tag(about.tag_words);
  }
  void add_out(const out_port_description& about) {
    out_.push_back(std::make_unique<out_port>(about, *owner_, tag_));
    make_tag(about.tag_words);
  }

 private:
  void make_tag(std::size_t tag_words) { tag_.resize(std::max(tag_.size(), tag_words), tag::outside); }

  struct loop_membership {
    loop* around;
    std::optional<std::size_t> number;
  };

  host* owner_;
  std::string path_;
  std::size_t index_;
  std::size_t width_;
  std::size_t taking_ = 0;
  std::vector<loop_membership> memberships_;
  item_failures* failures_ = nullptr;
  std::uint64_t processed_ = 0;
  std::vector<tag::word> tag_;
  std::deque<in_port> in_;
  std::vector<std::unique_ptr<out_port>> out_;
};

}  // namespace weir::detail
