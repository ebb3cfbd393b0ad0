// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/graph/network_state.hpp"
#include "weir/graph/error.hpp"

#include "blocks/order.hpp"

#include <algorithm>
#include <set>

namespace weir::detail {
namespace {

/// An input stream of a block: a tree of rules over in-ports. It is inserted into the policy of
/// each producer.
struct input_tree {
  std::optional<policy> rule;
  bool one_to_one = false;
  std::string path;  // path of the block, for messages
  std::vector<input_tree> children;
  // Members of a leaf:
  node_id node = 0;
  std::uint32_t port = 0;
  std::size_t capacity = 0;

  // Sets the capacity. A capacity set on an inner block takes precedence.
  void limit(std::size_t items) {
    if (children.empty() && capacity == 0) capacity = items;
    for (input_tree& child : children) child.limit(items);
  }
};

/// An out-port of a node in the graph.
struct node_output {
  node_id node;
  std::uint32_t port;
};

/// A block in the graph: the in-ports of each input stream, and the out-ports of each output
/// stream.
struct endpoints {
  std::vector<input_tree> in;
  std::vector<std::vector<node_output>> out;
};

/// Settings that a block inherits from the blocks around it.
struct lowering_context {
  std::string path;       ///< path of the block itself
  std::size_t index = 0;  ///< number in the innermost farm
  std::size_t width = 1;
  std::size_t width_least = 1;  ///< smallest width for tuning
  std::size_t width_most = 1;
  std::size_t tag_words = 0;  ///< words in the tags of its items
  bool ordered = false;       ///< whether farms keep the order of their inputs
  node_traits traits;
};

// Names of the nodes that `in_order` adds to a block beside its children.
const std::set<std::string> own_names{"number", "order"};

class lowering {
 public:
  lowering(std::size_t cores, const farm_widths& widths) : cores_(cores), widths_(widths) {}

  graph build(const shape& whole) {
    lowering_context top;
    const bool adds_no_name = whole.what == shape::form::pipeline && whole.name.empty();
    if (!adds_no_name) top.path = "/" + own_name(whole, 1);
    place(whole, top);
    for (const auto& [path, width] : widths_) {
      if (!widened_.contains(path)) throw graph_error(path, "is not a farm of this network; give the path of one");
    }
    return std::move(graph_);
  }

 private:
  endpoints place(const shape& what, lowering_context at) {
    at.traits.on_own_thread |= what.traits.on_own_thread;
    at.traits.blocking |= what.traits.blocking;
    at.traits.separate |= what.traits.separate;
    at.traits.spread |= what.traits.spread;
    at.ordered |= what.ordered || what.in_flight != 0;
    if (!what.traits.group.empty()) at.traits.group = what.traits.group;
    // Farms and sets add their numbering themselves.
    const bool numbers = what.in_flight != 0 && what.what != shape::form::farm && what.what != shape::form::set;
    endpoints made = numbers ? place_numbered(what, at) : place_inside(what, at);
    if (what.capacity != 0) {
      for (input_tree& each : made.in) each.limit(what.capacity);
    }
    return made;
  }

  endpoints place_inside(const shape& what, const lowering_context& at) {
    switch (what.what) {
      case shape::form::node: return place_node(what, at);
      case shape::form::pipeline: return place_sequence(what, at);
      case shape::form::farm: return place_farm(what, at);
      case shape::form::set: return place_set(what, at);
      case shape::form::loop: return place_loop(what, at);
    }
    return {};
  }

  endpoints place_numbered(const shape& what, const lowering_context& at) {
    lowering_context inside = at;
    ++inside.tag_words;
    return in_order(place_inside(what, inside), at, what);
  }

  endpoints place_node(const shape& what, const lowering_context& at) {
    if (at.tag_words != 0 && (what.in.size() > 1 || what.out.size() > 1)) {
      throw graph_error(at.path,
                        "takes or sends several streams inside an ordered block, whose items would part; say ordered() "
                        "of the blocks before and behind it");
    }
    node_description node;
    node.path = at.path;
    node.kind = what.kind;
    node.index = at.index;
    node.width = at.width;
    node.width_least = at.width_least;
    node.width_most = at.width_most;
    for (const item_type* type : what.in) node.in.push_back({type, {}, at.tag_words});
    for (const item_type* type : what.out) node.out.push_back({type, {}, at.tag_words});
    node.traits = at.traits;
    node.one_for_one = what.one_for_one;
    node.passes_on = what.passes_on;
    node.plain = what.plain;
    node.has_quiet = what.has_quiet;
    node.make = at.ordered && what.make_in_order ? what.make_in_order : what.make;
    const node_id id = graph_.add(std::move(node));
    endpoints result;
    for (std::uint32_t port = 0; port != what.in.size(); ++port) result.in.push_back(way_in(id, at.path, port));
    for (std::uint32_t port = 0; port != what.out.size(); ++port) result.out.push_back({{id, port}});
    return result;
  }

