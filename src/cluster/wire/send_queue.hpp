// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace weir::cluster {

/// The frames that a connection sends, in order, each exactly once, also if another transport
/// continues where the present one broke.
///
/// **Who may call what.** Any thread may call `send`, `carrier`, `given_up` and `last_to_go`; the
/// I/O thread calls the others. `send` passes the frame to the transport itself as long as the
/// transport takes frames, so a small frame needs no change of threads. The I/O thread sends the
/// rest.
///
/// **Invariants.** The thread that sets `writing_` is the writer, until it finds nothing to do
/// under the lock. Only the writer touches `batch_` and writes. The writer is a thread, or is
/// waiting for room. Frames get their numbers under the same lock as their places in the queue, so
/// they leave in order. If another transport may continue, `unconfirmed_` holds each frame from
/// when it leaves the queue until the peer has confirmed its arrival. On a new transport, the first
/// frame is the first one that the peer does not have.
class send_queue {
 public:
  /// @param may_resume whether another transport may continue
  send_queue(std::shared_ptr<transport> over, bool may_resume) : may_resume_(may_resume), transport_(std::move(over)) {}
  send_queue(const send_queue&) = delete;
  send_queue& operator=(const send_queue&) = delete;

  /// Returns the present transport.
  std::shared_ptr<transport> carrier();

  /// Numbers the frame, and sends it; after `end` discards it.
  void send(const std::shared_ptr<outgoing_frame>& frame) noexcept;

  /// Called when the transport has room again.
  void has_room() noexcept;

  /// The frames up to that number have arrived at the peer.
  void confirm(std::uint64_t up_to) noexcept;

  /// The present transport is broken: nothing is written until `resume`. Returns the transport,
  /// which the caller ends.
  std::shared_ptr<transport> stop() noexcept;

  /// Continues over another transport, at the other end of which `received_there` frames have
  /// arrived. The caller begins that, and calls `write`. Call after `stop`.
  /// @return false if frames that the peer lacks are not kept any more
  bool resume(const std::shared_ptr<transport>& over, std::uint64_t received_there);
  /// Writes, as the writer that `resume` has made the caller.
  void write() noexcept;

  /// Discards all frames, for good. Returns the transport, which the caller ends.
  std::shared_ptr<transport> end() noexcept;

  /// Number of frames that are no longer kept, because the peer has confirmed their arrival.
  std::uint64_t given_up();
  /// Number of the last frame that was passed to a transport.
  std::uint64_t last_to_go();

 private:
  std::uint64_t no_longer_kept() const noexcept { return sequence_ - queue_.size() - unconfirmed_.size(); }

  const bool may_resume_;

  std::mutex mutex_;  // guards the members up to `ended_`
  std::shared_ptr<transport> transport_;
  std::deque<std::shared_ptr<outgoing_frame>> queue_;
  std::deque<std::shared_ptr<outgoing_frame>> unconfirmed_;
  std::uint64_t sequence_ = 0;
  std::uint64_t last_to_go_ = 0;  // set by `end`
  bool writing_ = false;
  bool waits_for_room_ = false;  // the writer waits
  bool room_came_ = false;       // there was room before the writer waited
  bool broken_ = false;          // for now, or finally: nothing is written
  bool ended_ = false;           // finally

  std::vector<std::shared_ptr<outgoing_frame>> batch_;  // only the writer's
};

}  // namespace weir::cluster
