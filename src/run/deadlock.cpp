// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/deadlock.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {
namespace {

// A longer cycle is cut short.
constexpr std::size_t steps_told_most = 8;

}  // namespace

deadlock_watch::deadlock_watch(const run_parts& of) : graph_(of.what) {
  std::vector<std::size_t> place_of(graph_.nodes().size());
  for (std::size_t at = 0; at != of.chains.size(); ++at) {
    const std::vector<node_id>& chain = of.chains[at];
    places_.push_back(
        {.what = of.activations[at].get(), .elsewhere = std::any_of(chain.begin(), chain.end(), of.is_elsewhere)});
    for (const node_id id : chain) {
      place_of[id] = at;
      places_.back().nodes.push_back(of.nodes[id]);
    }
  }
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

std::optional<deadlock_watch::found> deadlock_watch::look() {
  read_states();
  if (std::none_of(places_.begin(), places_.end(), [](const place& each) { return each.still; })) return std::nullopt;
  read_channels();
  spread_life();
  const bool all_alive = std::all_of(places_.begin(), places_.end(), [](const place& each) { return each.alive; });
  if (all_alive || !dead_ones_stand_still()) return std::nullopt;
  if (tell_of_room() || tell_of_consumers_gone()) return std::nullopt;
  return describe();
}

void deadlock_watch::read_states() {
  for (place& each : places_) {
    const bool waited = each.waits_for.has_value();
    each.waits_for = each.what->state.waiting_now();
    const std::uint64_t times_run = each.what->times_run();  // once
    each.still = waited && each.waits_for && times_run == each.times_run;
    each.times_run = times_run;
  }
}

void deadlock_watch::read_channels() {
  for (edge& each : edges_) {
    each.open = !each.data->closed() && (each.around == nullptr || !each.around->closed());
    each.taken = !each.data->abandoned();
  }
}

void deadlock_watch::spread_life() {
  std::vector<std::size_t> revived;
  const auto revive = [&](std::size_t at) {
    if (!std::exchange(places_[at].alive, true)) revived.push_back(at);
  };
  for (place& each : places_) each.alive = false;
  for (std::size_t at = 0; at != places_.size(); ++at) {
    if (!places_[at].still || waits_outside(at)) revive(at);
  }
  while (!revived.empty()) {
    const std::size_t at = revived.back();
    revived.pop_back();
    for (const std::size_t e : from_[at]) {
      if (edges_[e].open && places_[edges_[e].to].waits_for == cause::input) revive(edges_[e].to);
    }
    for (const std::size_t e : into_[at]) {
      if (edges_[e].taken) revive(edges_[e].from);
    }
  }
}

// Also where it is not known what it waits for.
bool deadlock_watch::waits_outside(std::size_t at) const {
  const place& it = places_[at];
  if (it.elsewhere) return true;
  const auto awaits_time = [](const host* node) { return node->awaits_time.load(std::memory_order_relaxed); };
  if (std::any_of(it.nodes.begin(), it.nodes.end(), awaits_time)) return true;
  const auto open = [&](std::size_t e) { return edges_[e].open; };
  const auto taken = [&](std::size_t e) { return edges_[e].taken; };
  if (it.waits_for == cause::input) return std::none_of(into_[at].begin(), into_[at].end(), open);
  const bool sends_nothing = it.nodes.back()->spilling.load(std::memory_order_relaxed) == 0;
  return (sends_nothing && let_on_by(at) == nullptr) || std::none_of(from_[at].begin(), from_[at].end(), taken);
}

// The node that it waits for although it has nothing to send: the way out of a block that holds as
// many items as it may.
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
// `in_channel::offer_all_room`). @return whether some of those that are dead are told now, to whom
// that is news
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

bool deadlock_watch::tell_of_consumers_gone() {
  bool news = false;
  for (std::size_t at = 0; at != places_.size(); ++at) {
    place& it = places_[at];
    if (it.alive || from_[at].empty() || it.nodes.back()->ends_with_consumers.load(std::memory_order_relaxed)) continue;
    if (std::any_of(from_[at].begin(), from_[at].end(), [&](std::size_t e) { return edges_[e].taken; })) continue;
    for (host* const each : it.nodes) each->ends_with_consumers.store(true, std::memory_order_relaxed);
    native_atomics::fence_full();
    it.what->notify(cause::any);
    news = true;
  }
  return news;
}

// Each of those that are dead waits for another one, so whoever goes from one to the next comes
// back.
deadlock_watch::found deadlock_watch::describe() const {
  const auto dead = std::find_if(places_.begin(), places_.end(), [](const place& each) { return !each.alive; });
  std::vector<std::size_t> way;
  std::vector<const edge*> channels;  // at which those wait
  auto at = static_cast<std::size_t>(dead - places_.begin());
  auto again = way.end();
  while ((again = std::find(way.begin(), way.end(), at)) == way.end()) {
    way.push_back(at);
    channels.push_back(&waits_at(at));
    if (const host* const by = let_on_by(at); by != nullptr) {
      at = place_with(by);
      continue;
    }
    at = places_[at].waits_for == cause::room ? channels.back()->to : channels.back()->from;
  }
  const auto first = static_cast<std::size_t>(again - way.begin());
  const std::size_t steps = way.size() - first;
  found made{.path = waiting_node(way[first], *channels[first]),
             .text = "no node can go on, because each waits for the next: "};
  for (std::size_t i = 0; i != std::min(steps, steps_told_most); ++i) {
    made.text += (i == 0 ? "" : ", ") + sentence(way[first + i], *channels[first + i]);
  }
  if (steps > steps_told_most) made.text += ", and " + std::to_string(steps - steps_told_most) + " more";
  made.text += ". Give the full channels more capacity, or let each node send something for each item";
  return made;
}

std::size_t deadlock_watch::place_with(const host* node) const {
  const auto it = std::find_if(places_.begin(), places_.end(), [node](const place& each) {
    return std::find(each.nodes.begin(), each.nodes.end(), node) != each.nodes.end();
  });
  return static_cast<std::size_t>(it - places_.begin());
}

// One of the channels that it waits at; of several the one that says most.
const deadlock_watch::edge& deadlock_watch::waits_at(std::size_t at) const {
  const bool for_room = places_[at].waits_for == cause::room;
  const edge* best = nullptr;
  for (const std::size_t e : for_room ? from_[at] : into_[at]) {
    const edge& each = edges_[e];
    if (!(for_room ? each.taken : each.open)) continue;
    best = &each;
    const channel& data = *each.data;
    if (for_room ? data.room_wanted() != channel::never : data.written() == data.completed()) break;
  }
  return *best;  // waits_outside() has seen to it that there is one
}

const std::string& deadlock_watch::waiting_node(std::size_t at, const edge& through) const {
  const channel_description& c = graph_.channels()[through.id];
  return graph_.nodes()[places_[at].waits_for == cause::room ? c.from : c.to].path;
}

std::string deadlock_watch::sentence(std::size_t at, const edge& through) const {
  const channel_description& c = graph_.channels()[through.id];
  const node_description& from = graph_.nodes()[c.from];
  if (let_on_by(at) != nullptr)
    return from.path + " waits until items have left the block, which holds as many as it may";
  const channel::index waiting = through.data->written() - through.data->completed();
  if (places_[at].waits_for == cause::input) {
    const std::string held = waiting == 0 ? "the channel is empty" : std::to_string(waiting) + " items lie there";
    return graph_.nodes()[c.to].path + " waits for input from " + from.path + " (" + held + ")";
  }
  const policy_tree& policy = from.out[c.from_port].policy;
  return from.path + " waits for room in the channel to " + graph_.nodes()[c.to].path + " (" + std::to_string(waiting) +
         " of " + std::to_string(through.data->window()) + " items" +
         (policy.is_leaf() ? "" : "; it sends by " + to_string(policy)) + ")";
}

}  // namespace weir
