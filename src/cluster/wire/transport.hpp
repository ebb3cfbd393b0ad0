// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include "cluster/wire/frame.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace weir::cluster {

/// Causes for the loss of a transport, or a connection.
enum class loss_cause {
  broken,         ///< the connection or its peer broke; the exit status of the peer's process may explain it
  silent,         ///< nothing arrived for too long
  damaged,        ///< the bytes that arrived are no frames, or not the next ones
  misunderstood,  ///< the contents of a frame are invalid here
};

/// A frame to send.
struct outgoing_frame {
  frame_header header;
  byte_sink payload;
};

/// A frame that has arrived, while it is handed over.
class arrived_frame {
 public:
  arrived_frame(const frame_header& header, std::span<const std::byte> payload) : header_(header), payload_(payload) {}

  const frame_header& header() const noexcept { return header_; }
  std::span<const std::byte> payload() const noexcept { return payload_; }

  /// Returns the payload in a form that may be kept; without a copy, if possible. Call once.
  virtual buffer keep() = 0;

 protected:
  ~arrived_frame() = default;

 private:
  const frame_header& header_;
  std::span<const std::byte> payload_;
};

/// A frame whose payload has a buffer of its own.
class frame_in_buffer final : public arrived_frame {
 public:
  frame_in_buffer(const frame_header& header, const buffer& payload)
      : arrived_frame(header, payload.bytes()), payload_(payload) {}
  buffer keep() override { return payload_; }

 private:
  const buffer& payload_;
};

/// Carries frames between two groups, in both directions, each in order. It neither numbers frames
/// nor detects a silent peer: `connection` does. There is one class for each medium, with the same
/// behaviour (tests/cluster/transport_test.cpp).
///
/// **Who may call what.** The I/O thread of its context: `begin`, `end`. One thread at a time, the
/// writer: `write`. Any thread: `new_frame`.
class transport {
 public:
  /// The user of a transport, called on the I/O thread.
  class user {
   public:
    virtual ~user() = default;
    virtual void arrived(arrived_frame& what) = 0;  ///< an exception says how the frame is damaged
    virtual void is_heard() = 0;                    ///< part of a frame has arrived
    virtual void has_room() = 0;                    ///< a `write` that did not take all frames may be repeated
    virtual void is_lost(const std::string& why, loss_cause cause) = 0;  ///< once; no call follows
  };

  virtual ~transport() = default;

  /// From now on calls `who`, as long as it lives.
  virtual void begin(std::weak_ptr<user> who) = 0;

  /// Returns memory in which to build the payload of a frame.
  virtual byte_sink new_frame() { return {}; }

  /// Takes frames from the front as long as it has room, and may move their payload out.
  /// @return number of frames taken. If these are not all, the user is called when there is room,
  /// or when the transport is lost. Until then nothing may be written.
  virtual std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept = 0;

  /// Ends both directions at once; frames already written may be lost. Does not call the user.
  virtual void end() noexcept = 0;
};

}  // namespace weir::cluster
