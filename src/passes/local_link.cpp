// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/passes/cut.hpp"

#include <deque>
#include <mutex>

namespace weir {
namespace {

// Under one lock, also while it tells a side of news: so no side is told after it has withdrawn.
class local final : public link {
 public:
  void register_sender(host* sender) override {
    const std::lock_guard lock(mutex_);
    sender_ = sender;
  }
  void register_receiver(host* receiver) override {
    const std::lock_guard lock(mutex_);
    receiver_ = receiver;
  }
  void send(frame items) override {
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(items));
    tell(receiver_);
  }
  void close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    tell(receiver_);
  }
  std::uint64_t completed() const override {
    const std::lock_guard lock(mutex_);
    return completed_;
  }
  bool abandoned() const override {
    const std::lock_guard lock(mutex_);
    return abandoned_;
  }
  std::optional<received> receive() override {
    const std::lock_guard lock(mutex_);
    if (frames_.empty()) return std::nullopt;
    received first{frames_.front().items, std::move(frames_.front().bytes).joined()};
    frames_.pop_front();
    return first;
  }
  bool closed() const override {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  void complete(std::uint64_t total) override {
    const std::lock_guard lock(mutex_);
    completed_ = total;
    tell(sender_);
  }
  void abandon() override {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    frames_.clear();
    tell(sender_);
  }
  void fail() override {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    tell(sender_);
    tell(receiver_);
  }
  bool failed() const override {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  static void tell(host* side) noexcept {
    if (side == nullptr) return;
    native_atomics::fence_full();
    side->notify(cause::any);
  }

  mutable std::mutex mutex_;
  std::deque<frame> frames_;
  std::uint64_t completed_ = 0;
  bool closed_ = false;
  bool abandoned_ = false;
  bool failed_ = false;
  host* sender_ = nullptr;
  host* receiver_ = nullptr;
};

}  // namespace

std::shared_ptr<link> local_link() { return std::make_shared<local>(); }

}  // namespace weir
