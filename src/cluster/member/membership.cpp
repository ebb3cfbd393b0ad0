// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include "cluster/member/membership.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/run.hpp"

#include "cluster/member/member_run.hpp"
#include "cluster/member/sampled.hpp"
#include "cluster/wire/deadline.hpp"
#include "cluster/wire/host_and_port.hpp"
#include "cluster/wire/mpi_process.hpp"
#include "cluster/wire/tls.hpp"
#include "graph/give_notice.hpp"

#include <asio/post.hpp>
#include <asio/use_future.hpp>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::cluster {

using namespace std::chrono_literals;

namespace {

constexpr const char* coordinator_name = "coordinator";
constexpr auto leave_within = 1s;
constexpr auto orphan_for = 800ms;
constexpr auto refused_within = 5s;
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
    : membership(std::move(name), std::move(coordinator), credentials{std::move(secret), load_tls(options.tls)},
                 options) {}

membership::membership(std::string name, std::string coordinator, const credentials& own,
                       const cluster_member_options& options)
    : name_(std::move(name)),
      coordinator_(std::move(coordinator)),
      options_(options),
      work_(asio::make_work_guard(io_)),
      calls_(io_, name_, own),
      peers_(io_, name_, own, status_, calls_,
             {.arrived = [this](arrived_frame& what) { hear_peer(what); },
              .ends_of = [this](const connection::channel_of_run& channel) { return ends_of(channel); },
              .lost = [this](to_coordinator::lost message) { say(std::move(message)); },
              .closed = [this] { stop_if_all_are_closed(); }}),
      thread_(thread_without_signals([this] { io_.run(); })) {
  try {
    connect_to_coordinator();
    wait_until([this] { return welcomed_; });
    if (settings_.joins_mpi) {
      try {
        mpi_ = mpi_process::join();
      } catch (const std::runtime_error& problem) {
        throw graph_error(name_, std::string("can't take part in MPI: ") + problem.what());
      }
      mpi_->set_before_end([this] { end(); });
    }
    asio::post(io_, asio::use_future([this] {
                 peers_.begin(settings_.addresses, limits_, settings_.checksums);
                 watch_progress();
               }))
        .get();
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

void membership::end() {
  if (!thread_.joinable() || !made_.is_here()) return;  // not here: a forked child finalises MPI
  if (mpi_ != nullptr && status_.has_failed()) mpi_->abandon();
  if (mpi_ != nullptr) mpi_->open();  // to send the last messages
  asio::post(io_, [this] {
    leaving_ = true;
    act_after(io_.get_executor(), leave_within, [this] { io_.stop(); });
    peers_.leave();
    if (control_ != nullptr) control_->leave();
    stop_if_all_are_closed();
  });
  thread_.join();
  // Nothing calls this any more. After this, no peer in this process does, either.
  peers_.end();
  if (mpi_ != nullptr) mpi_->close();
}

void membership::stop_if_all_are_closed() {
  if (leaving_ && !control_is_open_ && peers_.open() == 0) io_.stop();
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
  const std::vector<graph_error> wrong = settings_.assign(whole);
  if (wrong.empty()) return;
  refuse_configuration(wrong);
  throw all_of(wrong);
}

// Tells the coordinator first, and waits before this program reports the error: the owner of the
// coordinator then knows already, and can report it once for all.
void membership::refuse_configuration(const std::vector<graph_error>& wrong) {
  to_coordinator::misfit message;
  for (const graph_error& each : wrong) message.problems.emplace_back(each.what());
  say(std::move(message));
  status_.wait_for_failure(refused_within);
}

void membership::enter(member_run& run) {
  const std::lock_guard lock(mutex());
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
               const std::lock_guard lock(mutex());
               run_ = nullptr;
             }))
      .get();
  if (mpi_ != nullptr) mpi_->close();
}

void membership::say(const to_coordinator::any& message) noexcept { control_->send_control(wire_text(message)); }

clock_comparison membership::compare_clocks() {
  std::optional<clock_comparison> best;
  for (int i = 0; i != clock_questions; ++i) {
    {
      const std::lock_guard lock(mutex());
      compared_.reset();
    }
    say(to_coordinator::time{steady_now()});
    wait_until([this] { return compared_.has_value(); });
    const std::lock_guard lock(mutex());
    if (!best || compared_->round_trip < best->round_trip) best = compared_;
  }
  return *best;
}

// ---- connections ----

dialer::target membership::coordinator_target() const {
  const auto [host, port] = parts_of(coordinator_);
  if (port.empty()) throw std::runtime_error("that is not host:port");
  return {coordinator_name, host, port, "", purpose::control};
}

void membership::connect_to_coordinator() {
  // Owned by whoever uses it last: the waiting thread may be faster than the end of `set_value`.
  const auto connected = std::make_shared<std::promise<void>>();
  calls_.dial(
      coordinator_target(), std::chrono::steady_clock::now() + options_.coordinator_within,
      [this, connected](met_peer met) {
        use_coordinator(std::move(met));
        connected->set_value();
      },
      [connected](const std::exception_ptr& problem) { connected->set_exception(problem); });
  connected->get_future().get();
}

