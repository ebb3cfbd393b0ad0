// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include "cluster/frame.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace weir::cluster {

/// Why a transport, or a connection, was lost.
enum class loss_cause {
  broken,         ///< the connection, or its peer; how the peer's process ended may say more
  silent,         ///< nothing was heard, for too long
  damaged,        ///< what arrived are no frames, or not the next ones
  misunderstood,  ///< what is in a frame makes no sense here
};

/// A frame on its way out.
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

  /// The payload, to be kept; without a copy, if that is possible. Once.
  virtual buffer keep() = 0;

 protected:
  ~arrived_frame() = default;

 private:
  const frame_header& header_;
  std::span<const std::byte> payload_;
};

/// One whose payload lies in a buffer of its own.
class frame_in_buffer final : public arrived_frame {
 public:
  frame_in_buffer(const frame_header& header, const buffer& payload)
      : arrived_frame(header, payload.bytes()), payload_(payload) {}
  buffer keep() override { return payload_; }

 private:
  const buffer& payload_;
};

/// Carries frames between two groups, both ways, each direction in its order. It neither numbers
/// frames nor finds out that the other side is silent: `connection` does. There is one for each way
/// that bytes can take; all do the same (tests/cluster/transport_test.cpp).
///
/// **Who may call what.** The I/O thread of its context: `begin`, `end`. One thread at a time, the
/// writer: `write`. Any: `new_frame`.
class transport {
 public:
  /// Whom it tells, on the I/O thread.
  class user {
   public:
    virtual ~user() = default;
    virtual void arrived(arrived_frame& what) = 0;  ///< what it throws says how that is damaged
    virtual void is_heard() = 0;                    ///< part of a frame has arrived
    virtual void has_room() = 0;                    ///< a `write` that did not take all may be repeated
    virtual void is_lost(const std::string& why, loss_cause cause) = 0;  ///< once; nothing is told any more
  };

  virtual ~transport() = default;

  /// From now on `who` is told, as long as it lives.
  virtual void begin(std::weak_ptr<user> who) = 0;

  /// Memory in which the payload of a frame is best put together.
  virtual byte_sink new_frame() { return {}; }

  /// Takes frames from the front as long as it has room, and may move their payload out.
  /// @return how many. If those are not all, the user is told when there is room, or that this is
  /// lost; until then nothing may be written.
  virtual std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept = 0;

  /// Ends both directions at once; what was written may be lost. Nobody is told.
  virtual void end() noexcept = 0;
};

}  // namespace weir::cluster
