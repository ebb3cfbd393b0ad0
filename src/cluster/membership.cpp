// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include "cluster/membership.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/run.hpp"

#include "cluster/connect.hpp"
#include "cluster/deadline.hpp"
#include "cluster/host_and_port.hpp"
#include "cluster/live_cluster.hpp"
#include "cluster/member_run.hpp"
#include "cluster/mpi_process.hpp"
#include "cluster/tls_transport.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>
#include <utility>

namespace weir::cluster {

using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr const char* coordinator_name = "coordinator";
constexpr std::chrono::milliseconds reconnect_attempt = 1s;
constexpr std::chrono::milliseconds reconnect_first_pause = 50ms;
constexpr std::chrono::milliseconds reconnect_longest_pause = 500ms;
constexpr std::chrono::milliseconds connect_within = 15s;
// Others may be in the queue before this one, and each may occupy the peer for 5 s: time for two
// such rounds and some more.
constexpr std::chrono::milliseconds meet_within = 15s;
constexpr auto leave_within = 1s;
constexpr auto orphan_for = 800ms;
constexpr auto refused_within = 5s;
constexpr auto coordinator_retry = 50ms;
constexpr int clock_questions = 8;

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// Combines all errors into one.
graph_error all_of(const std::vector<graph_error>& wrong) {
  std::string text = std::string(wrong.front().what()).substr(wrong.front().path().size() + 2);
  for (std::size_t i = 1; i != wrong.size(); ++i) text += std::string("; ") + wrong[i].what();
  return {wrong.front().path(), text};
}

// Signals are for the program's own threads.
std::thread thread_without_signals(std::function<void()> work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread made(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

}  // namespace

membership::membership(std::string name, std::string coordinator, std::string secret,
                       const cluster_member_options& options)
    : name_(std::move(name)),
      coordinator_(std::move(coordinator)),
      own_{std::move(secret), tls_context(options.tls)},
      options_(options),
      work_(asio::make_work_guard(io_)),
      listener_(io_),
      thread_(thread_without_signals([this] { io_.run(); })) {
  try {
    asio::co_spawn(io_, connect_to_coordinator(), asio::use_future).get();
    wait_until([this] { return welcomed_; });
    if (joins_mpi_) {
      try {
        mpi_ = mpi_process::join();
      } catch (const std::runtime_error& problem) {
        throw graph_error(name_, std::string("can't take part in MPI: ") + problem.what());
      }
      mpi_->set_before_end([this] { end(); });
    }
    asio::post(io_, asio::use_future([this] { let_others_call(); })).get();
  } catch (const graph_error&) {
    end();
    throw;
  } catch (const node_error& problem) {
    end();
    throw graph_error(name_, std::string("can't be a group of the cluster: ") + problem.what());
  } catch (const std::exception& problem) {
    end();
    throw graph_error(name_, "can't reach the coordinator at " + coordinator_ + ": " + problem.what());
  }
}

// Leaves the cluster regularly.
membership::~membership() {
  if (mpi_ != nullptr) mpi_->set_before_end(nullptr);
  end();
}

// Each peer closes its connection when it has read everything.
void membership::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    if (mpi_ != nullptr && failure_ != nullptr) mpi_->abandon();
  }
  if (mpi_ != nullptr) mpi_->open();  // to send the last messages
  asio::post(io_, [this] {
    leaving_ = true;
    act_after(io_.get_executor(), leave_within, [this] { io_.stop(); });
    const std::lock_guard lock(mutex_);
    for (auto& [group, each] : peers_) each->leave();
    if (control_ != nullptr) control_->leave();
    if (open_ == 0) io_.stop();
  });
  thread_.join();
  // Nothing calls this any more. After this, no peer in this process does, either.
  for (auto& [group, each] : peers_) each->end();
  if (mpi_ != nullptr) mpi_->close();
}

// Called when a connection is closed.
void membership::left() {
  if (--open_ == 0 && leaving_) io_.stop();
}

// Ends the process when its launcher has died, because no other process would end it.
void membership::end_process_without_coordinator() {
  act_after(io_.get_executor(), orphan_for, [this] {
    ::kill(::getpid(), SIGTERM);
    act_after(io_.get_executor(), orphan_for, [] { ::kill(::getpid(), SIGKILL); });
  });
}

// ---- for runs ----

