// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/coordinator.hpp"

#include "weir/graph/error.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/connection.hpp"
#include "cluster/deadline.hpp"
#include "cluster/listener.hpp"
#include "cluster/live_cluster.hpp"
#include "cluster/loop_wave.hpp"
#include "cluster/meeting.hpp"
#include "cluster/merged_trace.hpp"
#include "cluster/messages.hpp"
#include "cluster/standstill_watch.hpp"
#include "cluster/tls_transport.hpp"
#include "cluster/welcome.hpp"
#include "graph/variables.hpp"
#include "run/environment.hpp"
#include "run/live_server.hpp"
#include "run/live_socket.hpp"

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_future.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace weir {
namespace {

using namespace std::chrono_literals;
namespace to_coordinator = cluster::to_coordinator;
namespace to_group = cluster::to_group;

// Longest wait for the cause of a loss: the exit status of a process is reported by its parent.
constexpr auto cause_within = 300ms;
constexpr const char* ended_early = "has ended before it ran a network";
// Time between two questions to all groups whether they stand still.
constexpr auto ask_again_after = 500ms;
// Time between two checks for calls of watchers; the same as in a process that runs a network.
constexpr auto looks_for_calls = 300ms;
// Time that groups have to read the last messages.
constexpr auto leave_within = 1s;

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// Removes control characters. The other groups print the texts of a node, which may contain any
// bytes, and a terminal must not interpret them.
std::string without_controls(const std::string& text) {
  std::string made;
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool second_of_control = before == 0xC2 && byte >= 0x80 && byte <= 0x9F;  // U+0080 to U+009F
    before = byte;
    if ((byte < ' ' && c != '\n' && c != '\t') || byte == 127 || second_of_control) {
      std::array<char, 5> digits{};
      std::snprintf(digits.data(), digits.size(), "\\%03o", static_cast<unsigned>(byte));
      made += digits.data();
    } else {
      made += c;
    }
  }
  return made;
}

struct member_state {
  const group_configuration* about = nullptr;
  std::shared_ptr<cluster::connection> connected;
  bool here = false;
  cluster::process_place place;
  cluster::program_build build;
  std::string address;
  std::string called_from;  // address and port
  std::uint32_t ready_for = 0;
  std::uint32_t done_with = 0;
  std::string fingerprint;
  std::string trace;              // file that its program requests
  std::set<loop_id> loops;        // for the run it is ready for
  bool over = false;              // it is not connected any more
  bool left = false;              // it also said goodbye
  std::string why;                // reason for the loss; empty: it said goodbye
  std::string how_it_ended;       // exit status of its process; empty: success, or not known
  bool ended_well_early = false;  // all groups do this if the program prints its help
  bool connected_once() const { return connected != nullptr; }
  std::optional<cluster_failure> refused;  // refusal of a caller that claimed to be this group; not proven
};

}  // namespace

// Handlers that wait in the I/O context are destroyed with it, and not called after its thread has
// ended.
class coordinator::state {
 public:
  state(cluster_configuration configuration, std::string secret, bool loopback_only, std::uint16_t port)
      : configuration_(std::move(configuration)),
        own_{std::move(secret), cluster::tls_context(configuration_.tls)},
        listener_(context_),
        patience_(context_) {
    const bool only_here = loopback_only || own_.secret.empty();
    only_here ? listener_.open_loopback(port) : listener_.open_everywhere(port);
    limits_.heartbeat = configuration_.heartbeat;
    limits_.dead_after = configuration_.dead_after;
    limits_.reconnect_within = configuration_.reconnect_within;
    for (const group_configuration& group : configuration_.groups) members_.emplace_back().about = &group;
    port_ = listener_.port();
  }

