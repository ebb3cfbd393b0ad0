// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/buffer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace weir::cluster {

/// The peer sent bytes that violate the protocol.
class protocol_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class frame_type : std::uint8_t {
  items = 1,  ///< `count` items of a channel, one after the other
  close = 2,  ///< no item follows in this channel
  completed =
      3,  ///< for any channels: the number of each (64 bits), and how many of its items were completed so far (64 bits)
  abandon = 4,  ///< the consumer of this channel takes no more items
  control = 5,  ///< a message about the run, JSON
  heartbeat = 6,
  /// No frame follows. Without a payload the end is regular; else the payload is the reason, and
  /// `count` is the loss_cause.
  goodbye = 7,
  received = 8,  ///< the frames up to number `count` have arrived; the sender need not keep them for another transport
};

constexpr bool is_frame_type(frame_type type) noexcept {
  return type >= frame_type::items && type <= frame_type::received;
}

struct frame_header {
  frame_type type = frame_type::heartbeat;
  std::uint32_t run = 0;       ///< counted from 1
  std::uint32_t channel = 0;   ///< number in the whole graph
  std::uint64_t count = 0;     ///< number of items
  std::uint64_t sequence = 0;  ///< number of the frame in its direction, counted from 1
  std::uint32_t length = 0;    ///< bytes of the payload
  std::uint32_t checksum = 0;  ///< that of the payload, see checksum.hpp
  bool has_checksum = false;
};

/// An encoded header. The grammar is in frame.cpp.
using frame_bytes = std::array<std::byte, 48>;

frame_bytes encode(const frame_header& header) noexcept;

/// @throws protocol_error if the bytes are no header, or its length is more than `largest`
frame_header decode(std::span<const std::byte, sizeof(frame_bytes)> bytes, std::size_t largest);

/// Blocks of memory that are reused when no other holder is left. One thread.
class block_pool {
 public:
  struct block {
    std::shared_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  /// Returns a block of at least `size` bytes with no other holder.
  block take(std::size_t size);

 private:
  static constexpr std::size_t blocks_most = 8;
  static constexpr std::size_t block_most = std::size_t{4} << 20;  // larger ones are not kept

  std::vector<block> blocks_;
  std::size_t next_ = 0;
};

/// Cuts the bytes that arrive on a connection into frames. Allocates at most `largest` bytes and a
/// fixed number at a time, whatever arrives. Small frames share a block. A frame of `large_least`
/// bytes or more gets its own block, and is read into it, so only the bytes that came together with
/// its header are copied.
class frame_reader {
 public:
  static constexpr std::size_t large_least = std::size_t{128} * 1024;

  explicit frame_reader(std::size_t largest) : largest_(largest) {}

  /// Memory for the next bytes; never empty.
  std::span<std::byte> room();
  /// Reports that `count` bytes were written to `room()`.
  void put(std::size_t count) noexcept { end_ += count; }

  struct frame {
    frame_header header;
    std::span<const std::byte> payload;  ///< valid until the next call
  };

  /// Returns the next frame, if all of it has arrived. @throws protocol_error if the bytes are not
  /// a frame
  std::optional<frame> next();

  /// Returns the payload of the last frame in a form that may be kept.
  buffer keep_payload() const { return {block_.bytes, block_.bytes.get() + payload_, header_.length}; }

 private:
  const std::size_t largest_;
  block_pool pool_;
  block_pool::block block_;
  std::size_t begin_ = 0;  // first byte not given out yet
  std::size_t end_ = 0;
  bool has_header_ = false;
  frame_header header_;
  std::size_t payload_ = 0;
};

}  // namespace weir::cluster
