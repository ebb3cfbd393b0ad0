// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/run.hpp"

#include "weir/passes/check.hpp"
#include "weir/passes/place.hpp"

#include "run/activation.hpp"
#include "run/graph_request.hpp"
#include "run/pool.hpp"

#include <sched.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>

namespace weir {
namespace {

using namespace std::chrono_literals;

// A channel holds about this many bytes: what a worker fills it with while another drains it should be worth the transfer from
// core to core, and still lie in their caches. The channels of a producer with many consumers share what four would have.
constexpr std::size_t channel_bytes = std::size_t{32} * 1024;
constexpr std::size_t channels_at_full_size = 4;
constexpr std::size_t channel_items_least = 16;

std::size_t capacity_of(const channel_description& c, std::size_t siblings) {
  if (c.unbounded) return channel::unbounded;
  if (c.capacity != 0) return c.capacity;
  const std::size_t bytes = channel_bytes * channels_at_full_size / std::max(siblings, channels_at_full_size);
  return std::max(bytes / slots_of(*c.type, c.words).size, channel_items_least);
}

std::chrono::nanoseconds process_cpu_time() noexcept {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// The text of an exception and of those nested in it.
std::string text_of(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

[[noreturn]] void throw_node_error(const std::string& path, const std::exception_ptr& problem) {
  const std::string text = text_of(problem);
  try {
    std::rethrow_exception(problem);
  } catch (...) {
    throw node_error(path, text);  // nests the one being handled
  }
}

}  // namespace

std::size_t available_cores() noexcept {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&cores), 1));
}

/// One run: channels, activations, and who runs them.
///
/// Shared by the threads that run activations, the one that waits, and any that cancel. The last activation to end
/// unparks the waiter; from then on only the waiter touches it, once `wait_for_scans` has returned.
class running::state final : public run_context {
 public:
  state(network& net, run_options options)
      : options_(std::move(options)), graph_(net.resolve(cores())), started_(std::chrono::steady_clock::now()) {
    check(graph_);
    answer_graph_request(graph_);
    const bool pins = options_.pin == pinning::on;
    if (pins && options_.executor == executor::threads) place(graph_);
    if (options_.executor == executor::pool && (options_.workers != 0 || pins)) {
      const bool enough = cores() <= available_cores();
      own_pool_ = std::make_unique<pool>(cores(), pins && enough ? choose_processors(cores()) : std::vector<int>());
    }
    pool_ = own_pool_ ? own_pool_.get() : &pool::shared();
    pool_->set_max_threads(std::max<std::size_t>(options_.max_threads, pool_->workers() + 1));
    build(net);
    cpu_before_ = process_cpu_time();
    started_ = std::chrono::steady_clock::now();
    launch();
    if (options_.stop.stop_possible()) stop_.emplace(options_.stop, canceller{this});
  }

  ~state() {
    cancel();
    wait_for_end();
  }

  report wait() {
    wait_for_end();
    if (problem_) throw_node_error(problem_path_, problem_);
    return make_report();
  }

  void cancel() noexcept {
    if (!stopping.exchange(true)) wake_all();
  }

  void drain() noexcept {
    if (!draining.exchange(true)) wake_all();
  }

  void fail(const std::string& path, std::exception_ptr problem) noexcept override {
    {
      const std::lock_guard lock(problem_mutex_);
      if (!problem_) {
        problem_ = std::move(problem);
        problem_path_ = path;
      }
    }
    cancel();
  }

