// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/network.hpp"

#include "weir/detail/graph/network_state.hpp"
#include "weir/graph/error.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace weir {
namespace {

using types = std::vector<const item_type*>;

constexpr const char* text_in_parent =
    "this network runs in the process that forked this one; make another network in the child";

template <class Ports>
types types_of(const Ports& ports) {
  types all;
  for (const auto& port : ports) all.push_back(port.type);
  return all;
}

bool same(const types& a, const types& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const item_type* x, const item_type* y) { return same_item_type(*x, *y); });
}

// Describes item types for a message.
std::string to_text(const types& all) {
  std::string text;
  for (const item_type* each : all) text += (text.empty() ? "" : ", ") + each->name();
  return text.empty() ? "nothing" : text;
}
std::string to_text(const types& takes, const types& sends) {
  return "takes " + to_text(takes) + " and sends " + to_text(sends);
}

}  // namespace

graph& detail::network_state::resolve(std::size_t cores) {
  if (!graph_) {
    graph_ = build_(cores, widths_);
    cores_ = cores;
  }
  behaviours_.resize(std::as_const(*graph_).nodes().size());
  return *graph_;
}

detail::behaviour& detail::network_state::instance(node_id node) {
  const auto& nodes = std::as_const(*graph_).nodes();
  behaviours_.resize(nodes.size());
  auto& made = behaviours_[node];
  if (made == nullptr) made = nodes[node].make();
  return *made;
}

void detail::network_state::replace(std::string_view path, std::unique_ptr<detail::behaviour> with) {
  put(path, std::move(with), false, false, {});
}

void detail::network_state::put(std::string_view path, std::unique_ptr<detail::behaviour> with, bool plain,
                                bool has_quiet, const node_traits& traits) {
  refuse_while_running("replace");
  if (!graph_) throw std::logic_error("replace: the network's graph has not been resolved yet; run it first");
  const node_id id = graph_->find(path);
  const node_description& before = std::as_const(*graph_).nodes()[id];
  const bool separate = before.traits.separate || traits.separate;
  const bool blocking = before.traits.blocking || traits.blocking;
  if (before.plain != plain || before.has_quiet != has_quiet || before.traits.separate != separate ||
      before.traits.blocking != blocking) {
    node_description& now = graph_->nodes()[id];
    now.plain = plain;
    now.has_quiet = has_quiet;
    now.traits.separate = separate;
    now.traits.blocking = blocking;
  }
  behaviours_.resize(std::as_const(*graph_).nodes().size());
  behaviours_[id] = std::move(with);
}

graph detail::network_state::with_widths(std::size_t cores, const detail::farm_widths& more) const {
  if (!build_) {
    if (more.empty()) return *graph_;
    throw graph_error(more.begin()->first, "is not a farm: this network was made from a graph; change that");
  }
  detail::farm_widths widths = widths_;
  for (const auto& [farm, width] : more) widths.insert_or_assign(farm, width);
  return build_(graph_ ? cores_ : cores, widths);
}

void detail::network_state::replace(std::string_view path, std::unique_ptr<detail::behaviour> with,
                                    const std::vector<const item_type*>& takes,
                                    const std::vector<const item_type*>& sends, bool plain, bool has_quiet,
                                    const node_traits& traits) {
  if (graph_) {
    const node_description& node = std::as_const(*graph_).nodes()[graph_->find(path)];
    const types takes_now = types_of(node.in);
    const types sends_now = types_of(node.out);
    if (!same(takes_now, takes) || !same(sends_now, sends)) {
      throw graph_error(node.path, to_text(takes_now, sends_now) + ", but its replacement " + to_text(takes, sends) +
                                       "; give it a node of the same types");
    }
  }
  put(path, std::move(with), plain, has_quiet, traits);
}

detail::network_state::run_under_way::run_under_way(detail::network_state& net) : net_(net) {
  if (net_.runs_in_parent()) throw std::logic_error(text_in_parent);
  if (net_.runs_.exchange(true, std::memory_order_acquire)) {
    throw std::logic_error("this network is running already; wait for the end of that run, or make another network");
  }
  net_.run_by_.store(process_mark(), std::memory_order_relaxed);
}

void detail::network_state::refuse_while_running(const char* what) const {
  if (runs_in_parent()) throw std::logic_error(std::string(what) + ": " + text_in_parent);
  if (!runs_.load(std::memory_order_relaxed)) return;
  throw std::logic_error(std::string(what) + ": this network is running; change it between two runs");
}

void detail::check_width(const std::string& farm, std::size_t width) {
  if (width == 0) throw graph_error(farm, "has no workers; give it a width of at least 1, or none for one a core");
  if (width > detail::farm_width_most) {
    throw graph_error(farm, "has a width of " + std::to_string(width) + "; it may have at most " +
                                std::to_string(detail::farm_width_most) + " workers");
  }
}

void detail::network_state::set_width(std::string_view path, std::size_t width) {
  detail::check_width(std::string(path), width);
  if (!build_) throw graph_error(std::string(path), "is not a farm: this network was made from a graph; change that");
  detail::farm_widths widths = widths_;
  widths.insert_or_assign(std::string(path), width);
  if (graph_) {
    graph made = build_(cores_, widths);
    const auto& before = std::as_const(*graph_).nodes();
    const auto& after = std::as_const(made).nodes();
    std::unordered_map<std::string_view, node_id> by_path;
    for (node_id id = 0; id != before.size(); ++id) by_path.emplace(before[id].path, id);
    std::vector<std::unique_ptr<detail::behaviour>> behaviours(after.size());
    behaviours_.resize(before.size());
    for (node_id id = 0; id != after.size(); ++id) {
      const auto found = by_path.find(after[id].path);
      if (found != by_path.end()) behaviours[id] = std::move(behaviours_[found->second]);
    }
    kept_.reset();
    behaviours_ = std::move(behaviours);
    graph_ = std::move(made);
  }
  widths_ = std::move(widths);
}

// ---- the network itself ----

network::network(graph made) : state_(new detail::network_state(std::move(made))) {}
network::~network() {
  if (state_ != nullptr && state_->runs_in_parent()) {
    detail::leave_to_parent(state_);
  } else {
    delete state_;
  }
}
void network::refuse_moved() { throw std::logic_error("this network was moved from; it is empty"); }

graph& network::resolve(std::size_t cores) { return state().resolve(cores); }
graph network::outline() const { return state().outline(); }
graph network::as_written() const { return state().as_written(); }
detail::behaviour& network::instance(node_id node) { return state().instance(node); }
void network::adopt(std::string_view path, detail::behaviour* owned) {
  state().replace(path, std::unique_ptr<detail::behaviour>(owned));
}
void network::set_width(std::string_view path, std::size_t width) {
  state().refuse_while_running("set_width");
  state().set_width(path, width);
}

}  // namespace weir
