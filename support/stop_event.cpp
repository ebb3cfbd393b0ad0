// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/stop_event.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace weir::support {
namespace {

int new_event() {
  const int made = ::eventfd(0, EFD_CLOEXEC);
  if (made < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return made;
}

}  // namespace

stop_event::stop_event(const std::stop_token& stop) : event_(new_event()), callback_(stop, notify{*event_}) {}

bool stop_event::wait_for(int descriptor, short what) const noexcept {
  std::array<pollfd, 2> waited{{{descriptor, what, 0}, {*event_, POLLIN, 0}}};
  while (::poll(waited.data(), waited.size(), -1) < 0 && errno == EINTR) continue;
  return waited[1].revents == 0;
}

bool stop_event::wait(int milliseconds) const noexcept {
  pollfd waited{*event_, POLLIN, 0};
  ::poll(&waited, 1, milliseconds);
  return waited.revents == 0;
}

}  // namespace weir::support