  void begin() {
    listener_.begin("coordinator", own_, limits_,
                    {.connected = [this](const cluster::introduction& who) { return connection_of(who); },
                     .kind = [](const cluster::introduction&) { return cluster::transport_kind::tcp; },
                     .met = [this](cluster::met_peer met) { be_connected(std::move(met)); },
                     .refused = [this](const cluster::handshake_error& why) { refuse(why); }});
    patience_.expires_after(configuration_.start_within);
    when_over(patience_, [this] { complain_of_missing(); });
    thread_ = std::thread([this] { context_.run(); });
  }
  void end() {
    std::shared_ptr<cluster::live_cluster> watchers;
    on_thread([&] {
      calls_.reset();
      watchers = live_;
    });
    if (watchers != nullptr) watchers->stop();  // while its last question can be asked
    later([this] {
      leaving_ = true;
      patience_.expires_after(leave_within);
      when_over(patience_, [this] { context_.stop(); });
      for (member_state& each : members_) {
        if (each.connected && !each.over) each.connected->leave();
      }
      stop_if_all_have_left();
    });
    thread_.join();
  }

  std::uint16_t port() const { return port_; }

  void process_ended(const std::string& group, const std::string& how) {
    const auto noted = std::make_shared<std::promise<void>>();
    on_thread([&] { note_end(member(group), how, noted); });
    noted->get_future().get();
  }

  void let_be_watched(const std::string& program) {
    const std::string place = requested_live_view();
    on_thread([&] { place.empty() ? wait_for_calls(program) : listen_at(place, program); });
  }

  void write_traces() {
    const trace_options asked = requested_trace({});
    const bool asks = !variable("WEIR_TRACE").empty();
    auto file = asked.file.empty() ? nullptr : std::make_shared<cluster::merged_trace>(asked.file);
    on_thread([&] {
      writes_traces_ = asks;
      trace_ = std::move(file);
    });
  }

  void cancel() {
    later([this] {
      ++orders_;
      tell_all(to_group::cancel{}, nullptr);
    });
  }

  bool signal(const std::string& group, int number) {
    bool sent = false;
    on_thread([&] {
      const member_state& to = member(group);
      if (!to.here || to.over) return;
      to.connected->send_control(cluster::wire_text(to_group::signal{static_cast<std::uint32_t>(number)}));
      sent = true;
    });
    return sent;
  }

  std::optional<cluster_failure> failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  bool nobody_came() const { return nobody_came_.load(std::memory_order_relaxed); }
  std::string home() const {
    const std::lock_guard lock(mutex_);
    return home_;
  }

 private:
  member_state& member(const std::string& name) {
    const auto found =
        std::ranges::find_if(members_, [&](const member_state& each) { return each.about->name == name; });
    if (found == members_.end()) throw cluster::protocol_error("there is no group " + name);
    return *found;
  }

  // The next five take functions of one type, so that Asio's templates are instantiated once.

  // Calls `act` on the coordinator's thread.
  void later(std::function<void()> act) { asio::post(context_, std::move(act)); }
  // Like `later`, but waits until `act` has returned. @throws exceptions of `act`
  void on_thread(const std::function<void()>& act) {
    asio::post(context_, asio::use_future([&act] { act(); })).get();
  }
  // Calls `act` when the time is up, unless the timer is cancelled before.
  static void when_over(asio::steady_timer& timer, std::function<void()> act) {
    timer.async_wait([act = std::move(act)](std::error_code cancelled) {
      if (!cancelled) act();
    });
  }
  void after(std::chrono::milliseconds time, std::function<void()> act) {
    cluster::act_after(context_.get_executor(), time, std::move(act));
  }
  void after_a_moment(std::function<void()> act) { after(cause_within, std::move(act)); }

  void note_end(member_state& of, const std::string& how, const std::shared_ptr<std::promise<void>>& noted) {
    of.how_it_ended = how;
    const auto note = [this, &of, how, noted] {
      judge_end(of, how);
      noted->set_value();
    };
    // The reason may still be on its way.
    of.connected || listener_.meetings() == 0 ? note() : after_a_moment(note);
  }

  void judge_end(member_state& of, const std::string& how) {
    if (of.connected) {
      // The launcher that started it elsewhere has ended without it.
      return after_a_moment([this, &of] {
        if (!of.how_it_ended.empty()) gone(of, "");
        // No process is left that could connect again.
        if (of.over || !of.connected->is_cut()) return;
        of.connected->end();
        lost(of, "", cluster::loss_cause::broken);
      });
    }
    if (of.refused) return fail(*of.refused);
    of.ended_well_early = how.empty();
    if (!how.empty() || std::ranges::any_of(members_, &member_state::connected_once)) gone(of, ended_early);
    nobody_came_.store(std::ranges::all_of(members_, &member_state::ended_well_early), std::memory_order_relaxed);
  }

