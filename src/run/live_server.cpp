// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/live_server.hpp"

#include "weir/detail/run/live_view.hpp"

#include "graph/variables.hpp"
#include "run/environment.hpp"
#include "run/live_runs.hpp"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t connections_most = 16;
constexpr std::size_t request_bytes_most = 64;
constexpr auto time_to_read = 5s;
constexpr auto between_answers = 10ms;
constexpr auto time_without_descriptors = 1s;
constexpr auto time_for_last_words = 200ms;

constexpr short any_end = POLLHUP | POLLERR;

constinit std::mutex opening;
constinit std::atomic<live_server*> the_server{nullptr};  // never destroyed: its thread may outlive main

}  // namespace

void live_server::open_if_asked() {
  if (is_open()) return;
  if (const std::string wanted = requested_live_view(); !wanted.empty()) open_at(wanted);
}

bool live_server::is_open() noexcept { return the_server.load(std::memory_order_acquire) != nullptr; }

void live_server::open_at(const std::string& path) {
  static bool says_farewell = false;
  const std::lock_guard lock(opening);
  if (is_open()) return;
  std::optional<live_socket> socket = live_socket::open(path);
  if (!socket) return;
  auto made = std::make_unique<live_server>(*std::move(socket), [] { return live_runs::of_this_process().document(); });
  the_server.store(made.release(), std::memory_order_release);
  if (std::exchange(says_farewell, true)) return;
  std::atexit([] {
    if (live_server* const open = the_server.load(std::memory_order_acquire)) open->say_farewell();
  });
}

void live_server::before_fork() noexcept {
  opening.lock();
  live_runs::of_this_process().before_fork();
}

void live_server::after_fork(bool in_child) noexcept {
  live_runs::of_this_process().after_fork(in_child);
  if (in_child) the_server.store(nullptr, std::memory_order_relaxed);  // the thread and the socket are the parent's
  opening.unlock();
}

void live_server::answer_call() noexcept {
  if (is_open()) return;
  try {
    if (const std::string wanted = take_call(); !wanted.empty()) open_at(wanted);
  } catch (const std::exception&) {
    return;  // the caller finds no socket, and reports this
  }
}

std::string live_server::take_call() noexcept {
  if (has_rights_of_its_own()) return {};
  try {
    const std::string at = usual_live_view_folder() + "/" + std::to_string(::getpid());
    const std::string call = at + ".call";
    struct stat its {};
    if (::lstat(call.c_str(), &its) != 0 || !S_ISREG(its.st_mode)) return {};
    if ((its.st_uid != ::geteuid() && its.st_uid != 0) || ::unlink(call.c_str()) != 0) return {};
    static_cast<void>(live_view_folder());  // refuses a folder that others may write to
    return at + ".sock";
  } catch (const std::exception&) {
    return {};
  }
}

live_server::live_server(live_socket socket, std::function<std::string()> document)
    : socket_(std::move(socket)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), document_(std::move(document)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    socket_.remove();
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

live_server::~live_server() {
  say_farewell();
  if (thread_.joinable()) thread_.join();
}

void live_server::serve() noexcept {
  for (bool leaving = false; !leaving;) {
    try {
      wait_and_serve();
    } catch (const std::exception&) {
      connections_.clear();  // no memory for them
    }
    const std::lock_guard lock(mutex_);
    leaving = leaving_;
  }
  say_last_words();
  const std::lock_guard lock(mutex_);
  has_left_ = true;
  changed_.notify_all();
}

void live_server::wait_and_serve() {
  const clock::time_point before = clock::now();
  const auto events_of = [&](const connection& each) -> short {
    if (!each.sending.empty()) return POLLOUT;
    return each.next_ <= before && !each.has_request() ? POLLIN : 0;
  };
  sources_.assign({{bell_.get(), POLLIN, 0}, {before < admits_again_ ? -1 : socket_.descriptor(), POLLIN, 0}});
  for (const connection& each : connections_) sources_.push_back({each.to.get(), events_of(each), 0});
  if (::poll(sources_.data(), sources_.size(), milliseconds_to_wait(before)) < 0) return;
  auto source = sources_.begin() + 2;
  for (auto each = connections_.begin(); each != connections_.end();) {
    const short came = (source++)->revents;
    bool stays = true;
    if (!each->sending.empty()) {
      stays = clock::now() < each->deadline && (came == 0 || send_rest(*each));
    } else if ((came & POLLIN) != 0 || (each->has_request() && each->next_ <= before)) {
      receive(*each);
      stays = send_rest(*each);
    } else if ((came & any_end) != 0) {
      stays = false;
    }
    each = stays ? std::next(each) : connections_.erase(each);
  }
  if (sources_[1].revents != 0) admit();
}

int live_server::milliseconds_to_wait(clock::time_point now) const noexcept {
  clock::time_point next = clock::time_point::max();
  const auto consider = [&](clock::time_point at) {
    if (at > now) next = std::min(next, at);
  };
  consider(admits_again_);
  for (const connection& each : connections_) {
    if (each.sending.empty() && each.has_request() && each.next_ <= now) return 0;
    consider(each.sending.empty() ? each.next_ : each.deadline);
  }
  if (next == clock::time_point::max()) return -1;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(next - now).count());
}

