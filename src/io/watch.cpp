// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/watch.hpp"

#include "io/events.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace weir::io {
namespace {

bool ready_now(int number, direction which) noexcept {
  pollfd asked{number, static_cast<short>(which == direction::in ? POLLIN : POLLOUT), 0};
  return ::poll(&asked, 1, 0) > 0;
}

}  // namespace

// Waits through an epoll instance, which can itself be waited for. Asio makes the descriptors it
// waits for non-blocking; this must not happen to `number`.
std::optional<watch> watch::of(int number, direction which, std::shared_ptr<node_waker> waker) {
  descriptor group(::epoll_create1(EPOLL_CLOEXEC));
  if (group.get() < 0) fail_with_errno("can't wait for a descriptor");
  epoll_event asked{};
  asked.events = which == direction::in ? EPOLLIN : EPOLLOUT;
  if (::epoll_ctl(group.get(), EPOLL_CTL_ADD, number, &asked) != 0) {
    if (errno == EPERM) return std::nullopt;
    fail_with_errno("can't wait for a descriptor");
  }
  return watch(number, which, std::move(group), std::move(waker));
}

watch::watch(int number, direction which, descriptor group, std::shared_ptr<node_waker> waker)
    : number_(number), which_(which), group_(events()), shared_(std::make_shared<shared>()) {
  shared_->waker = std::move(waker);
  group_.assign(group.get());
  group.release();
}

bool watch::ready() {
  if (ready_now(number_, which_)) return true;
  if (!shared_->armed.exchange(true, std::memory_order_acquire)) {  // pairs with the release in the handler
    group_.async_wait(asio::posix::stream_descriptor::wait_read, [held = shared_](std::error_code) {
      held->armed.store(false, std::memory_order_release);
      held->waker->ring();
    });
  }
  return false;
}

}  // namespace weir::io