  void listen_at(const std::string& place, const std::string& program) {
    auto socket = live_socket::open(place);
    if (!socket) return;
    live_ = std::make_shared<cluster::live_cluster>(
        *std::move(socket), program, [this](const to_group::sample& question) { return ask_all(question); });
  }

  // Checks for a call of a watcher until one has come.
  void wait_for_calls(const std::string& program) {
    if (!calls_) calls_.emplace(context_);
    calls_->expires_after(looks_for_calls);
    when_over(*calls_, [this, program] {
      if (!calls_) return;
      try {
        const std::string place = live_server::take_call();
        if (!place.empty()) return listen_at(place, program);
      } catch (const std::exception&) {
        // The caller finds no socket, and reports this.
      }
      wait_for_calls(program);
    });
  }

  // Called by the thread of `live_`.
  cluster::live_cluster::asked ask_all(const to_group::sample& question) {
    cluster::live_cluster::asked who;
    on_thread([&] {
      who.cores = cores_;
      for (const member_state& each : members_) {
        if (!each.here || each.over || cores_ == 0) continue;
        each.connected->send_control(cluster::wire_text(question));
        who.groups.insert(each.about->name);
      }
    });
    return who;
  }

  std::shared_ptr<cluster::connection> connection_of(const cluster::introduction& who) const {
    const auto found =
        std::ranges::find_if(members_, [&](const member_state& each) { return each.about->name == who.name; });
    if (found == members_.end() || who.wants != cluster::purpose::control) {
      throw cluster::handshake_error(who.name + " has no business here");
    }
    return found->connected;
  }

  // Any caller may claim the name, so the refusal counts only if that group does not come up.
  void refuse(const cluster::handshake_error& problem) {
    if (problem.claimed.empty()) refused_caller_ = "a caller at " + problem.caller + " was refused: " + problem.what();
    for (member_state& each : members_) {
      if (each.about->name != problem.claimed) continue;
      const failure_kind kind = problem.about_secret ? failure_kind::authentication : failure_kind::protocol;
      each.refused = {each.about->name, "", std::string("was refused: ") + problem.what(), kind};
    }
  }

  void be_connected(cluster::met_peer met) {
    member_state& who = member(met.who.name);
    who.address = met.there.address().to_string();
    who.called_from = cluster::address_text(met.there);
    who.connected = std::make_shared<cluster::connection>(context_.get_executor(), std::move(met.over), limits_, true);
    who.connected->begin(
        [this, &who](cluster::arrived_frame& what) {
          if (what.header().type != cluster::frame_type::control) throw cluster::protocol_error("it sent items here");
          hear(who, cluster::read_by_coordinator(what.payload()));
        },
        [this, &who](const std::string& why) { lost(who, why, who.connected->cause()); });
    const auto early = std::ranges::find(members_, true, &member_state::ended_well_early);
    if (early != members_.end()) gone(*early, ended_early);
    if (const auto failed = failure()) who.connected->send_control(cluster::wire_text(stop_message(*failed)));
  }

  // A message that a group must not send is a protocol_error: its connection then ends, and the
  // group has failed.
  void hear(member_state& from, to_coordinator::any what) {
    if (from.here == std::holds_alternative<to_coordinator::here>(what))
      throw cluster::protocol_error(from.here ? "it introduced itself twice" : "it has not introduced itself");
    std::visit([&](auto& message) { obey(from, std::move(message)); }, what);
  }

  void obey(member_state& from, to_coordinator::here&& message) {
    from.place = std::move(message.place);
    from.place.cores = std::max<std::size_t>(from.place.cores, 1);
    from.build = std::move(message.build);
    from.here = true;
    if (!runs_same_build()) return;
    if (std::ranges::all_of(members_, &member_state::here)) introduce();
  }

  void obey(member_state& from, to_coordinator::failed&& message) {
    fail({from.about->name, without_controls(message.path), without_controls(message.text),
          message.undecodable ? failure_kind::data : failure_kind::node});
  }