void live_server::admit() {
  try {
    for (open_descriptor caller = socket_.accept(); caller; caller = socket_.accept()) {
      connection& from = connections_.emplace_back(connection{.to = std::move(caller)});
      if (connections_.size() <= connections_most) continue;
      refuse(from, "too many are watching");
      send_rest(from);
      connections_.pop_back();
    }
  } catch (const std::system_error&) {
    admits_again_ = clock::now() + time_without_descriptors;
  }
}

// Handles one request. Does not read from a connection that already has a whole one.
void live_server::receive(connection& from) {
  char some[request_bytes_most];
  if (!from.has_request()) {
    const ssize_t got = ::recv(from.to.get(), some, sizeof some, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      from.closing = true;
      return;
    }
    from.received.append(some, static_cast<std::size_t>(got));
  }
  const std::size_t end = from.received.find('\n');
  if (end == std::string::npos) {
    if (from.received.size() > request_bytes_most) refuse(from, "no such request; say report");
    return;
  }
  const std::string request = from.received.substr(0, end);
  from.received.erase(0, end + 1);
  if (request == "report") {
    answer(from);
  } else {
    refuse(from, "no such request; say report");
  }
}

void live_server::answer(connection& to) {
  to.has_asked = true;
  to.sending = document_();
  to.deadline = clock::now() + time_to_read;
  to.next_ = clock::now() + between_answers;
}

void live_server::refuse(connection& from, const std::string& why) {
  from.sending = R"({"error":")" + why + "\"}\n";
  from.closing = true;
  from.deadline = clock::now() + time_to_read;
}

// Sends as much as the watcher has room for. @return whether the connection goes on
bool live_server::send_rest(connection& to) noexcept {
  while (to.sent != to.sending.size()) {
    const ssize_t put = ::send(to.to.get(), to.sending.data() + to.sent, to.sending.size() - to.sent, MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR;
    to.sent += static_cast<std::size_t>(put);
  }
  to.sending.clear();
  to.sent = 0;
  return !to.closing;
}

void live_server::say_last_words() noexcept {
  try {
    connections_.remove_if([](const connection& each) { return !each.has_asked; });
    if (connections_.empty()) return;
    const std::string last = document_();
    for (connection& each : connections_) {
      each.sending.append(last);
      each.closing = true;
    }
    const clock::time_point until = clock::now() + time_for_last_words;
    while (!connections_.empty() && clock::now() < until) {
      connections_.remove_if([](connection& each) { return !send_rest(each); });
      std::vector<pollfd> full;
      for (const connection& each : connections_) full.push_back({each.to.get(), POLLOUT, 0});
      if (!full.empty()) ::poll(full.data(), full.size(), static_cast<int>(time_for_last_words / 1ms));
    }
  } catch (const std::exception&) {
  }
  connections_.clear();
}

void live_server::say_farewell() noexcept {
  socket_.remove();
  std::unique_lock lock(mutex_);
  leaving_ = true;
  if (::eventfd_write(bell_.get(), 1) != 0) return;
  if (!changed_.wait_for(lock, 2 * time_for_last_words, [&] { return has_left_; })) return;
  lock.unlock();  // the last step of the thread is to unlock it
  thread_.join();
}

}  // namespace weir::detail
