// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "lowering.hpp"

#include "weir/cluster/coordinator.hpp"
#include "weir/detail/serve/end_nodes.hpp"

#include "node_behaviour.hpp"
#include "queues.hpp"
#include "running.hpp"
#include "task.hpp"
#include "transformation.hpp"

#include <algorithm>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace ff::detail {
namespace {

unit unit_of(unit::role does, const char* name) {
  unit made;
  made.does = does;
  made.name = name;
  return made;
}

std::size_t entries(int length) { return static_cast<std::size_t>(std::max(length, 1)); }

// The node that sends what `node` sends.
const ff_node& sender_of(const ff_node& node) {
  const auto* const both = dynamic_cast<const ff_comb*>(&node);
  return both == nullptr ? node : *both->getLast();
}

}  // namespace

std::string name_of(const ff_node& node) {
  if (const auto* const both = dynamic_cast<const ff_comb*>(&node); both != nullptr && typeid(node) == typeid(ff_comb))
    return name_of(*both->getLeft()) + "+" + name_of(*both->getRight());
  std::string name = weir::type_name(typeid(node));
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != name.npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  // The path of a node in weir's graph has no slashes and brackets of other meaning.
  for (char& each : name) {
    if (each == '/' || each == '[' || each == ']' || each == ' ') each = '_';
  }
  return name;
}

lowering::lowering(ff_node& whole, std::shared_ptr<results> last, bool freezes) : freezes_(freezes) {
  part all = lower(whole, std::max<ssize_t>(whole.get_my_id(), 0));
  const auto* const pipe = dynamic_cast<ff_pipeline*>(&whole);
  const auto* const farm = dynamic_cast<ff_farm*>(&whole);
  const bool has_input = (pipe != nullptr && pipe->has_input_) || (farm != nullptr && farm->has_input_);
  if (pipe == nullptr && farm == nullptr && all.first.size() == 1 && whole.queues_ != nullptr)
    connect_queues(whole, all.first.front());
  if (!has_input) return;
  const bool has_output = std::any_of(all.last.begin(), all.last.end(), [&](std::size_t each) {
    return units_[each].does != unit::role::code || units_[each].feedback_out == 0;
  });
  if (has_output && !(farm != nullptr && !farm->hasCollector())) {
    out = last != nullptr ? std::move(last) : std::make_shared<results>();
    out->open();
    part exit{{add(unit_of(unit::role::exit, "load_result"))}, {}, true, false};
    for (const std::size_t each : all.last) add_wire(each, exit.first.front(), false, 0);
  }
  in = std::make_shared<weir::detail::input_end>(type_of_tasks(), nullptr);
  const part entry{{}, {add(unit_of(unit::role::entry, "offload"))}, false, false};
  join(entry, all, false, 0, "offload");
}

// The queues of a node that runs by itself.
void lowering::connect_queues(ff_node& node, std::size_t number) {
  for (const bool is_input : {true, false}) {
    for (task_queue* const each : is_input ? node.queues_->in : node.queues_->out) {
      unit made = unit_of(is_input ? unit::role::from_queue : unit::role::to_queue, is_input ? "input" : "output");
      made.queue = each;
      const std::size_t other = add(std::move(made));
      add_wire(is_input ? other : number, is_input ? number : other, false, 0);
    }
  }
}

std::size_t lowering::add(unit made) {
  if (made.group.empty()) made.group = group_;
  units_.push_back(std::move(made));
  return units_.size() - 1;
}

void lowering::add_wire(std::size_t from, std::size_t to, bool is_feedback, std::size_t capacity) {
  wires_.push_back({from, to, is_feedback, capacity});
  if (!is_feedback) return;
  ++units_[from].feedback_out;
  ++units_[to].feedback_in;
}

