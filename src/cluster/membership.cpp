// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// What it says to the coordinator, and hears from it, is in coordinator.cpp.
#include "cluster/membership.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/run.hpp"

#include "cluster/member_run.hpp"
#include "cluster/merge_reports.hpp"

#include <asio/co_spawn.hpp>
#include <asio/connect.hpp>
#include <asio/detached.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <nlohmann/json.hpp>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <limits>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;
using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr auto handshake_within = 5s;
constexpr auto connect_within = 30s;
constexpr auto leave_within = 1s;
constexpr auto orphan_for = 800ms;
constexpr std::size_t handshakes_at_once = 32;

// Processes with the same share their cores.
std::string machine_id() {
  std::string id;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, id);
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return id + name;
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
      secret_(std::move(secret)),
      options_(options),
      work_(asio::make_work_guard(io_)),
      acceptor_(io_),
      thread_(thread_without_signals([this] { io_.run(); })) {
  try {
    asio::co_spawn(io_, connect_to_coordinator(), asio::use_future).get();
    wait_until([this] { return welcomed_; });
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

// As it should be.
membership::~membership() { end(); }

// Each peer closes its connection when it has read everything.
void membership::end() {
  asio::post(io_, [this] {
    leaving_ = true;
    asio::co_spawn(
        io_,
        [this]() -> asio::awaitable<void> {
          asio::steady_timer patience(io_, leave_within);
          co_await patience.async_wait(asio::use_awaitable);
          io_.stop();
        },
        asio::detached);
    const std::lock_guard lock(mutex_);
    for (auto& [group, each] : peers_) each->leave();
    if (control_ != nullptr) control_->leave();
    if (open_ == 0) io_.stop();
  });
  thread_.join();
}

// A connection is closed.
void membership::left() {
  if (--open_ == 0 && leaving_) io_.stop();
}

// Its launcher has died, so that nobody else would end it.
void membership::end_process_without_coordinator() {
  asio::co_spawn(
      io_,
      [this]() -> asio::awaitable<void> {
        for (const int number : {SIGTERM, SIGKILL}) {
          asio::steady_timer patience(io_, orphan_for);
          co_await patience.async_wait(asio::use_awaitable);
          ::kill(::getpid(), number);
        }
      },
      asio::detached);
}

// ---- for runs ----

void membership::assign_groups(graph& whole) const {
  const auto wrong = settle_groups(whole, selections_, planned_, estimated_costs(whole));
  if (!wrong.empty()) throw graph_error(wrong.front());
  for (channel_id id = 0; id != std::as_const(whole).channels().size(); ++id) {
    channel_description& c = whole.channels()[id];
    const std::string& group = std::as_const(whole).nodes()[c.from].traits.group;
    const auto items = channel_items_.find(group);
    if (c.capacity != 0 || c.unbounded || items == channel_items_.end()) continue;
    if (std::as_const(whole).nodes()[c.to].traits.group == group) c.capacity = items->second;
  }
}

void membership::enter(member_run& run) {
  const std::lock_guard lock(mutex_);
  run_ = &run;
}

void membership::leave() {
  // On the thread that calls it, so that no call is under way any more.
  asio::post(io_, asio::use_future([this] {
               const std::lock_guard lock(mutex_);
               run_ = nullptr;
             }))
      .get();
}

std::shared_ptr<connection> membership::peer(const std::string& group) {
  std::unique_lock lock(mutex_);
  if (name_ < group && !peers_.contains(group) && connecting_.insert(group).second) {
    asio::co_spawn(io_, connect_to(group), asio::detached);
  }
  const bool there =
      changed_.wait_for(lock, connect_within, [&] { return peers_.contains(group) || failure_ != nullptr; });
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (!there) throw group_error(group, "", "has not connected to " + name_);
  return peers_.at(group);
}

void membership::say(const json& message) noexcept {
  control_->send_control(message.dump(-1, ' ', false, json::error_handler_t::replace));
}

void membership::wait_until(const std::function<bool()>& is) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is() || failure_ != nullptr; });
  if (!is()) std::rethrow_exception(failure_);
}

// ---- connections ----

// In these, what a coroutine is called with is named first: g++ 12 destroys some temporaries in a co_await twice.

asio::awaitable<tcp::socket> membership::connected_socket(std::string host, std::string port) {
  tcp::resolver resolver(io_);
  const auto found = co_await resolver.async_resolve(host, port, asio::use_awaitable);
  tcp::socket socket(io_);
  co_await asio::async_connect(socket, found, asio::use_awaitable);
  co_return socket;
}

asio::awaitable<void> membership::connect_to_coordinator() {
  const std::size_t colon = coordinator_.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error("that is not host:port");
  const std::string host = coordinator_.substr(0, colon);
  const std::string port = coordinator_.substr(colon + 1);
  tcp::socket socket = co_await connected_socket(host, port);
  const introduction self{name_, purpose::control};
  co_await shake_hands_as_client(socket, self, secret_, handshake_within);
  listen(socket.local_endpoint().address());
  control_ = std::make_shared<connection>(std::move(socket), limits_);
  control_->begin(
      [this](const frame_reader::frame& what, frame_reader&) {
        if (what.header.type != frame_type::control) throw protocol_error("the coordinator sent items");
        hear(json::parse(what.payload.begin(), what.payload.end()));
      },
      [this](const std::string& why) {
        const std::string text = "the connection to it is lost: " + (why.empty() ? "it has ended" : why);
        fail(std::make_exception_ptr(group_error("coordinator", "", text)));
        if (options_.ends_with_coordinator && !leaving_) end_process_without_coordinator();
        left();
      });
  ++open_;
  say({{"say", "here"},
       {"port", acceptor_.local_endpoint().port()},
       {"cores", available_cores()},
       {"machine", machine_id()}});
}

