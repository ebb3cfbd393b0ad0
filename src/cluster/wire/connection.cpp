// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/connection.hpp"

#include "cluster/wire/checksum.hpp"

#include <asio/post.hpp>

#include <algorithm>
#include <exception>
#include <sstream>
#include <system_error>
#include <utility>

namespace weir::cluster {
namespace {

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
      out_(std::move(over), limits.reconnect_within.count() != 0) {}

void connection::begin(arrived_function on_arrival, std::function<void(const std::string&)> on_loss,
                       std::function<void()> on_cut) {
  on_arrival_ = std::move(on_arrival);
  on_loss_ = std::move(on_loss);
  on_cut_ = std::move(on_cut);
  heard_ = looked_ = std::chrono::steady_clock::now();
  watch_the_time();
  out_.carrier()->begin(weak_from_this());
}

// ---- sending ----

byte_sink connection::new_frame() { return out_.carrier()->new_frame(); }

void connection::send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count,
                      byte_sink payload) noexcept {
  if (!made_.is_here()) return;
  const auto frame = std::make_shared<outgoing_frame>();
  frame->header = {type, run, channel, count, 0, static_cast<std::uint32_t>(payload.size()), 0, has_checksums_};
  if (has_checksums_) frame->header.checksum = checksum_of(payload);
  frame->payload = std::move(payload);
  last_sent_.store(now(), std::memory_order_relaxed);
  out_.send(frame);
}

void connection::send_control(const std::string& text) noexcept {
  byte_sink payload;
  payload.append(text.data(), text.size());
  send(frame_type::control, 0, 0, 1, std::move(payload));
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
    case frame_type::received: out_.confirm(header.count); break;
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
  out_.stop()->end();
  if (on_cut_) on_cut_();
}

void connection::resume(std::shared_ptr<transport> over, std::uint64_t received_there) {
  if (over_) return;
  cut("it has connected again");
  if (++resumed_in_vain_ > resumed_in_vain_most) return lose("it broke again and again: " + why_cut_);
  if (!out_.resume(over, received_there)) {
    return lose("it has forgotten what had arrived before the connection broke");
  }
  cut_ = false;
  heard_ = std::chrono::steady_clock::now();
  over->begin(weak_from_this());
  out_.write();
}

// ---- the end ----

std::string connection::how_far() {
  return "frame " + std::to_string(received_) + " was the last to come, frame " + std::to_string(out_.last_to_go()) +
         " the last to go";
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
  const std::shared_ptr<transport> old = out_.end();
  timer_.cancel();
  old->end();
  asio::post(executor_, [self = shared_from_this()] {
    self->on_arrival_ = nullptr;  // and the objects that they hold
    self->on_cut_ = nullptr;
  });
}

}  // namespace weir::cluster