void lowering::join(const part& from, const part& to, bool is_feedback, std::size_t capacity,
                    const std::string& where) {
  const std::size_t senders = from.last.size();
  const std::size_t takers = to.first.size();
  if (senders == 0 || takers == 0) throw wrong_network(where + ": has no nodes");
  if ((senders == 1 || to.takes_many) && (takers == 1 || from.sends_many)) {
    join_each(from, to, is_feedback, capacity);
  } else if (senders == takers) {
    for (std::size_t i = 0; i != senders; ++i) add_wire(from.last[i], to.first[i], is_feedback, capacity);
  } else if (are_in_other_groups(from, to)) {
    join_each(from, to, is_feedback, capacity);
  } else {
    throw wrong_network(where + ": " + std::to_string(senders) + " nodes can't send to " + std::to_string(takers) +
                        "; senders to several nodes must be ff_monode, and takers from several ff_minode");
  }
}

void lowering::join_each(const part& from, const part& to, bool is_feedback, std::size_t capacity) {
  for (const std::size_t one : from.last) {
    for (const std::size_t other : to.first)
      add_wire(one, other, is_feedback, is_feedback || units_[one].ondemand == 0 ? capacity : units_[one].ondemand);
  }
}

// Between groups any node may have several consumers, and several producers.
bool lowering::are_in_other_groups(const part& from, const part& to) const {
  std::set<std::string> senders;
  for (const std::size_t each : from.last) senders.insert(units_[each].group);
  return senders.count("") == 0 && std::none_of(to.first.begin(), to.first.end(), [&](std::size_t each) {
           return units_[each].group.empty() || senders.count(units_[each].group) != 0;
         });
}

bool lowering::skips_first_pop(const ff_node& node) {
  const auto* const both = dynamic_cast<const ff_comb*>(&node);
  return node.skipfirstpop() || (both != nullptr && skips_first_pop(*both->first_));
}

lowering::part lowering::lower(ff_node& block, ssize_t first_id) {
  const std::string outer = std::exchange(group_, group_of(block));
  part made = lower_block(block, first_id);
  group_ = outer;
  return made;
}

lowering::part lowering::lower_block(ff_node& block, ssize_t first_id) {
  if (auto* const pipe = dynamic_cast<ff_pipeline*>(&block)) return lower(*pipe, first_id);
  if (auto* const farm = dynamic_cast<ff_farm*>(&block)) return lower(*farm);
  if (auto* const both = dynamic_cast<ff_a2a*>(&block)) return lower(*both);
  return lower_leaf(block);
}

// Checks those rules of F2, figure 6, that only mistakes break. The others are not needed: groups
// may be made at any level, of any blocks, which need not lie beside each other.
std::string lowering::group_of(const ff_node& block) {
  if (const auto* const both = dynamic_cast<const ff_comb*>(&block); both != nullptr && block.groups_ == nullptr) {
    const std::string first = group_of(*both->first_);
    const std::string last = group_of(*both->last_);
    if (first != last && first != group_ && last != group_)
      throw wrong_network("the parts of a combination are in the groups " + first + " and " + last);
    return first != group_ ? first : last;
  }
  if (block.groups_ == nullptr) return group_;
  const node_groups& of = *block.groups_;
  for (const std::string& each : of.made) {
    if (!groups_.insert(each).second) throw wrong_network("the group " + each + " is made twice");
  }
  if (of.in.size() > 1)
    throw wrong_network(name_of(block) + " is in the groups " + of.in[0] + " and " + of.in[1] + "; put it into one");
  if (of.made.size() > 1 && !block.isPipe() && !block.isAll2All())
    throw wrong_network("the groups " + of.made[0] + " and " + of.made[1] + " are made from " + name_of(block) +
                        ", which can be in one");
  if (!of.in.empty()) return of.in.front();
  return of.made.empty() || of.has_chosen_parts ? group_ : of.made.front();
}

lowering::part lowering::lower_leaf(ff_node& node) {
  unit made = code_of(node);
  if (const auto* const many = dynamic_cast<const ff_monode*>(&sender_of(node));
      many != nullptr && many->ondemand_buffer() > 0)
    made.ondemand = static_cast<std::size_t>(many->ondemand_buffer());
  made.skips_full = made.is_on_demand = made.ondemand != 0;
  const std::size_t number = add(std::move(made));
  return {{number}, {number}, node.isMultiInput(), node.isMultiOutput()};
}

