// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/blocks/shape.hpp"

#include "weir/blocks/describe.hpp"
#include "weir/blocks/farm.hpp"
#include "weir/blocks/feedback.hpp"
#include "weir/blocks/pass.hpp"
#include "weir/blocks/replace.hpp"
#include "weir/blocks/split.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/graph/network_state.hpp"
#include "weir/graph/error.hpp"

#include "graph/control_characters.hpp"
#include "graph/counts.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::detail {

// ---- shared shapes ----

shape_pointer share(shape made) { return shape_pointer(new shared_shape{std::move(made)}); }

shape_pointer::shape_pointer(const shape_pointer& other) noexcept : shape_(other.shape_) {
  shape_->references.fetch_add(1, std::memory_order_relaxed);
}

shape_pointer::~shape_pointer() {
  // The last owner sees all that the other owners did with the shape before.
  if (shape_ != nullptr && shape_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shape_;
}

const shape& shape_pointer::operator*() const noexcept { return shape_->value; }

// ---- for the untyped builder ----

node_description describe(const shape_pointer& block) {
  const shape& what = *block;
  if (what.what != shape::form::node || what.in_flight != 0) {
    throw graph_error(what.label(), "is more than one node; describe each of its nodes");
  }
  node_description made;
  if (!what.name.empty()) made.path = "/" + what.name;
  made.kind = what.kind;
  for (const item_type* type : what.in) made.in.push_back({type, {}});
  for (const item_type* type : what.out) made.out.push_back({type, {}});
  made.traits = what.traits;
  made.one_for_one = what.one_for_one;
  made.passes_on = what.passes_on;
  made.plain = what.plain;
  made.has_quiet = what.has_quiet;
  made.make = what.make;
  return made;
}

// ---- blocks ----

// Names are parts of paths, in which '/' and '[' have a meaning. They are also printed.
shape_pointer named(const shape_pointer& what, std::string_view name) {
  if (has_control(name) || name.find_first_of("/[]") != std::string_view::npos) {
    throw graph_error("named(\"" + printable(name) + "\")",
                      "a name has no '/', '[', ']' and no control characters; use others");
  }
  return with(what, [&](shape& s) { s.name = name; });
}

// A pipeline without a name passes its group on to its parts, because it is merged into the
// pipeline around it and names nothing. Parts that are already in a group stay there.
shape_pointer in_group(const shape_pointer& what, std::string_view group) {
  return with(what, [&](shape& s) {
    if (s.what != shape::form::pipeline || !s.name.empty() || s.in_flight != 0) {
      s.traits.group = group;
      return;
    }
    for (shape_pointer& child : s.children) {
      if (child->traits.group.empty()) child = in_group(child, group);
    }
  });
}

shape_pointer blocking(const shape_pointer& what) {
  return with(what, [](shape& s) { s.traits.blocking = true; });
}

shape_pointer on_own_thread(const shape_pointer& what) {
  return with(what, [](shape& s) { s.traits.on_own_thread = true; });
}

shape_pointer separate(const shape_pointer& what) {
  return with(what, [](shape& s) { s.traits.separate = true; });
}

shape_pointer with_capacity(const shape_pointer& what, std::size_t items) {
  check_count(what->label(), "capacity", items, "hold nothing");
  return with(what, [&](shape& s) { s.capacity = items; });
}

shape_pointer ordered(const shape_pointer& what) {
  return with(what, [](shape& s) { s.ordered = true; });
}

shape_pointer in_flight(const shape_pointer& what, std::size_t items) {
  check_count(what->label(), "in_flight", items, "let nothing in");
  return with(what, [&](shape& s) { s.in_flight = items; });
}

namespace {

bool is_plain_sequence(const shape& what) {
  return what.what == shape::form::pipeline && what.name.empty() && what.traits == node_traits{} &&
         what.capacity == 0 && !what.ordered && what.in_flight == 0;
}

}  // namespace

shape_pointer in_sequence(const shape_pointer& first, const shape_pointer& second) {
  shape made;
  made.what = shape::form::pipeline;
  made.kind = "pipeline";
  for (const shape_pointer& part : {first, second}) {
    if (is_plain_sequence(*part)) {
      made.children.insert(made.children.end(), part->children.begin(), part->children.end());
    } else {
      made.children.push_back(part);
    }
  }
  return share(std::move(made));
}

network network_of(const shape_pointer& whole) {
  return network(new network_state(
      [whole](std::size_t cores, const farm_widths& widths) { return build_graph(whole, cores, widths); }));
}

// ---- farms and sets ----

shape_pointer replicated(const shape_pointer& worker, std::size_t width) {
  shape made;
  made.what = shape::form::farm;
  made.kind = "farm";
  made.width = width;
  made.children = {worker};
  return share(std::move(made));
}

std::size_t checked_width(std::size_t width) {
  check_width("farm", width);
  return width;
}

shape_pointer shared_out(const shape_pointer& what, distribution kind, std::size_t depth) {
  check_count(what->label(), "on_demand", depth, "assign nothing");
  if (what->input) {
    throw graph_error(what->label(), "has two policies, " + std::string(name_of(what->input->kind)) + " and " +
                                         std::string(name_of(kind)) + "; keep one");
  }
  return with(what, [&](shape& s) { s.input = policy{kind, depth, {}}; });
}

shape_pointer shared_out(const shape_pointer& what, distribution kind, const chooser_functions& about, void* owned) {
  policy::chooser choose(about, owned);
  const shape_pointer made = shared_out(what, kind, 1);
  return with(made, [&](shape& s) { s.input->choose = std::move(choose); });
}

shape_pointer in_groups(const shape_pointer& what, const group_functions& about, void* owned) {
  author_function<naming> name_of(about, owned);
  return with(what, [&](shape& s) { s.group_of = std::move(name_of); });
}

shape_pointer between(const shape_pointer& what, std::size_t least, std::size_t most) {
  if (what->what != shape::form::farm) throw graph_error(what->label(), "is no farm, so it has no width to be tuned");
  if (least == 0 || least > most) {
    throw graph_error(what->label(), "has no width between " + std::to_string(least) + " and " + std::to_string(most) +
                                         "; give the least first, at least 1");
  }
  check_width(what->label(), most);
  return with(what, [&](shape& s) {
    s.width_least = least;
    s.width_most = most;
  });
}

shape_pointer one_to_one(const shape_pointer& what) {
  return with(what, [](shape& s) { s.one_to_one = true; });
}

shape_pointer spread_over_groups(const shape_pointer& what) {
  return with(what, [](shape& s) { s.traits.spread = true; });
}

shape_pointer beside(const char* kind, const shape_pointer* parts, std::size_t count, beside_how how) {
  if (count == 0) throw graph_error(kind, "is empty; give it at least one block");
  shape made;
  made.what = shape::form::set;
  made.kind = kind;
  made.children.assign(parts, parts + count);
  made.own_streams_in = how.own_streams_in;
  made.own_streams_out = how.own_streams_out;
  if (how.broadcast) made.input = policy{distribution::broadcast, 1, {}};
  return share(std::move(made));
}

// ---- loops, and nodes that pass items on ----

shape_pointer looped(const shape_pointer& head, const shape_pointer* worker, const loop_options& options) {
  shape made;
  made.what = shape::form::loop;
  made.kind = "feedback";
  made.children = {head};
  if (worker != nullptr) made.children.push_back(*worker);
  made.byte_limit = options.byte_limit;
  return share(std::move(made));
}

shape_pointer passing(const shape_pointer& node) {
  return with(node, [](shape& s) {
    s.kind = "pass";
    s.passes_on = true;
  });
}

// ---- nodes of a network that are replaced ----

void replace(network& net, std::string_view path, const shape_pointer& with) {
  if (with->what != shape::form::node) {
    throw graph_error(std::string(path), "is one node, but its replacement is a " + with->label() + "; fuse it");
  }
  net.state().replace(path, with->make(), with->in, with->out, with->plain, with->has_quiet, with->traits);
}

}  // namespace weir::detail
