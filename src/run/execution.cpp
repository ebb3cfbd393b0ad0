// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/execution.hpp"

#include "weir/detail/passes/check.hpp"
#include "weir/detail/passes/fuse.hpp"
#include "weir/detail/passes/place.hpp"
#include "weir/detail/passes/relay_broadcasts.hpp"
#include "weir/item/bytes.hpp"

#include "remote/receiver.hpp"
#include "remote/relay.hpp"
#include "remote/sender.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace weir {
namespace {

using namespace std::chrono_literals;

// A channel holds about this many bytes: what a worker fills it with while another drains it should
// be worth the transfer from core to core, and still lie in their caches. The channels of a
// producer with many consumers share what four would have.
constexpr std::size_t channel_bytes = std::size_t{32} * 1024;
constexpr std::size_t channels_at_full_size = 4;
constexpr std::size_t channel_items_least = 16;
// Of an item that owns memory, and does not say how much, so much is assumed.
constexpr std::size_t bytes_of_unknown = 256;
// Between fused nodes: what one of them makes in a turn should lie in the nearest cache until the
// next has its turn.
constexpr std::size_t inner_channel_bytes = std::size_t{8} * 1024;
constexpr std::size_t inner_channel_items_most = 1024;

std::size_t capacity_of(const channel_description& c, std::size_t siblings) {
  if (c.unbounded) return channel::unbounded;
  if (c.capacity != 0) return c.capacity;
  std::size_t bytes = channel_bytes * channels_at_full_size / std::max(siblings, channels_at_full_size);
  if (c.bytes != 0) bytes = c.bytes;
  const std::size_t each = slots_of(*c.type, c.words).size;
  return std::max(bytes / (c.type->owns_unknown() ? std::max(each, bytes_of_unknown) : each), channel_items_least);
}

// Whether others look at how far an inner channel is: the loops around it, and those who wait for
// the last of some item.
bool watched(const graph& g, const channel_description& c) {
  return c.words != 0 || std::any_of(g.loops().begin(), g.loops().end(), [&](const loop_description& around) {
           return std::find(around.members.begin(), around.members.end(), c.to) != around.members.end();
         });
}

std::chrono::nanoseconds process_cpu_time() noexcept {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool is_undecodable(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const codec_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::size_t workers_of(const run_options& options) noexcept {
  return options.workers != 0 ? options.workers : available_cores();
}

}  // namespace

execution::execution(const run_options& options)
    : executor_(options.executor),
      workers_(options.workers),
      pin_(options.pin),
      fuse_(options.fuse),
      tuned_(options.tuned),
      member_(options.member) {
  if (executor_ == executor::pool && (workers_ != 0 || pin_ == pinning::on)) {
    const std::size_t workers = workers_of(options);
    const bool pins = pin_ == pinning::on && workers <= available_cores();
    own_pool_ = std::make_unique<pool>(workers, pins ? choose_processors(workers) : std::vector<int>());
  }
  pool_ = own_pool_ ? own_pool_.get() : &pool::shared();
}

execution::~execution() = default;

namespace {

// Of the farms whose widths nobody has set. Nothing changes if the tuning is not one of this
// network.
void tune_widths(network& net, const run_options& options) {
  farm_widths wanted = options.tuned.widths;
  std::erase_if(wanted, [&](const auto& each) { return net.state().widths().contains(each.first); });
  if (wanted.empty()) return;
  static_cast<void>(weir::tuned(net.state().with_widths(workers_of(options), wanted), options.tuned));
  for (const auto& [farm, width] : wanted) net.state().set_width(farm, width);
}

// @throws graph_error if there can be no such channel
std::size_t checked_capacity(const graph& g, const channel_description& c, const slot_layout& layout,
                             std::size_t capacity) {
  constexpr std::size_t bytes_most = std::size_t{1} << 46;
  if (capacity == channel::unbounded || capacity <= bytes_most / layout.size) return capacity;
  throw graph_error(g.nodes()[c.from].path, "its channel to " + g.nodes()[c.to].path + " can't hold " +
                                                std::to_string(capacity) + " items; give it less capacity");
}

}  // namespace

std::unique_ptr<execution> execution::of(network& net, const run_options& options) {
  tune_widths(net, options);
  group_member* const member = options.member;
  graph& g = net.resolve(net.state().resolved() ? 0 : member != nullptr ? member->cores() : workers_of(options));
  std::unique_ptr<kept_between_runs> kept = net.state().take_kept();
  if (auto* const earlier = dynamic_cast<execution*>(kept.get()); earlier != nullptr && earlier->fits(g, options)) {
    static_cast<void>(kept.release());
    if (!earlier->changed_) earlier->graph_ = &g;
    return std::unique_ptr<execution>(earlier);
  }
  check(g);
  if (options.pin == pinning::on && options.executor == executor::threads) place(g);
  auto made = std::make_unique<execution>(options);
  made->revision_ = std::as_const(g).revision();
  if (!options.tuned.empty()) made->changed_ = weir::tuned(g, options.tuned);
  if (member != nullptr) {
    made->whole_ = made->changed_ ? std::move(*made->changed_) : g;
    member->assign_groups(*made->whole_);
    made->whole_ = relay_broadcasts(*made->whole_, make_relay);
    made->changed_ =
        cut(*made->whole_, member->name(), [of = made.get()](const remote_end& end) { return of->make_end(end); });
  }
  if (options.fuse) made->changed_ = fuse_neighbours(made->changed_ ? *made->changed_ : g);
  made->graph_ = made->changed_ ? &*made->changed_ : &g;
  made->chains_ = chains_of(*made->graph_);
  made->make_channels();
  return made;
}

bool execution::fits(const graph& g, const run_options& options) const noexcept {
  return pool_->has_its_threads() && revision_ == g.revision() && executor_ == options.executor &&
         workers_ == options.workers && pin_ == options.pin && fuse_ == options.fuse && tuned_ == options.tuned &&
         member_ == options.member;
}

void execution::make_channels() {
  const graph& g = *graph_;
  std::vector<std::size_t> siblings(g.channels().size());
  for (const node_description& node : g.nodes()) {
    for (const auto& port : node.out) {
      const std::vector<channel_id> leaves = leaves_of(port.policy);
      for (const channel_id leaf : leaves) siblings[leaf] = leaves.size();
    }
  }
  for (channel_id id = 0; id != g.channels().size(); ++id) {
    const channel_description& c = g.channels()[id];
    const slot_layout layout = slots_of(*c.type, c.words);
    if (leads_on_in_chain(g, c)) {
      const std::size_t most = c.capacity != 0 ? c.capacity : inner_channel_items_most;
      const std::size_t capacity = std::min(most, std::max(inner_channel_bytes / layout.size, channel_items_least));
      channels_.push_back(std::make_unique<channel>(layout, capacity, capacity, !watched(g, c)));
    } else {
      channels_.push_back(
          std::make_unique<channel>(layout, checked_capacity(g, c, layout, capacity_of(c, siblings[id]))));
    }
  }
}

void execution::launch(network& net, const run_options& options, const trace_options& traced) {
  stopping.store(false, std::memory_order_relaxed);
  draining.store(false, std::memory_order_relaxed);
  if (stop_source.stop_requested()) stop_source = {};
  if (drain_source.stop_requested()) drain_source = {};
  {
    const std::lock_guard lock(problem_mutex_);
    problem_ = nullptr;
  }
  const bool is_traced = begin_in_group(net, traced.file);
  if (is_traced) {
    trace_ = std::make_unique<trace>(traced, graph_->nodes().size(), group_ != nullptr);
    for (const auto& chain : chains_) activation_of_[chain.front()]->record_in(trace_->log_of(chain.front()));
  }
  pool_->set_max_threads(std::max<std::size_t>(options.max_threads, pool_->workers() + 1));
  cpu_before_ = process_cpu_time();
  started_ = std::chrono::steady_clock::now();
  ended_ = false;
  watch_.reset();
  pool_->watch(*this);
  calls_.store(0);
  start_all();
  if (group_ != nullptr) group_->let_ask([this] { return make_group_report(); });
}

// Makes the activations, and waits until all groups have done so. Returns whether the run is
// traced.
bool execution::begin_in_group(network& net, const std::string& trace) {
  if (member_ == nullptr) {
    make_activations(net);
    return !trace.empty();
  }
  group_ = member_->begin(*whole_, *this);
  try {
    of_cuts_.clear();
    make_activations(net);
  } catch (const node_error& problem) {
    group_->failed(problem.path(), message_of(std::current_exception()), false);
    group_.reset();
    throw;
  }
  try {
    return group_->join(trace);
  } catch (...) {
    group_.reset();
    throw;
  }
}

behaviour& execution::instance(network& net, node_id id) {
  const node_description& node = graph_->nodes()[id];
  if (member_ == nullptr) return net.instance(id);
  if (node.in_whole != no_node && node.relays_for == no_node) return net.instance(node.in_whole);
  return *of_cuts_.emplace_back(node.make());
}

void execution::make_activations(network& net) {
  const graph& g = *graph_;
  const auto& nodes = g.nodes();
  activations_.clear();
  activations_.reserve(nodes.size());
  nodes_.assign(nodes.size(), nullptr);
  activation_of_.assign(nodes.size(), nullptr);
  for (const auto& chain : chains_) make_activation(net, chain);
  make_loops();
  for (node_id id = 0; id != nodes.size(); ++id) {
    ports& io = nodes_[id]->io;
    for (std::size_t port = 0; port != nodes[id].out.size(); ++port) {
      io.out(port).route(nodes[id].out[port].policy, [&](channel_id leaf) {
        const channel_description& c = g.channels()[leaf];
        return out_port::target{.data = channels_[leaf].get(),
                                .consumer = nodes_[c.to],
                                .around = loop_around(c),
                                .far = ends_cut(c.to),
                                .chosen = c.capacity == 0 && !c.unbounded};
      });
    }
    for (std::size_t port = 0; port != nodes[id].in.size(); ++port) {
      for (const channel_id c : nodes[id].in[port].channels) {
        const channel_description& from = g.channels()[c];
        io.in(port).attach(*channels_[c], *nodes_[from.from], loop_around(from));
      }
    }
  }
}

void execution::make_activation(network& net, const std::vector<node_id>& chain) {
  const graph& g = *graph_;
  const node_description& first = g.nodes()[chain.front()];
  node_traits traits = first.traits;
  if (executor_ == executor::threads) traits.on_own_thread = true;
  const int core = pin_ == pinning::off ? -1 : first.core;  // an earlier run may have placed it
  activation& made = *activations_.emplace_back(std::make_unique<activation>(*this, *pool_, std::move(traits), core));
  for (const node_id id : chain) {
    const node_description& node = g.nodes()[id];
    try {
      nodes_[id] = &made.add(instance(net, id), node);
    } catch (const graph_error&) {
      throw;
    } catch (...) {
      std::rethrow_exception(node_error_of(node.path, std::current_exception()));
    }
    activation_of_[id] = &made;
    if (id != chain.front()) made.join(*channels_[node.in.front().channels.front()]);
  }
}

std::unique_ptr<behaviour> execution::make_end(const remote_end& end) const {
  const channel_id first = end.channels.front();
  if (end.sends) return std::make_unique<remote_sender>(group_->outgoing(first));
  return std::make_unique<remote_receiver>(group_->incoming(first));
}

// Whether it stands for nodes in another group.
bool execution::ends_cut(node_id node) const noexcept {
  return member_ != nullptr && graph_->nodes()[node].in_whole == no_node;
}

void execution::make_loops() {
  const graph& g = *graph_;
  loops_.clear();
  std::vector<std::set<node_id>> members;
  for (const loop_description& about : g.loops()) {
    loop& made = *loops_.emplace_back(std::make_unique<loop>(about.path, about.byte_limit));
    if (about.part_of != no_loop) {
      if (group_ == nullptr) throw graph_error(about.path, "has members in other groups; only a cluster can run it");
      made.decided_by(group_->take_part(about.part_of, made));
    }
    members.emplace_back(about.members.begin(), about.members.end());
  }
  // The largest loop around a node asks it.
  const auto largest_around = [&](node_id node) {
    loop_id largest = no_loop;
    for (loop_id id = 0; id != members.size(); ++id) {
      if (!members[id].contains(node)) continue;
      if (largest == no_loop || members[id].size() >= members[largest].size()) largest = id;
    }
    return largest;
  };
  // Whether loop `outer` is another one around all of loop `inner`; of two with the same members,
  // the later one is.
  const auto lies_around = [&](loop_id outer, loop_id inner) {
    if (outer == no_loop || outer == inner) return false;
    const auto size = [&](loop_id id) { return std::pair(members[id].size(), id); };
    return size(outer) > size(inner) &&
           std::includes(members[outer].begin(), members[outer].end(), members[inner].begin(), members[inner].end());
  };
  std::map<node_id, std::size_t> numbers;  // of the heads
  for (const channel_description& back : g.channels()) {
    if (back.loop == no_loop) continue;
    if (ends_cut(back.to)) continue;  // its head is in another group
    host& head = *nodes_[back.to];
    loops_[back.loop]->add_head(head);
    const auto [number, added] = numbers.try_emplace(back.to);
    if (added) number->second = loops_[largest_around(back.to)]->add_asked(head);
  }
  for (loop_id id = 0; id != loops_.size(); ++id) {
    for (channel_id c = 0; c != g.channels().size(); ++c) {
      const channel_description& into = g.channels()[c];
      if (!members[id].contains(into.to)) continue;
      loops_[id]->add_channel(*channels_[c], !members[id].contains(into.from) || lies_around(into.loop, id),
                              loop_around(into));
    }
    for (const node_id member : members[id]) {
      if (ends_cut(member) && g.nodes()[member].in.empty()) continue;  // what it sends is counted where it comes from
      loops_[id]->add_member(*nodes_[member]);
      const auto number = numbers.find(member);
      const bool asked = number != numbers.end() && largest_around(member) == id;
      nodes_[member]->io.join_loop(*loops_[id], asked ? std::optional(number->second) : std::nullopt);
    }
  }
}

// Every activation starts out ready.
void execution::start_all() {
  live_.store(activations_.size() + 1, std::memory_order_relaxed);
  std::size_t launched = 0;
  try {
    for (auto& each : activations_) {
      if (each->traits.on_own_thread) pool_->run_on_own_thread(*each), ++launched;
    }
  } catch (...) {
    abort_launch(launched);
    return;
  }
  for (auto& each : activations_) {
    if (!each->traits.on_own_thread) pool_->enqueue(*each, cause::any);
  }
  one_ended();  // this one stands for the launch itself
}

// No thread to be had for the next one: ends what runs, and counts the others as ended.
void execution::abort_launch(std::size_t launched) {
  std::vector<activation*> without;
  for (auto& each : activations_) {
    if (each->traits.on_own_thread && launched != 0) {
      --launched;
    } else {
      without.push_back(each.get());
    }
  }
  const auto first =
      std::find_if(without.begin(), without.end(), [](activation* each) { return each->traits.on_own_thread; });
  fail((*first)->path(), std::current_exception());
  for (activation* each : without) {
    each->never_run();
    one_ended();
  }
  one_ended();
}

void execution::fail(const std::string& path, std::exception_ptr problem) noexcept {
  if (keep_problem(node_error_of(path, problem)) && group_ != nullptr)
    group_->failed(path, message_of(problem), is_undecodable(problem));
  stop_and_tell();
}

void execution::fail_from_outside(std::exception_ptr problem) noexcept {
  keep_problem(problem);
  stop_and_tell();
}

void execution::stop_and_tell() noexcept {
  std::stop_source told = stop_source;
  stop();
  told.request_stop();
}

void execution::drain_from_outside() noexcept {
  std::stop_source told = drain_source;
  end_sources();
  told.request_stop();
}

// The first one counts.
bool execution::keep_problem(const std::exception_ptr& problem) noexcept {
  const std::lock_guard lock(problem_mutex_);
  if (problem_) return false;
  problem_ = problem;
  return true;
}

void execution::one_ended() noexcept {
  if (live_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_.unpark();
}

void execution::cancel() noexcept {
  if (group_ != nullptr) group_->cancelled();
  stop();
}

void execution::drain() noexcept {
  if (group_ != nullptr) group_->drained();
  end_sources();
}

void execution::stop() noexcept {
  if (!stopping.exchange(true)) call_all();
}

void execution::end_sources() noexcept {
  if (!draining.exchange(true)) call_all();
}

report execution::end_everywhere() { return group_ == nullptr ? make_report() : group_->end(make_group_report()); }

void execution::leave_group() noexcept { group_.reset(); }

// Those who wait look again, and those who send ask whether they may. A call is made before it is
// counted, so the pool never has fewer sleepers than there are. If the run has ended in between,
// nobody else takes the call back.
void execution::call_all() noexcept {
  pool_->call_senders();
  if (calls_.fetch_add(1) < 0) pool_->end_call();
  native_atomics::fence_full();
  for (auto& each : activations_) each->notify(cause::any);
}

void execution::end_calls() noexcept {
  for (int made = calls_.exchange(not_running); made > 0; --made) pool_->end_call();
}

void execution::wait_for_all(const run_options& options) noexcept {
  while (!end_.park_for(1s)) {
    const bool all = stopping.load(std::memory_order_relaxed);
    if (!options.on_waiting || !(all || draining.load(std::memory_order_relaxed))) continue;
    for (auto& each : activations_) {
      if (each->state.has_ended() || !(all || each->is_source())) continue;
      options.on_waiting(each->path());
      break;
    }
  }
  pool_->unwatch(*this);
  pool_->wait_until_unseen(activations_);
  end_calls();
}

bool execution::look() noexcept {
  const auto began = std::chrono::steady_clock::now();
  for (auto& each : activations_) each->note_long_run();
  try {
    if (!watch_) {
      watch_.emplace(deadlock_watch::run_parts{.what = *graph_,
                                               .chains = chains_,
                                               .activations = activations_,
                                               .nodes = nodes_,
                                               .channels = channels_,
                                               .loops = loops_,
                                               .whole = whole_ ? *whole_ : *graph_,
                                               .is_elsewhere = [this](node_id id) { return ends_cut(id); }});
    }
    deadlock_ = watch_->look();
    if (group_ != nullptr && !deadlock_ && group_->looked(began, watch_->of_group())) watch_->end_some();
  } catch (const std::bad_alloc&) {  // another look follows
    return false;
  }
  return deadlock_.has_value() && !stopping.load(std::memory_order_relaxed);
}

void execution::act() noexcept { fail(deadlock_->path, std::make_exception_ptr(std::runtime_error(deadlock_->text))); }

void execution::note_end() noexcept {
  if (group_ != nullptr) group_->let_ask({});
  finished_ = std::chrono::steady_clock::now();
  cpu_after_ = process_cpu_time();
  ended_ = true;
}

void execution::write_trace() noexcept {
  if (trace_ == nullptr) return;
  if (group_ == nullptr) {
    trace_->write(*graph_, channels_, started_);
  } else {
    trace_->write_part(*graph_, channels_, started_, *group_);
  }
  trace_.reset();
}

report execution::make_report() const {
  const graph& g = *graph_;
  report made;
  made.ended = ended_;
  made.wall = (ended_ ? finished_ : std::chrono::steady_clock::now()) - started_;
  made.cpu = (ended_ ? cpu_after_ : process_cpu_time()) - cpu_before_;
  made.workers = executor_ == executor::pool ? pool_->workers() : 0;
  made.nodes.reserve(nodes_.size());
  for (node_id id = 0; id != nodes_.size(); ++id) {
    node_report& node = made.nodes.emplace_back();
    node.path = nodes_[id]->io.path();
    node.kind = g.nodes()[id].kind;
    activation_of_[id]->fill(*nodes_[id], node);
  }
  for (const auto& chain : chains_) {
    for (std::size_t i = 1; i < chain.size(); ++i) made.nodes[chain[i]].runs_with = made.nodes[chain.front()].path;
  }
  made.channels.reserve(channels_.size());
  std::vector<std::size_t> place_in_port(channels_.size());
  for (const node_description& node : g.nodes()) {
    for (const in_port_description& port : node.in) {
      for (std::size_t i = 0; i != port.channels.size(); ++i) place_in_port[port.channels[i]] = i;
    }
  }
  for (channel_id id = 0; id != channels_.size(); ++id) {
    const channel_description& c = g.channels()[id];
    channel_report& entry = made.channels.emplace_back();
    entry.from = g.nodes()[c.from].path;
    entry.to = g.nodes()[c.to].path;
    entry.input = c.to_port;
    const channel::index completed = channels_[id]->completed();
    entry.items = channels_[id]->written();
    entry.waiting = ended_ ? 0 : static_cast<std::size_t>(entry.items - completed);
    entry.capacity = channels_[id]->capacity();
    made.nodes[c.from].sent += entry.items;
    const ports& io = nodes_[c.to]->io;
    const double fill = io.in(c.to_port).channels()[place_in_port[id]]->mean_fill();
    // Where the policy lets fewer items wait than the channel holds, that is what can be full.
    const channel::index most = std::min<channel::index>(entry.capacity, channels_[id]->window());
    entry.room = static_cast<std::size_t>(most);
    entry.fill = most == 0 ? 0 : std::min(1.0, fill / static_cast<double>(most));
  }
  return made;
}

group_report execution::make_group_report() const {
  const graph& g = *graph_;
  group_report made{.of = make_report(), .nodes = {}, .channels = {}};
  for (const node_description& node : g.nodes()) made.nodes.push_back(node.in_whole);
  for (const channel_description& c : g.channels()) made.channels.push_back(ends_cut(c.from) ? no_channel : c.in_whole);
  return made;
}

void execution::discard_rest() noexcept {
  for (auto& each : channels_) each->reset();
}

std::exception_ptr execution::problem() const noexcept {
  const std::lock_guard lock(problem_mutex_);
  return problem_;
}

}  // namespace weir