unit lowering::code_of(ff_node& node) {
  note_code(node);
  unit made = unit_of(unit::role::code, name_of(node).c_str());
  made.node = &node;
  const ff_node* taker = &node;
  while (const auto* const both = dynamic_cast<const ff_comb*>(taker)) taker = both->first_;
  made.taken = taker->taken_;
  made.sent = sender_of(node).sent_;
  return made;
}

// Each node has one place.
void lowering::note_code(const ff_node& node) {
  if (const auto* const both = dynamic_cast<const ff_comb*>(&node)) {
    for (const ff_node* const each : {both->first_, both->last_}) {
      if (each == nullptr || is_block(*each))
        throw wrong_network("COMB, farms, all-to-alls and pipelines can't be combined with a node");
      note_code(*each);
    }
  }
  if (!nodes_.insert(&node).second)
    throw wrong_network(name_of(node) + " is in the network twice; use a node for each place");
}

lowering::part lowering::lower(ff_pipeline& pipe, ssize_t first_id) {
  if (pipe.stages_.empty()) throw wrong_network("a pipeline without stages");
  part whole;
  part before;
  ssize_t id = first_id;
  for (std::size_t i = 0; i != pipe.stages_.size(); ++i) {
    ff_node& stage = *pipe.stages_[i];
    stage.set_id(id);
    part now = lower(stage, id);
    id += threads_of(stage);
    if (i == 0) {
      whole = now;
    } else {
      const std::size_t capacity = pipe.fixed_out_    ? entries(pipe.out_entries_)
                                   : pipe.fixed_size_ ? entries(pipe.in_entries_)
                                                      : 0;
      join(before, now, false, capacity,
           "PIPE, cannot connect stage " + std::to_string(i - 1) + " with stage " + std::to_string(i));
    }
    before = now;
  }
  whole.last = before.last;
  whole.sends_many = before.sends_many;
  if (!pipe.wraps_around_) return whole;
  join(whole, whole, true, 0, "PIPE, cannot lead the last stage back to the first");
  return whole;
}

