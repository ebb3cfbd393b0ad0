// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/send_queue.hpp"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace weir::cluster {
namespace {

constexpr std::size_t batch_most = 32;

}  // namespace

std::shared_ptr<transport> send_queue::carrier() {
  const std::lock_guard lock(mutex_);
  return transport_;
}

void send_queue::send(const std::shared_ptr<outgoing_frame>& frame) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || (broken_ && !may_resume_)) return;
    frame->header.sequence = ++sequence_;
    queue_.push_back(frame);
    if (broken_ || std::exchange(writing_, true)) return;
  }
  write();
}

void send_queue::write() noexcept {
  for (;;) {
    std::shared_ptr<transport> over;
    {
      const std::lock_guard lock(mutex_);
      if (batch_.empty() && !broken_) {
        const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), batch_most));
        if (may_resume_) std::copy(queue_.begin(), end, std::back_inserter(unconfirmed_));
        std::move(queue_.begin(), end, std::back_inserter(batch_));
        queue_.erase(queue_.begin(), end);
      }
      if (batch_.empty() || broken_) {
        batch_.clear();
        writing_ = false;
        return;
      }
      over = transport_;
    }
    const std::size_t done = over->write(batch_);
    batch_.erase(batch_.begin(), batch_.begin() + static_cast<std::ptrdiff_t>(done));
    if (batch_.empty()) continue;
    const std::lock_guard lock(mutex_);
    if (broken_ || std::exchange(room_came_, false)) continue;
    waits_for_room_ = true;
    return;
  }
}

void send_queue::has_room() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(waits_for_room_, false)) {
      room_came_ = !broken_;
      return;
    }
  }
  write();
}

void send_queue::confirm(std::uint64_t up_to) noexcept {
  const std::lock_guard lock(mutex_);
  while (!unconfirmed_.empty() && unconfirmed_.front()->header.sequence <= up_to) unconfirmed_.pop_front();
}

std::shared_ptr<transport> send_queue::stop() noexcept {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  room_came_ = false;
  if (std::exchange(waits_for_room_, false)) {
    batch_.clear();
    writing_ = false;
  }
  return transport_;
}

bool send_queue::resume(const std::shared_ptr<transport>& over, std::uint64_t received_there) {
  std::unique_lock lock(mutex_);
  // The writer will soon notice: writing does not block.
  while (writing_) {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  if (received_there < no_longer_kept() || received_there > sequence_ - queue_.size()) return false;
  while (!unconfirmed_.empty() && unconfirmed_.front()->header.sequence <= received_there) unconfirmed_.pop_front();
  queue_.insert(queue_.begin(), unconfirmed_.begin(), unconfirmed_.end());
  unconfirmed_.clear();
  transport_ = over;
  broken_ = false;
  writing_ = true;
  return true;
}

std::shared_ptr<transport> send_queue::end() noexcept {
  const std::lock_guard lock(mutex_);
  broken_ = ended_ = true;
  last_to_go_ = sequence_ - queue_.size();
  queue_.clear();
  unconfirmed_.clear();
  if (std::exchange(waits_for_room_, false)) batch_.clear();
  return transport_;
}

std::uint64_t send_queue::given_up() {
  const std::lock_guard lock(mutex_);
  return no_longer_kept();
}

std::uint64_t send_queue::last_to_go() {
  const std::lock_guard lock(mutex_);
  return ended_ ? last_to_go_ : sequence_ - queue_.size();
}

}  // namespace weir::cluster
