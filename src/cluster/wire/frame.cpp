// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A connection carries, in each direction, frames:
//
//   frame   = magic type flags zero run channel checksum_of_header zero count sequence length checksum  payload
//   magic   = "weir"            4 bytes
//   type                        1 byte, see frame_type
//   flags                       1 byte; 1: the payload has a checksum
//   zero                        2 bytes, 0
//   run, channel                4 bytes each
//   checksum_of_header          4 bytes, the checksum of the header with 0 in their place
//   zero                        4 bytes, 0
//   count, sequence             8 bytes each
//   length, checksum            4 bytes each; checksum is that of the payload, or 0
//   payload                     length bytes
//
// A checksum is the lower half of XXH3 in 64 bits, without a seed.
//
// Numbers are in the byte order of the sender. The handshake has checked that the receiver has the
// same.
#include "cluster/wire/frame.hpp"

#include "cluster/wire/checksum.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

namespace weir::cluster {
namespace {

constexpr std::uint8_t payload_has_checksum = 1;

constexpr std::size_t buffer_bytes = std::size_t{256} * 1024;
// Remaining bytes are copied in front of the next ones. A new buffer is taken if there is less room
// than this.
constexpr std::size_t room_least = std::size_t{16} * 1024;

struct layout {
  char magic[4];
  std::uint8_t type;
  std::uint8_t flags;
  std::uint8_t zero[2];
  std::uint32_t run;
  std::uint32_t channel;
  std::uint32_t checksum_of_header;
  std::uint32_t zero_too;
  std::uint64_t count;
  std::uint64_t sequence;
  std::uint32_t length;
  std::uint32_t checksum;
};
static_assert(sizeof(layout) == sizeof(frame_bytes));

std::uint32_t checksum_of_header(layout header) noexcept {
  header.checksum_of_header = 0;
  return checksum_of(std::as_bytes(std::span(&header, 1)));
}

}  // namespace

frame_bytes encode(const frame_header& header) noexcept {
  layout made{{'w', 'e', 'i', 'r'},
              static_cast<std::uint8_t>(header.type),
              header.has_checksum ? payload_has_checksum : std::uint8_t{0},
              {},
              header.run,
              header.channel,
              0,
              0,
              header.count,
              header.sequence,
              header.length,
              header.checksum};
  made.checksum_of_header = checksum_of_header(made);
  frame_bytes bytes;
  std::memcpy(bytes.data(), &made, sizeof made);
  return bytes;
}

frame_header decode(std::span<const std::byte, sizeof(frame_bytes)> bytes, std::size_t largest) {
  layout got;
  std::memcpy(&got, bytes.data(), sizeof got);
  if (std::memcmp(got.magic, "weir", 4) != 0) throw protocol_error("what arrived is not a frame of weir");
  if (got.checksum_of_header != checksum_of_header(got))
    throw protocol_error("the header of a frame was damaged on its way");
  if (!is_frame_type(static_cast<frame_type>(got.type))) {
    throw protocol_error("a frame has the unknown type " + std::to_string(got.type));
  }
  if (got.length > largest) {
    throw protocol_error("a frame of " + std::to_string(got.length) + " bytes arrived; the limit is " +
                         std::to_string(largest));
  }
  return {
      static_cast<frame_type>(got.type),      got.run, got.channel, got.count, got.sequence, got.length, got.checksum,
      (got.flags & payload_has_checksum) != 0};
}

block_pool::block block_pool::take(std::size_t size) {
  for (const block& each : blocks_) {
    if (each.size < size || each.bytes.use_count() != 1) continue;
    // Pairs with the release by which its last other holder, on any thread, gave it up.
    std::atomic_thread_fence(std::memory_order_acquire);
    return each;
  }
  block made{std::make_shared_for_overwrite<std::byte[]>(size), size};
  if (size > block_most) return made;
  if (blocks_.size() < blocks_most) {
    blocks_.push_back(made);
  } else {
    blocks_[next_++ % blocks_most] = made;
  }
  return made;
}

std::span<std::byte> frame_reader::room() {
  const std::size_t have = end_ - begin_;
  const std::size_t need = has_header_ ? header_.length : sizeof(frame_bytes);
  // A large frame is likely to be followed by another: no more than its header is read with it.
  const bool large = header_.length >= large_least;
  const bool fits = begin_ + need <= block_.size && (large || block_.size - end_ >= std::min(need - have, room_least));
  if (!fits || end_ == block_.size) {
    block_pool::block next = pool_.take(has_header_ && large ? need : buffer_bytes);
    if (have != 0) std::memcpy(next.bytes.get(), block_.bytes.get() + begin_, have);
    block_ = std::move(next);
    begin_ = 0;
    end_ = have;
  }
  return {block_.bytes.get() + end_, large ? need - have : block_.size - end_};
}

std::optional<frame_reader::frame> frame_reader::next() {
  if (!has_header_) {
    if (end_ - begin_ < sizeof(frame_bytes)) return std::nullopt;
    header_ = decode(std::span<const std::byte, sizeof(frame_bytes)>(block_.bytes.get() + begin_, sizeof(frame_bytes)),
                     largest_);
    begin_ += sizeof(frame_bytes);
    has_header_ = true;
  }
  if (end_ - begin_ < header_.length) return std::nullopt;
  payload_ = begin_;
  begin_ += header_.length;
  has_header_ = false;
  const std::span<const std::byte> payload = std::span<const std::byte>(block_.bytes.get() + payload_, header_.length);
  if (header_.has_checksum && checksum_of(payload) != header_.checksum) {
    throw protocol_error("its payload was damaged on its way");
  }
  return frame{header_, payload};
}

}  // namespace weir::cluster