lowering::part lowering::lower(ff_farm& farm) {
  if (farm.workers_.empty()) throw wrong_network("FARM, has no workers");
  unit emitter;
  emitter.name = "emitter";
  emitter.does = unit::role::pass;
  if (farm.emitter_ != nullptr) {
    if (is_block(*farm.emitter_)) throw wrong_network("FARM, the emitter can't be a farm, a pipeline or an all-to-all");
    emitter = code_of(*farm.emitter_);
    emitter.group = group_of(*farm.emitter_);
  }
  emitter.is_on_demand = farm.ondemand_ != 0;
  emitter.skips_full = emitter.is_on_demand || farm.fixed_size_;
  emitter.lb = farm.lb_.get();
  if (emitter.lb != nullptr && emitter.lb->manager_ != nullptr) {
    emitter.manager = emitter.lb->manager_->get_in_buffer();
    emitter.manager_id = emitter.lb->manager_->get_my_id();
    if (emitter.manager == nullptr) throw wrong_network("FARM, the manager channel has no queue; use an ff_buffernode");
  }
  emitter.chooses = emitter.lb != nullptr && typeid(*emitter.lb) != typeid(ff_loadbalancer);
  const std::size_t active = farm.active_workers_ > 0
                                 ? std::min(static_cast<std::size_t>(farm.active_workers_), farm.workers_.size())
                                 : farm.workers_.size();
  const bool needs_order = farm.ordered_ && active != 1;  // one worker keeps the order by itself
  emitter.tells_order = needs_order;
  const std::size_t from = add(std::move(emitter));
  part whole{{from}, {}, true, false};

  const std::size_t capacity = farm.ondemand_ != 0 ? static_cast<std::size_t>(farm.ondemand_)
                               : farm.fixed_size_  ? entries(farm.in_entries_)
                                                   : 0;
  part workers;
  workers.sends_many = true;
  for (std::size_t i = 0; i != active; ++i) {
    ff_node& worker = *farm.workers_[i];
    worker.set_id(static_cast<ssize_t>(i));
    part now = lower(worker, static_cast<ssize_t>(i));
    if (farm.ordered_) check_order(now.first.front(), i);
    for (const std::size_t each : now.first) units_[each].is_part_of_worker = is_block(worker);
    units_[now.first.front()].marks = needs_order;
    for (const std::size_t each : now.first) add_wire(from, each, false, capacity);
    workers.last.insert(workers.last.end(), now.last.begin(), now.last.end());
    workers.sends_many = workers.sends_many && now.sends_many;
  }

  const part back{{from}, {}, true, false};
  if (farm.workers_wrap_) join(workers, back, true, 0, "FARM, cannot lead the workers back to the emitter");
  if (!farm.hasCollector()) {
    whole.last = workers.last;
    whole.sends_many = workers.sends_many;
    return whole;
  }
  unit collector;
  collector.name = "collector";
  collector.does = unit::role::pass;
  if (farm.collector_ != nullptr) {
    collector = code_of(*farm.collector_);
    collector.group = group_of(*farm.collector_);
  }
  collector.gt = farm.gt_.get();
  if (collector.gt != nullptr) collector.gt->rest_ = collector.resting = std::make_shared<rest>();
  collector.keeps_order = needs_order;
  const bool sends_many = farm.collector_ != nullptr && farm.collector_->isMultiOutput();
  const std::size_t to = add(std::move(collector));
  for (const std::size_t each : workers.last)
    add_wire(each, to, false, farm.fixed_out_ || farm.fixed_size_ ? entries(farm.out_entries_) : 0);
  if (needs_order) orders_.emplace_back(from, to);
  whole.last = {to};
  whole.sends_many = sends_many;
  if (farm.collector_wraps_) join(whole, back, true, 0, "FARM, cannot lead the collector back to the emitter");
  return whole;
}

// The mark behind the results of a task takes the way of these results: it must be one.
void lowering::check_order(std::size_t first, std::size_t worker) const {
  for (const wire& each : wires_) {
    if (each.from < first || each.to < first) continue;
    const auto others = [&](const wire& other) {
      return &other != &each && (other.from == each.from || other.to == each.to);
    };
    if (each.is_feedback || std::any_of(wires_.begin(), wires_.end(), others))
      throw wrong_network("OFARM, worker " + std::to_string(worker) +
                          " has several ways for a task, and so no order; use nodes and pipelines of nodes");
  }
}

lowering::part lowering::lower(ff_a2a& both) {
  if (both.first_.empty() || both.second_.empty()) throw wrong_network("A2A, needs two sets of nodes");
  part whole{{}, {}, true, true};
  part left;
  left.sends_many = true;
  for (std::size_t i = 0; i != both.first_.size(); ++i) {
    both.first_[i]->set_id(static_cast<ssize_t>(i));
    part now = lower(*both.first_[i], static_cast<ssize_t>(i));
    for (const std::size_t each : now.last) {
      units_[each].is_on_demand = units_[each].is_on_demand || both.ondemand_ > 0;
      units_[each].skips_full = units_[each].is_on_demand || both.fixed_size_;
    }
    whole.first.insert(whole.first.end(), now.first.begin(), now.first.end());
    whole.takes_many = whole.takes_many && now.takes_many;
    left.last.insert(left.last.end(), now.last.begin(), now.last.end());
  }
  part right;
  right.takes_many = true;
  for (std::size_t i = 0; i != both.second_.size(); ++i) {
    both.second_[i]->set_id(static_cast<ssize_t>(i));
    part now = lower(*both.second_[i], static_cast<ssize_t>(i));
    right.first.insert(right.first.end(), now.first.begin(), now.first.end());
    whole.last.insert(whole.last.end(), now.last.begin(), now.last.end());
    whole.sends_many = whole.sends_many && now.sends_many;
  }
  const std::size_t capacity = both.ondemand_ > 0 ? static_cast<std::size_t>(both.ondemand_)
                               : both.fixed_size_ ? entries(both.in_entries_)
                                                  : 0;
  join(left, right, false, capacity, "A2A, cannot connect the sets");
  if (!both.wraps_around_) return whole;
  part back{whole.first, {}, whole.sends_many, false};
  if (!whole.sends_many && whole.first.size() != whole.last.size())
    throw wrong_network("A2A, wrap_around needs sets of one size, or ff_monode in the second one");
  part forth{{}, whole.last, false, whole.sends_many};
  join(forth, back, true, 0, "A2A, cannot lead the second set back to the first");
  return whole;
}

