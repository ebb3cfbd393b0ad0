// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/graph/graph.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::detail {

/// A channel whose ends lie in two groups.
struct cut_channel {
  channel_id channel;
  std::string from;
  std::string to;
};

/// Returns all cut channels, in the order of their numbers.
std::vector<cut_channel> cut_channels(const graph& whole);

/// One end of the channels between a group and another group, as `cut` inserts it into the graph of
/// the group: a sender for channels from one out-port, or a receiver for channels to one in-port.
/// The channels between a port and another group have up to four ends, to which they are dealt in
/// turn.
struct remote_end {
  bool sends = false;                ///< true: a sender; false: a receiver
  std::string other;                 ///< the other group
  std::vector<channel_id> channels;  ///< channels of the whole network, in the order of their numbers
};

/// Returns the remote ends of one group, in the order of their first channels.
std::vector<remote_end> remote_ends(const graph& whole, const std::string& group);

/// Returns the graph of one group: its nodes (those whose `traits.group` is `group`), and a node
/// for each remote end. The channels of these nodes have the order of `remote_end::channels`.
/// @param make makes the behaviour of a remote end, when a run begins
/// @throws graph_error if the group has no nodes, or the items of a cut channel have no codec
graph cut(const graph& whole, const std::string& group,
          const std::function<std::unique_ptr<behaviour>(const remote_end&)>& make);

}  // namespace weir::detail
