// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/process.hpp"
#include "weir/item/bytes.hpp"

#include "cluster/wire/frame.hpp"
#include "cluster/wire/send_queue.hpp"
#include "cluster/wire/transport.hpp"

#include <asio/any_io_executor.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weir::cluster {

struct connection_limits {
  std::size_t frame_bytes = std::size_t{80} << 20;  ///< largest frame: a record of 64 MB and some more
  std::chrono::milliseconds heartbeat{1000};        ///< a frame is sent at least this often
  std::chrono::milliseconds dead_after{5000};       ///< a peer that is silent for this long counts as dead
  /// Time after the last sign of life within which a peer may connect again. If it is set, it
  /// replaces `dead_after`. 0: the peer may not connect again.
  std::chrono::milliseconds reconnect_within{0};
};

/// Formats `of` as `host:port`.
std::string address_text(const asio::ip::tcp::endpoint& of);

/// A connection to an authenticated peer. It carries frames in both directions, in order, each
/// exactly once, and heartbeats. The transport that carries the frames may break; if the limits
/// allow it, another one continues where it ended.
///
/// **Who may call what.** The thread of its I/O context may call everything that does not say
/// otherwise. Any thread may call `send`.
///
/// **Invariants.** Frames that are sent belong to `out_` (see send_queue); all else is the I/O
/// thread's. A connection accepts the frame with number n + 1 after n, and no other.
class connection final : public transport::user, public std::enable_shared_from_this<connection> {
 public:
  using arrived_function = std::function<void(arrived_frame& what)>;

  connection(asio::any_io_executor executor, std::shared_ptr<transport> over, const connection_limits& limits,
             bool has_checksums);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// @param on_arrival may throw protocol_error
  /// @param on_loss receives the reason; empty: the peer said goodbye. No callback follows it.
  /// @param on_cut called when the transport broke; `resume` may be called
  void begin(arrived_function on_arrival, std::function<void(const std::string& why)> on_loss,
             std::function<void()> on_cut = nullptr);

  /// Any thread. Does nothing in a forked child.
  void send(frame_type type, std::uint32_t run, std::uint32_t channel, std::uint64_t count, byte_sink payload) noexcept;
  void send_control(const std::string& text) noexcept;

  /// Largest payload of a frame in bytes.
  std::size_t payload_most() const noexcept { return limits_.frame_bytes; }

  /// Returns a buffer in which to build the payload of a frame. Any thread.
  byte_sink new_frame();

  /// Sends a goodbye after all frames, and waits for the peer to close. Then calls `on_loss` with
  /// an empty reason.
  void leave() noexcept;

  /// Stops reading and writing, and calls nobody.
  void end() noexcept;

  // ---- for messages about its loss ----

  /// Returns text such as "frame 5 was the last to come, frame 7 the last to go".
  std::string how_far();
  struct channel_of_run {
    std::uint32_t run;
    std::uint32_t channel;
  };
  /// The channel of the last items that arrived.
  std::optional<channel_of_run> last_channel() const { return last_channel_; }

  // ---- another transport ----

  /// Whether another transport may replace the present one.
  bool may_resume() const noexcept { return limits_.reconnect_within.count() != 0 && !over_; }
  bool is_cut() const noexcept { return cut_; }

  /// Called when the peer has connected again: the present transport is broken, whether this was
  /// noticed or not.
  void cut(const std::string& why) noexcept;

  /// Number of frames that have arrived, which the peer must know to continue. It does not change
  /// while the connection is cut.
  std::uint64_t received() const noexcept { return received_; }

  /// Number of frames that are no longer kept, because the peer has confirmed their arrival. Any
  /// thread.
  std::uint64_t given_up() { return out_.given_up(); }

  /// Continues over another transport, at the other end of which `received_there` frames have
  /// arrived. If the peer has lost its state, this connection is lost.
  void resume(std::shared_ptr<transport> over, std::uint64_t received_there);

  /// The cause of the loss, for `on_loss`.
  loss_cause cause() const noexcept { return cause_; }

 private:
  void arrived(arrived_frame& what) override;
  void is_heard() override { heard_ = std::chrono::steady_clock::now(); }
  void has_room() override { out_.has_room(); }
  void is_lost(const std::string& why, loss_cause cause) override;

  void tell_received() noexcept;
  void watch_the_time();
  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept;
  void send_goodbye(const std::string& why) noexcept;

  const detail::process_mark made_;
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
  int resumed_in_vain_ = 0;          // resumptions in a row without a frame that arrived
  std::uint64_t received_ = 0;       // number of the last frame that arrived
  std::uint64_t told_received_ = 0;  // last value of `received_` that the peer was told
  std::size_t bytes_to_tell_ = 0;
  loss_cause cause_ = loss_cause::broken;
  std::chrono::steady_clock::time_point heard_;
  std::chrono::steady_clock::time_point looked_;

  std::atomic<std::int64_t> last_sent_{0};  // steady_clock, nanoseconds; a hint
  send_queue out_;
};

}  // namespace weir::cluster