  endpoints place_sequence(const shape& what, const lowering_context& at) {
    endpoints whole;
    std::set<std::string> taken;
    if (what.in_flight != 0) taken = own_names;
    std::size_t position = 0;
    for (const shape_pointer& child : what.children) {
      lowering_context inside = at;
      inside.path = at.path + "/" + unique(own_name(*child, ++position), taken);
      endpoints next = place(*child, inside);
      if (position == 1) {
        whole.in = next.in;
      } else {
        join_streams(whole.out, next.in);
      }
      whole.out = std::move(next.out);
    }
    return whole;
  }

  endpoints place_farm(const shape& what, const lowering_context& at) {
    const std::size_t width = width_of(what, at.path);
    const bool symbolic = width == network_state::symbolic;
    const shape& worker = *what.children.front();
    if (!worker_is_reusable(worker) && width > 1) {
      throw graph_error(at.path, "its worker can't be copied; give farm a factory instead");
    }
    endpoints whole;
    const bool numbers = what.in_flight != 0 || (at.ordered && width != 1);
    const std::size_t nodes_before = graph_.nodes().size();
    const std::size_t channels_before = graph_.channels().size();
    for (std::size_t i = 0; i != (symbolic ? 1 : width); ++i) {
      lowering_context inside = at;
      if (numbers) ++inside.tag_words;
      inside.path = at.path + (symbolic ? std::string("[*]") : "[" + std::to_string(i) + "]");
      // The name of the farm replaces that of its worker, unless both have a name.
      if (worker.what != shape::form::pipeline && !worker.name.empty() && worker.name != what.name &&
          !what.name.empty()) {
        inside.path += "/" + worker.name;
      }
      inside.index = i;
      if (what.group_of) inside.traits.group = what.group_of(i);
      inside.width = symbolic ? 1 : width;
      inside.width_least = what.width_least != 0 ? what.width_least : what.width != 0 ? what.width : 1;
      inside.width_most = what.width_least != 0 ? what.width_most
                          : what.width != 0     ? what.width
                                                : std::max<std::size_t>(cores_, 1);
      add_beside(whole, place(worker, inside), what);
      if (i == 0 && !symbolic) {
        check_number(at.path, "nodes", (graph_.nodes().size() - nodes_before) * width, graph::nodes_most);
        check_number(at.path, "channels", (graph_.channels().size() - channels_before) * width, graph::channels_most);
      }
    }
    shared_out(whole, what, at.path);
    return numbers ? in_order(std::move(whole), at, what) : whole;
  }

  // Refuses a block before it takes the memory of so many nodes or channels. `graph` itself counts
  // those of all blocks together.
  static void check_number(const std::string& path, const char* what, std::size_t number, std::size_t most,
                           const char* else_do = "") {
    if (number <= most) return;
    throw graph_error(path, "would have " + std::to_string(number) + " " + what + ", and a network has at most " +
                                std::to_string(most) + "; make its farms narrower" + else_do);
  }

  static std::size_t leaves_of(const input_tree& to) {
    if (to.children.empty()) return 1;
    std::size_t sum = 0;
    for (const input_tree& child : to.children) sum += leaves_of(child);
    return sum;
  }

  std::size_t width_of(const shape& farm, const std::string& path) {
    if (const auto set = widths_.find(path); set != widths_.end()) {
      widened_.insert(path);
      return set->second;
    }
    return farm.width != 0 ? farm.width : cores_;
  }

  endpoints place_set(const shape& what, const lowering_context& at) {
    endpoints whole;
    std::set<std::string> taken;
    std::size_t position = 0;
    const bool numbers = what.in_flight != 0 || (at.ordered && what.children.size() != 1);
    if (numbers) taken = own_names;
    for (const shape_pointer& child : what.children) {
      lowering_context inside = at;
      if (numbers) ++inside.tag_words;
      if (what.group_of) inside.traits.group = what.group_of(position);
      ++position;
      inside.path = child->name.empty() ? at.path + "[" + std::to_string(position - 1) + "]"
                                        : at.path + "/" + unique(child->name, taken);
      if (!what.own_streams_in && !what.own_streams_out) {
        inside.index = position - 1;
        inside.width = what.children.size();
      }
      add_beside(whole, place(*child, inside), what);
    }
    shared_out(whole, what, at.path);
    return numbers ? in_order(std::move(whole), at, what) : whole;
  }