// ---- the graph ----

bool lowering::leaves_process(const wire& of) const {
  if (!weir::group_environment::names_a_group()) return false;
  const std::string& from = units_[of.from].group;
  const std::string& to = units_[of.to].group;
  return from != to && !from.empty() && !to.empty();
}

// Tasks that go to other processes need a codec.
void lowering::check_codecs(const std::vector<const weir::item_type*>& types) const {
  for (const wire& each : wires_) {
    if (!leaves_process(each) || types[2 * each.to]->codec() != nullptr) continue;
    const unit& from = units_[each.from];
    const unit& to = units_[each.to];
    throw wrong_network("tasks go from " + from.name + " in the group " + from.group + " to " + to.name +
                        " in the group " + to.group +
                        ", but can't be serialized: both nodes need the same type of tasks, in <ff/dff.hpp>, and the "
                        "type a function serialize of the kinds that docs/from-fastflow.md shows");
  }
}

// The ports that channels connect have one type. Of unit i, the in-port has the number 2i, and the
// out-port 2i + 1. If the nodes disagree, or say nothing, the tasks have no type.
std::vector<const weir::item_type*> lowering::types_of_ports() const {
  std::vector<std::size_t> with(2 * units_.size());
  for (std::size_t i = 0; i != with.size(); ++i) with[i] = i;
  const auto root = [&](std::size_t port) {
    while (with[port] != port) port = with[port] = with[with[port]];
    return port;
  };
  for (const wire& each : wires_) with[root(2 * each.from + 1)] = root(2 * each.to);
  for (std::size_t i = 0; i != units_.size(); ++i) {
    if (units_[i].does == unit::role::pass) with[root(2 * i)] = root(2 * i + 1);
  }
  std::vector<const weir::item_type*> types(with.size(), nullptr);
  const auto agree = [&](std::size_t port, const weir::item_type* type) {
    const weir::item_type*& known = types[root(port)];
    if (type == nullptr) return;
    known = known == nullptr || weir::same_item_type(*known, *type) ? type : &type_of_tasks();
  };
  for (std::size_t i = 0; i != units_.size(); ++i) {
    const bool is_inside = units_[i].does == unit::role::code || units_[i].does == unit::role::pass;
    agree(2 * i, is_inside ? units_[i].taken : &type_of_tasks());
    agree(2 * i + 1, is_inside ? units_[i].sent : &type_of_tasks());
  }
  for (std::size_t i = 0; i != types.size(); ++i) {
    const weir::item_type* const type = types[root(i)];
    types[i] = type != nullptr ? type : &type_of_tasks();
  }
  return types;
}

// Programs ask nodes for the lengths of their queues.
void lowering::show_queues(unit& from, unit& to, std::size_t slots) {
  const auto show = [slots](ff_node* node, std::unique_ptr<task_queue> node_queues::*shown) {
    if (node == nullptr) return;
    if (node->queues_ == nullptr) node->queues_ = std::make_unique<node_queues>();
    // Another thread may still look at the queue of the last run.
    auto& queue = (*node->queues_).*shown;
    const std::size_t length = slots != 0 ? slots : DEFAULT_BUFFER_CAPACITY;
    if (queue == nullptr) queue = std::make_unique<task_queue>(length, true);
    queue->changesize(length);
  };
  show(from.node, &node_queues::shown_out);
  show(to.node, &node_queues::shown_in);
}

