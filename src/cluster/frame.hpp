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
#include <string>

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
  goodbye = 7,  ///< nothing follows, and that is as it should be
};

struct frame_header {
  frame_type type = frame_type::heartbeat;
  std::uint32_t run = 0;       ///< counted from 1
  std::uint32_t channel = 0;   ///< of the whole graph
  std::uint64_t count = 0;     ///< of items
  std::uint64_t sequence = 0;  ///< of the frame in its direction, counted from 1
  std::uint32_t length = 0;    ///< bytes that follow
  std::uint32_t checksum = 0;  ///< their CRC-32C
};

/// A header as it is sent. The grammar is in frame.cpp.
using frame_bytes = std::array<std::byte, 48>;

frame_bytes encode(const frame_header& header) noexcept;

/// @throws protocol_error if that is no header, or the length is more than `largest`
frame_header decode(std::span<const std::byte, sizeof(frame_bytes)> bytes, std::size_t largest);

/// Cuts what arrives on a connection into frames. Allocates no more than `largest` bytes and a fixed number at a time, whatever arrives.
class frame_reader {
 public:
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
  buffer keep_payload() {
    kept_ = true;
    return buffer(bytes_, bytes_.get() + payload_, header_.length);
  }

 private:
  const std::size_t largest_;
  std::shared_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t begin_ = 0;  // what was not yet given out
  std::size_t end_ = 0;
  bool has_header_ = false;
  bool kept_ = false;  // parts of `bytes_` are in use elsewhere
  frame_header header_;
  std::size_t payload_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace weir::cluster