  // Puts a block between a node that numbers its inputs and a node that restores the order of its
  // outputs. The two nodes together enforce its limit.
  endpoints in_order(endpoints inside, const lowering_context& at, const shape& what) {
    // Capacity of the channels between blocks side by side, in items; 0: the default.
    const bool beside = what.what == shape::form::farm || what.what == shape::form::set;
    const std::size_t capacity = beside ? what.capacity : 0;
    if (inside.in.size() != 1 || inside.out.size() != 1) {
      throw graph_error(at.path,
                        "is ordered, but does not take one stream and send one; say ordered() of a block that does");
    }
    input_tree& into = inside.in.front();
    if (capacity != 0) into.limit(capacity);
    if (into.one_to_one) {
      throw graph_error(at.path, "is one_to_one and ordered, but an ordered block has one way in; drop one of them");
    }
    if (into.rule && into.rule->kind == distribution::broadcast) {
      throw graph_error(at.path, "is ordered and broadcasts, but copies of an item have no order; drop one of them");
    }
    const item_type* const in = type_into(into);
    const node_output any = inside.out.front().front();
    const item_type* const out = graph_.nodes()[any.node].out[any.port].type;
    const std::shared_ptr<admission> limit =
        what.in_flight != 0 ? std::make_shared<admission>(what.in_flight) : nullptr;
    node_description first = own_node(at, "number", [limit] { return std::make_unique<numbering>(limit); });
    first.in.push_back({in, {}, at.tag_words});
    first.out.push_back({in, {}, at.tag_words + 1});
    const node_id numbers = graph_.add(std::move(first));
    join({{numbers, 0}}, into);
    node_description last = own_node(at, "order", [limit] { return std::make_unique<reordering>(limit); });
    last.in.push_back({out, {}, at.tag_words + 1});
    last.out.push_back({out, {}, at.tag_words});
    const node_id orders = graph_.add(std::move(last));
    input_tree back = way_in(orders, at.path, 0);
    back.capacity = capacity;
    join(inside.out.front(), back);
    return {{way_in(numbers, at.path, 0)}, {{{orders, 0}}}};
  }

  // Makes a loop around a master and a worker, or around any block: the last output stream comes
  // back as the last input stream.
  endpoints place_loop(const shape& what, const lowering_context& at) {
    if (at.ordered || at.tag_words != 0) {
      throw graph_error(
          at.path,
          "is a loop inside an ordered block, and what it sends has no order; say ordered() of blocks inside "
          "the loop, or not at all");
    }
    const auto first = static_cast<node_id>(graph_.nodes().size());
    std::set<std::string> taken;
    const auto inside = [&](std::size_t child) {
      lowering_context within = at;
      within.path += "/" + unique(own_name(*what.children[child], child + 1), taken);
      return place(*what.children[child], within);
    };
    endpoints body = inside(0);
    if (what.children.size() == 2) {
      const endpoints worker = inside(1);
      join_streams({body.out.front()}, worker.in);
      body.out = {body.out.back(), worker.out.front()};
    }
    loop_description about{.path = at.path, .members = {}, .byte_limit = what.byte_limit};
    for (node_id id = first; id != graph_.nodes().size(); ++id) about.members.push_back(id);
    const loop_id around = graph_.add_loop(std::move(about));
    const std::size_t forward = graph_.channels().size();
    join(body.out.back(), without_limits(body.in.back()));
    for (std::size_t id = forward; id != graph_.channels().size(); ++id) {
      graph_.channels()[id].capacity = 0;
      graph_.channels()[id].unbounded = true;
      graph_.channels()[id].loop = around;
    }
    body.out.pop_back();
    if (body.in.size() > 1) body.in.pop_back();
    return body;
  }

  // Removes rules that could refuse an item that comes back. If items are given on demand, such an
  // item must not wait for demand.
  static input_tree without_limits(input_tree to) {
    if (to.rule && to.rule->kind == distribution::on_demand) to.rule = policy{};
    for (input_tree& child : to.children) child = without_limits(std::move(child));
    return to;
  }

  static input_tree way_in(node_id node, const std::string& path, std::uint32_t port) {
    return {.rule = {}, .path = path, .children = {}, .node = node, .port = port};
  }

  const item_type* type_into(const input_tree& to) const {
    return to.children.empty() ? graph_.nodes()[to.node].in[to.port].type : type_into(to.children.front());
  }