// Feedback channels have the first numbers, as in the graph.
void lowering::note_consumers() {
  for (unit& each : units_) {
    if (each.does != unit::role::code && each.does != unit::role::pass) continue;
    if (each.resting == nullptr) each.resting = std::make_shared<rest>();
    each.resting->freezes.store(freezes_, std::memory_order_relaxed);
    const bool is_here = !weir::group_environment::names_a_group() || each.group.empty() ||
                         each.group == weir::group_environment::name();
    if (each.gt != nullptr && !is_here) each.gt->rest_ = nullptr;  // nobody can wait for it
  }
  for (const bool feedback : {true, false}) {
    for (const wire& each : wires_) {
      if (each.is_feedback != feedback) continue;
      unit& from = units_[each.from];
      unit& to = units_[each.to];
      const bool can_freeze = from.lb == nullptr || !to.is_part_of_worker;
      from.consumers.push_back({to.node, can_freeze ? to.resting : nullptr, leaves_process(each)});
      show_queues(from, to, each.capacity);
      const bool can_thaw = from.lb != nullptr || (from.node != nullptr && from.node->isMultiOutput());
      if (!feedback && can_thaw && to.gt == nullptr) to.is_thawed_by_producer = true;
    }
  }
}

weir::graph lowering::graph() {
  weir::graph made;
  note_consumers();
  const std::vector<const weir::item_type*> types = types_of_ports();
  check_codecs(types);
  const weir::item_type& type_of_orders = weir::item_type_of<std::size_t>();
  std::vector<bool> takes(units_.size(), false);
  std::vector<bool> sends(units_.size(), false);
  for (const wire& each : wires_) takes[each.to] = sends[each.from] = true;
  for (std::size_t i = 0; i != units_.size(); ++i) {
    unit& each = units_[i];
    each.of_all = of_all_;
    if (each.skips_full && each.feedback_out == 0 && !each.tells_order && !each.chooses) {
      // A consumer works on one task, and its channel holds the others.
      const auto first = std::find_if(wires_.begin(), wires_.end(), [&](const wire& w) { return w.from == i; });
      if (first != wires_.end()) each.demand = first->capacity + 1;
    }
    weir::node_description node;
    node.path = "/" + each.name;
    node.kind = each.does == unit::role::code ? "ff_node" : "ff_" + each.name;
    node.traits.group = each.group;
    if (takes[i]) node.in.push_back({types[2 * i]});
    if (sends[i]) node.out.push_back({types[2 * i + 1], {}});
    if (each.keeps_order) node.in.push_back({&type_of_orders});
    if (each.tells_order) node.out.push_back({&type_of_orders, {}});
    switch (each.does) {
      case unit::role::code:
      case unit::role::pass:
        ++*of_all_->running;
        node.make = [about = each] { return std::make_unique<node_behaviour>(about); };
        break;
      case unit::role::entry: node.make = [end = in] { return std::make_unique<weir::detail::entry>(end); }; break;
      case unit::role::exit: node.make = [end = out] { return std::make_unique<results_node>(end); }; break;
      case unit::role::from_queue:
        node.make = [queue = each.queue] { return std::make_unique<from_queue>(*queue); };
        break;
      case unit::role::to_queue: node.make = [queue = each.queue] { return std::make_unique<to_queue>(*queue); }; break;
    }
    made.add(std::move(node));
  }
  // Feedback channels have the first numbers. As in FastFlow, a channel grows unless the program
  // bounds it: a node may wait in `all_gather` for one input while much must go to another one.
  for (const bool feedback : {true, false}) {
    for (const wire& each : wires_) {
      if (each.is_feedback != feedback) continue;
      const auto from = static_cast<weir::node_id>(each.from);
      const auto to = static_cast<weir::node_id>(each.to);
      if (each.capacity == 0) {
        made.connect_unbounded(from, tasks_port, to, tasks_port);
      } else {
        made.connect(from, tasks_port, to, tasks_port, each.capacity);
      }
    }
  }
  for (const auto& [from, to] : orders_)
    made.connect_unbounded(static_cast<weir::node_id>(from), order_port, static_cast<weir::node_id>(to), order_port);
  for (std::size_t i = 0; i != units_.size(); ++i) {
    // The node names the consumer itself. To a single one it sends in runs, without a policy.
    if (!sends[i] || std::as_const(made).nodes()[i].out[tasks_port].policy.children.size() < 2) continue;
    weir::policy rule;
    rule.kind = units_[i].demand != 0 ? weir::distribution::on_demand : weir::distribution::round_robin;
    rule.depth = std::max<std::size_t>(units_[i].demand, 1);
    made.set_policy(static_cast<weir::node_id>(i), tasks_port, std::move(rule));
  }
  return made;
}