  void obey(member_state& from, to_coordinator::misfit&& message) {
    std::string text;
    for (const std::string& each : message.problems) text += (text.empty() ? "" : "\n") + without_controls(each);
    if (text.empty()) throw cluster::protocol_error("it says of nothing that it is wrong with the configuration");
    fail({from.about->name, "", text, failure_kind::configuration});
  }

  void obey(member_state& from, to_coordinator::lost&& message) {
    member_state& of = member(message.group);
    const std::string what =
        (message.met ? "has lost its connection to " : "can't be reached by ") + from.about->name + ": " + message.text;
    if (message.cause != cluster::loss_cause::broken) return fail({of.about->name, "", what, kind_of(message.cause)});
    after_a_moment([this, &of, what] { gone(of, of.over ? gone_because(of.why) : what); });
  }

  void obey(member_state& from, to_coordinator::still&& message) {
    if (message.run == run_) go_on(standstill_.still(from.about->name, message.rounds));
  }
  void obey(member_state& from, to_coordinator::standstill&& message) {
    if (message.run == run_) go_on(standstill_.answered(from.about->name, std::move(message.answer)));
  }

  void obey(member_state& from, to_coordinator::time&& message) {
    from.connected->send_control(cluster::wire_text(to_group::time{.asked = message.asked, .now = steady_now()}));
  }

  void obey(member_state& /*from*/, to_coordinator::trace&& message) {
    if (trace_ != nullptr && message.run == run_) trace_->add(message.events);
  }
  void obey(member_state& from, to_coordinator::traced&& message) {
    if (trace_ != nullptr && message.run == run_) trace_->end_of(from.about->name, message.about);
  }

  void obey(member_state& from, to_coordinator::sampled&& message) {
    if (live_ != nullptr) live_->hear(from.about->name, std::move(message));
  }

  void obey(member_state& from, to_coordinator::cancel&& /*message*/) {
    ++orders_;
    tell_all(to_group::cancel{}, &from);
  }
  void obey(member_state& from, to_coordinator::drain&& /*message*/) {
    ++orders_;
    tell_all(to_group::drain{}, &from);
  }

  void obey(member_state& from, to_coordinator::report&& message) {
    check_end(from, message);
    const member_state& to = member(home());
    if (to.connected == nullptr || &to == &from) return;
    to.connected->send_control(
        cluster::wire_text(to_group::report{.run = run_, .group = from.about->name, .part = std::move(message.part)}));
  }
  void obey(member_state& from, to_coordinator::done&& message) {
    check_end(from, message);
    from.done_with = message.run;
    go_on(standstill_.still(from.about->name, cluster::standstill_watch::is_done));
    end_if_done();
  }
  // @throws protocol_error if the group may not send this message about a run now
  template <class Message>
  void check_end(const member_state& from, const Message& message) const {
    const std::string what = std::string("it says \"") + Message::name + "\" of run " + std::to_string(message.run);
    if (message.run != run_ || message.run != from.ready_for)
      throw cluster::protocol_error(what + ", which it was not told to begin");
    if (message.run == from.done_with) throw cluster::protocol_error(what + ", with which it is done");
  }

  // Compares the builds of the groups that have introduced themselves.
  bool runs_same_build() {
    if (configuration_.any_build) return true;
    const auto first = std::ranges::find(members_, true, &member_state::here);
    for (const member_state& each : members_) {
      const std::string what = each.here ? difference(each.build, first->build, first->about->name) : "";
      if (what.empty()) continue;
      fail({each.about->name, "",
            what + R"(; start the same build everywhere, or say "builds": "any" in the configuration)",
            failure_kind::protocol});
      return false;
    }
    return true;
  }

  void obey(member_state& from, to_coordinator::ready&& message) {
    if (message.run <= from.ready_for || from.ready_for != from.done_with) {
      throw cluster::protocol_error("it is ready for run " + std::to_string(message.run) + " after run " +
                                    std::to_string(from.ready_for));
    }
    from.fingerprint = std::move(message.fingerprint);
    from.trace = std::move(message.trace);
    from.loops = {message.loops.begin(), message.loops.end()};
    const std::string home = member(message.home).about->name;
    {
      const std::lock_guard lock(mutex_);
      home_ = home;
    }
    from.ready_for = message.run;
    begin_if_ready();
  }

