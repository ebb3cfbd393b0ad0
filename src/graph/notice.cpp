// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/notice.hpp"

#include "graph/give_notice.hpp"
#include "graph/per_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace weir {
namespace {

// The handler; null: standard error. Call it under the process lock.
std::shared_ptr<notice_handler>& in_use() {
  static auto* const one = new std::shared_ptr<notice_handler>;  // never destroyed: threads may give notices at exit
  return *one;
}

// Waits until a reader of standard error has room. Returns false if it may not wait, or if there is
// no reader: a write to such a pipe would end the process by SIGPIPE.
bool has_room(detail::notice_wait wait) noexcept {
  pollfd error{STDERR_FILENO, POLLOUT, 0};
  const int timeout = wait == detail::notice_wait::allowed ? -1 : 0;
  int found = 0;
  do {
    found = ::poll(&error, 1, timeout);
  } while (found < 0 && errno == EINTR);
  return found > 0 && (error.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

constexpr std::string_view prefix = "weir: ";

std::string line_of(std::initializer_list<std::string_view> parts) {
  std::string line(prefix);
  for (const std::string_view part : parts) line += part;
  return line;
}

void print(std::string whole, detail::notice_wait wait) {
  if (wait == detail::notice_wait::never && whole.size() >= PIPE_BUF) whole.resize(PIPE_BUF - 1);  // more may block
  whole += '\n';
  std::string_view line = whole;
  while (!line.empty() && has_room(wait)) {
    const ssize_t wrote = ::write(STDERR_FILENO, line.data(), line.size());
    if (wrote < 0 && errno != EINTR && errno != EAGAIN) return;
    if (wrote > 0) line.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace

notice_handler set_notice_handler(notice_handler handler) {
  auto next = handler ? std::make_shared<notice_handler>(std::move(handler)) : nullptr;
  {
    const detail::process_lock lock;
    in_use().swap(next);
  }
  return next == nullptr ? notice_handler() : *next;
}

void detail::give_notice(std::initializer_list<std::string_view> parts, notice_wait wait) noexcept {
  try {
    std::string line = line_of(parts);
    std::shared_ptr<notice_handler> handler;
    {
      const process_lock lock;
      handler = in_use();
    }
    if (handler != nullptr) {
      try {
        (*handler)(std::string_view(line).substr(prefix.size()));
        return;
      } catch (...) {
        wait = notice_wait::never;  // this may be one of the threads that must not wait
      }
    }
    print(std::move(line), wait);
  } catch (const std::exception&) {
    return;  // there is no memory for the text
  }
}

void detail::print_notice(std::initializer_list<std::string_view> parts) noexcept {
  try {
    print(line_of(parts), notice_wait::never);
  } catch (const std::exception&) {
    return;  // there is no memory for the text
  }
}

}  // namespace weir
