// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A frame is a sequence of messages from one rank to another, under the tag that the receiver has
// chosen. The first message has the header with the small parts of the payload that follow it. Then
// each large part is sent from its own memory, with small parts in between copied together. MPI
// keeps the messages in order. The frame is complete when all bytes that its header announces have
// arrived. So no large part is copied on either side.
//
// MPI has no object on which a thread could sleep until a message arrives. So there is a waker, a
// TCP connection between the two processes. A receiver that has looked in vain for a while sends
// the number of messages that it has received on the waker, and sleeps. A sender that has sent
// more, or that sends the next message, rings.
//
// No wake-up is lost. The sender's `mutex_` guards the number of messages sent and the flag that
// the peer sleeps. Either a message was counted before the peer's notice was read, and then the
// numbers differ; or its sender finds the peer asleep.
//
// MPI accepts all messages, and stores those that no receiver waits for. So the receiver sends on
// the waker how much it has received, and a sender that is too far ahead waits for this notice.
//
// While the process is not open (see mpi_process), its transports only send signs of life on the
// waker now and then.
//
// The end of the waker is the end of the transport. Before it ends, a side sends the number of
// messages that it has sent, so that the other side takes these first: they may arrive later than
// this notice.
#include "cluster/wire/mpi_transport.hpp"

#include "cluster/wire/mpi_process.hpp"

#include <asio/buffer.hpp>
#include <asio/post.hpp>
#include <asio/read.hpp>
#include <asio/steady_timer.hpp>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// If more bytes than this are sent but not reported as received, the writer waits.
constexpr std::uint64_t bytes_ahead_most = std::uint64_t{8} << 20;
constexpr std::uint64_t bytes_untold_most = std::uint64_t{2} << 20;
constexpr std::size_t messages_under_way_most = 256;
constexpr std::size_t receives_most = 16;
// A part up to this size is copied; copying more costs more than a message of its own.
constexpr std::size_t copied_most = 4096;
constexpr std::size_t first_message_most = std::size_t{16} * 1024;
// Without news for this long, the thread sleeps, or looks seldom if a message is still under way.
constexpr auto awake_for = 50us;
constexpr auto receiving_awake_for = 2ms;
constexpr auto seldom = 200us;
constexpr auto lives_each = 100ms;
// Longest wait for messages that were sent before the end.
constexpr auto last_within = 500ms;
constexpr int messages_at_once = 64;

// Messages on the waker:
enum class word : std::uint8_t { sleeps = 1, wake = 2, ends = 3, received = 4, lives = 5 };
using bell_bytes = std::array<std::uint8_t, 9>;

class mpi_transport final : public transport, public std::enable_shared_from_this<mpi_transport> {
 public:
  mpi_transport(std::shared_ptr<mpi_process> process, int tag, const mpi_offer& peer, asio::ip::tcp::socket waker,
                std::size_t largest)
      : process_(std::move(process)),
        own_tag_(tag),
        peer_(static_cast<int>(peer.rank)),
        peer_tag_(static_cast<int>(peer.tag)),
        largest_(largest),
        waker_(std::move(waker)),
        timer_(waker_.get_executor()) {
    std::error_code none;
    waker_.set_option(asio::ip::tcp::no_delay(true), none);
    waker_.non_blocking(true, none);
  }
  ~mpi_transport() override { leave_behind(); }

  void begin(std::weak_ptr<user> who) override {
    user_ = std::move(who);
    process_->add_when_open(this, [self = weak_from_this()] {
      if (const auto here = self.lock()) {
        asio::post(here->waker_.get_executor(), [here] { here->timer_.cancel(); });
      }
    });
    wait_for_bell();
    begin_to_look();
  }

  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override {
    std::size_t done = 0;
    bool under_way = false;
    try {
      const std::lock_guard lock(mutex_);
      if (ended_) return 0;
      if (has_ended_there_) return frames.size();  // no one reads it, and the I/O thread notices the end
      {
        mpi_process::access mpi = process_->use();
        if (mpi) forget_sent(mpi);
        for (; done != frames.size(); ++done) {
          if (!mpi || !is_room()) {
            waits_ = true;
            break;
          }
          send_frame(mpi, frames[done]);
        }
        if (mpi) forget_sent(mpi);
      }
      under_way = !sent_messages_.empty() || waits_;
      if (done != 0 && std::exchange(peer_sleeps_, false)) ring(word::wake, 0);
    } catch (const std::exception& problem) {
      asio::post(waker_.get_executor(),
                 [self = shared_from_this(), why = std::string(problem.what())] { self->lose(why); });
      return 0;
    }
    if (under_way && !looks_.load(std::memory_order_relaxed)) {
      asio::post(waker_.get_executor(), [self = shared_from_this()] { self->begin_to_look(); });
    }
    return done;
  }

