// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/bytes.hpp"

#include "cluster/frame.hpp"
#include "cluster/transport.hpp"

#include <asio/any_io_executor.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir::cluster {

struct connection_limits {
  std::size_t frame_bytes = std::size_t{80} << 20;  ///< what one frame may hold: a record of 64 MB, and some
  std::chrono::milliseconds heartbeat{1000};        ///< something is sent at least so often
  std::chrono::milliseconds dead_after{5000};       ///< a peer that is silent for so long is taken for dead
  /// How long after its last word a peer may be connected again; then that counts, not
  /// `dead_after`. 0: it may not.
  std::chrono::milliseconds reconnect_within{0};
};

/// `host:port`.
std::string address_text(const asio::ip::tcp::endpoint& of);

/// A connection to a peer that has proved who it is: frames in both directions, in order, each
/// exactly once, and heartbeats. What carries them may break; if the limits allow it, another one
/// goes on where that ended.
///
/// **Who may call what.** The thread of its I/O context: all that says nothing else. `send`: any
/// thread; it gives the frame to the transport itself, as long as that takes some, so that a small
/// frame costs no change of threads; what is left goes out from the I/O thread.
///
/// **Invariants.** Whoever sets `writing_` is the writer, until it finds nothing to do under the
/// lock; only the writer touches `batch_` and writes. It may be a thread, or be waiting for room.
/// Frames get their numbers under the same lock as their places in the queue, so they leave in
/// order. If the limits allow another transport, `unconfirmed_` holds each frame from when it
/// leaves the queue until the peer has said that it has arrived; frames on the new transport begin
/// with the first of those that the peer has not. The peer takes number n + 1 behind n, and nothing
/// else.
class connection final : public transport::user, public std::enable_shared_from_this<connection> {
 public:
  using arrived_function = std::function<void(arrived_frame& what)>;

  connection(asio::any_io_executor executor, std::shared_ptr<transport> over, const connection_limits& limits,
             bool has_checksums);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// @param on_arrival may throw protocol_error
  /// @param on_loss gets the reason; empty: the peer said goodbye. Nothing is called behind it.
  /// @param on_cut the transport broke; `resume` may be called
  void begin(arrived_function on_arrival, std::function<void(const std::string& why)> on_loss,
             std::function<void()> on_cut = nullptr);

  /// Any thread.
  void send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count, byte_sink payload) noexcept;
  void send_control(const std::string& text) noexcept;

  /// The most bytes that the payload of a frame may have.
  std::size_t payload_most() const noexcept { return limits_.frame_bytes; }

  /// Where the payload of a frame is best put together. Any thread.
  byte_sink new_frame();

  /// Says goodbye behind all that was sent, and waits for the peer to close; then `on_loss` is
  /// told, with an empty reason.
  void leave() noexcept;

  /// Nothing more is read or written, and nobody is told.
  void end() noexcept;

  // ---- for messages about its loss ----

  /// "frame 5 was the last to come, frame 7 the last to go".
  std::string how_far();
  struct channel_of_run {
    std::uint32_t run;
    std::uint32_t channel;
  };
  /// That of the last items that came.
  std::optional<channel_of_run> last_channel() const { return last_channel_; }

  // ---- another transport ----

  /// Whether another transport may take the place of the present one.
  bool may_resume() const noexcept { return limits_.reconnect_within.count() != 0 && !over_; }
  bool is_cut() const noexcept { return cut_; }

  /// The peer has connected again, so the present transport is broken, whether that was noticed or
  /// not.
  void cut(const std::string& why) noexcept;

  /// How many frames have arrived; what the peer must know to go on. While it is cut that does not
  /// change.
  std::uint64_t received() const noexcept { return received_; }

  /// How many frames are not kept any more, because the peer has said that they have arrived. Any
  /// thread.
  std::uint64_t given_up();

  /// Goes on over another transport, at the other end of which `received_there` frames have
  /// arrived. If the peer has lost what it had, this connection is lost.
  void resume(std::shared_ptr<transport> over, std::uint64_t received_there);

  /// Why it was lost, for `on_loss`.
  loss_cause cause() const noexcept { return cause_; }

 private:
  void arrived(arrived_frame& what) override;
  void is_heard() override { heard_ = std::chrono::steady_clock::now(); }
  void has_room() override;
  void is_lost(const std::string& why, loss_cause cause) override;

  void write_queue() noexcept;
  void confirm(std::uint64_t up_to) noexcept;
  std::uint64_t no_longer_kept() const noexcept { return sequence_ - queue_.size() - unconfirmed_.size(); }
  void tell_received() noexcept;
  void watch_the_time();
  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept;
  void send_goodbye(const std::string& why) noexcept;

  const asio::any_io_executor executor_;
  asio::steady_timer timer_;
  const connection_limits limits_;
  const bool has_checksums_;

  // I/O thread:
  arrived_function on_arrival_;
  std::function<void(const std::string&)> on_loss_;
  std::function<void()> on_cut_;
  bool over_ = false;
  bool leaving_ = false;
  bool cut_ = false;
  std::string why_cut_;
  std::optional<channel_of_run> last_channel_;
  int resumed_in_vain_ = 0;          // times behind each other, without a frame that arrived
  std::uint64_t received_ = 0;       // the number of the last frame that arrived
  std::uint64_t told_received_ = 0;  // what the peer knows of that
  std::size_t bytes_to_tell_ = 0;
  loss_cause cause_ = loss_cause::broken;
  std::chrono::steady_clock::time_point heard_;
  std::chrono::steady_clock::time_point looked_;

  std::atomic<std::int64_t> last_sent_{0};  // steady_clock, nanoseconds; a hint
  std::mutex mutex_;
  std::shared_ptr<transport> transport_;
  std::deque<std::shared_ptr<outgoing_frame>> queue_;
  std::deque<std::shared_ptr<outgoing_frame>> unconfirmed_;
  std::uint64_t sequence_ = 0;
  std::uint64_t last_to_go_ = 0;  // when it has ended
  bool writing_ = false;
  bool waits_for_room_ = false;  // the writer
  bool room_came_ = false;       // before it waited
  bool broken_ = false;          // for now, or for ever: nothing is written
  bool ended_ = false;           // for ever

  std::vector<std::shared_ptr<outgoing_frame>> batch_;  // the writer's
};

}  // namespace weir::cluster
