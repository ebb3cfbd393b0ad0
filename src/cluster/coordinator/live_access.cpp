// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/live_access.hpp"

#include "run/live_server.hpp"
#include "run/live_socket.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace weir::cluster {
namespace {

using namespace std::chrono_literals;

// Time between two checks for calls of watchers; the same as in a process that runs a network.
constexpr auto looks_for_calls = 300ms;

}  // namespace

live_access::live_access(asio::io_context& context, const roster& groups,
                         std::function<void(const std::function<void()>&)> on_thread)
    : context_(context), groups_(groups), on_thread_(std::move(on_thread)) {}

void live_access::begin(const std::string& place, const std::string& program) {
  place.empty() ? wait_for_calls(program) : listen_at(place, program);
}

void live_access::stop() {
  std::shared_ptr<live_cluster> shown;
  on_thread_([&] {
    calls_.reset();
    shown = shown_;
  });
  if (shown != nullptr) shown->stop();  // while its last question can be asked
}

void live_access::hear(const member& from, to_coordinator::sampled&& message) {
  if (shown_ != nullptr) shown_->hear(from.name(), std::move(message));
}

void live_access::listen_at(const std::string& place, const std::string& program) {
  auto socket = detail::live_socket::open(place);
  if (!socket) return;
  shown_ = std::make_shared<live_cluster>(*std::move(socket), program,
                                          [this](const to_group::sample& question) { return ask_all(question); });
}

// Checks for a call of a watcher until one has come.
void live_access::wait_for_calls(const std::string& program) {
  if (!calls_) calls_.emplace(context_);
  calls_->expires_after(looks_for_calls);
  calls_->async_wait([this, program](std::error_code cancelled) {
    if (cancelled || !calls_) return;
    try {
      const std::string place = detail::live_server::take_call();
      if (!place.empty()) return listen_at(place, program);
    } catch (const std::exception&) {
      // The caller finds no socket, and reports this.
    }
    wait_for_calls(program);
  });
}

// Called by the thread of `shown_`.
live_cluster::asked live_access::ask_all(const to_group::sample& question) {
  live_cluster::asked who;
  on_thread_([&] {
    who.cores = cores_;
    for (const member& each : groups_.all()) {
      if (!each.here || each.over || cores_ == 0) continue;
      roster::tell(each, question);
      who.groups.insert(each.name());
    }
  });
  return who;
}

}  // namespace weir::cluster
