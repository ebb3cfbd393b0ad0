// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/route.hpp"

#include "ports/routes/leaf.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace weir::detail {
namespace {

const policy_route& route_of(distribution kind) noexcept {
  switch (kind) {
    case distribution::balance: return balance_route;
    case distribution::on_demand: return on_demand_route;
    case distribution::round_robin: return round_robin_route;
    case distribution::by_key:
    case distribution::custom: return choice_route;
    case distribution::broadcast: return broadcast_route;
  }
  return balance_route;
}

std::unique_ptr<route> make_route(out_port& port, const policy_tree& from,
                                  const std::function<out_port::target(channel_id)>& lookup, const route_setting& here,
                                  std::vector<leaf*>& leaves) {
  if (from.is_leaf()) {
    const std::optional<tag::word> address =
        from.stands_for.empty() ? std::nullopt : std::optional<tag::word>(tag::outside);
    auto made = std::make_unique<leaf>(port, lookup(from.leaf), here.in_runs, address);
    if (here.rule != nullptr && route_of(here.rule->kind).prepare != nullptr) {
      route_of(here.rule->kind).prepare(*made, *here.rule, here.siblings);
    }
    leaves.push_back(made.get());
    return made;
  }
  const policy_route& how = route_of(from.rule.kind);
  const bool only = from.children.size() == 1;
  routes children;
  for (const policy_tree& child : from.children) {
    // A rule with one child has no choice: what is said of its place holds for the child's.
    const route_setting below{here.outermost && only, here.in_runs && (how.in_runs || only),
                              only && !child.is_leaf() ? here.rule : &from.rule,
                              only ? here.siblings : from.children.size()};
    children.push_back(make_route(port, child, lookup, below, leaves));
  }
  return how.make(port, from.rule, std::move(children), here);
}

// Numbers the consumers for `send_to`. A relay stands for several of them; the others have the
// numbers that are left, in their order.
void number_consumers(out_port& port, const policy_tree& tree,
                      const std::function<out_port::target(channel_id)>& lookup, const std::vector<route*>& children,
                      route_tree& made) {
  std::size_t count = 0;
  for (const policy_tree& child : tree.children) count += std::max<std::size_t>(child.stands_for.size(), 1);
  made.consumers.resize(count);
  for (const policy_tree& child : tree.children) {
    std::uint64_t behind = 0;
    for (const std::size_t number : child.stands_for) {
      const out_port::target to = lookup(child.leaf);
      made.doors.push_back(std::make_unique<leaf>(port, out_port::target{to.data, to.consumer, nullptr}, false,
                                                  tag::numbered(behind++)));
      made.consumers.at(number) = made.doors.back().get();
    }
  }
  auto free = made.consumers.begin();
  for (std::size_t child = 0; child != tree.children.size(); ++child) {
    if (!tree.children[child].stands_for.empty()) continue;
    free = std::find(free, made.consumers.end(), nullptr);
    *free = children[child];
  }
}

}  // namespace

route_tree make_routes(out_port& port, const policy_tree& tree,
                       const std::function<out_port::target(channel_id)>& lookup) {
  route_tree made;
  if (!tree.is_leaf() && tree.children.empty()) return made;  // not connected
  made.root = make_route(port, tree, lookup, {}, made.leaves);
  if (tree.is_leaf()) {
    made.consumers = {made.root.get()};
  } else {
    number_consumers(port, tree, lookup, static_cast<const branch&>(*made.root).children(), made);
  }
  return made;
}

bool route::try_send(void* item) {
  const place at = try_put(item);
  if (at.slot == nullptr) return false;
  port_.copier().relocate(at.slot, item);
  port_.commit(at);
  return true;
}

branch::branch(out_port& port, routes children)
    : route(port, std::ranges::all_of(children, [](const auto& child) { return child->is_far(); })),
      children_(std::move(children)),
      chooses_below_(std::ranges::any_of(children_, [](const auto& child) { return child->chooses(); })) {}

void branch::ask_for_completion() {
  for (const auto& child : children_) child->ask_for_completion();
}

bool branch::all_gone() const noexcept {
  return std::ranges::all_of(children_, [](const auto& child) { return child->all_gone(); });
}

void branch::forget() noexcept {
  for (const auto& child : children_) child->forget();
}

std::uint64_t branch::outstanding() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& child : children_) sum += child->outstanding();
  return sum;
}

std::vector<route*> branch::children() const {
  std::vector<route*> found;
  for (const auto& child : children_) found.push_back(child.get());
  return found;
}

std::vector<leaf*> branch::leaves() const {
  std::vector<leaf*> found;
  for (const auto& child : children_) {
    if (leaf* const one = child->as_leaf()) found.push_back(one);
  }
  if (found.size() != children_.size()) found.clear();
  return found;
}

}  // namespace weir::detail