void membership::use_coordinator(met_peer met) {
  peers_.listen({met.here.address(), options_.port});  // at the address that the coordinator sees
  limits_ = met.limits;
  calls_.set_limits(limits_);
  control_ = std::make_shared<connection>(io_.get_executor(), std::move(met.over), limits_, true);
  control_->begin(
      [this](arrived_frame& what) {
        if (what.header().type != frame_type::control) throw protocol_error("the coordinator sent items");
        to_group::any said = read_by_group(what.payload());
        std::visit([this](auto& message) { obey(std::move(message)); }, said);
      },
      [this, there = met.there](const std::string& why) {
        const std::string text = "the connection to it is lost: " + (why.empty() ? "it has ended" : why) +
                                 circumstances(*control_, there, "");
        fail(std::make_exception_ptr(group_error(coordinator_name, "", text)));
        if (options_.ends_with_coordinator && !leaving_ && !why.empty()) end_process_without_coordinator();
        control_is_open_ = false;
        stop_if_all_are_closed();
      },
      [this] { calls_.redial(coordinator_target(), control_); });
  control_is_open_ = true;
  const std::uint16_t port = options_.advertised_port != 0 ? options_.advertised_port : peers_.port();
  say(to_coordinator::here{.place = process_place::of_this_process(port), .build = program_build::of_this_process()});
}

void membership::hear_peer(arrived_frame& what) {
  member_run* run = nullptr;
  {
    const std::lock_guard lock(mutex());
    run = run_;
  }
  // Credit of a run that has ended here may still arrive.
  if (run != nullptr && run->number == what.header().run) run->hear(what);
}

std::string membership::ends_of(const connection::channel_of_run& channel) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(channel.run);
  return run == nullptr ? "" : run->ends_of(channel.channel);
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
    throw protocol_error("it said \"" + std::string(message_name<Message>()) + "\" out of turn");
}

}  // namespace

void membership::obey(to_group::stop&& message) {
  fail(std::make_exception_ptr(group_error(message.group, message.path, message.text)));
}

void membership::obey(to_group::time&& message) {
  const std::int64_t now = steady_now();
  const std::lock_guard lock(mutex());
  compared_ = cluster::compare_clocks(message.asked, message.now, now);
  status_.changed();
}

void membership::obey(to_group::signal&& message) { ::kill(::getpid(), static_cast<int>(message.number)); }

void membership::obey(to_group::go&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  must_be(*run, member_run::stage::ready, run->begun, message);
  run->traced = message.traced;
  run->began_at = message.now;
  run->begun = true;
  status_.changed();
}

void membership::obey(to_group::report&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  if (!run->begun || run->over) throw protocol_error("it said \"report\" out of turn");
  add_part(run->reports[message.group], std::move(message.part));
}

void membership::obey(to_group::end&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run == nullptr) return;
  must_be(*run, member_run::stage::done, run->over, message);
  run->over = true;
  status_.changed();
}

void membership::obey(to_group::cancel&& /*message*/) {
  const std::lock_guard lock(mutex());
  if (run_ != nullptr && run_->begun) run_->control.cancel_from_outside();
}
void membership::obey(to_group::drain&& /*message*/) {
  const std::lock_guard lock(mutex());
  if (run_ != nullptr && run_->begun) run_->control.drain_from_outside();
}

void membership::obey(to_group::standstill&& message) {
  const std::lock_guard lock(mutex());
  if (member_run* const run = run_of(message.run)) run->ask_for_standstill(message.question);
}
void membership::obey(to_group::end_some&& message) {
  const std::lock_guard lock(mutex());
  if (member_run* const run = run_of(message.run)) run->end_some_after(message.rounds);
}

void membership::obey(to_group::note&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run == nullptr || !run->begun) return;
  run->part_of(message.loop).note_completed();
  say(to_coordinator::noted{message});
}
void membership::obey(to_group::compare&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run == nullptr || !run->begun) return;
  const detail::loop::tally found = run->part_of(message.loop).compare();
  say(to_coordinator::compared{message, found.quiet, found.quiet_now, found.sent});
}
void membership::obey(to_group::ask&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run != nullptr && run->begun) run->part_of(message.loop).ask();
}
void membership::obey(to_group::close&& message) {
  const std::lock_guard lock(mutex());
  member_run* const run = run_of(message.run);
  if (run != nullptr && run->begun) run->part_of(message.loop).close();
}

void membership::obey(to_group::welcome&& all) {
  // Others read the results without a lock.
  if (!settings_.addresses.empty()) throw protocol_error("it sent a second welcome");
  settings_ = cluster_settings::from(all, name_);
  watched_.store(settings_.watched, std::memory_order_relaxed);
  if (!settings_.impossible.empty()) fail(std::make_exception_ptr(graph_error(name_, settings_.impossible)));
  const std::lock_guard lock(mutex());
  welcomed_ = true;
  status_.changed();
}

// Repeats the check, also while nothing arrives.
void membership::watch_progress() {
  act_after(io_.get_executor(), settings_.stalled_after / 4, [this] {
    std::vector<std::string> stalls;
    {
      const std::lock_guard lock(mutex());
      if (run_ != nullptr && run_->begun && !run_->over) stalls = run_->stalls(settings_.stalled_after);
    }
    // Without the lock, because a handler may begin a run. This thread also sends the heartbeats.
    for (const std::string& each : stalls) detail::give_notice({each}, detail::notice_wait::never);
    watch_progress();
  });
}

void membership::obey(to_group::sample&& message) {
  watched_.store(true, std::memory_order_relaxed);
  std::unique_lock lock(mutex());
  const std::optional<numbered_report> part = run_ == nullptr ? std::nullopt : run_->part();
  const std::uint32_t run = part ? run_->number : 0;
  lock.unlock();
  for (to_coordinator::sampled& each : sampled(message.number, run, part ? &*part : nullptr)) say(std::move(each));
}

// Keeps the first failure, and fails the run: the cluster has ended.
void membership::fail(const std::exception_ptr& problem) {
  status_.fail(problem, [&] {
    if (run_ != nullptr && run_->begun && !run_->over) run_->control.fail_from_outside(problem);
  });
}

}  // namespace weir::cluster
