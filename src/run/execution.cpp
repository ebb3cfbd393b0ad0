// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/execution.hpp"

#include "weir/detail/passes/place.hpp"
#include "weir/detail/passes/processors.hpp"
#include "weir/item/bytes.hpp"

#include "graph/per_process.hpp"
#include "remote/receiver.hpp"
#include "remote/sender.hpp"
#include "run/cores.hpp"

#include <algorithm>
#include <ctime>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace weir::detail {
namespace {

using namespace std::chrono_literals;

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

// @throws std::invalid_argument if no pool may have so many
std::size_t workers_of(const run_options& options) {
  if (options.workers >= pool_threads::most) {
    throw std::invalid_argument("run_options::workers is " + std::to_string(options.workers) + "; a pool has at most " +
                                std::to_string(pool_threads::most - 1));
  }
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
    pool::prepare_process();
    own_pool_ = std::make_unique<pool>(workers, pins ? choose_processors(workers) : std::vector<int>());
  }
  pool_ = own_pool_ ? own_pool_.get() : &pool::shared();
}

execution::~execution() = default;

namespace {

// Sets the widths of the farms for which no width has been set. Changes nothing if the tuning
// belongs to another network.
void tune_widths(network& net, const run_options& options) {
  farm_widths wanted = options.tuned.widths;
  std::erase_if(wanted, [&](const auto& each) { return net.state().widths().contains(each.first); });
  if (wanted.empty()) return;
  static_cast<void>(weir::tuned(net.state().with_widths(workers_of(options), wanted), options.tuned));
  for (const auto& [farm, width] : wanted) net.state().set_width(farm, width);
}

}  // namespace

std::unique_ptr<execution> execution::of(network& net, const run_options& options) {
  tune_widths(net, options);
  group_member* const member = options.member;
  graph& g = net.resolve(net.state().resolved() ? 0 : member != nullptr ? member->cores() : workers_of(options));
  std::unique_ptr<kept_between_runs> kept = net.state().take_kept();
  if (auto* const earlier = dynamic_cast<execution*>(kept.get()); earlier != nullptr && earlier->fits(g, options)) {
    static_cast<void>(kept.release());
    if (!earlier->plan_.changed) earlier->graph_ = &g;
    return std::unique_ptr<execution>(earlier);
  }
  auto made = std::make_unique<execution>(options);
  made->plan_ = compile(g, options, [of = made.get()](const remote_end& end) { return of->make_end(end); });
  made->revision_ = std::as_const(g).revision();
  made->graph_ = made->plan_.changed ? &*made->plan_.changed : &g;
  const std::vector<node_description>& nodes = std::as_const(*made->graph_).nodes();
  made->is_part_ = std::any_of(nodes.begin(), nodes.end(), [](const auto& each) { return each.in_whole != no_node; });
  constexpr std::size_t segment = 256;  // slots, of channels without a limit
  for (const auto& [slots, capacity, internal, waiting_most] : made->plan_.channels) {
    made->channels_.push_back(std::make_unique<channel>(slots, capacity, segment, internal, waiting_most));
  }
  return made;
}

bool execution::fits(const graph& g, const run_options& options) const noexcept {
  return revision_ == g.revision() && executor_ == options.executor && workers_ == options.workers &&
         pin_ == options.pin && fuse_ == options.fuse && tuned_ == options.tuned && member_ == options.member;
}