void membership::assign_groups(graph& whole) {
  const std::vector<planned_group> planned = plans_ ? all_ : std::vector<planned_group>();
  std::vector<graph_error> wrong;
  try {
    wrong = settle_groups(whole, selections_, planned, planned.empty() ? graph_costs() : estimated_costs(whole));
  } catch (const graph_error& problem) {
    wrong.push_back(problem);
  }
  if (!wrong.empty()) {
    refuse_configuration(wrong);
    throw all_of(wrong);
  }
  for (channel_id id = 0; id != std::as_const(whole).channels().size(); ++id) {
    channel_description& c = whole.channels()[id];
    const std::string& group = std::as_const(whole).nodes()[c.from].traits.group;
    const auto items = channel_items_.find(group);
    if (c.capacity != 0 || c.unbounded || items == channel_items_.end()) continue;
    if (std::as_const(whole).nodes()[c.to].traits.group == group) c.capacity = items->second;
  }
}

// Tells the coordinator first, and waits before this program reports the error: the owner of the
// coordinator then knows already, and can report it once for all.
void membership::refuse_configuration(const std::vector<graph_error>& wrong) {
  to_coordinator::misfit message;
  for (const graph_error& each : wrong) message.problems.emplace_back(each.what());
  say(std::move(message));
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, refused_within, [this] { return failure_ != nullptr; });
}

void membership::enter(member_run& run) {
  const std::lock_guard lock(mutex_);
  if (run_ != nullptr) {
    throw graph_error(name_,
                      "is in the middle of a run, and a group has one at a time; begin this one when that has ended");
  }
  if (!thread_.joinable()) throw graph_error(name_, "has left the cluster: the program has finalised MPI");
  if (mpi_ != nullptr) mpi_->open();
  run_ = &run;
}

void membership::leave() {
  // On the thread that calls the run, so that no call is under way any more.
  asio::post(io_, asio::use_future([this] {
               const std::lock_guard lock(mutex_);
               run_ = nullptr;
             }))
      .get();
  if (mpi_ != nullptr) mpi_->close();
}

std::shared_ptr<connection> membership::peer(const std::string& group) {
  std::unique_lock lock(mutex_);
  if (name_ < group && !peers_.contains(group) && connecting_.insert(group).second) {
    asio::co_spawn(io_, connect_to(group), asio::detached);
  }
  // The group that connects gives up sooner, and reports the reason.
  const bool there = changed_.wait_for(lock, 2 * (connect_within + meet_within),
                                       [&] { return peers_.contains(group) || failure_ != nullptr; });
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (!there) throw group_error(group, "", "has not connected to " + name_);
  return peers_.at(group);
}

void membership::say(const to_coordinator::any& message) noexcept { control_->send_control(wire_text(message)); }

clock_comparison membership::compare_clocks() {
  std::optional<clock_comparison> best;
  for (int i = 0; i != clock_questions; ++i) {
    {
      const std::lock_guard lock(mutex_);
      compared_.reset();
    }
    say(to_coordinator::time{steady_now()});
    wait_until([this] { return compared_.has_value(); });
    const std::lock_guard lock(mutex_);
    if (!best || compared_->round_trip < best->round_trip) best = compared_;
  }
  return *best;
}

void membership::wait_until(const std::function<bool()>& is) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is() || failure_ != nullptr; });
  if (!is()) std::rethrow_exception(failure_);
}

// ---- connections ----

// In these functions, the arguments of coroutines are named variables: g++ 12 destroys some
// temporaries in a co_await twice.

std::pair<std::string, std::string> membership::host_and_port_of(const std::string& who) const {
  if (who != coordinator_name) return {groups_.at(who).host, std::to_string(groups_.at(who).port)};
  auto parts = parts_of(coordinator_);
  if (parts.second.empty()) throw std::runtime_error("that is not host:port");
  return parts;
}

// Connects to the coordinator, or to a group.
asio::awaitable<met_peer> membership::call(std::string who, terms_for say, std::chrono::milliseconds patience) {
  const auto [host, port] = host_and_port_of(who);
  const asio::any_io_executor executor = io_.get_executor();
  tcp::socket socket = co_await connected_socket(executor, host, port, patience);
  if (own_.secret.empty() && !socket.remote_endpoint().address().is_loopback()) {
    throw graph_error(name_, "has no secret, so it connects to this machine alone, and " + who + " is at " + host +
                                 "; give all groups the same WEIR_SECRET_FILE");
  }
  const introduction self{name_, who == coordinator_name ? purpose::control : purpose::link};
  const terms_for checked = [who, say](const introduction& answers) {
    if (answers.name != who) throw handshake_error(answers.name + " listens there");
    return say(answers);
  };
  std::vector<std::string> names;
  // On this machine a certificate may have any of its names.
  if (const auto there = socket.remote_endpoint().address();
      !there.is_loopback() && there != socket.local_endpoint().address()) {
    names = {who, host, there.to_string()};
    if (who != coordinator_name && !groups_.at(who).named_host.empty()) names.push_back(groups_.at(who).named_host);
  }
  co_return co_await meet_as_client(std::move(socket), self, own_, checked, limits_, std::min(patience, meet_within),
                                    std::move(names));
}

