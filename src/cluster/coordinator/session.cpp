// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/session.hpp"

#include "weir/graph/error.hpp"

#include "cluster/coordinator/introduce.hpp"
#include "cluster/wire/deadline.hpp"
#include "cluster/wire/tls.hpp"
#include "graph/control_characters.hpp"
#include "graph/variables.hpp"
#include "run/environment.hpp"

#include <asio/post.hpp>
#include <asio/use_future.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace weir::cluster {
namespace {

using namespace std::chrono_literals;

// Longest wait for the cause of a loss: the exit status of a process is reported by its parent.
constexpr auto cause_within = 300ms;
// Time that groups have to read the last messages.
constexpr auto farewell_within = 1s;

std::int64_t steady_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

to_group::stop stop_message(const cluster_failure& what) {
  std::string text = what.text;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
  return {.group = what.group, .path = what.path, .text = text};
}

}  // namespace

session::session(cluster_configuration configuration, std::string secret, bool loopback_only, std::uint16_t port)
    : configuration_(std::move(configuration)),
      own_{std::move(secret), load_tls(configuration_.tls)},
      listener_(context_),
      patience_(context_),
      groups_(configuration_.groups),
      blame_(
          groups_, [this](std::function<void()> act) { after(cause_within, std::move(act)); },
          [this](const cluster_failure& what) { groups_.tell_all(stop_message(what)); }),
      barrier_(groups_.names()),
      watch_(
          groups_, [this](std::chrono::milliseconds time, std::function<void()> act) { after(time, std::move(act)); },
          [this](const cluster_failure& what) { blame_.fail(what); }),
      live_(context_, groups_, [this](const std::function<void()>& act) { on_thread(act); }) {
  const bool only_here = loopback_only || own_.secret.empty();
  only_here ? listener_.open_loopback(port) : listener_.open_everywhere(port);
  limits_.heartbeat = configuration_.heartbeat;
  limits_.dead_after = configuration_.dead_after;
  limits_.reconnect_within = configuration_.reconnect_within;
  port_ = listener_.port();
}

void session::begin() {
  listener_.begin("coordinator", own_, limits_,
                  {.connected = [this](const introduction& who) { return connection_of(who); },
                   .kind = [](const introduction&) { return transport_kind::tcp; },
                   .met = [this](met_peer met) { be_connected(std::move(met)); },
                   .refused = [this](const handshake_error& why) { blame_.refused(why); }});
  when_patience_is_over(configuration_.start_within, [this] { blame_.some_are_missing(configuration_.start_within); });
  thread_ = std::thread([this] { context_.run(); });
}

void session::end() {
  live_.stop();
  later([this] {
    leaving_ = true;
    when_patience_is_over(farewell_within, [this] { context_.stop(); });
    for (member& each : groups_.all()) {
      if (each.connected && !each.over) each.connected->leave();
    }
    stop_if_all_have_left();
  });
  thread_.join();
}

// ---- for other threads ----

// Calls `act` on the thread of this.
void session::later(std::function<void()> act) { asio::post(context_, std::move(act)); }

// Like `later`, but waits until `act` has returned. @throws exceptions of `act`
void session::on_thread(const std::function<void()>& act) {
  asio::post(context_, asio::use_future([&act] { act(); })).get();
}

void session::after(std::chrono::milliseconds time, std::function<void()> act) {
  act_after(context_.get_executor(), time, std::move(act));
}

// Calls `act` when the time is up, unless this is called again, or the timer is cancelled.
void session::when_patience_is_over(std::chrono::milliseconds time, std::function<void()> act) {
  patience_.expires_after(time);
  patience_.async_wait([act = std::move(act)](std::error_code cancelled) {
    if (!cancelled) act();
  });
}

void session::process_ended(const std::string& group, const std::string& how) {
  const auto noted = std::make_shared<std::promise<void>>();
  on_thread([&] { note_end(groups_.at(group), how, noted); });
  noted->get_future().get();
}