void execution::launch(network& net, const run_options& options, const trace_options& traced) {
  requests.clear();
  if (stop_source.stop_requested()) stop_source = {};
  if (drain_source.stop_requested()) drain_source = {};
  {
    const std::lock_guard lock(problem_mutex_);
    problem_ = nullptr;
  }
  const bool is_traced = begin_in_group(net, traced.file);
  if (is_traced) {
    trace_ = std::make_unique<trace>(traced, graph_->nodes().size(), group_ != nullptr);
    for (const auto& chain : plan_.chains) activation_of_[chain.front()]->record_in(trace_->log_of(chain.front()));
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

// Makes the activations, and waits until all groups have made theirs. Returns whether the run is
// traced.
bool execution::begin_in_group(network& net, const std::string& trace) {
  if (member_ == nullptr) {
    make_activations(net);
    return !trace.empty();
  }
  group_ = member_->begin(*plan_.whole, *this);
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
  for (const auto& chain : plan_.chains) make_activation(net, chain);
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

// Whether the node stands for nodes in another group.
bool execution::ends_cut(node_id node) const noexcept { return is_part_ && graph_->nodes()[node].in_whole == no_node; }

void execution::make_loops() {
  const graph& g = *graph_;
  loops_.clear();
  for (const loop_description& about : g.loops()) {
    loop& made = *loops_.emplace_back(std::make_unique<loop>(about.path, about.byte_limit));
    if (about.part_of == no_loop) continue;
    if (group_ == nullptr) throw graph_error(about.path, "has members in other groups; only a cluster can run it");
    made.decided_by(group_->take_part(about.part_of, made));
  }
  for (loop_id id = 0; id != loops_.size(); ++id) {
    const loop_plan& planned = plan_.loops[id];
    loop& made = *loops_[id];
    for (const node_id head : planned.heads) made.add_head(*nodes_[head]);
    for (const node_id head : planned.asked) made.add_asked(*nodes_[head]);
    for (const auto& [into, enters] : planned.channels) {
      made.add_channel(*channels_[into], enters, loop_around(g.channels()[into]));
    }
    for (const auto& [member, asked] : planned.members) {
      made.add_member(*nodes_[member]);
      nodes_[member]->io.join_loop(made, asked);
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
  one_ended();  // stands for the launch itself
}

// There is no thread for the next activation: ends the activations that run, and counts the others
// as ended.
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

// Keeps the first problem. @return whether this is the first
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
  if (requests.stop()) call_all();
}

void execution::end_sources() noexcept {
  if (requests.drain()) call_all();
}

report execution::end_everywhere() {
  if (group_ == nullptr) return make_report();
  report made = group_->end(make_group_report());
  made.drained = requests.draining();  // all groups get the request
  return made;
}

void execution::leave_group() noexcept { group_.reset(); }

// Wakes waiting nodes to look again, and makes senders check whether they may send. A call is made
// before it is counted, so the pool never has fewer sleepers than there are. If the run has ended
// in between, no other thread takes the call back.
void execution::call_all() noexcept {
  pool_->call_senders();
  if (calls_.fetch_add(1) < 0) pool_->end_call();
  native_atomics::fence_full();
  for (auto& each : activations_) each->notify(cause::any);
}

void execution::end_calls() noexcept {
  for (int made = calls_.exchange(not_running); made > 0; --made) pool_->end_call();
}

// Returns an activation that keeps the run from its end after a cancel, a failure or a drain, as
// far as that is known: one that has not ended; after a drain, a source that has not, or else one
// whose code has not returned for a second. Null: there is none.
const activation* execution::waited_for() const noexcept {
  const bool all = requests.stopping();
  if (!all && !requests.draining()) return nullptr;
  for (const auto& each : activations_) {
    if (!each->state.has_ended() && (all || each->is_source())) return each.get();
  }
  const auto before = std::chrono::steady_clock::now() - 1s;
  for (const auto& each : activations_) {
    if (each->in_one_turn_since(before)) return each.get();
  }
  return nullptr;
}

void execution::wait_for_all(const run_options& options) noexcept {
  while (!end_.park_for(1s)) {
    if (!options.on_waiting) continue;
    if (const activation* const last = waited_for()) {
      const child_ends_here within("on_waiting");
      options.on_waiting(last->path());
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
    if (!watch_) watch_.emplace(parts());
    deadlock_ = watch_->look();
    if (group_ != nullptr && !deadlock_ && group_->looked(began, watch_->of_group())) watch_->end_some();
  } catch (const std::bad_alloc&) {  // another look follows
    return false;
  }
  return deadlock_.has_value() && !requests.stopping();
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
  report made = report_of(parts(), ended_);
  made.ended = ended_;
  made.drained = requests.draining();
  made.wall = (ended_ ? finished_ : std::chrono::steady_clock::now()) - started_;
  made.cpu = (ended_ ? cpu_after_ : process_cpu_time()) - cpu_before_;
  made.workers = executor_ == executor::pool ? pool_->workers() : 0;
  made.quota = own_processor_quota();
  return made;
}

run_parts execution::parts() const {
  return {.what = *graph_,
          .chains = plan_.chains,
          .activations = activations_,
          .nodes = nodes_,
          .channels = channels_,
          .loops = loops_,
          .whole = plan_.whole ? *plan_.whole : *graph_,
          .is_elsewhere = [this](node_id id) { return ends_cut(id); }};
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

}  // namespace weir::detail