// Describes a lost connection: its peer, and how far it had come.
std::string membership::circumstances(connection& of, const tcp::endpoint& there) {
  std::string channel;
  if (const auto last = of.last_channel()) {
    const std::lock_guard lock(mutex_);
    if (run_ != nullptr && run_->number == last->run) channel = run_->ends_of(last->channel);
  }
  return " (" + address_text(there) + "; " + of.how_far() + (channel.empty() ? "" : "; items came last " + channel) +
         ")";
}

asio::awaitable<void> membership::connect_to_coordinator() {
  const terms_for nothing_yet = [](const introduction&) { return terms{}; };
  const auto until = std::chrono::steady_clock::now() + options_.coordinator_within;
  met_peer met;
  for (;;) {
    try {
      met = co_await call(coordinator_name, nothing_yet, connect_within);
      break;
    } catch (const std::system_error&) {
      if (std::chrono::steady_clock::now() >= until) throw;
    }
    asio::steady_timer pause(io_, coordinator_retry);
    co_await pause.async_wait(asio::use_awaitable);
  }
  if (met.received != 0) throw handshake_error("it goes on with a connection that is not known here");
  listen(met.here.address());
  limits_ = met.limits;
  control_ = std::make_shared<connection>(io_.get_executor(), std::move(met.over), limits_, true);
  control_->begin(
      [this](arrived_frame& what) {
        if (what.header().type != frame_type::control) throw protocol_error("the coordinator sent items");
        to_group::any said = read_by_group(what.payload());
        std::visit([this](auto& message) { obey(std::move(message)); }, said);
      },
      [this, there = met.there](const std::string& why) {
        const std::string text =
            "the connection to it is lost: " + (why.empty() ? "it has ended" : why) + circumstances(*control_, there);
        fail(std::make_exception_ptr(group_error(coordinator_name, "", text)));
        if (options_.ends_with_coordinator && !leaving_ && !why.empty()) end_process_without_coordinator();
        left();
      },
      [this] { asio::co_spawn(io_, connect_again(coordinator_name, control_), asio::detached); });
  ++open_;
  const std::uint16_t port = options_.advertised_port != 0 ? options_.advertised_port : listener_.port();
  say(to_coordinator::here{.place = process_place::of_this_process(port), .build = program_build::of_this_process()});
}

// Tries until it is connected, or given up.
asio::awaitable<void> membership::connect_again(std::string who, std::shared_ptr<connection> broken) {
  auto pause = reconnect_first_pause;
  while (broken->is_cut() && broken->may_resume()) {
    try {
      const terms_for where_it_was = [broken](const introduction&) { return terms{broken->received()}; };
      const auto patience = std::max(reconnect_attempt, limits_.reconnect_within / 4);
      met_peer met = co_await call(who, where_it_was, patience);
      if (broken->is_cut()) broken->resume(std::move(met.over), met.received);
      co_return;
    } catch (const std::exception&) {
      // The connection knows how long this may continue.
    }
    asio::steady_timer timer(io_, pause);
    co_await timer.async_wait(asio::use_awaitable);
    pause = std::min(2 * pause, reconnect_longest_pause);
  }
}

// Listens at the address that the coordinator sees.
void membership::listen(const asio::ip::address& at) {
  try {
    listener_.open({at, options_.port});
  } catch (const std::system_error& problem) {
    throw graph_error(name_, "can't listen at " + host_and_port(at.to_string(), std::to_string(options_.port)) + ": " +
                                 problem.code().message() + "; free that port, or give the group another endpoint");
  }
}

// The group whose name comes first in the alphabet connects to the other. @throws handshake_error
// if `who` must not connect
std::shared_ptr<connection> membership::peer_that_calls(const introduction& who) {
  if (who.wants != purpose::link || !(who.name < name_) || !groups_.contains(who.name)) {
    throw handshake_error(who.name + " has no business here");
  }
  const std::lock_guard lock(mutex_);
  const auto found = peers_.find(who.name);
  return found == peers_.end() ? nullptr : found->second;
}

asio::awaitable<void> membership::connect_to(std::string group) {
  try {
    const terms_for nothing_yet = [](const introduction&) { return terms{}; };
    met_peer met = co_await call(group, nothing_yet, connect_within);
    add_peer(std::move(met));
  } catch (const std::exception& problem) {
    const auto [host, port] = host_and_port_of(group);
    const std::string text = host_and_port(host, port) + ": " + problem.what();
    say(to_coordinator::lost{.group = group, .met = false, .text = text, .cause = loss_cause::broken});
  }
}

