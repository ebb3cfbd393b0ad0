// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/host.hpp"
#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace weir::detail {

/// The outgoing direction of the channels of one remote sender, to another group. Encoded items are
/// sent. The number of items completed comes back, which is the only flow control. The sender keeps
/// the slot of an item in its own channel until the consumer has completed the item, so that the
/// channel's fill limit, and `on_demand`, work across groups.
///
/// Channels are counted from 0 in the order of `remote_end::channels`.
///
/// **Thread safety.** Only the sender calls it, on the thread on which the sender runs. The sender
/// registers itself to be notified of news (`cause::any`), and withdraws before it ends; afterwards
/// it is not notified.
class outgoing_link {
 public:
  struct frame {
    std::uint64_t items;
    byte_sink bytes;  ///< the items, one after the other, as their codec encodes them
  };

  /// Largest number of bytes in transit in a channel, not counting one frame.
  static constexpr std::size_t bytes_under_way_most = std::size_t{1} << 20;

  virtual ~outgoing_link() = default;

  /// Number of items that count as one frame for `frames_under_way_most`. The largest number means
  /// that a frame counts as one, with any number of items.
  virtual std::uint64_t frame_items() const { return std::numeric_limits<std::uint64_t>::max(); }
  /// Largest number of frames of a channel with items that have not been completed.
  virtual std::uint64_t frames_under_way_most() const { return std::numeric_limits<std::uint64_t>::max(); }

  virtual void register_sender(host* sender) = 0;  ///< null: withdraws

  virtual byte_sink new_frame() { return {}; }  ///< memory in which the items of a frame are best encoded
  virtual void send(std::size_t channel, frame items) = 0;
  virtual void close(std::size_t channel) = 0;  ///< no item follows

  /// Replaces `channels` by the channels whose `completed` or `abandoned` has changed since the
  /// last call.
  virtual void take_news(std::vector<std::uint32_t>& channels) = 0;
  virtual std::uint64_t completed(std::size_t channel) const = 0;  ///< number of items so far
  virtual bool abandoned(std::size_t channel) const = 0;           ///< the consumer takes no more items

  virtual void fail() = 0;          ///< the run on this side failed or was cancelled
  virtual bool failed() const = 0;  ///< the run on the other side failed or was cancelled
};

/// The incoming direction of the channels of one remote receiver, from another group; the other end
/// of `outgoing_link`.
///
/// **Thread safety.** As `outgoing_link`, for the receiver.
class incoming_link {
 public:
  struct received {
    std::uint32_t channel;
    std::uint64_t items;
    buffer bytes;
    bool closes;  ///< no item follows in the channel; then this holds none
  };

  virtual ~incoming_link() = default;

  virtual void register_receiver(host* receiver) = 0;  ///< null: withdraws

  /// Returns the next frame, in order of arrival; empty if there is none now.
  virtual std::optional<received> receive() = 0;

  struct completion {
    std::uint32_t channel;
    std::uint64_t items;  ///< completed so far
  };
  virtual void complete(const std::vector<completion>& news) = 0;
  virtual void abandon(std::size_t channel) = 0;  ///< its consumer takes no more items

  virtual void fail() = 0;          ///< the run on this side failed or was cancelled
  virtual bool failed() const = 0;  ///< the run on the other side failed or was cancelled
};

}  // namespace weir::detail
