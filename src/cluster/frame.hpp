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

/// What a peer sent is not what it should have sent.
class protocol_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class frame_type : std::uint8_t {
  items = 1,  ///< of a channel: `count` of them, one after the other
  close = 2,  ///< no item follows in this channel
  completed =
      3,  ///< of any channels: for each its number (64 bits), and how many of its items were completed so far (64 bits)
  abandon = 4,  ///< the consumer of this channel takes no more
  control = 5,  ///< a message about the run, JSON
  heartbeat = 6,
  /// Nothing follows. Without a payload that is as it should be; else the payload says why, and
  /// `count` is the loss_cause.
  goodbye = 7,
  received = 8,  ///< the frames up to number `count` have arrived; the sender need not keep them for another connection
};

constexpr bool is_frame_type(frame_type type) noexcept {
  return type >= frame_type::items && type <= frame_type::received;
}

struct frame_header {
  frame_type type = frame_type::heartbeat;
  std::uint32_t run = 0;       ///< counted from 1
  std::uint32_t channel = 0;   ///< of the whole graph
  std::uint64_t count = 0;     ///< of items
  std::uint64_t sequence = 0;  ///< of the frame in its direction, counted from 1
  std::uint32_t length = 0;    ///< bytes that follow
  std::uint32_t checksum = 0;  ///< their CRC-32C
  bool has_checksum = false;
};

/// A header as it is sent. The grammar is in frame.cpp.
using frame_bytes = std::array<std::byte, 48>;

frame_bytes encode(const frame_header& header) noexcept;

/// @throws protocol_error if that is no header, or the length is more than `largest`
frame_header decode(std::span<const std::byte, sizeof(frame_bytes)> bytes, std::size_t largest);

/// Blocks of memory that are used again when nobody else holds them any more. One thread.
class block_pool {
 public:
  struct block {
    std::shared_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  /// At least `size` bytes, which nobody else holds.
  block take(std::size_t size);

 private:
  static constexpr std::size_t blocks_most = 8;
  static constexpr std::size_t block_most = std::size_t{4} << 20;  // larger ones are not kept

  std::vector<block> blocks_;
  std::size_t next_ = 0;
};

/// Cuts what arrives on a connection into frames. Allocates no more than `largest` bytes and a
/// fixed number at a time, whatever arrives. Small frames lie together in one block; one of
/// `large_least` bytes or more gets its own, into which it is read, so that none of it is copied,
/// but for what came together with its header.
class frame_reader {
 public:
  static constexpr std::size_t large_least = std::size_t{128} * 1024;

  explicit frame_reader(std::size_t largest) : largest_(largest) {}

  /// Where the next bytes are to be put: never empty.
  std::span<std::byte> room();
  /// So many of them were.
  void put(std::size_t count) noexcept { end_ += count; }

  struct frame {
    frame_header header;
    std::span<const std::byte> payload;  ///< until the next call
  };

  /// The next frame, if all of it is there. @throws protocol_error if the bytes are none
  std::optional<frame> next();

  /// The payload of the last frame, to be kept.
  buffer keep_payload() const { return {block_.bytes, block_.bytes.get() + payload_, header_.length}; }

 private:
  const std::size_t largest_;
  block_pool pool_;
  block_pool::block block_;
  std::size_t begin_ = 0;  // what was not yet given out
  std::size_t end_ = 0;
  bool has_header_ = false;
  frame_header header_;
  std::size_t payload_ = 0;
};

}  // namespace weir::cluster
