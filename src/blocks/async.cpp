// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/async.hpp"

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

namespace weir::detail {

/// The operations of a node that have begun, and those that have ended since the node last looked.
///
/// **No missed wake-up.** An operation enters `ended_` under the lock, and then notifies the node.
/// The node looks under the lock before it leaves. **Lifetime.** The notification also happens
/// under the lock, and the node does not end before all operations have ended, so the node exists.
class operations {
 public:
  void begin_run(host& node) noexcept { node_ = &node; }

  void begins() {
    const std::lock_guard lock(mutex_);
    ++running_;
  }

  void has_ended(operation& one) noexcept {
    const std::lock_guard lock(mutex_);
    ended_.push_back(&one);
    --running_;
    native_atomics::fence_full();
    node_->notify(cause::any);
    if (running_ == 0) all_ended_.notify_all();
  }

  /// Moves the operations that have ended since the last call into `into`.
  void take_ended(std::vector<operation*>& into) {
    into.clear();
    const std::lock_guard lock(mutex_);
    std::swap(into, ended_);
    ended_.reserve(into.capacity());
  }

  void wait_for_all() noexcept {
    std::unique_lock lock(mutex_);
    all_ended_.wait(lock, [this] { return running_ == 0; });
  }

  /// Reserves memory before operations begin, so that an operation needs no memory when it ends.
  void make_room_for(std::size_t count) {
    const std::lock_guard lock(mutex_);
    ended_.reserve(count);
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_ended_;
  std::vector<operation*> ended_;
  std::size_t running_ = 0;
  host* node_ = nullptr;
};

void operation::finished() noexcept {
  const std::shared_ptr<operations> all = of;
  all->has_ended(*this);
}

namespace {

class async_node final : public behaviour {
 public:
  async_node(const async_functions& functions, std::shared_ptr<void> f, std::size_t most, bool in_order)
      : functions_(functions), f_(std::move(f)), most_(most), in_order_(in_order) {}
  async_node(const async_node&) = delete;
  async_node& operator=(const async_node&) = delete;
  void start(ports& at) override {
    if (at.in_loop())
      throw std::logic_error("an asynchronous node can't be in a loop; put it before or behind the loop");
    operations_->begin_run(at.owner());
    stop_ = std::stop_source();
    told_.emplace(at.owner().stop_token(), [this] { stop_.request_stop(); });
  }

  progress step(ports& at, std::size_t budget) override {
    for (std::size_t left = budget;;) {
      if (at.stopping()) return progress::ended;
      if (functions_.out != nullptr && at.sends_to_nobody())
        throw stopped{};  // else it would wait for results that nobody takes
      collect();
      if (!send_ready(at)) return progress::waiting_room;
      if (left == 0) return progress::more;
      progress how = progress::waiting_room;  // for one of its operations to end
      if (begun_ < most_) {
        std::size_t some = std::min(left, most_ - begun_);
        left -= some;
        how = at.consume(some, [&](channel& from, std::size_t) { return begin(from, at); });
        left += some;
        if (at.blocked()) return progress::waiting_room;
        if (how == progress::ended && begun_ == 0) return progress::ended;
        if (how == progress::more || how == progress::waiting_room) continue;
        if (how == progress::ended) how = progress::waiting_room;
      }
      if (collect() || has_ready()) continue;
      at.owner().awaits_time.store(begun_ != 0, std::memory_order_relaxed);
      return how;
    }
  }

  void finish(ports&) override { end(); }
  void abort(ports&) noexcept override { end(); }

 private:
  // Called when no consumer takes results any more. The next run starts without results.
  void end() noexcept {
    stop_.request_stop();
    operations_->wait_for_all();
    told_.reset();
    operations_->take_ended(ended_);
    queue_.clear();
    idle_.clear();
    for (const auto& each : all_) {
      each->drop_result();
      each->problem = nullptr;
      idle_.push_back(each.get());
    }
    begun_ = 0;
  }