  void one_ended() noexcept override {
    if (live_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_.unpark();
  }

 private:
  struct canceller {
    state* run;
    void operator()() const noexcept { run->cancel(); }
  };

  std::size_t cores() const noexcept { return options_.workers != 0 ? options_.workers : available_cores(); }

  void build(network& net) {
    const auto& nodes = graph_.nodes();
    std::vector<std::size_t> siblings(graph_.channels().size());
    for (const node_description& node : nodes) {
      for (const auto& port : node.out) {
        const std::vector<channel_id> leaves = leaves_of(port.policy);
        for (const channel_id leaf : leaves) siblings[leaf] = leaves.size();
      }
    }
    for (channel_id id = 0; id != graph_.channels().size(); ++id) {
      const channel_description& c = graph_.channels()[id];
      channels_.push_back(std::make_unique<channel>(slots_of(*c.type, c.words), capacity_of(c, siblings[id])));
    }
    for (node_id id = 0; id != nodes.size(); ++id) {
      try {
        node_description description = nodes[id];
        if (options_.executor == executor::threads) description.traits.on_own_thread = true;
        if (options_.pin == pinning::off) description.core = -1;  // an earlier run may have placed it
        activations_.push_back(std::make_unique<activation>(*this, *pool_, net.instance(id), description));
      } catch (const graph_error&) {
        throw;
      } catch (...) {
        throw_node_error(nodes[id].path, std::current_exception());
      }
    }
    build_loops();
    for (node_id id = 0; id != nodes.size(); ++id) {
      ports& io = activations_[id]->io;
      for (std::size_t port = 0; port != nodes[id].out.size(); ++port) {
        io.out(port).route(nodes[id].out[port].policy, [&](channel_id leaf) {
          const channel_description& c = graph_.channels()[leaf];
          return out_port::target{channels_[leaf].get(), activations_[c.to].get(), loop_around(c)};
        });
      }
      for (std::size_t port = 0; port != nodes[id].in.size(); ++port) {
        for (const channel_id c : nodes[id].in[port].channels) {
          const channel_description& from = graph_.channels()[c];
          io.in(port).attach(*channels_[c], *activations_[from.from], loop_around(from));
        }
      }
    }
  }

  const loop* loop_around(const channel_description& c) const {
    return c.loop == no_loop ? nullptr : loops_[c.loop].get();
  }

  void build_loops() {
    std::vector<std::set<node_id>> members;
    for (const loop_description& about : graph_.loops()) {
      loops_.push_back(std::make_unique<loop>(about.path, about.byte_limit));
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
    std::map<node_id, std::size_t> numbers;  // of the heads
    for (const channel_description& back : graph_.channels()) {
      if (back.loop == no_loop) continue;
      host& head = *activations_[back.to];
      loops_[back.loop]->add_head(head);
      const auto [number, added] = numbers.try_emplace(back.to);
      if (added) number->second = loops_[largest_around(back.to)]->add_asked(head);
    }
    for (loop_id id = 0; id != loops_.size(); ++id) {
      for (channel_id c = 0; c != graph_.channels().size(); ++c) {
        const channel_description& into = graph_.channels()[c];
        if (!members[id].contains(into.to)) continue;
        loops_[id]->add_channel(*channels_[c], !members[id].contains(into.from), loop_around(into));
      }
      for (const node_id member : members[id]) {
        loops_[id]->add_member(*activations_[member]);
        const auto number = numbers.find(member);
        const bool asked = number != numbers.end() && largest_around(member) == id;
        activations_[member]->io.join_loop(*loops_[id], asked ? std::optional(number->second) : std::nullopt);
      }
    }
  }

  // Every activation starts out ready.
  void launch() {
    live_.store(activations_.size() + 1, std::memory_order_relaxed);
    std::size_t launched = 0;
    try {
      for (auto& each : activations_) {
        if (each->traits.on_own_thread) pool_->run_on_own_thread(*each), ++launched;
      }
    } catch (...) {
      // No thread to be had: end what runs, and count those that never ran as ended.
      problem_ = std::current_exception();
      for (auto& each : activations_) {
        if (!each->traits.on_own_thread) continue;
        if (launched != 0) {
          --launched;
          continue;
        }
        problem_path_ = each->path();
        break;
      }
      abort_launch();
      return;
    }
    for (auto& each : activations_) {
      if (!each->traits.on_own_thread) pool_->enqueue(*each);
    }
    one_ended();  // this one stands for the launch itself
  }

  void abort_launch() {
    stopping.store(true);
    bool running = true;
    for (auto& each : activations_) {
      if (each->path() == problem_path_) running = false;
      if (each->traits.on_own_thread && running) {
        native_atomics::fence_full();
        each->notify(cause::any);
      } else {
        one_ended();
      }
    }
    one_ended();
  }

  void wake_all() noexcept {
    native_atomics::fence_full();
    for (auto& each : activations_) each->notify(cause::any);
  }

  void wait_for_end() noexcept {
    if (ended_) return;
    while (!end_.park_for(1s)) {
      if (!stopping.load(std::memory_order_relaxed) || !options_.on_waiting) continue;
      for (auto& each : activations_) {
        if (each->state.has_ended()) continue;
        options_.on_waiting(each->path());
        break;
      }
    }
    stop_.reset();
    pool_->wait_for_scans();
    finished_ = std::chrono::steady_clock::now();
    cpu_after_ = process_cpu_time();
    ended_ = true;
  }

  report make_report() const {
    report made;
    made.wall = finished_ - started_;
    made.cpu = cpu_after_ - cpu_before_;
    made.workers = options_.executor == executor::pool ? pool_->workers() : 0;
    for (node_id id = 0; id != activations_.size(); ++id) {
      node_report& node = made.nodes.emplace_back();
      node.kind = graph_.nodes()[id].kind;
      activations_[id]->fill(node);
    }
    for (channel_id id = 0; id != channels_.size(); ++id) {
      const channel_description& c = graph_.channels()[id];
      channel_report& entry = made.channels.emplace_back();
      entry.from = graph_.nodes()[c.from].path;
      entry.to = graph_.nodes()[c.to].path;
      entry.items = channels_[id]->written();
      entry.capacity = channels_[id]->capacity();
      made.nodes[c.from].sent += entry.items;
      const auto& in = graph_.nodes()[c.to].in[c.to_port].channels;
      const auto at = static_cast<std::size_t>(std::find(in.begin(), in.end(), id) - in.begin());
      const double fill = activations_[c.to]->io.in(c.to_port).channels()[at]->mean_fill();
      // Where the policy lets fewer items wait than the channel holds, that is what can be full.
      const channel::index most = std::min<channel::index>(entry.capacity, channels_[id]->producer.window);
      entry.fill = most == 0 ? 0 : std::min(1.0, fill / static_cast<double>(most));
    }
    return made;
  }

  run_options options_;
  graph& graph_;
  std::unique_ptr<pool> own_pool_;
  pool* pool_ = nullptr;
  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<std::unique_ptr<loop>> loops_;
  std::vector<std::unique_ptr<activation>> activations_;
  std::atomic<std::size_t> live_{0};
  parker end_;
  bool ended_ = false;
  std::mutex problem_mutex_;
  std::exception_ptr problem_;
  std::string problem_path_;
  std::optional<std::stop_callback<canceller>> stop_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point finished_;
  std::chrono::nanoseconds cpu_before_{0};
  std::chrono::nanoseconds cpu_after_{0};
};

running::running(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}
running::running(running&&) noexcept = default;
running& running::operator=(running&&) noexcept = default;
running::~running() = default;

report running::wait() { return state_->wait(); }
void running::cancel() noexcept { state_->cancel(); }
void running::drain() noexcept { state_->drain(); }

running start(network& net, run_options options) {
  return running(std::make_unique<running::state>(net, std::move(options)));
}

report run(network& net, run_options options) { return start(net, std::move(options)).wait(); }
report run(network&& net, run_options options) { return start(net, std::move(options)).wait(); }

}  // namespace weir
