// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/compile.hpp"

#include "weir/detail/graph/tag.hpp"
#include "weir/detail/item/owned_limit.hpp"
#include "weir/detail/passes/check.hpp"
#include "weir/detail/passes/fuse.hpp"
#include "weir/detail/passes/place.hpp"
#include "weir/detail/passes/relay_broadcasts.hpp"
#include "weir/graph/error.hpp"
#include "weir/run/group_member.hpp"

#include "remote/relay.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::detail {
namespace {

// Size of a channel in bytes. The items that a worker writes while another reads should be worth
// the transfer from core to core, and still fit into their caches. The channels of a producer with
// many consumers share the memory of four.
constexpr std::size_t channel_bytes = std::size_t{32} * 1024;
constexpr std::size_t channels_at_full_size = 4;
constexpr std::size_t channel_items_least = 16;
// Size of a channel between fused nodes. The items that a node makes in a turn should stay in the
// nearest cache until the next node has its turn.
constexpr std::size_t inner_channel_bytes = std::size_t{8} * 1024;
constexpr std::size_t inner_channel_items_most = 1024;

std::size_t items_in(const channel_description& c, std::size_t bytes) {
  return std::max(bytes / counted_bytes(*c.type, slots_of(*c.type, c.tag_words).size), channel_items_least);
}

std::size_t usual_bytes(std::size_t siblings) {
  return channel_bytes * channels_at_full_size / std::max(siblings, channels_at_full_size);
}

std::size_t capacity_of(const channel_description& c, std::size_t siblings) {
  if (c.unbounded) return channel::unbounded;
  if (c.capacity != 0) return c.capacity;
  return items_in(c, c.bytes != 0 ? c.bytes : usual_bytes(siblings));
}

// A cut channel has room for the items in transit, of which only their encoded bytes are left here.
// If it is not known how much memory items own, those that wait to be encoded are as few as in any
// other channel.
channel::index waiting_most_of(const graph& g, const channel_description& c, std::size_t siblings) {
  const bool leads_away = c.bytes != 0 && g.nodes()[c.to].in_whole == no_node;
  if (!leads_away || c.unbounded || c.capacity != 0 || !c.type->owns_unknown()) return channel::never;
  return items_in(c, usual_bytes(siblings));
}

// Whether other code reads the progress of an inner channel: the loops around it, and nodes that
// wait for the last item of some input (see `tag`).
bool watched(const graph& g, const channel_description& c) {
  return c.tag_words != 0 || std::any_of(g.loops().begin(), g.loops().end(), [&](const loop_description& around) {
           return std::find(around.members.begin(), around.members.end(), c.to) != around.members.end();
         });
}

// @throws graph_error if such a channel is not possible
std::size_t checked_capacity(const graph& g, const channel_description& c, const slot_layout& layout,
                             std::size_t capacity) {
  constexpr std::size_t bytes_most = std::size_t{1} << 46;
  if (capacity == channel::unbounded || capacity <= bytes_most / layout.size) return capacity;
  throw graph_error(g.nodes()[c.from].path, "its channel to " + g.nodes()[c.to].path + " can't hold " +
                                                std::to_string(capacity) + " items; give it less capacity");
}

std::vector<run_plan::planned_channel> plan_channels(const graph& g) {
  std::vector<run_plan::planned_channel> made;
  std::vector<std::size_t> siblings(g.channels().size());
  for (const node_description& node : g.nodes()) {
    for (const auto& port : node.out) {
      const std::vector<channel_id> leaves = leaves_of(port.policy);
      for (const channel_id leaf : leaves) siblings[leaf] = leaves.size();
    }
  }
  for (channel_id id = 0; id != g.channels().size(); ++id) {
    const channel_description& c = g.channels()[id];
    const slot_layout layout = slots_of(*c.type, c.tag_words);
    if (leads_on_in_chain(g, c)) {
      const std::size_t most = c.capacity != 0 ? c.capacity : inner_channel_items_most;
      const std::size_t in_cache = std::max(inner_channel_bytes / layout.size, channel_items_least);
      made.push_back({layout, std::min({most, in_cache, capacity_of(c, 1)}), !watched(g, c), channel::never});
    } else {
      const std::size_t among = siblings[id];
      made.push_back(
          {layout, checked_capacity(g, c, layout, capacity_of(c, among)), false, waiting_most_of(g, c, among)});
    }
  }
  return made;
}

}  // namespace

run_plan compile(graph& g, const run_options& options,
                 const std::function<std::unique_ptr<behaviour>(const remote_end&)>& make_end) {
  check(g);
  if (options.pin == pinning::on && options.executor == executor::threads) place(g);
  run_plan made;
  if (!options.tuned.empty()) made.changed = tuned(g, options.tuned);
  if (options.member != nullptr) {
    made.whole = made.changed ? std::move(*made.changed) : g;
    options.member->assign_groups(*made.whole);
    made.whole = relay_broadcasts(*made.whole, make_relay);
    made.changed = cut(*made.whole, options.member->name(), make_end);
  }
  if (options.fuse) made.changed = fuse_neighbours(made.changed ? *made.changed : g);
  const graph& what = made.changed ? *made.changed : g;
  made.chains = chains_of(what);
  made.channels = plan_channels(what);
  made.loops = plan_loops(what, options.member != nullptr);
  return made;
}

}  // namespace weir::detail
