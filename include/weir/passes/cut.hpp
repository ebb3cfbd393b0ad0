// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"
#include "weir/graph/host.hpp"
#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// What takes the place of a channel whose ends lie in two groups: it carries encoded items one way, and the number of items
/// completed the other way, which is all the flow control there is. The sender keeps an item's slot in its own channel until
/// the consumer has completed it, so that the channel's window, and `on_demand`, hold across the cut.
///
/// One sender and one receiver, each on a thread of its own run. Each registers itself to be told of news, and withdraws
/// before it ends; a link tells nobody who has withdrawn.
class link {
 public:
  struct frame {
    std::uint64_t items;
    byte_sink bytes;  ///< the items, one after the other, as their codec encodes them
  };

  struct received {
    std::uint64_t items;
    buffer bytes;
  };

  /// A sender has no more than so many bytes under way, and one frame.
  static constexpr std::size_t bytes_under_way_most = std::size_t{1} << 20;

  virtual ~link() = default;

  /// How many items count as one frame for `frames_under_way_most`; the most there are: a frame is one, whatever it holds.
  virtual std::uint64_t frame_items() const { return std::numeric_limits<std::uint64_t>::max(); }

  /// The most frames of which some item has not been completed.
  virtual std::uint64_t frames_under_way_most() const { return std::numeric_limits<std::uint64_t>::max(); }

  virtual void register_sender(host* sender) = 0;      ///< null: withdraws
  virtual void register_receiver(host* receiver) = 0;  ///< null: withdraws

  // Sender:
  virtual byte_sink new_frame() { return {}; }  ///< where the items of a frame are best encoded
  virtual void send(frame items) = 0;
  virtual void close() = 0;                     ///< no item follows
  virtual std::uint64_t completed() const = 0;  ///< items that the consumer has completed so far
  virtual bool abandoned() const = 0;           ///< the consumer takes no more

  // Receiver:
  virtual std::optional<received> receive() = 0;  ///< none now
  virtual bool closed() const = 0;                ///< nothing will come any more, once receive() finds nothing
  virtual void complete(std::uint64_t total) = 0;
  virtual void abandon() = 0;

  // Either:
  virtual void fail() = 0;          ///< this side's run failed or was cancelled
  virtual bool failed() const = 0;  ///< the other side's did
};

/// A link within this process.
std::shared_ptr<link> local_link();

/// A channel whose ends lie in two groups.
struct cut_channel {
  channel_id channel;
  std::string from;
  std::string to;
};

/// All of them, in the order of their numbers.
std::vector<cut_channel> cut_channels(const graph& whole);

/// What a cut puts in the place of the far end of a channel that leads to the node at `path`.
std::string remote_end_path(channel_id id, const std::string& path);

/// The node at the far end of a cut channel.
struct far_end {
  channel_id channel;  ///< of the whole
  std::string path;
};

/// Reads the path of the node that a cut puts in the place of a far end; none: it is no such path.
std::optional<far_end> far_end_of(std::string_view path);

/// What is left of `whole` for one group: its nodes (those whose `traits.group` is `group`), and remote ports where channels
/// led to other groups. `connect(channel)`, called when a run begins, gives the link for a channel of `whole`, the same one to the
/// runs of both groups.
/// @throws graph_error if the group has no nodes, or the items of a cut channel have no codec
graph cut(const graph& whole, const std::string& group,
          const std::function<std::shared_ptr<link>(channel_id)>& connect);

}  // namespace weir
