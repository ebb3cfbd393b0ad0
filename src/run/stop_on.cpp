// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/stop_on.hpp"

#include "weir/detail/graph/process.hpp"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace weir {
namespace {

constexpr int signals_kept = 2;  // number of signals before the one that ends the process

// State of the signal handler. The descriptor is never closed, so a handler that runs late writes
// to no other file.
constinit std::atomic<bool> in_use{false};
constinit std::atomic<int> waker{-1};
// The process with the handlers. Not a process_mark: the handler may run in a child that has not
// counted the fork yet.
constinit std::atomic<pid_t> owner{0};
constinit std::atomic<int> count{0};
constinit std::atomic<int> first{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

void die_of(int number) noexcept {
  struct sigaction as_usual {};
  as_usual.sa_handler = SIG_DFL;
  ::sigaction(number, &as_usual, nullptr);
  ::raise(number);  // delivered when the handler returns
}

void note(int number) noexcept {
  const int error = errno;
  if (::getpid() != owner.load(std::memory_order_relaxed) ||
      count.fetch_add(1, std::memory_order_relaxed) >= signals_kept) {
    die_of(number);
  } else {
    int none = 0;
    first.compare_exchange_strong(none, number, std::memory_order_relaxed);
    static_cast<void>(::eventfd_write(waker.load(std::memory_order_relaxed), 1));
  }
  errno = error;
}

void ring() noexcept { static_cast<void>(::eventfd_write(waker.load(std::memory_order_relaxed), 1)); }

}  // namespace

class stop_on::watcher {
 public:
  explicit watcher(std::initializer_list<int> signals) {
    // A child has neither the thread of its parent nor a descriptor of its own.
    const bool of_the_parent = owner.load() != 0 && owner.load() != ::getpid();
    if (of_the_parent) waker.store(-1);
    if (in_use.exchange(true) && !of_the_parent)
      throw std::logic_error("weir::stop_on: there is another one, which has the signals");
    try {
      begin(signals);
    } catch (...) {
      end();
      throw;
    }
  }
  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;
  ~watcher() { end(); }

  std::stop_source drain;
  std::stop_source cancel;

 private:
  void begin(std::initializer_list<int> signals) {
    if (waker.load() < 0) waker.store(::eventfd(0, EFD_CLOEXEC));
    if (waker.load() < 0) throw std::system_error(errno, std::generic_category(), "weir::stop_on");
    owner.store(::getpid());
    count.store(0);
    first.store(0);
    start_thread();
    for (const int number : signals) take(number);
  }

  // Blocks all signals in the thread: they are for the program's own threads.
  void start_thread() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = detail::process_ptr<std::thread>(new std::thread([this] { watch(); }));
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void take(int number) {
    struct sigaction ours {};
    struct sigaction before {};
    ours.sa_handler = note;
    ours.sa_flags = SA_RESTART;
    sigfillset(&ours.sa_mask);
    if (::sigaction(number, nullptr, &before) != 0) {
      throw std::invalid_argument("weir::stop_on: there is no signal " + std::to_string(number));
    }
    if (before.sa_handler == SIG_IGN) return;
    if (::sigaction(number, &ours, nullptr) != 0) {
      throw std::invalid_argument("weir::stop_on: signal " + std::to_string(number) + " can't be handled");
    }
    before_.emplace_back(number, before);
  }

  void watch() {
    for (;;) {
      eventfd_t rings = 0;
      if (::eventfd_read(waker.load(), &rings) != 0 && errno != EINTR) return;
      if (over_.load()) return;
      const int came = count.load();
      if (came >= 1) drain.request_stop();
      if (came >= 2) cancel.request_stop();
    }
  }

  void end() noexcept {
    for (auto each = before_.rbegin(); each != before_.rend(); ++each) ::sigaction(each->first, &each->second, nullptr);
    if (thread_ != nullptr && detail::is_here(thread_)) {
      over_.store(true);
      ring();
      thread_->join();
    }
    in_use.store(false);
  }

  std::vector<std::pair<int, struct sigaction>> before_;
  std::atomic<bool> over_{false};
  detail::process_ptr<std::thread> thread_;
};

stop_on::stop_on(std::initializer_list<int> signals) : watcher_(std::make_unique<watcher>(signals)) {}
stop_on::~stop_on() = default;

std::stop_token stop_on::drain_token() const noexcept { return watcher_->drain.get_token(); }
std::stop_token stop_on::cancel_token() const noexcept { return watcher_->cancel.get_token(); }
int stop_on::signal() const noexcept { return first.load(); }
int stop_on::exit_code() const noexcept { return signal() == 0 ? 0 : 128 + signal(); }

}  // namespace weir