// At the address that the coordinator sees.
void membership::listen(const asio::ip::address& at) {
  const tcp::endpoint where(at, options_.port);
  acceptor_.open(where.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  std::error_code problem;
  acceptor_.bind(where, problem);
  if (!problem) acceptor_.listen(tcp::acceptor::max_listen_connections, problem);
  if (problem) {
    throw graph_error(name_, "can't listen at " + at.to_string() + ":" + std::to_string(options_.port) + ": " +
                                 problem.message() + "; free that port, or give the group another endpoint");
  }
  asio::co_spawn(io_, accept(), asio::detached);
}

asio::awaitable<void> membership::accept() {
  for (;;) {
    std::error_code problem;
    tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, problem));
    if (problem == asio::error::operation_aborted) co_return;
    if (problem) {
      asio::steady_timer pause(io_, 50ms);  // no descriptors left, for one
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, problem));
      continue;
    }
    if (handshakes_ == handshakes_at_once) continue;  // which closes it
    asio::co_spawn(io_, admit(std::move(socket)), asio::detached);
  }
}

asio::awaitable<void> membership::admit(tcp::socket socket) {
  ++handshakes_;
  try {
    const introduction who = co_await shake_hands_as_server(socket, name_, secret_, handshake_within);
    if (who.wants != purpose::link) throw protocol_error("this is no coordinator");
    if (groups_.empty()) {
      early_.emplace_back(who.name, std::move(socket));
    } else {
      admit_if_expected(who.name, std::move(socket));
    }
  } catch (const std::exception&) {
    // Whoever that was, it is none of this cluster.
  }
  --handshakes_;
}

void membership::admit_if_expected(const std::string& group, tcp::socket socket) {
  {
    const std::lock_guard lock(mutex_);
    if (!(group < name_) || !groups_.contains(group) || peers_.contains(group)) return;
  }
  add_peer(group, std::move(socket));
}

asio::awaitable<void> membership::connect_to(std::string group) {
  try {
    const group_address at = groups_.at(group);
    const std::string port = std::to_string(at.port);
    tcp::socket socket = co_await connected_socket(at.host, port);
    const introduction self{name_, purpose::link};
    const introduction who = co_await shake_hands_as_client(socket, self, secret_, handshake_within);
    if (who.name != group) throw handshake_error(who.name + " listens there");
    add_peer(group, std::move(socket));
  } catch (const std::exception& problem) {
    say({{"say", "lost"}, {"group", group}, {"text", problem.what()}});
  }
}

void membership::add_peer(const std::string& group, tcp::socket socket) {
  auto made = std::make_shared<connection>(std::move(socket), limits_);
  made->begin(
      [this](const frame_reader::frame& what, frame_reader& from) {
        member_run* run = nullptr;
        {
          const std::lock_guard lock(mutex_);
          run = run_;
        }
        // Credit of a run that has ended here may still come.
        if (run != nullptr && run->number == what.header.run) run->hear(what, from);
      },
      [this, group](const std::string& why) {
        if (!why.empty() && !leaving_) say({{"say", "lost"}, {"group", group}, {"text", why}});
        left();
      });
  ++open_;
  const std::lock_guard lock(mutex_);
  peers_[group] = std::move(made);
  changed_.notify_all();
}

// ---- the coordinator ----

void membership::hear(const json& message) {
  const std::string what = message.at("say");
  if (what == "stop") {
    const group_error problem(message.at("group"), message.at("path"), message.at("text"));
    return fail(std::make_exception_ptr(problem));
  }
  if (what == "welcome") return be_welcome(message);
  if (what == "signal") {
    ::kill(::getpid(), message.at("number").get<int>());
    return;
  }
  const std::lock_guard lock(mutex_);
  if (run_ != nullptr) {
    if (what == "go" && message.at("run") == run_->number) {
      run_->begun = true;
    } else if (what == "end" && message.at("run") == run_->number) {
      if (message.contains("reports")) {
        run_->reports.emplace();
        for (const json& each : message.at("reports")) run_->reports->push_back(report_from_json(each.dump()));
      }
      run_->over = true;
    } else if (what == "cancel" && run_->begun) {
      run_->control.cancel_from_outside();
    } else if (what == "drain" && run_->begun) {
      run_->control.drain_from_outside();
    } else if (message.contains("loop") && message.at("run") == run_->number) {
      if (const json answer = run_->hear_of_loop(message); !answer.is_null()) say(answer);
    }
  }
  changed_.notify_all();
}

void membership::be_welcome(const json& message) {
  for (const json& each : message.at("groups")) {
    const std::string group = each.at("name");
    groups_[group] = {each.at("address"), each.at("port")};
    selections_.push_back({group, each.at("nodes")});
    if (message.at("plan")) planned_.push_back({group, each.at("cores")});
    if (const std::size_t items = each.at("channel_items"); items != 0) channel_items_[group] = items;
    if (group != name_) continue;
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t batch = each.at("batch_size");
    const std::uint64_t frames = each.at("frames_under_way");
    frame_items_ = batch == 0 ? any : batch;
    frames_under_way_ = frames == 0 ? any : frames;
  }
  cores_ = message.at("cores");
  for (auto& [group, socket] : std::exchange(early_, {})) admit_if_expected(group, std::move(socket));
  const std::lock_guard lock(mutex_);
  welcomed_ = true;
  changed_.notify_all();
}

// The cluster is at its end.
void membership::fail(const std::exception_ptr& problem) {
  const std::lock_guard lock(mutex_);
  if (failure_ != nullptr) return;
  failure_ = problem;
  if (run_ != nullptr && run_->begun && !run_->over) run_->control.fail_from_outside(problem);
  changed_.notify_all();
}

}  // namespace weir::cluster
