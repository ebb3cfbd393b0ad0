// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/connection.hpp"

#include "cluster/crc32c.hpp"

#include <asio/post.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace weir::cluster {
namespace {

constexpr std::size_t frames_at_once = 32;
// The peer keeps frames until it is told that they have arrived.
constexpr std::uint64_t frames_untold_most = 64;
constexpr int resumed_in_vain_most = 20;
constexpr std::size_t bytes_untold_most = std::size_t{256} * 1024;

std::int64_t now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::string in_milliseconds(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

std::string described(const frame_header& header) {
  std::string text = "frame " + std::to_string(header.sequence);
  if (header.type != frame_type::control) text += " (channel " + std::to_string(header.channel) + ")";
  return text;
}

}  // namespace

std::string address_text(const asio::ip::tcp::endpoint& of) {
  std::ostringstream text;
  text << of;
  return text.str();
}

connection::connection(asio::any_io_executor executor, std::shared_ptr<transport> over, const connection_limits& limits,
                       bool has_checksums)
    : executor_(std::move(executor)),
      timer_(executor_),
      limits_(limits),
      has_checksums_(has_checksums),
      transport_(std::move(over)) {}

void connection::begin(arrived_function on_arrival, std::function<void(const std::string&)> on_loss,
                       std::function<void()> on_cut) {
  on_arrival_ = std::move(on_arrival);
  on_loss_ = std::move(on_loss);
  on_cut_ = std::move(on_cut);
  heard_ = looked_ = std::chrono::steady_clock::now();
  watch_the_time();
  transport_->begin(weak_from_this());
}

// ---- sending ----

byte_sink connection::new_frame() {
  std::shared_ptr<transport> over;
  {
    const std::lock_guard lock(mutex_);
    over = transport_;
  }
  return over->new_frame();
}

void connection::send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count,
                      byte_sink payload) noexcept {
  const auto frame = std::make_shared<outgoing_frame>();
  frame->header = {type, run, channel, count, 0, static_cast<std::uint32_t>(payload.size()), 0, has_checksums_};
  if (has_checksums_) {
    payload.for_each_part(
        [&](std::span<const std::byte> part) { frame->header.checksum = crc32c(part, frame->header.checksum); });
  }
  frame->payload = std::move(payload);
  last_sent_.store(now(), std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || (broken_ && limits_.reconnect_within.count() == 0)) return;
    frame->header.sequence = ++sequence_;
    queue_.push_back(frame);
    if (broken_ || std::exchange(writing_, true)) return;
  }
  write_queue();
}

void connection::send_control(const std::string& text) noexcept {
  byte_sink payload;
  payload.append(text.data(), text.size());
  send(frame_type::control, 0, 0, 1, std::move(payload));
}

// Runs as the writer.
void connection::write_queue() noexcept {
  for (;;) {
    std::shared_ptr<transport> over;
    {
      const std::lock_guard lock(mutex_);
      if (batch_.empty() && !broken_) {
        const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), frames_at_once));
        if (limits_.reconnect_within.count() != 0) std::copy(queue_.begin(), end, std::back_inserter(unconfirmed_));
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

void connection::has_room() {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(waits_for_room_, false)) {
      room_came_ = !broken_;
      return;
    }
  }
  write_queue();
}

// ---- receiving ----

void connection::arrived(arrived_frame& what) {
  const frame_header& header = what.header();
  heard_ = std::chrono::steady_clock::now();
  if (header.sequence != received_ + 1) {
    throw protocol_error("frame " + std::to_string(header.sequence) + " follows frame " + std::to_string(received_));
  }
  ++received_;
  resumed_in_vain_ = 0;
  bytes_to_tell_ += header.length;
  if (header.type == frame_type::items) last_channel_ = {header.run, header.channel};
  switch (header.type) {
    case frame_type::goodbye: {
      const std::string why(reinterpret_cast<const char*>(what.payload().data()), what.payload().size());
      if (why.empty()) return lose("");
      return lose("it has closed the connection: " + why,
                  static_cast<loss_cause>(std::min<std::uint64_t>(header.count, 3)));
    }
    case frame_type::heartbeat: break;
    case frame_type::received: confirm(header.count); break;
    default: try { on_arrival_(what);
      } catch (const std::exception& problem) {
        return lose(described(header) + ": " + problem.what(), loss_cause::misunderstood);
      }
  }
  if (over_ || limits_.reconnect_within.count() == 0) return;
  if (received_ - told_received_ >= frames_untold_most || bytes_to_tell_ >= bytes_untold_most) tell_received();
}

void connection::tell_received() noexcept {
  told_received_ = received_;
  bytes_to_tell_ = 0;
  send(frame_type::received, 0, 0, received_, {});
}

void connection::confirm(std::uint64_t up_to) noexcept {
  const std::lock_guard lock(mutex_);
  while (!unconfirmed_.empty() && unconfirmed_.front()->header.sequence <= up_to) unconfirmed_.pop_front();
}