  void introduce() {
    patience_.cancel();
    to_group::welcome all;
    all.cores = 0;
    std::map<std::string, std::size_t> groups_on;  // by machine
    for (const member_state& each : members_) {
      if (++groups_on[each.place.machine] == 1) all.cores += each.place.cores;
    }
    for (const member_state& each : members_) {
      const double neighbours = static_cast<double>(groups_on[each.place.machine]);
      all.groups.push_back({.name = each.about->name,
                            .address = each.address,
                            .host = each.about->host,
                            .at = each.place,
                            .share = static_cast<double>(each.place.cores) / neighbours,
                            .nodes = each.about->nodes,
                            .batch_size = each.about->batch_size,
                            .frames_under_way = each.about->frames_under_way,
                            .channel_items = each.about->channel_items});
    }
    cores_ = all.cores;
    all.mpi = needs_mpi();
    all.watched = live_ != nullptr;
    all.traced = writes_traces_;
    all.plan = configuration_.plan;
    all.checksums = configuration_.checksums;
    all.stalled_after = configuration_.stalled_after;
    all.transport = configuration_.transport;
    all.links = configuration_.links;
    tell_all(std::move(all), nullptr);
  }

  // All processes of an MPI job take part in it, or none.
  bool needs_mpi() const {
    if (!std::ranges::all_of(members_, [](const member_state& each) { return each.place.in_mpi; })) return false;
    const auto wants = [](const link_configuration& link) { return link.transport == link_transport::mpi; };
    if (configuration_.transport == link_transport::mpi || std::ranges::any_of(configuration_.links, wants))
      return true;
    return configuration_.transport == link_transport::automatic &&
           std::ranges::any_of(members_, [&](const member_state& each) {
             return !each.place.shares_addresses(members_.front().place);
           });
  }

  void begin_if_ready() {
    const std::uint32_t run = std::ranges::max(members_, {}, &member_state::ready_for).ready_for;
    if (run == run_) return;  // it has begun
    for (const member_state& each : members_) {
      if (each.ready_for != run) {
        if (each.left) gone(each, "has ended, while others begin run " + std::to_string(run));
        return;
      }
    }
    for (const member_state& each : members_) {
      if (each.fingerprint == members_.front().fingerprint) continue;
      return fail({each.about->name, "",
                   "runs another network than " + members_.front().about->name + " (fingerprint " + each.fingerprint +
                       ", not " + members_.front().fingerprint +
                       "); start the same program with the same arguments everywhere",
                   failure_kind::protocol});
    }
    run_ = run;
    std::map<loop_id, std::set<std::string>> parts;
    for (const member_state& each : members_) {
      for (const loop_id id : each.loops) parts[id].insert(each.about->name);
    }
    std::set<std::string> all;
    for (const member_state& each : members_) all.insert(each.about->name);
    standstill_ = cluster::standstill_watch(std::move(all));
    loops_.clear();
    for (auto& [id, groups] : parts) loops_.try_emplace(id, std::move(groups));
    try {
      open_trace(run);
    } catch (const graph_error& problem) {
      return fail({home(), "", problem.what()});
    }
    tell_all(to_group::go{.run = run, .traced = trace_ != nullptr, .now = steady_now()}, nullptr);
  }

  // The program's request comes before that of the environment. The file of the first run is open
  // already.
  void open_trace(std::uint32_t run) {
    std::string file;
    for (const member_state& each : members_) {
      if (file.empty() || each.about->name == home()) file = each.trace;
    }
    trace_options asked;
    asked.file = file;
    if (writes_traces_ && run != 1) asked = requested_trace(asked);
    if (run != 1 || !file.empty()) trace_.reset();
    if (trace_ == nullptr && !asked.file.empty()) trace_ = std::make_shared<cluster::merged_trace>(asked.file);
  }

  void obey(member_state& from, to_coordinator::quiet&& message) {
    if (auto* wave = wave_of(from, message)) go_on(*wave, message.loop, wave->quiet(from.about->name));
  }
  void obey(member_state& from, to_coordinator::noted&& message) {
    if (auto* wave = wave_of(from, message)) go_on(*wave, message.loop, wave->noted(from.about->name));
  }
  void obey(member_state& from, to_coordinator::compared&& message) {
    if (auto* wave = wave_of(from, message))
      go_on(*wave, message.loop, wave->compared(from.about->name, message.quiet, message.quiet_now, message.sent));
  }
  void obey(member_state& from, to_coordinator::answered&& message) {
    if (auto* wave = wave_of(from, message)) go_on(*wave, message.loop, wave->answered(from.about->name));
  }

