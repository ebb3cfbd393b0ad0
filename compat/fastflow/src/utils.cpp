// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/atomics.hpp"

#include <ff/utils.hpp>

#include <cstdarg>
#include <mutex>
#include <thread>

namespace ff {

void detail::pause_thread() noexcept { weir::detail::pause_thread(); }

double ffTime(int tag) {
  static constinit std::mutex mutex;
  static constinit timeval began{};
  static constinit double last = 0;
  const std::lock_guard lock(mutex);
  timeval now{};
  gettimeofday(&now, nullptr);
  switch (tag) {
    case START_TIME: began = now; return last = 0;
    case STOP_TIME: return last = diffmsec(now, began);
    default: return last != 0 ? last : diffmsec(now, began);
  }
}

unsigned long getusec() {
  timeval now{};
  gettimeofday(&now, nullptr);
  return static_cast<unsigned long>(now.tv_sec) * 1000000UL + static_cast<unsigned long>(now.tv_usec);
}

void error(const char* format, ...) {
  char text[2048];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  std::fprintf(stderr, "ERROR: %s", text);
}

void ff_relax(unsigned long) { std::this_thread::yield(); }

}  // namespace ff