void connection::watch_the_time() {
  // The timer expires when the first of the possible events is due.
  std::chrono::steady_clock::duration next = limits_.heartbeat / 2;
  if (limits_.reconnect_within.count() == 0) next = std::min(next, heard_ + limits_.dead_after - looked_);
  timer_.expires_after(std::max<std::chrono::steady_clock::duration>(next, std::chrono::milliseconds(1)));
  timer_.async_wait([self = shared_from_this()](std::error_code cancelled) {
    if (cancelled || self->over_) return;
    const connection_limits& limits = self->limits_;
    const auto at = std::chrono::steady_clock::now();
    // If this process itself was stopped, the peer gets its full time again.
    if (at - self->looked_ > 2 * limits.heartbeat) self->heard_ = at;
    self->looked_ = at;
    const auto silent_for = at - self->heard_;
    if (limits.reconnect_within.count() == 0) {
      if (silent_for >= limits.dead_after) {
        return self->lose("nothing was heard of it for " + in_milliseconds(limits.dead_after), loss_cause::silent);
      }
    } else if (silent_for > limits.reconnect_within) {
      return self->lose("nothing was heard of it for " + in_milliseconds(limits.reconnect_within) +
                            (self->cut_ ? "; before that, " + self->why_cut_ : ""),
                        loss_cause::silent);
    } else if (!self->cut_ && silent_for > 5 * limits.heartbeat / 2) {
      self->cut("nothing was heard of it for " + in_milliseconds(5 * limits.heartbeat / 2));
    }
    if (!self->cut_ && !self->leaving_) {  // nothing follows a goodbye
      if (self->received_ != self->told_received_ && limits.reconnect_within.count() != 0) {
        self->tell_received();
      } else if (at.time_since_epoch().count() - self->last_sent_.load(std::memory_order_relaxed) >=
                 std::chrono::nanoseconds(limits.heartbeat).count() / 2) {
        self->send(frame_type::heartbeat, 0, 0, 0, {});
      }
    }
    self->watch_the_time();
  });
}

// ---- another transport ----

void connection::is_lost(const std::string& why, loss_cause cause) {
  if (leaving_) return lose("");
  if (may_resume()) return cut(why);
  lose(why, cause);
}

void connection::cut(const std::string& why) noexcept {
  if (over_ || std::exchange(cut_, true)) return;
  why_cut_ = why;
  std::shared_ptr<transport> old;
  {
    const std::lock_guard lock(mutex_);
    broken_ = true;
    room_came_ = false;
    if (std::exchange(waits_for_room_, false)) {
      batch_.clear();
      writing_ = false;
    }
    old = transport_;
  }
  old->end();
  if (on_cut_) on_cut_();
}

std::uint64_t connection::given_up() {
  const std::lock_guard lock(mutex_);
  return no_longer_kept();
}

void connection::resume(std::shared_ptr<transport> over, std::uint64_t received_there) {
  if (over_) return;
  cut("it has connected again");
  if (++resumed_in_vain_ > resumed_in_vain_most) return lose("it broke again and again: " + why_cut_);
  {
    std::unique_lock lock(mutex_);
    // The writer will soon notice: writing does not block.
    while (writing_) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    if (received_there < no_longer_kept() || received_there > sequence_ - queue_.size()) {
      lock.unlock();
      return lose("it has forgotten what had arrived before the connection broke");
    }
    while (!unconfirmed_.empty() && unconfirmed_.front()->header.sequence <= received_there) unconfirmed_.pop_front();
    queue_.insert(queue_.begin(), unconfirmed_.begin(), unconfirmed_.end());
    unconfirmed_.clear();
    transport_ = over;
    broken_ = false;
    writing_ = true;
  }
  cut_ = false;
  heard_ = std::chrono::steady_clock::now();
  over->begin(weak_from_this());
  write_queue();
}

// ---- the end ----

std::string connection::how_far() {
  const std::lock_guard lock(mutex_);
  return "frame " + std::to_string(received_) + " was the last to come, frame " +
         std::to_string(ended_ ? last_to_go_ : sequence_ - queue_.size()) + " the last to go";
}

void connection::lose(const std::string& why, loss_cause cause) noexcept {
  if (over_) return;
  cause_ = cause;
  const auto tell = std::move(on_loss_);
  if (!why.empty()) send_goodbye(why);
  end();
  if (tell) tell(why);
}

void connection::send_goodbye(const std::string& why) noexcept {
  byte_sink payload;
  payload.append(why.data(), why.size());
  send(frame_type::goodbye, 0, 0, static_cast<std::uint64_t>(cause_), std::move(payload));
}

void connection::leave() noexcept {
  leaving_ = true;
  send_goodbye("");
}

void connection::end() noexcept {
  if (std::exchange(over_, true)) return;
  std::shared_ptr<transport> old;
  {
    const std::lock_guard lock(mutex_);
    broken_ = ended_ = true;
    last_to_go_ = sequence_ - queue_.size();
    queue_.clear();
    unconfirmed_.clear();
    if (std::exchange(waits_for_room_, false)) batch_.clear();
    old = transport_;
  }
  timer_.cancel();
  old->end();
  asio::post(executor_, [self = shared_from_this()] {
    self->on_arrival_ = nullptr;  // and the objects that they hold
    self->on_cut_ = nullptr;
  });
}

}  // namespace weir::cluster