  // Returns the wave of the loop; null if the message belongs to another run. @throws
  // protocol_error
  cluster::loop_wave* wave_of(const member_state& from, const cluster::about_loop& message) {
    if (message.run != run_) return nullptr;
    const auto found = loops_.find(message.loop);
    if (found == loops_.end() || !found->second.parts().contains(from.about->name))
      throw cluster::protocol_error("it speaks of a loop that it has no part in");
    return &found->second;
  }

  void go_on(const cluster::loop_wave& wave, loop_id id, cluster::loop_wave::order next) {
    using order = cluster::loop_wave::order;
    const cluster::about_loop what{.run = run_, .loop = id};
    std::string text;
    switch (next) {
      case order::none: return;
      case order::note: text = cluster::wire_text(to_group::note{what}); break;
      case order::compare: text = cluster::wire_text(to_group::compare{what}); break;
      case order::ask: text = cluster::wire_text(to_group::ask{what}); break;
      case order::close: text = cluster::wire_text(to_group::close{what}); break;
    }
    ++orders_;
    for (const member_state& each : members_) {
      if (wave.parts().contains(each.about->name)) each.connected->send_control(text);
    }
  }

  void go_on(cluster::standstill_watch::order what) {
    using order = cluster::standstill_watch::order;
    // An order that was given since may wake some nodes.
    if ((what == order::fail || what == order::end_some) && orders_ != orders_then_) what = order::ask_later;
    switch (what) {
      case order::none: return;
      case order::ask:
        orders_then_ = orders_;
        return tell_all(to_group::standstill{.run = run_, .question = standstill_.ask()}, nullptr);
      case order::ask_later:
        return after(ask_again_after, [this, run = run_] {
          if (run == run_) go_on(standstill_.again());
        });
      case order::end_some:
        for (const auto& [group, rounds] : standstill_.end_some()) {
          member(group).connected->send_control(
              cluster::wire_text(to_group::end_some{{.run = run_, .rounds = rounds}}));
        }
        return;
      case order::fail:
        if (const auto found = standstill_.cycle()) {
          fail({found->group, without_controls(found->cycle.path), without_controls(found->cycle.text),
                failure_kind::node});
        }
        return;
    }
  }

  void end_if_done() {
    const std::uint32_t run = members_.front().done_with;
    if (std::ranges::any_of(members_, [&](const member_state& each) { return each.done_with != run; })) return;
    trace_.reset();  // it is complete before any group hears that the run has ended
    const std::string message = cluster::wire_text(to_group::end{{run}});
    for (const member_state& each : members_) {
      if (each.connected) each.connected->send_control(message);
    }
  }

  void stop_if_all_have_left() {
    if (std::ranges::all_of(members_, [](const member_state& each) { return !each.connected || each.over; }))
      context_.stop();
  }

  static failure_kind kind_of(cluster::loss_cause cause) {
    switch (cause) {
      case cluster::loss_cause::damaged: return failure_kind::data;
      case cluster::loss_cause::misunderstood: return failure_kind::protocol;
      default: return failure_kind::lost;
    }
  }

  void lost(member_state& who, const std::string& why, cluster::loss_cause cause) {
    who.over = true;
    if (leaving_) return stop_if_all_have_left();
    who.why = why.empty() ? "" : why + " (" + who.called_from + "; " + who.connected->how_far() + ")";
    if (!why.empty() && cause != cluster::loss_cause::broken)
      return fail({who.about->name, "", gone_because(who.why), kind_of(cause)});
    if (!why.empty()) return after_a_moment([this, &who] { gone(who, gone_because(who.why)); });
    who.left = true;
    // Its program may just be ending: exit() says goodbye, too.
    if (who.ready_for != who.done_with)
      return after_a_moment([this, &who] { gone(who, "has ended in the middle of a run"); });
    begin_if_ready();
  }