void session::let_be_watched(const std::string& program) {
  const std::string place = detail::requested_live_view();
  on_thread([&] { live_.begin(place, program); });
}

void session::write_traces() {
  const trace_options asked = detail::requested_trace({});
  const bool asks = !detail::variable("WEIR_TRACE").empty();
  auto file = asked.file.empty() ? nullptr : std::make_shared<merged_trace>(asked.file);
  if (asks) on_thread([&] { traces_.request(std::move(file)); });
}

void session::cancel() {
  later([this] { watch_.order(to_group::cancel{}, nullptr); });
}

bool session::signal(const std::string& group, int number) {
  bool sent = false;
  on_thread([&] {
    const member& to = groups_.at(group);
    if (!to.here || to.over) return;
    roster::tell(to, to_group::signal{static_cast<std::uint32_t>(number)});
    sent = true;
  });
  return sent;
}

std::string session::result_group() const {
  const std::lock_guard lock(mutex_);
  return result_group_;
}

// ---- connections and processes ----

void session::note_end(member& of, const std::string& how, const std::shared_ptr<std::promise<void>>& noted) {
  blame_.process_ended(of, how);
  const auto note = [this, &of, noted] {
    judge_end(of);
    noted->set_value();
  };
  // The reason may still be on its way.
  of.connected || listener_.meetings() == 0 ? note() : after(cause_within, note);
}

void session::judge_end(member& of) {
  if (!of.connected) return blame_.has_ended_unconnected(of);
  // If the group runs elsewhere, perhaps only its launcher has ended. A group that has gone was
  // judged in `lost`; after its runs it may end with any code.
  after(cause_within, [this, &of] {
    if (of.over && barrier_.has_come(of.number)) return;
    blame_.has_ended_connected(of);
    // No process is left that could connect again.
    if (of.over || !of.connected->is_cut()) return;
    of.connected->end();
    lost(of, "", loss_cause::broken);
  });
}

std::shared_ptr<connection> session::connection_of(const introduction& who) const {
  const member* const found = groups_.find(who.name);
  if (found == nullptr || who.wants != purpose::control) throw handshake_error(who.name + " has no business here");
  return found->connected;
}

void session::be_connected(met_peer met) {
  member& who = groups_.at(met.who.name);
  who.address = met.there.address().to_string();
  who.called_from = address_text(met.there);
  who.connected = std::make_shared<connection>(context_.get_executor(), std::move(met.over), limits_, true);
  who.connected->begin(
      [this, &who](arrived_frame& what) {
        if (what.header().type != frame_type::control) throw protocol_error("it sent items here");
        hear(who, read_by_coordinator(what.payload()));
      },
      [this, &who](const std::string& why) { lost(who, why, who.connected->cause()); });
  blame_.came(who);
  if (const auto failed = failure()) roster::tell(who, stop_message(*failed));
}

void session::lost(member& who, const std::string& why, loss_cause cause) {
  who.over = true;
  if (leaving_) return stop_if_all_have_left();
  if (!why.empty()) {
    return blame_.connection_lost(who, why + " (" + who.called_from + "; " + who.connected->how_far() + ")", cause);
  }
  barrier_.left(who.number);
  // Its program may just be ending: exit() says goodbye, too.
  if (barrier_.is_in_run(who.number)) return blame_.gone_in_a_moment(who, "has ended in the middle of a run");
  begin_if_ready();
}

void session::stop_if_all_have_left() {
  if (std::ranges::all_of(groups_.all(), [](const member& each) { return !each.connected || each.over; }))
    context_.stop();
}

// ---- messages ----

// A message that a group must not send is a protocol_error: its connection then ends, and the group
// has failed.
void session::hear(member& from, to_coordinator::any what) {
  if (from.here == std::holds_alternative<to_coordinator::here>(what))
    throw protocol_error(from.here ? "it introduced itself twice" : "it has not introduced itself");
  std::visit([&](auto& message) { obey(from, std::move(message)); }, what);
}