  // Describes a node that the library adds.
  static node_description own_node(const lowering_context& at, const char* kind,
                                   std::function<std::unique_ptr<behaviour>()> make) {
    node_description node;
    node.path = at.path + "/" + kind;
    node.kind = kind;
    node.traits.group = at.traits.group;
    node.one_for_one = true;
    node.make = std::move(make);
    return node;
  }

  // Sets how the producers of a farm or a set distribute items among its children.
  static void shared_out(endpoints& whole, const shape& what, const std::string& path) {
    if (what.own_streams_in) return;
    for (input_tree& in : whole.in) {
      in.rule = what.input;
      in.one_to_one = what.one_to_one;
      in.path = path;
    }
  }

  // Adds each stream of a child to a stream of the whole, or makes it a stream of the whole.
  static void add_beside(endpoints& whole, endpoints next, const shape& what) {
    if (what.own_streams_in) {
      for (input_tree& in : next.in) whole.in.push_back(std::move(in));
    } else {
      whole.in.resize(next.in.size());
      for (std::size_t i = 0; i != next.in.size(); ++i) whole.in[i].children.push_back(std::move(next.in[i]));
    }
    if (what.own_streams_out) {
      for (auto& out : next.out) whole.out.push_back(std::move(out));
      return;
    }
    whole.out.resize(next.out.size());
    for (std::size_t i = 0; i != next.out.size(); ++i) {
      whole.out[i].insert(whole.out[i].end(), next.out[i].begin(), next.out[i].end());
    }
  }

  // Joins streams one by one, or merges all into one.
  void join_streams(const std::vector<std::vector<node_output>>& from, const std::vector<input_tree>& to) {
    if (from.size() == to.size()) {
      for (std::size_t i = 0; i != from.size(); ++i) join(from[i], to[i]);
      return;
    }
    std::vector<node_output> all;
    for (const auto& each : from) all.insert(all.end(), each.begin(), each.end());
    join(all, to.front());
  }

  void join(const std::vector<node_output>& producers, const input_tree& to) {
    if (!to.one_to_one) {
      check_number(to.path, "channels", producers.size() * leaves_of(to), graph::channels_most,
                   ", or put a weir::pass before it");
      for (const node_output from : producers) policy_of(from) = graft(from, to);
      return;
    }
    if (to.rule) {
      throw graph_error(to.path, "is one_to_one and has the policy " + std::string(name_of(to.rule->kind)) +
                                     "; one to one leaves nothing to decide, so drop one of them");
    }
    if (producers.size() != to.children.size()) {
      throw graph_error(to.path, "is one_to_one, but " + std::to_string(producers.size()) + " producers meet " +
                                     std::to_string(to.children.size()) + " consumers; make the widths equal");
    }
    for (std::size_t i = 0; i != producers.size(); ++i) policy_of(producers[i]) = graft(producers[i], to.children[i]);
  }

  policy_tree& policy_of(node_output from) { return graph_.nodes()[from.node].out[from.port].policy; }

  policy_tree graft(node_output from, const input_tree& to) {
    policy_tree tree;
    if (to.children.empty()) {
      tree.leaf = graph_.add_channel({from.node, from.port, to.node, to.port, nullptr, to.capacity});
      return tree;
    }
    if (to.one_to_one) {
      throw graph_error(to.path,
                        "is one_to_one inside a block that shares items out itself; say one_to_one of the outer block");
    }
    tree.rule = to.rule.value_or(policy{});
    for (const input_tree& child : to.children) tree.children.push_back(graft(from, child));
    return tree;
  }

  static std::string own_name(const shape& what, std::size_t position) {
    if (!what.name.empty()) return what.name;
    if (what.what == shape::form::farm) {
      const shape& worker = *what.children.front();
      if (worker.what != shape::form::pipeline && !worker.name.empty()) return worker.name;
    }
    return what.kind + std::to_string(position);
  }

  static std::string unique(std::string name, std::set<std::string>& taken) {
    if (taken.insert(name).second) return name;
    for (std::size_t ordinal = 2;; ++ordinal) {
      std::string numbered = name + "." + std::to_string(ordinal);
      if (taken.insert(numbered).second) return numbered;
    }
  }

  static bool worker_is_reusable(const shape& worker) {
    if (worker.what == shape::form::node) return worker.reusable;
    for (const shape_pointer& child : worker.children) {
      if (!worker_is_reusable(*child)) return false;
    }
    return true;
  }

  std::size_t cores_;
  const farm_widths& widths_;
  std::set<std::string, std::less<>> widened_;  // farms of `widths_` that were found
  graph graph_;
};

}  // namespace

graph build_graph(const shape_pointer& whole, std::size_t cores, const farm_widths& widths) {
  return lowering(cores, widths).build(*whole);
}

}  // namespace weir::detail
