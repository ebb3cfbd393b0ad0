// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/deadlock.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace weir::detail {

deadlock_watch::deadlock_watch(const run_parts& of) : graph_(of.what), whole_(of.whole) {
  std::vector<std::size_t> place_of(graph_.nodes().size());
  for (std::size_t at = 0; at != of.chains.size(); ++at) {
    const std::vector<node_id>& chain = of.chains[at];
    places_.push_back({.what = of.activations[at].get(),
                       .ids = chain,
                       .elsewhere = std::any_of(chain.begin(), chain.end(), of.is_elsewhere)});
    has_neighbours_ = has_neighbours_ || places_.back().elsewhere;
    for (const node_id id : chain) {
      place_of[id] = at;
      places_.back().nodes.push_back(of.nodes[id]);
    }
  }
  for (node_id id = 0; id != graph_.nodes().size(); ++id) far_ends_.push_back(of.is_elsewhere(id));
  from_.resize(places_.size());
  into_.resize(places_.size());
  for (channel_id id = 0; id != graph_.channels().size(); ++id) {
    const channel_description& c = graph_.channels()[id];
    if (leads_on_in_chain(graph_, c)) continue;
    from_[place_of[c.from]].push_back(edges_.size());
    into_[place_of[c.to]].push_back(edges_.size());
    edges_.push_back({.id = id,
                      .from = place_of[c.from],
                      .to = place_of[c.to],
                      .data = of.channels[id].get(),
                      .around = c.loop == no_loop ? nullptr : of.loops[c.loop].get()});
  }
}

std::optional<waiting_cycle> deadlock_watch::look() {
  read_states();
  if (std::none_of(places_.begin(), places_.end(), [](const place& each) { return each.still; })) return std::nullopt;
  spread_life(true);
  const bool all_alive = std::all_of(places_.begin(), places_.end(), [](const place& each) { return each.alive; });
  if (all_alive) return std::nullopt;
  read_all();
  if (!dead_ones_stand_still()) return std::nullopt;
  if (tell_of_room() || tell_of_consumers_gone(true)) return std::nullopt;
  return cycle_of(dead_ones(std::numeric_limits<std::size_t>::max()));
}

standstill deadlock_watch::of_group() {
  if (!has_neighbours_) return {};
  spread_life(false);
  bool some_wait = false;
  standstill made{.rounds = 1};
  for (const place& each : places_) {
    if (each.alive && !each.what->state.has_ended()) return {};
    some_wait = some_wait || !each.alive;
    made.rounds += each.times_run;
  }
  if (!some_wait) return {};
  read_all();
  if (!dead_ones_stand_still() || tell_of_room()) return {};
  made.some_can_end = tell_of_consumers_gone(false);
  made.nodes = [this] { return dead_ones(standstill::nodes_most); };
  return made;
}

void deadlock_watch::read_states() {
  for (place& each : places_) {
    const bool waited = each.waits_for.has_value();
    each.waits_for = each.what->state.waiting_now();
    const std::uint64_t times_run = each.what->times_run();  // read only once
    each.still = waited && each.waits_for && times_run == each.times_run;
    each.times_run = times_run;
  }
}

// Returns the channel's state in this look. It is read once, when first needed: if every node goes
// on, few channels have to be read to find this out.
const deadlock_watch::edge& deadlock_watch::seen(std::size_t e) {
  edge& it = edges_[e];
  if (std::exchange(it.read_in, look_) != look_) {
    it.open = !it.data->closed() && (it.around == nullptr || !it.around->closed());
    it.taken = !it.data->abandoned();
  }
  return it;
}

void deadlock_watch::read_all() {
  for (std::size_t e = 0; e != edges_.size(); ++e) seen(e);
}