// ---- for the blocks ----

int lowering::threads_of(ff_node& node) {
  const auto sum = [](const svector<ff_node*>& all) {
    int threads = 0;
    for (ff_node* const each : all) threads += threads_of(*each);
    return threads;
  };
  if (const auto* const pipe = dynamic_cast<ff_pipeline*>(&node)) return sum(pipe->stages_);
  if (const auto* const farm = dynamic_cast<ff_farm*>(&node))
    return sum(farm->workers_) + 1 + (farm->hasCollector() ? 1 : 0);
  if (const auto* const both = dynamic_cast<ff_a2a*>(&node)) return sum(both->first_) + sum(both->second_);
  return 1;
}

void lowering::add_last_nodes(ff_node& block, svector<ff_node*>& to) {
  const auto add_all = [&](const svector<ff_node*>& all) {
    for (ff_node* const each : all) add_last_nodes(*each, to);
  };
  if (const auto* const pipe = dynamic_cast<ff_pipeline*>(&block)) {
    if (!pipe->stages_.empty()) add_last_nodes(*pipe->stages_.back(), to);
  } else if (const auto* const farm = dynamic_cast<ff_farm*>(&block)) {
    if (farm->collector_ != nullptr) {
      to.push_back(farm->collector_);
    } else if (!farm->hasCollector()) {
      add_all(farm->workers_);
    }
  } else if (const auto* const both = dynamic_cast<ff_a2a*>(&block)) {
    add_all(both->second_);
  } else {
    to.push_back(&block);
  }
}

// From the start of the first node to the end of the last one.
std::pair<timeval, timeval> lowering::times_of(const ff_node& node) {
  std::vector<const ff_node*> parts;
  if (const auto* const pipe = dynamic_cast<const ff_pipeline*>(&node))
    parts.assign(pipe->stages_.begin(), pipe->stages_.end());
  if (const auto* const farm = dynamic_cast<const ff_farm*>(&node))
    parts.assign(farm->workers_.begin(), farm->workers_.end());
  if (const auto* const both = dynamic_cast<const ff_a2a*>(&node)) {
    parts.assign(both->first_.begin(), both->first_.end());
    parts.insert(parts.end(), both->second_.begin(), both->second_.end());
  }
  std::pair<timeval, timeval> all{node.started_, node.stopped_};
  if (parts.empty() || all.first.tv_sec != 0) return all;
  for (const ff_node* const each : parts) {
    const auto [start, stop] = times_of(*each);
    if (start.tv_sec != 0 && (all.first.tv_sec == 0 || start < all.first)) all.first = start;
    if (all.second < stop) all.second = stop;
  }
  return all;
}

void lowering::note_times(ff_node& node, bool starts) {
  gettimeofday(starts ? &node.started_ : &node.stopped_, nullptr);
  if (!starts) return;
  node.stopped_ = {};
  node.thread_ = ff_getThreadID();
}

}  // namespace ff::detail