void membership::add_peer(met_peer met) {
  const std::string group = met.who.name;
  const group_address& about = groups_.at(group);
  if (about.must_be_that && met.kind != about.kind) {
    throw handshake_error("it is to be connected by shm, inproc or mpi, but that can't be had");
  }
  if (met.received != 0) throw handshake_error(group + " goes on with a connection that is not known here");
  connection_limits limits = met.limits;
  if (met.kind != transport_kind::tcp) limits.reconnect_within = {};  // these end with a process
  const bool has_checksums = met.kind == transport_kind::tcp && (checksums_ || !about.is_here);
  auto made = std::make_shared<connection>(io_.get_executor(), std::move(met.over), limits, has_checksums);
  const bool calls = name_ < group;
  made->begin(
      [this](arrived_frame& what) {
        member_run* run = nullptr;
        {
          const std::lock_guard lock(mutex_);
          run = run_;
        }
        // Credit of a run that has ended here may still arrive.
        if (run != nullptr && run->number == what.header().run) run->hear(what);
      },
      [this, group, there = met.there, from = made.get()](const std::string& why) {
        if (!why.empty() && !leaving_) {
          const std::string text = why + circumstances(*from, there);
          say(to_coordinator::lost{.group = group, .met = true, .text = text, .cause = from->cause()});
        }
        left();
      },
      [this, group, calls, broken = std::weak_ptr(made)] {
        const auto cut = broken.lock();
        if (calls && cut != nullptr) asio::co_spawn(io_, connect_again(group, cut), asio::detached);
      });
  ++open_;
  const std::lock_guard lock(mutex_);
  peers_[group] = std::move(made);
  changed_.notify_all();
}

// ---- the coordinator ----

// Returns the run with that number, if it is under way here. Under the lock.
member_run* membership::run_of(std::uint32_t number) const noexcept {
  return run_ != nullptr && run_->number == number ? run_ : nullptr;
}

namespace {

// @param already whether the message was received before
template <class Message>
void must_be(const member_run& run, member_run::stage wanted, bool already, const Message& /*message*/) {
  if (run.said.load(std::memory_order_acquire) != wanted || already)
    throw protocol_error(std::string("it said \"") + Message::name + "\" out of turn");
}

}  // namespace

void membership::obey(to_group::stop&& message) {
  fail(std::make_exception_ptr(group_error(message.group, message.path, message.text)));
}

void membership::obey(to_group::time&& message) {
  const std::int64_t now = steady_now();
  const std::lock_guard lock(mutex_);
  compared_ = cluster::compare_clocks(message.asked, message.now, now);
  changed_.notify_all();
}

void membership::obey(to_group::signal&& message) { ::kill(::getpid(), static_cast<int>(message.number)); }

void membership::obey(to_group::go&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  must_be(*run, member_run::stage::ready, run->begun, message);
  run->traced = message.traced;
  run->began_at = message.now;
  run->begun = true;
  changed_.notify_all();
}

void membership::obey(to_group::report&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  if (!run->begun || run->over) throw protocol_error("it said \"report\" out of turn");
  add_part(run->reports[message.group], std::move(message.part));
}

void membership::obey(to_group::end&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  must_be(*run, member_run::stage::done, run->over, message);
  run->over = true;
  changed_.notify_all();
}

void membership::obey(to_group::cancel&& /*message*/) {
  const std::lock_guard lock(mutex_);
  if (run_ != nullptr && run_->begun) run_->control.cancel_from_outside();
}
void membership::obey(to_group::drain&& /*message*/) {
  const std::lock_guard lock(mutex_);
  if (run_ != nullptr && run_->begun) run_->control.drain_from_outside();
}

void membership::obey(to_group::standstill&& message) {
  const std::lock_guard lock(mutex_);
  if (member_run* const run = run_of(message.run)) run->ask_for_standstill(message.question);
}
void membership::obey(to_group::end_some&& message) {
  const std::lock_guard lock(mutex_);
  if (member_run* const run = run_of(message.run)) run->end_some_after(message.rounds);
}

void membership::obey(to_group::note&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run == nullptr || !run->begun) return;
  run->part_of(message.loop).note_completed();
  say(to_coordinator::noted{message});
}
void membership::obey(to_group::compare&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run == nullptr || !run->begun) return;
  const loop::tally found = run->part_of(message.loop).compare();
  say(to_coordinator::compared{message, found.quiet, found.quiet_now, found.sent});
}
void membership::obey(to_group::ask&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run != nullptr && run->begun) run->part_of(message.loop).ask();
}
void membership::obey(to_group::close&& message) {
  const std::lock_guard lock(mutex_);
  member_run* const run = run_of(message.run);
  if (run != nullptr && run->begun) run->part_of(message.loop).close();
}