void session::obey(member& from, to_coordinator::here&& message) {
  from.place = std::move(message.place);
  from.place.cores = std::max<std::size_t>(from.place.cores, 1);
  from.build = std::move(message.build);
  from.here = true;
  if (!configuration_.any_build) {
    if (const auto failed = difference_of_builds(groups_)) return blame_.fail(*failed);
  }
  if (!std::ranges::all_of(groups_.all(), &member::here)) return;
  patience_.cancel();
  to_group::welcome all = introduce(groups_, configuration_);
  all.watched = live_.is_on();
  all.traced = traces_.are_requested();
  live_.groups_are_here(all.cores);
  groups_.tell_all(std::move(all));
}

void session::obey(member& from, to_coordinator::misfit&& message) {
  std::string text;
  for (const std::string& each : message.problems) text += (text.empty() ? "" : "\n") + detail::printable_lines(each);
  if (text.empty()) throw protocol_error("it says of nothing that it is wrong with the configuration");
  blame_.fail({from.name(), "", text, failure_kind::configuration});
}

void session::obey(member& from, to_coordinator::ready&& message) {
  const std::string result_group = groups_.at(message.result_group).name();
  barrier_.ready(from.number, std::move(message));
  {
    const std::lock_guard lock(mutex_);
    result_group_ = result_group;
  }
  begin_if_ready();
}

void session::begin_if_ready() {
  using kind = run_barrier::next::kind;
  const run_barrier::next next = barrier_.begin_if_ready();
  const member& who = groups_.all()[next.group];
  switch (next.what) {
    case kind::none: return;
    case kind::one_has_left: return blame_.gone(who, "has ended, while others begin run " + std::to_string(next.run));
    case kind::networks_differ:
      return blame_.fail({who.name(), "",
                          "runs another network than " + groups_.all().front().name() + " (fingerprint " +
                              barrier_.fingerprint(next.group) + ", not " + barrier_.fingerprint(0) +
                              "); start the same program with the same arguments everywhere",
                          failure_kind::protocol});
    case kind::begin: break;
  }
  watch_.begin(next.run, barrier_.loops());
  try {
    traces_.begin(next.run, barrier_.trace_file(result_group()));
  } catch (const graph_error& problem) {
    return blame_.fail({result_group(), "", problem.what()});
  }
  groups_.tell_all(to_group::go{.run = next.run, .traced = traces_.is_on(), .now = steady_now()});
}

void session::obey(member& from, to_coordinator::failed&& message) {
  blame_.fail({from.name(), detail::printable_lines(message.path), detail::printable_lines(message.text),
               message.undecodable ? failure_kind::data : failure_kind::node});
}

void session::obey(member& from, to_coordinator::lost&& message) { blame_.connection_lost_between(from, message); }

void session::obey(member& from, to_coordinator::cancel&& /*message*/) { watch_.order(to_group::cancel{}, &from); }
void session::obey(member& from, to_coordinator::drain&& /*message*/) { watch_.order(to_group::drain{}, &from); }

void session::obey(member& from, to_coordinator::time&& message) {
  roster::tell(from, to_group::time{.asked = message.asked, .now = steady_now()});
}

void session::obey(member& /*from*/, to_coordinator::trace&& message) { traces_.hear(message); }
void session::obey(member& from, to_coordinator::traced&& message) { traces_.hear(from.name(), message); }

void session::obey(member& from, to_coordinator::sampled&& message) { live_.hear(from, std::move(message)); }

void session::obey(member& from, to_coordinator::report&& message) {
  barrier_.check_end(from.number, message);
  const member& to = groups_.at(result_group());
  if (to.connected == nullptr || &to == &from) return;
  roster::tell(to, to_group::report{.run = message.run, .group = from.name(), .part = std::move(message.part)});
}

void session::obey(member& from, to_coordinator::done&& message) {
  barrier_.check_end(from.number, message);
  barrier_.done(from.number);
  watch_.done(from);
  if (!barrier_.all_are_done()) return;
  traces_.end();  // it is complete before any group hears that the run has ended
  groups_.tell_all(to_group::end{{barrier_.run()}});
}

}  // namespace weir::cluster
