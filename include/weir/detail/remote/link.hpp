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

namespace weir {

/// The way out of a group for the channels of one remote sender. Encoded items go one way; the
/// other way comes the number of items completed, which is all the flow control there is. The
/// sender keeps the slot of an item in its own channel until the consumer has completed the item,
/// so that the channel's window, and `on_demand`, hold across the cut.
///
/// Channels are counted from 0 in the order of `remote_end::channels`.
///
/// **Thread safety.** The sender alone calls it, on whatever thread it runs. It registers itself to
/// be told of news (`cause::any`), and withdraws before it ends; nobody is told who has withdrawn.
class outgoing_link {
 public:
  struct frame {
    std::uint64_t items;
    byte_sink bytes;  ///< the items, one after the other, as their codec encodes them
  };

  /// A sender has no more than so many bytes under way in a channel, and one frame.
  static constexpr std::size_t bytes_under_way_most = std::size_t{1} << 20;

  virtual ~outgoing_link() = default;

  /// How many items count as one frame for `frames_under_way_most`; the most there are: a frame is
  /// one, whatever it holds.
  virtual std::uint64_t frame_items() const { return std::numeric_limits<std::uint64_t>::max(); }
  /// The most frames of a channel of which some item has not been completed.
  virtual std::uint64_t frames_under_way_most() const { return std::numeric_limits<std::uint64_t>::max(); }

  virtual void register_sender(host* sender) = 0;  ///< null: withdraws

  virtual byte_sink new_frame() { return {}; }  ///< where the items of a frame are best encoded
  virtual void send(std::size_t channel, frame items) = 0;
  virtual void close(std::size_t channel) = 0;  ///< no item follows

  /// The channels of which `completed` or `abandoned` has changed since the last call; replaces
  /// what `channels` holds.
  virtual void take_news(std::vector<std::uint32_t>& channels) = 0;
  virtual std::uint64_t completed(std::size_t channel) const = 0;  ///< items, so far
  virtual bool abandoned(std::size_t channel) const = 0;           ///< the consumer takes no more

  virtual void fail() = 0;          ///< this side's run failed or was cancelled
  virtual bool failed() const = 0;  ///< the other side's did
};

/// The way into a group for the channels of one remote receiver, the other end of `outgoing_link`.
///
/// **Thread safety.** As there, of the receiver.
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

  /// The next frame, in the order in which they came; none now.
  virtual std::optional<received> receive() = 0;

  struct completion {
    std::uint32_t channel;
    std::uint64_t items;  ///< completed so far
  };
  virtual void complete(const std::vector<completion>& news) = 0;
  virtual void abandon(std::size_t channel) = 0;  ///< its consumer takes no more

  virtual void fail() = 0;          ///< this side's run failed or was cancelled
  virtual bool failed() const = 0;  ///< the other side's did
};

}  // namespace weir