void membership::obey(to_group::welcome&& all) {
  // Others read the results without a lock.
  if (!groups_.empty()) throw protocol_error("it sent a second welcome");
  const auto own = std::ranges::find(all.groups, name_, &introduced_group::name);
  if (own == all.groups.end()) throw protocol_error("its welcome does not name this group");
  number_ = static_cast<std::size_t>(own - all.groups.begin());
  constexpr auto any = std::numeric_limits<std::uint64_t>::max();
  frame_items_ = own->batch_size == 0 ? any : own->batch_size;
  frames_under_way_ = own->frames_under_way == 0 ? any : own->frames_under_way;
  const process_place here = process_place::of_this_process(own->at.port);
  for (const introduced_group& each : all.groups) {
    const link_transport transport = all.between(name_, each.name);
    const bool is_here = each.at.shares_addresses(here);
    const bool is_this_process = each.at.is_process(here);
    if (each.name != name_) {
      std::string why_not;
      if (transport == link_transport::shm && !is_here) why_not = "shm, but they are not on one machine";
      if (transport == link_transport::inproc && !is_this_process) why_not = "inproc, but they are not one process";
      if (transport == link_transport::mpi && !all.mpi) why_not = "mpi, but no MPI has started all groups";
      if (!why_not.empty()) {
        fail(std::make_exception_ptr(graph_error(name_, "is to be connected to " + each.name + " by " + why_not)));
      }
    }
    transport_kind kind = transport_kind::tcp;
    switch (transport) {
      case link_transport::tcp: break;
      case link_transport::shm: kind = transport_kind::shm; break;
      case link_transport::inproc: kind = transport_kind::inproc; break;
      case link_transport::mpi: kind = transport_kind::mpi; break;
      case link_transport::automatic:
        if (is_here) {
          kind = is_this_process ? transport_kind::inproc : transport_kind::shm;
        } else if (all.mpi) {
          kind = transport_kind::mpi;
        }
    }
    groups_[each.name] = {each.address, each.host, each.at.port, kind, transport != link_transport::automatic, is_here};
    group_selection& selection = selections_.emplace_back();
    selection.group = each.name;
    selection.nodes = each.nodes;
    all_.push_back({each.name, each.share});
    if (each.channel_items != 0) channel_items_[each.name] = each.channel_items;
  }
  cores_ = std::max<std::size_t>(all.cores, 1);
  plans_ = all.plan;
  watched_.store(all.watched, std::memory_order_relaxed);
  traced_ = all.traced;
  checksums_ = all.checksums;
  joins_mpi_ = all.mpi;
  stalled_after_ = all.stalled_after;
  const std::lock_guard lock(mutex_);
  welcomed_ = true;
  changed_.notify_all();
}

void membership::let_others_call() {
  listener_.begin(name_, own_, limits_,
                  {.connected = [this](const introduction& who) { return peer_that_calls(who); },
                   .kind = [this](const introduction& who) { return groups_.at(who.name).kind; },
                   .met = [this](met_peer met) { add_peer(std::move(met)); },
                   .refused = [](const handshake_error&) {}});  // the caller does not belong to this cluster
  watch_progress();
}

// Repeats the check, also while nothing arrives.
void membership::watch_progress() {
  act_after(io_.get_executor(), stalled_after_ / 4, [this] {
    const std::lock_guard lock(mutex_);
    if (run_ != nullptr && run_->begun && !run_->over) run_->look_for_stalls(stalled_after_);
    watch_progress();
  });
}

void membership::obey(to_group::sample&& message) {
  watched_.store(true, std::memory_order_relaxed);
  std::unique_lock lock(mutex_);
  const std::optional<numbered_report> part = run_ == nullptr ? std::nullopt : run_->part();
  const std::uint32_t run = part ? run_->number : 0;
  lock.unlock();
  for (to_coordinator::sampled& each : sampled(message.number, run, part ? &*part : nullptr)) say(std::move(each));
}

// Keeps the first failure, and fails the run: the cluster has ended.
void membership::fail(const std::exception_ptr& problem) {
  const std::lock_guard lock(mutex_);
  if (failure_ != nullptr) return;
  failure_ = problem;
  if (run_ != nullptr && run_->begun && !run_->over) run_->control.fail_from_outside(problem);
  changed_.notify_all();
}

}  // namespace weir::cluster