  void end() noexcept override {
    if (std::exchange(over_, true)) return;
    process_->take_back_when_open(this);
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      ring(word::ends, sent_);
    }
    ::shutdown(waker_.native_handle(), SHUT_RDWR);
    asio::post(waker_.get_executor(), [self = shared_from_this()] {
      std::error_code none;
      self->waker_.cancel(none);
      self->timer_.cancel();
    });
  }

 private:
  struct sent_message {
    mpi_handle request;
    std::shared_ptr<const void> keeps;
  };
  struct received_message {
    mpi_handle request;
    std::shared_ptr<const void> keeps;
    std::size_t size;
  };
  struct arriving_frame {
    block_pool::block first;  // first message of the frame
    std::size_t first_size = 0;
    std::optional<frame_header> header;  // once it has arrived
    block_pool::block payload;           // if the first message does not contain all of it
    std::size_t begun = 0;               // bytes of the payload that have arrived, or are being received
    std::size_t there = 0;
  };

  // ---- sending, under the lock ----

  void send_message(mpi_process::access& mpi, std::span<const std::byte> bytes, std::shared_ptr<const void> keeps) {
    const mpi_handle request = mpi.send(bytes, peer_, peer_tag_);
    sent_messages_.push_back({request, std::move(keeps)});
    sent_bytes_ += bytes.size();
    ++sent_;
  }

  void send_frame(mpi_process::access& mpi, const std::shared_ptr<outgoing_frame>& frame) {
    const frame_bytes header = encode(frame->header);
    auto small = std::make_shared<std::vector<std::byte>>();
    small->reserve(sizeof header + std::min(frame->payload.size(), first_message_most));
    small->insert(small->end(), header.begin(), header.end());
    const auto send_small = [&] {
      if (small->empty()) return;
      const std::span<const std::byte> bytes(*small);
      send_message(mpi, bytes, std::exchange(small, std::make_shared<std::vector<std::byte>>()));
    };
    frame->payload.for_each_part([&](std::span<const std::byte> part) {
      if (part.size() <= copied_most) {
        if (small->size() + part.size() > first_message_most) send_small();
        small->insert(small->end(), part.begin(), part.end());
        return;
      }
      send_small();
      send_message(mpi, part, frame);
    });
    send_small();
  }

  void forget_sent(mpi_process::access& mpi) {
    while (!sent_messages_.empty() && mpi.is_done(sent_messages_.front().request)) sent_messages_.pop_front();
  }

  bool is_room() const noexcept {
    return sent_bytes_ - received_there_ < bytes_ahead_most && sent_messages_.size() < messages_under_way_most;
  }

  // The other side reads these notices, and there are only a few at a time.
  void ring(word what, std::uint64_t number) noexcept {
    bell_bytes bytes;
    bytes[0] = static_cast<std::uint8_t>(what);
    std::memcpy(&bytes[1], &number, sizeof number);
    static_cast<void>(::send(waker_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  // ---- the I/O thread ----

  void wait_for_bell() {
    asio::async_read(waker_, asio::buffer(heard_), [self = shared_from_this()](std::error_code problem, std::size_t) {
      if (self->over_) return;
      if (problem) return self->bell_has_gone(problem);
      std::uint64_t number = 0;
      std::memcpy(&number, &self->heard_[1], sizeof number);
      self->hear(static_cast<word>(self->heard_[0]), number);
      self->wait_for_bell();
    });
  }

  void hear(word what, std::uint64_t number) {
    if (what == word::sleeps) {
      {
        const std::lock_guard lock(mutex_);
        peer_sleeps_ = sent_ == number;
        if (peer_sleeps_) return;
        ring(word::wake, 0);
      }
      begin_to_look();  // for MPI may still hold it
    } else if (what == word::wake) {
      begin_to_look();
    } else if (what == word::ends) {
      comes_to_ = number;
      const std::lock_guard lock(mutex_);
      has_ended_there_ = true;
    } else if (what == word::lives) {
      if (const auto to = user_.lock()) to->is_heard();
    } else if (what == word::received) {
      {
        const std::lock_guard lock(mutex_);
        received_there_ = std::clamp(number, received_there_, sent_bytes_);
        if (!waits_) return;
      }
      begin_to_look();
    }
  }

  void bell_has_gone(std::error_code problem) {
    has_gone_ = true;
    why_gone_ = problem == asio::error::eof ? "it has closed the connection" : problem.message();
    gone_at_ = clock::now();
    begin_to_look();
  }

  void begin_to_look() {
    news_at_ = clock::now();
    if (over_ || looks_.exchange(true, std::memory_order_relaxed)) return;
    look();
  }

  void look_again() {
    asio::post(waker_.get_executor(), [self = shared_from_this()] { self->look(); });
  }

  void look() noexcept {
    if (over_) return;
    const auto to = user_.lock();
    if (to == nullptr) return;
    try {
      const bool room = has_got_room();
      if (room) to->has_room();
      const bool news = take(*to) || room;
      if (over_) return;
      const clock::time_point now = clock::now();
      if (news) {
        news_at_ = now;
        return look_again();
      }
      if (!is_open_ && (!has_gone_ || comes_to_)) {
        if (!has_gone_) ring(word::lives, 0);
        to->is_heard();  // its messages can't be received now; its death can be noticed
        gone_at_ = now;
        return look_after(lives_each);
      }
      if (has_gone_ && (!comes_to_ || received_ == *comes_to_ || now - gone_at_ > last_within)) return lose(why_gone_);
      // MPI makes progress with some transfers only while it is called, so it is called more often.
      if (now - news_at_ < (receiving_.empty() ? awake_for : receiving_awake_for)) {
        std::this_thread::yield();
        return look_again();
      }
      if (!fall_asleep()) look_after(seldom);
    } catch (const protocol_error& problem) {
      lose(problem.what(), loss_cause::damaged);
    } catch (const std::exception& problem) {
      lose(problem.what());
    }
  }

  // Looks again after `time`, or as soon as the process is open again.
  void look_after(clock::duration time) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this()](std::error_code opened) {
      if (opened) self->news_at_ = clock::now();
      self->look();
    });
  }

  // @return false if there are still transfers or an end to watch
  bool fall_asleep() {
    const std::lock_guard lock(mutex_);
    if (!sent_messages_.empty() || !receiving_.empty() || has_gone_) return false;
    looks_.store(false, std::memory_order_relaxed);
    ring(word::sleeps, received_);
    return true;
  }

  bool has_got_room() {
    const std::lock_guard lock(mutex_);
    mpi_process::access mpi = process_->use();
    is_open_ = static_cast<bool>(mpi);
    if (!is_open_) return false;
    forget_sent(mpi);
    return waits_ && is_room() && std::exchange(waits_, false);
  }

  // @return whether a message has arrived
  bool take(user& to) {
    bool news = false;
    for (int i = 0; i != messages_at_once; ++i) {
      {
        mpi_process::access mpi = process_->use();
        if (!mpi) return news;
        while (can_begin()) {
          const auto arrived = mpi.probe(peer_, own_tag_);
          if (!arrived) break;
          begin_message(mpi, *arrived);
          news = true;
        }
        if (receiving_.empty() || !mpi.is_done(receiving_.front().request)) return news;
      }
      news = true;
      ++received_;
      const std::size_t size = receiving_.front().size;
      receiving_.pop_front();
      received_bytes_ += size;
      if (received_bytes_ - told_bytes_ >= bytes_untold_most) ring(word::received, told_bytes_ = received_bytes_);
      to.is_heard();
      end_message(to, size);
      if (over_) return true;
    }
    return news;
  }

  // The place of the next message is not known before the header of the frame before it.
  bool can_begin() const noexcept {
    return receiving_.size() < receives_most && (arriving_.empty() || arriving_.back().header);
  }

  void begin_message(mpi_process::access& mpi, const mpi_process::arrived& what) {
    std::span<std::byte> into;
    std::shared_ptr<std::byte[]> held;
    if (arriving_.empty() || arriving_.back().begun == arriving_.back().header->length) {
      if (what.size < sizeof(frame_bytes) || what.size > first_message_most + sizeof(frame_bytes)) {
        throw protocol_error("what arrived is not a frame of weir");
      }
      arriving_frame& frame = arriving_.emplace_back();
      frame.first = pool_.take(what.size);
      frame.first_size = what.size;
      into = {frame.first.bytes.get(), what.size};
      held = frame.first.bytes;
    } else {
      arriving_frame& frame = arriving_.back();
      if (what.size == 0 || what.size > frame.header->length - frame.begun) {
        throw protocol_error("the parts of a frame are not that frame");
      }
      into = {frame.payload.bytes.get() + frame.begun, what.size};
      frame.begun += what.size;
      held = frame.payload.bytes;
    }
    receiving_.push_back({mpi.receive(what, into), std::move(held), what.size});
  }

  // The oldest received message belongs to the oldest frame.
  void end_message(user& to, std::size_t size) {
    arriving_frame& frame = arriving_.front();
    if (!frame.header) {
      const std::span<const std::byte, sizeof(frame_bytes)> bytes(frame.first.bytes.get(), sizeof(frame_bytes));
      frame.header = decode(bytes, largest_);
      const std::size_t behind = frame.first_size - sizeof(frame_bytes);
      if (behind > frame.header->length) throw protocol_error("the parts of a frame are not that frame");
      frame.begun = frame.there = behind;
      if (behind == frame.header->length) {
        return hand_over(to, buffer(frame.first.bytes, frame.first.bytes.get() + sizeof(frame_bytes), behind));
      }
      frame.payload = pool_.take(frame.header->length);
      std::memcpy(frame.payload.bytes.get(), frame.first.bytes.get() + sizeof(frame_bytes), behind);
      return;
    }
    frame.there += size;
    if (frame.there != frame.header->length) return;
    hand_over(to, buffer(frame.payload.bytes, frame.payload.bytes.get(), frame.header->length));
  }

  // Hands the oldest frame to the user.
  void hand_over(user& to, const buffer& payload) {
    const frame_header header = *arriving_.front().header;
    arriving_.pop_front();
    frame_in_buffer what(header, payload);
    to.arrived(what);
  }

  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept {
    if (over_) return;
    end();
    if (const auto to = user_.lock()) to->is_lost(why, cause);
  }

  // MPI may still read and write the memory of requests that are not done.
  void leave_behind() noexcept {
    for (sent_message& each : sent_messages_) process_->leave_behind(each.request, std::move(each.keeps));
    for (received_message& each : receiving_) process_->leave_behind(each.request, std::move(each.keeps));
  }

  const std::shared_ptr<mpi_process> process_;
  const int own_tag_;
  const int peer_;
  const int peer_tag_;
  const std::size_t largest_;
  asio::ip::tcp::socket waker_;
  std::atomic<bool> looks_{false};  // the I/O thread looks for messages, or is about to

  std::mutex mutex_;  // guards the members that follow
  std::deque<sent_message> sent_messages_;
  std::uint64_t sent_ = 0;  // number of messages
  std::uint64_t sent_bytes_ = 0;
  std::uint64_t received_there_ = 0;  // bytes, as far as known
  bool waits_ = false;                // the writer waits for room
  bool peer_sleeps_ = false;
  bool has_ended_there_ = false;
  bool ended_ = false;

  // I/O thread:
  std::weak_ptr<user> user_;
  asio::steady_timer timer_;
  bell_bytes heard_{};
  block_pool pool_;
  std::uint64_t received_ = 0;  // number of messages
  std::uint64_t received_bytes_ = 0;
  std::uint64_t told_bytes_ = 0;            // last value of `received_bytes_` that the other side was told
  std::deque<received_message> receiving_;  // receives not known to be done, oldest first
  std::deque<arriving_frame> arriving_;     // frames of these receives, oldest first
  clock::time_point news_at_;
  bool is_open_ = true;  // whether the process was open at the last look
  bool has_gone_ = false;
  std::string why_gone_;
  clock::time_point gone_at_;
  std::optional<std::uint64_t> comes_to_;  // number of messages it had sent when it ended
  bool over_ = false;
};

}  // namespace

std::optional<mpi_end> mpi_end::make() {
  mpi_end made;
  made.process_ = mpi_process::joined();
  if (made.process_ == nullptr) return std::nullopt;
  made.offer_ = {static_cast<std::uint64_t>(made.process_->rank()),
                 static_cast<std::uint64_t>(made.process_->new_tag()), made.process_->job()};
  return made;
}

bool mpi_end::can_reach(const mpi_offer& other) const noexcept {
  return other.job == offer_.job && other.rank < static_cast<std::uint64_t>(process_->ranks()) &&
         other.tag <= static_cast<std::uint64_t>(process_->tag_most());
}

std::shared_ptr<transport> mpi_end::use(const mpi_offer& other, asio::ip::tcp::socket waker, std::size_t largest) && {
  const int tag = static_cast<int>(offer_.tag);
  return std::make_shared<mpi_transport>(std::move(process_), tag, other, std::move(waker), largest);
}

}  // namespace weir::cluster