  std::size_t begin(channel& from, ports& at) {
    channel::reader slots = from.read(1);
    std::byte* const item = slots.item();
    operation& one = idle_operation();
    at.tag_as(item);
    one.item_tag.assign(at.current_tag().begin(), at.current_tag().end());
    ++begun_;
    const bool is_punctuation = at.in().tag_words() != 0 && tag::is_punctuation(item);
    if (in_order_ || is_punctuation) queue_.push_back(&one);
    if (is_punctuation) {
      one.done = true;
    } else {
      operations_->begins();
      try {
        one.begin(item);
      } catch (...) {  // there is no coroutine
        one.problem = std::current_exception();
        one.finished();
      }
      if (at.in().type().destroy != nullptr) at.in().type().destroy(item);
    }
    slots.emptied();
    slots.done();
    return slots.count();
  }

  operation& idle_operation() {
    if (idle_.empty()) {
      operations_->make_room_for(all_.size() + 1);
      ended_.reserve(all_.size() + 1);
      idle_.reserve(all_.size() + 1);
      all_.push_back(functions_.make(f_));
      all_.back()->of = operations_;
      idle_.push_back(all_.back().get());
    }
    operation& one = *idle_.back();
    idle_.pop_back();
    one.stopping = stop_.get_token();
    one.problem = nullptr;
    one.done = false;
    return one;
  }

  // @return whether operations have ended
  bool collect() {
    operations_->take_ended(ended_);
    for (operation* one : ended_) one->done = true;
    if (!in_order_) queue_.insert(queue_.end(), ended_.begin(), ended_.end());
    return !ended_.empty();
  }

  bool has_ready() const noexcept { return !queue_.empty() && queue_.front()->done; }

  // @return whether there was room
  bool send_ready(ports& at) {
    while (has_ready()) {
      operation& one = *queue_.front();
      queue_.pop_front();
      --begun_;
      idle_.push_back(&one);
      send(one, at);
      if (at.blocked()) return false;
    }
    return true;
  }

  void send(operation& one, ports& at) {
    const bool tagged = !one.item_tag.empty() && at.in().tag_words() != 0;
    if (tagged) std::copy(one.item_tag.begin(), one.item_tag.end(), at.current_tag().begin());
    if (one.problem != nullptr) {
      try {
        std::rethrow_exception(std::exchange(one.problem, nullptr));
      } catch (...) {
        at.lose_item(tagged ? one.item_tag.front() : tag::outside);
      }
    } else if (!tagged || (one.item_tag.front() & tag::punctuation) == 0) {
      if (functions_.out != nullptr) at.out().send_relocated(static_cast<std::byte*>(one.take_result()));
      return;
    }
    if (tagged && functions_.out != nullptr) at.out().send_punctuation();
  }

  const async_functions functions_;
  const std::shared_ptr<void> f_;
  const std::size_t most_;
  const bool in_order_;
  const std::shared_ptr<operations> operations_ = std::make_shared<operations>();
  std::vector<std::unique_ptr<operation>> all_;
  std::vector<operation*> idle_;
  std::vector<operation*> ended_;  // as of the last collect()
  std::stop_source stop_;          // stop source of the operations
  std::optional<std::stop_callback<std::function<void()>>> told_;
  std::size_t begun_ = 0;         // operations that have begun and whose results are not sent
  std::deque<operation*> queue_;  // to be sent in this order: ended operations, or all in the order of their items
};

}  // namespace

shape_pointer async_shape(const async_functions& functions, const std::shared_ptr<void>& prototype, std::size_t most) {
  constexpr std::size_t most_of_all = std::size_t{1} << 20;
  const std::string works = "works at " + std::to_string(most) + " items at a time; give it at ";
  if (most == 0) throw graph_error("async", works + "least 1");
  if (most > most_of_all) throw graph_error("async", works + "most " + std::to_string(most_of_all));
  shape made;
  made.kind = "async";
  made.in = {functions.in};
  if (functions.out != nullptr) made.out = {functions.out};
  made.reusable = functions.reusable;
  made.one_for_one = functions.out != nullptr;
  const auto make = [=](bool in_order) {
    return [=] { return std::make_unique<async_node>(functions, functions.copy(prototype), most, in_order); };
  };
  made.make = make(false);
  made.make_in_order = make(true);
  return share(std::move(made));
}

}  // namespace weir::detail
