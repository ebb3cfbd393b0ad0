// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/export.hpp"
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

/// Number of a node in a graph, from 0; `no_node` stands for none.
using node_id = std::uint32_t;
inline constexpr node_id no_node = std::numeric_limits<node_id>::max();
/// Number of a loop in a graph, from 0; `no_loop` stands for none.
using loop_id = std::uint32_t;
inline constexpr loop_id no_loop = std::numeric_limits<loop_id>::max();
/// Number of a chain: of nodes that run as one activation; `no_chain` stands for none.
using chain_id = std::uint32_t;
inline constexpr chain_id no_chain = std::numeric_limits<chain_id>::max();

/// Placement of a node, and its requirements on the executor.
struct node_traits {
  bool on_own_thread = false;  ///< has a thread of its own under every executor
  bool blocking = false;       ///< `process` may block: the pool gives its core away at once, without first noticing it
  bool separate = false;       ///< the node is never fused with its neighbours
  bool spread = false;  ///< `plan_groups` distributes the farm's nodes over the groups in proportion to their cores
  std::string group;    ///< the group that the author assigned; empty if none
  friend bool operator==(const node_traits&, const node_traits&) = default;
};

/// An input of a node, and the channels that lead to it.
struct in_port_description {
  const item_type* type;
  std::vector<channel_id> channels{};  ///< in the order in which they were connected
  std::size_t tag_words = 0;           ///< words in the tag in front of every item (see `tag`)
};

/// An output of a node, and the policy that distributes its items among channels.
struct out_port_description {
  const item_type* type;
  policy_tree policy;         ///< its leaves are the port's channels; neither children nor a leaf: not connected
  std::size_t tag_words = 0;  ///< words in the tag in front of every item (see `tag`)
};

/// Receives the exception that a node throws while it processes an item with a number. The run goes
/// on without that item.
class WEIR_API item_failures {
 public:
  /// Any thread may call it. @param number the number in word 0 of the item's tag
  virtual void failed(std::uint64_t number, std::exception_ptr problem) noexcept = 0;

 protected:
  ~item_failures() = default;
};

/// A node: its place in the program, its ports, the facts that passes use, and the function that
/// makes it.
struct node_description {
  std::string path;             ///< unique in the graph, such as `/split[2]`
  std::string kind;             ///< for messages and fingerprints: `node`, `source`, `sink`, …
  std::size_t index = 0;        ///< number of this node among the equal nodes of its farm
  std::size_t width = 1;        ///< number of equal nodes in the farm
  std::size_t width_least = 1;  ///< smallest width that the farm may be tuned to
  std::size_t width_most = 1;
  std::vector<in_port_description> in;
  std::vector<out_port_description> out;
  node_traits traits;
  int core = -1;               ///< the core that `place` assigned; -1: any
  bool one_for_one = false;    ///< known to send exactly one item for each that it takes
  bool passes_on = false;      ///< known to do nothing but send on the items that it takes
  bool plain = false;          ///< known to take any available item, and to wait only for input and room
  bool has_quiet = false;      ///< acts when a loop is quiet: an error in a node that takes nothing that comes back
  chain_id chain = no_chain;   ///< nodes with the same number run as one activation (see `fuse`)
  node_id in_whole = no_node;  ///< in a graph that `cut` made: its number in the whole graph; none: it is a remote end
  node_id relays_for = no_node;  ///< for a node that `relay_broadcasts` inserted: the node whose items it passes on
  std::shared_ptr<item_failures> failures = {};  ///< receives exceptions of the node; null: they fail the run
  /// Makes the behaviour of the node. Called at most once per network, when the node first runs.
  std::function<std::unique_ptr<detail::behaviour>()> make;
};

/// A channel from an out-port of one node to an in-port of another.
struct channel_description {
  node_id from;
  std::uint32_t from_port;
  node_id to;
  std::uint32_t to_port;
  const item_type* type;
  std::size_t capacity = 0;  ///< items; 0: chosen from the item's size
  bool unbounded = false;
  std::size_t bytes = 0;      ///< size of its slots, if the library chooses the capacity; 0: the default
  std::size_t tag_words = 0;  ///< words in the tag in front of every item, as its ports have them
  loop_id loop = no_loop;     ///< the loop that the channel closes; the channel is then unbounded
  /// The channel leads to a relay. Its items have one word more than those of the out-port, as the
  /// innermost word: the number of the one consumer that the relay must give the item to, or
  /// `tag::outside` for all consumers.
  bool addressed = false;
  channel_id in_whole = no_channel;  ///< in a graph that `cut` made: the channel's number in the whole graph
};

