// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/passes/cut.hpp"
#include "weir/detail/remote/link.hpp"

#include "remote/receiver.hpp"
#include "remote/sender.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace weir_test {

/// The links between the groups of a network when all groups run in this process; `make` is the
/// argument for `cut`. The groups run at the same time, each in its own network. This object must
/// outlive them.
class local_links {
 public:
  /// @param frame_items number of items that count as one frame
  explicit local_links(std::uint64_t frame_items = std::numeric_limits<std::uint64_t>::max())
      : frame_items_(frame_items) {}

  std::unique_ptr<weir::detail::behaviour> make(const weir::detail::remote_end& end) {
    const std::lock_guard lock(mutex_);
    ++ends_;
    std::vector<lane*> lanes;
    for (const weir::channel_id id : end.channels) lanes.push_back(&lanes_[id]);
    if (end.sends)
      return std::make_unique<weir::detail::remote_sender>(std::make_shared<output>(*this, std::move(lanes)));
    return std::make_unique<weir::detail::remote_receiver>(std::make_shared<input>(*this, std::move(lanes)));
  }

  std::size_t channels() const { return lanes_.size(); }
  std::size_t ends() const { return ends_; }
  long frames() const { return frames_; }

 private:
  struct lane {
    std::deque<weir::detail::outgoing_link::frame> frames{};
    std::uint64_t completed = 0;
    bool has_news = false;  // for the sender
    bool closed = false;
    bool close_was_received = false;
    bool abandoned = false;
    bool failed = false;
    weir::detail::host* sender = nullptr;
    weir::detail::host* receiver = nullptr;
  };

  // Every call holds the one lock, also while it notifies a side. So no side is notified after it
  // has withdrawn.
  static void tell(weir::detail::host* side) {
    if (side == nullptr) return;
    weir::detail::native_atomics::fence_full();
    side->notify(weir::detail::cause::any);
  }
  static void fail(const std::vector<lane*>& lanes) {
    for (lane* each : lanes) {
      each->failed = true;
      tell(each->sender);
      tell(each->receiver);
    }
  }

  class output final : public weir::detail::outgoing_link {
   public:
    output(local_links& of, std::vector<lane*> lanes) : of_(of), lanes_(std::move(lanes)) {}
    std::uint64_t frame_items() const override { return of_.frame_items_; }
    void register_sender(weir::detail::host* sender) override {
      const std::lock_guard lock(of_.mutex_);
      for (lane* each : lanes_) each->sender = sender;
    }
    void send(std::size_t channel, frame items) override {
      const std::lock_guard lock(of_.mutex_);
      ++of_.frames_;
      lanes_[channel]->frames.push_back(std::move(items));
      tell(lanes_[channel]->receiver);
    }
    void close(std::size_t channel) override {
      const std::lock_guard lock(of_.mutex_);
      lanes_[channel]->closed = true;
      tell(lanes_[channel]->receiver);
    }
    void take_news(std::vector<std::uint32_t>& channels) override {
      const std::lock_guard lock(of_.mutex_);
      channels.clear();
      for (std::uint32_t i = 0; i != lanes_.size(); ++i) {
        if (std::exchange(lanes_[i]->has_news, false)) channels.push_back(i);
      }
    }
    std::uint64_t completed(std::size_t channel) const override {
      const std::lock_guard lock(of_.mutex_);
      return lanes_[channel]->completed;
    }
    bool abandoned(std::size_t channel) const override {
      const std::lock_guard lock(of_.mutex_);
      return lanes_[channel]->abandoned;
    }
    void fail() override {
      const std::lock_guard lock(of_.mutex_);
      local_links::fail(lanes_);
    }
    bool failed() const override {
      const std::lock_guard lock(of_.mutex_);
      return std::ranges::any_of(lanes_, [](const lane* each) { return each->failed; });
    }

   private:
    local_links& of_;
    const std::vector<lane*> lanes_;
  };

  class input final : public weir::detail::incoming_link {
   public:
    input(local_links& of, std::vector<lane*> lanes) : of_(of), lanes_(std::move(lanes)) {}
    void register_receiver(weir::detail::host* receiver) override {
      const std::lock_guard lock(of_.mutex_);
      for (lane* each : lanes_) each->receiver = receiver;
    }
    std::optional<received> receive() override {
      const std::lock_guard lock(of_.mutex_);
      for (std::uint32_t i = 0; i != lanes_.size(); ++i) {
        lane& each = *lanes_[i];
        if (!each.frames.empty()) {
          received first{i, each.frames.front().items, std::move(each.frames.front().bytes).joined(), false};
          each.frames.pop_front();
          return first;
        }
        if (each.closed && !std::exchange(each.close_was_received, true)) return received{i, 0, {}, true};
      }
      return std::nullopt;
    }
    void complete(const std::vector<completion>& news) override {
      const std::lock_guard lock(of_.mutex_);
      for (const completion& each : news) {
        lane& of = *lanes_[each.channel];
        of.completed = each.items;
        of.has_news = true;
        tell(of.sender);
      }
    }
    void abandon(std::size_t channel) override {
      const std::lock_guard lock(of_.mutex_);
      lanes_[channel]->abandoned = lanes_[channel]->has_news = true;
      lanes_[channel]->frames.clear();
      tell(lanes_[channel]->sender);
    }
    void fail() override {
      const std::lock_guard lock(of_.mutex_);
      local_links::fail(lanes_);
    }
    bool failed() const override {
      const std::lock_guard lock(of_.mutex_);
      return std::ranges::any_of(lanes_, [](const lane* each) { return each->failed; });
    }

   private:
    local_links& of_;
    const std::vector<lane*> lanes_;
  };

  const std::uint64_t frame_items_;
  mutable std::mutex mutex_;
  std::map<weir::channel_id, lane> lanes_;
  std::size_t ends_ = 0;
  std::atomic<long> frames_{0};
};

}  // namespace weir_test