  static std::string gone_because(const std::string& why) { return why.empty() ? "has gone" : "has gone: " + why; }

  // The exit status of its process explains more than the observations of other groups.
  void gone(const member_state& who, const std::string& how) {
    const bool others_gone =
        std::ranges::any_of(members_, [&](const member_state& each) { return &each != &who && each.over; });
    if (who.how_it_ended.empty()) return fail({who.about->name, "", how, failure_kind::lost, others_gone});
    fail({who.about->name, "", who.how_it_ended, failure_kind::process});
  }

  void complain_of_missing() {
    const auto missing = std::ranges::find(members_, false, &member_state::here);
    if (missing == members_.end()) return;
    if (missing->refused) return fail(*missing->refused);
    if (missing->ended_well_early) return gone(*missing, ended_early);
    std::string text = "has not come up within " + std::to_string(configuration_.start_within.count() / 1000) + " s";
    for (const member_state& each : members_) {
      if (each.here) continue;
      if (&each != &*missing) text += "; nor has " + each.about->name;
      if (!each.about->host.empty()) text += " on " + each.about->host;
    }
    if (!refused_caller_.empty()) text += "; " + refused_caller_;
    fail({missing->about->name, "", text, failure_kind::lost});
  }

  static to_group::stop stop_message(const cluster_failure& what) {
    std::string text = what.text;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
    return {.group = what.group, .path = what.path, .text = text};
  }

  // Keeps the first failure.
  void fail(const cluster_failure& what) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) return;
      failure_ = what;
    }
    tell_all(stop_message(what), nullptr);
  }

  void tell_all(const to_group::any& message, const member_state* but) {
    const std::string text = cluster::wire_text(message);
    for (const member_state& each : members_) {
      if (&each != but && each.connected) each.connected->send_control(text);
    }
  }

  const cluster_configuration configuration_;
  const cluster::credentials own_;
  cluster::connection_limits limits_;
  asio::io_context context_{1};
  cluster::listener listener_;
  asio::steady_timer patience_;
  std::uint16_t port_ = 0;
  std::thread thread_;

  // Used by its thread:
  std::shared_ptr<cluster::live_cluster> live_;   // null: watching is not possible yet
  std::optional<asio::steady_timer> calls_;       // until a call has come
  std::size_t cores_ = 0;                         // number of all machines together; 0: not known yet
  bool writes_traces_ = false;                    // the environment requests traces
  std::shared_ptr<cluster::merged_trace> trace_;  // trace of the run under way; null: there is none
  std::vector<member_state> members_;
  std::string refused_caller_;  // the last caller that was refused before it gave a name
  bool leaving_ = false;
  std::uint32_t run_ = 0;
  std::map<loop_id, cluster::loop_wave> loops_;  // loops of the current run that lie in several groups
  std::uint64_t orders_ = 0;                     // number of orders given to loops, to cancel, and to drain
  std::uint64_t orders_then_ = 0;                // `orders_` when all were last asked whether they stand still
  cluster::standstill_watch standstill_;         // for the current run

  std::atomic<bool> nobody_came_{false};
  mutable std::mutex mutex_;
  std::string home_;
  std::optional<cluster_failure> failure_;
};

coordinator::coordinator(cluster_configuration configuration, std::string secret, bool loopback_only,
                         std::uint16_t port)
    : state_(std::make_unique<state>(std::move(configuration), std::move(secret), loopback_only, port)) {
  state_->begin();
}
coordinator::~coordinator() { state_->end(); }
std::uint16_t coordinator::port() const { return state_->port(); }
void coordinator::write_traces() { state_->write_traces(); }
void coordinator::let_be_watched(const std::string& program) { state_->let_be_watched(program); }
void coordinator::process_ended(const std::string& group, const std::string& how) { state_->process_ended(group, how); }
bool coordinator::signal(const std::string& group, int number) { return state_->signal(group, number); }
void coordinator::cancel() { state_->cancel(); }
std::optional<cluster_failure> coordinator::failure() const { return state_->failure(); }

bool coordinator::nobody_came() const { return state_->nobody_came(); }
std::string coordinator::home() const { return state_->home(); }

std::string new_cluster_secret() { return cluster::new_secret(); }

}  // namespace weir