/// A cycle that ends by itself (see `loop`).
struct loop_description {
  static constexpr std::size_t default_byte_limit = std::size_t{1} << 30;

  std::string path;              ///< path in messages
  std::vector<node_id> members;  ///< the nodes that items can pass through in the loop
  std::size_t byte_limit =
      default_byte_limit;  ///< limit on the slots in use in its feedback channels; memory that items own does not count
  /// In a graph that `cut` made: the loop of the whole graph, if that loop also has members in
  /// other groups. None: all members are here.
  loop_id part_of = no_loop;
};

/// A graph as plain data: nodes with ports, channels between them, and a policy on each out-port. A
/// graph contains no running nodes.
///
/// This class is also the public untyped builder, and every front end uses it: add nodes, connect
/// ports, set policies. A call that is wrong in itself fails at once (a port that does not exist,
/// item types that differ). `check` finds the errors that only the whole graph shows. Thread
/// safety: that of a standard container.
class WEIR_API graph {
 public:
  /// Largest numbers of nodes and channels. A graph with more is a mistake, such as a farm of farms
  /// whose widths multiply. As many as these take a few gigabytes.
  static constexpr std::size_t nodes_most = std::size_t{1} << 18;
  static constexpr std::size_t channels_most = std::size_t{1} << 20;

  /// @param node its path is completed: an empty path becomes `/kindN`, and a path already in use
  /// gets an ordinal
  /// @throws graph_error if there are `nodes_most` already
  node_id add(node_description node);

  /// Connects an out-port to an in-port by one more channel, which becomes a further leaf under the
  /// outermost rule of the out-port.
  /// @param capacity in items; 0: chosen from the size of the items
  /// @throws graph_error if a port does not exist, the types differ, or there are `channels_most`
  /// already
  channel_id connect(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port,
                     std::size_t capacity = 0);

  /// Same as `connect`, but the number of items in the channel is not limited.
  channel_id connect_unbounded(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port);

  /// Adds a channel. The caller must put it into the policy tree of the out-port.
  channel_id add_channel(channel_description description);

  /// Declares a cycle that ends by itself. Connect its feedback channels with `connect_back`.
  loop_id add_loop(loop_description description);

  /// Same as `connect_unbounded`, but the channel closes a loop: its consumer takes items from it
  /// before any others, and the channel ends with the loop.
  channel_id connect_back(node_id from, std::uint32_t from_port, node_id to, std::uint32_t to_port, loop_id around);

  /// Sets the outermost rule of an out-port.
  void set_policy(node_id node, std::uint32_t port, policy rule);

  /// The nodes, channels and loops may be changed through these references, also between two runs
  /// of a network.
  std::vector<node_description>& nodes() noexcept { return ++revision_, nodes_; }
  const std::vector<node_description>& nodes() const noexcept { return nodes_; }
  std::vector<channel_description>& channels() noexcept { return ++revision_, channels_; }
  const std::vector<channel_description>& channels() const noexcept { return channels_; }
  std::vector<loop_description>& loops() noexcept { return ++revision_, loops_; }
  const std::vector<loop_description>& loops() const noexcept { return loops_; }

  /// Returns a number that grows with each change, and with each call that returns a reference for
  /// changes.
  std::uint64_t revision() const noexcept { return revision_; }

  /// @throws graph_error if there is no node with this path
  node_id find(std::string_view path) const;

  /// Returns the path that `add` would give to a node with the path `wanted`.
  std::string free_path(const std::string& wanted) const;

 private:
  std::vector<node_description> nodes_;
  std::vector<channel_description> channels_;
  std::vector<loop_description> loops_;
  std::unordered_map<std::string, node_id> by_path_;
  std::uint64_t revision_ = 0;
};

/// Returns whether the channel `c` leads from a node to the next node of its chain.
WEIR_API bool leads_on_in_chain(const graph& g, const channel_description& c) noexcept;

/// Returns `/outer/inner` for `/outer[0]/inner[1]`: the same path for all copies that farms make of
/// a node.
WEIR_API std::string path_without_numbers(std::string_view path);

/// Returns the channels of a policy tree, from left to right.
WEIR_API std::vector<channel_id> leaves_of(const policy_tree& tree);

/// Returns the policy tree as one line: `by_key(3)`, `balance(by_key(2), by_key(2))`.
WEIR_API std::string to_string(const policy_tree& tree);

/// Returns the graph as JSON: nodes, channels, policies. `indent` is as in nlohmann-json; -1 puts
/// all on one line.
WEIR_API std::string to_json(const graph& g, int indent = 2);

}  // namespace weir
