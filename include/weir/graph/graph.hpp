// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/graph/policy.hpp"
#include "weir/item/item_type.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir {

using node_id = std::uint32_t;
inline constexpr node_id no_node = std::numeric_limits<node_id>::max();
using loop_id = std::uint32_t;
inline constexpr loop_id no_loop = std::numeric_limits<loop_id>::max();
using chain_id = std::uint32_t;
inline constexpr chain_id no_chain = std::numeric_limits<chain_id>::max();

/// Where a node runs and what it asks of its executor.
struct node_traits {
  bool on_own_thread = false;  ///< has a thread of its own under every executor
  bool blocking = false;       ///< `process` may block: the pool hands its core on at once instead of noticing first
  bool separate = false;       ///< is never fused with its neighbours
  bool spread = false;         ///< `plan_groups` shares the nodes of its farm out over the groups, as these have cores
  std::string group;           ///< the group its author put it in; empty if none
};

struct in_port_description {
  const item_type* type;
  std::vector<channel_id> channels{};  ///< in the order in which they were connected
  std::size_t words = 0;               ///< of the tag in front of every item (see `tag`)
};

struct out_port_description {
  const item_type* type;
  policy_tree policy;     ///< its leaves are the port's channels; no children and no leaf: connected to nothing
  std::size_t words = 0;  ///< of the tag in front of every item (see `tag`)
};

/// Who is told when a node throws while it has an item of one number in hand. The run goes on
/// without that item.
class item_failures {
 public:
  /// Any thread. @param number of word 0 of the item's tag
  virtual void failed(std::uint64_t number, std::exception_ptr problem) noexcept = 0;

 protected:
  ~item_failures() = default;
};

struct node_description {
  std::string path;             ///< unique in the graph, such as `/split[2]`
  std::string kind;             ///< for people and fingerprints: `node`, `source`, `sink`, …
  std::size_t index = 0;        ///< which of the equal nodes of its farm
  std::size_t width = 1;        ///< of how many
  std::size_t width_least = 1;  ///< how many it may be tuned to
  std::size_t width_most = 1;
  std::vector<in_port_description> in;
  std::vector<out_port_description> out;
  node_traits traits;
  int core = -1;               ///< where `place` put it; -1: anywhere
  bool one_for_one = false;    ///< known to send exactly one item for each that it takes
  bool passes_on = false;      ///< known to send on what it takes, and to do nothing else
  bool plain = false;          ///< known to take whatever there is, and to wait for nothing but input and room
  chain_id chain = no_chain;   ///< nodes with the same number run as one (see `fuse`)
  node_id in_whole = no_node;  ///< in a graph that `cut` made: the node's number in the whole; none: it is a remote end
  node_id relays_for = no_node;                  ///< of a node that `relay_broadcasts` put in: whose items it passes on
  std::shared_ptr<item_failures> failures = {};  ///< null: what it throws fails the run
  /// Makes what runs. Called at most once per network, when the node first runs.
  std::function<std::unique_ptr<behaviour>()> make;
};

struct channel_description {
  node_id from;
  std::uint32_t from_port;
  node_id to;
  std::uint32_t to_port;
  const item_type* type;
  std::size_t capacity = 0;  ///< items; 0: chosen from the item's size
  bool unbounded = false;
  std::size_t bytes = 0;   ///< that its slots take, where the capacity is chosen; 0: as usual
  std::size_t words = 0;   ///< of the tag in front of every item; what its ports say
  loop_id loop = no_loop;  ///< the loop that it closes; then it is unbounded
  /// It leads to a relay, and its items have one word more than those of the out-port, innermost:
  /// the number of the one consumer that the relay shall give the item to, or `tag::outside` for
  /// all.
  bool addressed = false;
  channel_id in_whole = no_channel;  ///< in a graph that `cut` made: the channel's number in the whole
};

/// A cycle that ends by itself (see `loop`).
struct loop_description {
  static constexpr std::size_t default_byte_limit = std::size_t{1} << 30;

  std::string path;              ///< for messages
  std::vector<node_id> members;  ///< the nodes that items can be in while they are in the loop
  std::size_t byte_limit =
      default_byte_limit;  ///< of what may lie in its feedback channels: slots, not what their items own
  /// In a graph that `cut` made: the loop of the whole that has members in other groups, too. None:
  /// all are here.
  loop_id part_of = no_loop;
};

/// One graph, as plain data: nodes with ports, channels between them, a policy on each out-port.
/// Nothing in it runs.
///
/// This class is also the public untyped builder, on which every front end stands: add nodes,
/// connect ports, set policies. It refuses at once what is wrong in itself (a port that does not
/// exist, item types that differ); what only the whole can show is for `check`. Thread safety: that
/// of a container.
class graph {
 public:
  /// @param node its path is completed: an empty one becomes `/kindN`, a taken one gets an ordinal
  node_id add(node_description node);

  /// Joins an out-port to an in-port by one more channel, a further leaf under the out-port's
  /// outermost rule.
  /// @param capacity in items; 0: chosen from the item's size
  /// @throws graph_error if a port does not exist or the types differ
  channel_id connect(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port,
                     std::size_t capacity = 0);

  /// As `connect`, without a limit on what lies in the channel.
  channel_id connect_unbounded(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port);

  /// Makes the channel but leaves it to the caller to put it in the out-port's tree.
  channel_id add_channel(channel_description description);

  /// Says that a cycle ends by itself. Its feedback channels are then connected with
  /// `connect_back`.
  loop_id add_loop(loop_description description);

  /// As `connect_unbounded`, closing a loop: what comes this way is taken before anything else, and
  /// ends with the loop.
  channel_id connect_back(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port, loop_id around);

  /// Sets the outermost rule of an out-port.
  void set_policy(node_id node, std::uint32_t port, policy rule);

  /// To be changed; between two runs of a network, too.
  std::vector<node_description>& nodes() noexcept { return ++revision_, nodes_; }
  const std::vector<node_description>& nodes() const noexcept { return nodes_; }
  std::vector<channel_description>& channels() noexcept { return ++revision_, channels_; }
  const std::vector<channel_description>& channels() const noexcept { return channels_; }
  std::vector<loop_description>& loops() noexcept { return ++revision_, loops_; }
  const std::vector<loop_description>& loops() const noexcept { return loops_; }

  /// Grows with each change, or call that allows one.
  std::uint64_t revision() const noexcept { return revision_; }

  /// @throws graph_error if there is none
  node_id find(std::string_view path) const;

  /// The path that `add` would give to a node of this name.
  std::string free_path(const std::string& wanted) const;

 private:
  std::vector<node_description> nodes_;
  std::vector<channel_description> channels_;
  std::vector<loop_description> loops_;
  std::unordered_map<std::string, node_id> by_path_;
  std::uint64_t revision_ = 0;
};

/// Whether `c` leads from a node to the next one of its chain.
bool leads_on_in_chain(const graph& g, const channel_description& c) noexcept;

/// `/outer/inner` for `/outer[0]/inner[1]`: the same for all the copies that farms make of a node.
std::string path_without_numbers(std::string_view path);

/// The channels of a policy tree, left to right.
std::vector<channel_id> leaves_of(const policy_tree& tree);

/// One line: `by_key(3)`, `balance(by_key(2), by_key(2))`.
std::string to_string(const policy_tree& tree);

/// The graph as JSON: nodes, channels, policies. `indent` as in nlohmann-json; -1 for one line.
std::string to_json(const graph& g, int indent = 2);

}  // namespace weir