void deadlock_watch::spread_life(bool from_outside) {
  ++look_;
  std::vector<std::size_t> revived;
  std::size_t dead = places_.size();
  const auto revive = [&](std::size_t at) {
    if (std::exchange(places_[at].alive, true)) return;
    revived.push_back(at);
    --dead;
  };
  for (place& each : places_) each.alive = false;
  for (std::size_t at = 0; at != places_.size(); ++at) {
    if (!places_[at].still || waits_outside(at, from_outside)) revive(at);
  }
  while (!revived.empty() && dead != 0) {
    const std::size_t at = revived.back();
    revived.pop_back();
    for (const std::size_t e : from_[at]) {
      const place& to = places_[edges_[e].to];
      if (!to.alive && to.waits_for == cause::input && seen(e).open) revive(edges_[e].to);
    }
    for (const std::size_t e : into_[at]) {
      if (!places_[edges_[e].from].alive && seen(e).taken) revive(edges_[e].from);
    }
  }
}

// Also true if it is not known what it waits for.
bool deadlock_watch::waits_outside(std::size_t at, bool from_outside) {
  const place& it = places_[at];
  const auto awaits_time = [](const host* node) { return node->awaits_time.load(std::memory_order_relaxed); };
  if (std::any_of(it.nodes.begin(), it.nodes.end(), awaits_time)) return true;
  if (it.elsewhere) return from_outside;
  const auto open = [&](std::size_t e) { return seen(e).open; };
  const auto taken = [&](std::size_t e) { return seen(e).taken; };
  if (it.waits_for == cause::input) return std::none_of(into_[at].begin(), into_[at].end(), open);
  const bool sends_nothing = it.nodes.back()->spilling.load(std::memory_order_relaxed) == 0;
  return (sends_nothing && let_on_by(at) == nullptr) || std::none_of(from_[at].begin(), from_[at].end(), taken);
}

// Returns the node that `at` waits for although it has nothing to send: the exit of a block that
// holds as many items as it may.
const host* deadlock_watch::let_on_by(std::size_t at) const {
  const place& it = places_[at];
  if (it.waits_for != cause::room || it.nodes.back()->spilling.load(std::memory_order_relaxed) != 0) return nullptr;
  return it.nodes.back()->let_on_by.load(std::memory_order_relaxed);
}

bool deadlock_watch::dead_ones_stand_still() const {
  return std::all_of(places_.begin(), places_.end(), [](const place& each) {
    return each.alive || (each.what->state.waiting_now() == each.waits_for && each.what->times_run() == each.times_run);
  });
}

// A producer may have asked for half of a channel just when its consumer stopped (see
// `in_channel::offer_all_room`). @return whether some dead activations are notified now for the
// first time
bool deadlock_watch::tell_of_room() {
  bool news = false;
  for (std::size_t at = 0; at != places_.size(); ++at) {
    place& it = places_[at];
    const bool is_asked = std::any_of(from_[at].begin(), from_[at].end(), [&](std::size_t e) {
      const channel& data = *edges_[e].data;
      return data.room_wanted() != channel::never && data.has_room();
    });
    if (it.alive || it.waits_for != cause::room || !is_asked || it.times_run == it.told_at + 1) continue;
    it.told_at = it.times_run;
    native_atomics::fence_full();
    it.what->notify(cause::room);
    news = true;
  }
  return news;
}

// @param now whether to notify them; else only finds out whether there are some
bool deadlock_watch::tell_of_consumers_gone(bool now) {
  bool news = false;
  for (std::size_t at = 0; at != places_.size(); ++at) {
    place& it = places_[at];
    if (it.alive || from_[at].empty() || it.nodes.back()->ends_with_consumers.load(std::memory_order_relaxed)) continue;
    if (std::any_of(from_[at].begin(), from_[at].end(), [&](std::size_t e) { return edges_[e].taken; })) continue;
    news = true;
    if (!now) break;
    for (host* const each : it.nodes) each->ends_with_consumers.store(true, std::memory_order_relaxed);
    native_atomics::fence_full();
    it.what->notify(cause::any);
  }
  return news;
}

// @param most limit, which the number of nodes may exceed slightly
std::vector<waiting_node> deadlock_watch::dead_ones(std::size_t most) const {
  std::vector<waiting_node> made;
  for (std::size_t at = 0; at != places_.size() && made.size() < most; ++at) {
    if (places_[at].alive) continue;
    const waiting_node one = description(at);
    if (one.next.empty()) continue;
    for (const node_id id : places_[at].ids) {
      if (!is_far_end(id))
        made.push_back({.path = graph_.nodes()[id].path, .who = one.who, .next = one.next, .text = one.text});
    }
  }
  return made;
}

