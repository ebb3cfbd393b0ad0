// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/peers.hpp"

#include "weir/graph/error.hpp"

#include "cluster/wire/host_and_port.hpp"

#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

namespace weir::cluster {

std::string circumstances(connection& of, const asio::ip::tcp::endpoint& there, const std::string& channel) {
  return " (" + address_text(there) + "; " + of.how_far() + (channel.empty() ? "" : "; items came last " + channel) +
         ")";
}

peers::peers(asio::io_context& context, std::string name, credentials own, session_status& status, dialer& calls,
             users tell)
    : context_(context),
      name_(std::move(name)),
      own_(std::move(own)),
      status_(status),
      calls_(calls),
      tell_(std::move(tell)),
      listener_(context) {}

void peers::listen(const asio::ip::tcp::endpoint& at) {
  try {
    listener_.open(at);
  } catch (const std::system_error& problem) {
    throw graph_error(name_, "can't listen at " + host_and_port(at.address().to_string(), std::to_string(at.port())) +
                                 ": " + problem.code().message() +
                                 "; free that port, or give the group another endpoint");
  }
}

void peers::begin(std::map<std::string, group_address> addresses, const connection_limits& limits, bool has_checksums) {
  addresses_ = std::move(addresses);
  has_checksums_ = has_checksums;
  listener_.begin(name_, own_, limits,
                  {.connected = [this](const introduction& who) { return caller(who); },
                   .kind = [this](const introduction& who) { return addresses_.at(who.name).kind; },
                   .met = [this](met_peer met) { add(std::move(met)); },
                   .refused = [](const handshake_error&) {}});  // the caller does not belong to this cluster
}

std::shared_ptr<connection> peers::at(const std::string& group) {
  {
    const std::lock_guard lock(status_.mutex());
    if (name_ < group && !connections_.contains(group) && dialled_.insert(group).second) dial(group);
  }
  // The group that connects gives up sooner, and reports the reason.
  const bool there = status_.wait_until(2 * (dialer::connect_within + dialer::meet_within),
                                        [&] { return connections_.contains(group); });
  if (!there) throw group_error(group, "", "has not connected to " + name_);
  const std::lock_guard lock(status_.mutex());
  return connections_.at(group);
}

dialer::target peers::target_of(const std::string& group) const {
  const group_address& at = addresses_.at(group);
  return {group, at.host, std::to_string(at.port), at.named_host, purpose::link};
}

void peers::dial(const std::string& group) {
  calls_.dial(
      target_of(group), std::chrono::steady_clock::now(), [this](met_peer met) { add(std::move(met)); },
      [this, group](const std::exception_ptr& problem) {
        const dialer::target to = target_of(group);
        try {
          std::rethrow_exception(problem);
        } catch (const std::exception& why) {
          tell_.lost({.group = group,
                      .met = false,
                      .text = host_and_port(to.host, to.port) + ": " + why.what(),
                      .cause = loss_cause::broken});
        }
      });
}

// Returns the connection to a group that connects to this one; null: there was none so far.
// @throws handshake_error if it must not connect
std::shared_ptr<connection> peers::caller(const introduction& who) {
  if (who.wants != purpose::link || !(who.name < name_) || !addresses_.contains(who.name)) {
    throw handshake_error(who.name + " has no business here");
  }
  const std::lock_guard lock(status_.mutex());
  const auto found = connections_.find(who.name);
  return found == connections_.end() ? nullptr : found->second;
}

void peers::add(met_peer met) {
  const std::string group = met.who.name;
  const group_address& about = addresses_.at(group);
  if (about.must_be_that && met.kind != about.kind) {
    throw handshake_error("it is to be connected by shm, inproc or mpi, but that can't be had");
  }
  connection_limits limits = met.limits;
  if (met.kind != transport_kind::tcp) limits.reconnect_within = {};  // these end with a process
  const bool has_checksums = met.kind == transport_kind::tcp && (has_checksums_ || !about.is_here);
  auto made = std::make_shared<connection>(context_.get_executor(), std::move(met.over), limits, has_checksums);
  const bool dials = name_ < group;
  made->begin([this](arrived_frame& what) { tell_.arrived(what); },
              [this, group, there = met.there, from = made.get()](const std::string& why) {
                if (!why.empty() && !leaving_) {
                  const auto last = from->last_channel();
                  const std::string text = why + circumstances(*from, there, last ? tell_.ends_of(*last) : "");
                  tell_.lost({.group = group, .met = true, .text = text, .cause = from->cause()});
                }
                --open_;
                tell_.closed();
              },
              [this, group, dials, broken = std::weak_ptr(made)] {
                const auto cut = broken.lock();
                if (dials && cut != nullptr) calls_.redial(target_of(group), cut);
              });
  ++open_;
  const std::lock_guard lock(status_.mutex());
  connections_[group] = std::move(made);
  status_.changed();
}

void peers::leave() {
  leaving_ = true;
  const std::lock_guard lock(status_.mutex());
  for (auto& [group, each] : connections_) each->leave();
}

void peers::end() {
  for (auto& [group, each] : connections_) each->end();
}

}  // namespace weir::cluster