std::size_t deadlock_watch::place_with(const host* node) const {
  const auto it = std::find_if(places_.begin(), places_.end(), [node](const place& each) {
    return std::find(each.nodes.begin(), each.nodes.end(), node) != each.nodes.end();
  });
  return static_cast<std::size_t>(it - places_.begin());
}

// Returns a channel that it waits at; of several, the one that explains most. Null: it waits for
// another group.
const deadlock_watch::edge* deadlock_watch::waits_at(std::size_t at) const {
  const bool for_room = places_[at].waits_for == cause::room;
  const edge* best = nullptr;
  for (const std::size_t e : for_room ? from_[at] : into_[at]) {
    const edge& each = edges_[e];
    if (!(for_room ? each.taken : each.open)) continue;
    best = &each;
    const channel& data = *each.data;
    if (for_room ? data.room_wanted() != channel::never : data.written() == data.completed()) break;
  }
  return best;
}

bool deadlock_watch::is_far_end(node_id node) const { return far_ends_[node]; }

// The whole graph has both nodes of a channel that is cut.
const channel_description& deadlock_watch::in_whole(const channel_description& c) const {
  return whole_.channels()[c.in_whole];
}
std::string deadlock_watch::name_of_producer(const channel_description& c) const {
  return is_far_end(c.from) ? whole_.nodes()[in_whole(c).from].path : graph_.nodes()[c.from].path;
}
std::string deadlock_watch::name_of_consumer(const channel_description& c) const {
  return is_far_end(c.to) ? whole_.nodes()[in_whole(c).to].path : graph_.nodes()[c.to].path;
}

// Returns the channel of an end of a cut. An end that is fused with a neighbour has only one.
const channel_description& deadlock_watch::channel_of_end(node_id node) const {
  const node_description& end = graph_.nodes()[node];
  return graph_
      .channels()[end.in.empty() ? leaves_of(end.out.front().policy).front() : end.in.front().channels.front()];
}

// Returns the node's name in the whole graph.
std::string deadlock_watch::name(node_id node) const {
  if (!is_far_end(node)) return graph_.nodes()[node].path;
  const channel_description& c = channel_of_end(node);
  return c.to == node ? name_of_consumer(c) : name_of_producer(c);
}

waiting_node deadlock_watch::description(std::size_t at) const {
  const place& it = places_[at];
  const bool for_room = it.waits_for == cause::room;
  if (const host* const by = let_on_by(at); by != nullptr) {
    const std::string who = name(it.ids.back());
    return {.path = who,
            .who = who,
            .next = name(places_[place_with(by)].ids.back()),
            .text = who + " waits until items have left the block, which holds as many as it may"};
  }
  if (const edge* const through = waits_at(at); through != nullptr) return description(at, *through);
  if (it.ids.size() == 1) return {};  // only the end of a cut channel
  const std::string who = name(for_room ? it.ids[it.ids.size() - 2] : it.ids[1]);
  const std::string next = name(for_room ? it.ids.back() : it.ids.front());
  return {.path = who,
          .who = who,
          .next = next,
          .text = who + (for_room ? " waits for room in the channel to " : " waits for input from ") + next};
}

waiting_node deadlock_watch::description(std::size_t at, const edge& through) const {
  const channel_description& c = graph_.channels()[through.id];
  const std::string from = name_of_producer(c);
  const std::string to = name_of_consumer(c);
  const channel::index waiting = through.data->written() - through.data->completed();
  if (places_[at].waits_for == cause::input) {
    const std::string held = waiting == 0 ? "the channel is empty" : std::to_string(waiting) + " items lie there";
    return {.path = to, .who = to, .next = from, .text = to + " waits for input from " + from + " (" + held + ")"};
  }
  const policy_tree& policy = graph_.nodes()[c.from].out[c.from_port].policy;
  return {.path = from,
          .who = from,
          .next = to,
          .text = from + " waits for room in the channel to " + to + " (" + std::to_string(waiting) + " of " +
                  std::to_string(through.data->fill_limit()) + " items" +
                  (policy.is_leaf() ? "" : "; it sends by " + to_string(policy)) + ")"};
}

}  // namespace weir::detail
