// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_UTILS_HPP
#define WEIR_FF_UTILS_HPP

#include <weir/export.hpp>

#include <ff/config.hpp>
#include <ff/cycle.h>
#include <ff/sysdep.h>
#include <sys/time.h>
#include <sys/types.h>

// Programs rely on FastFlow's headers for these.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <sstream>
#include <stack>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef PAUSE
#define PAUSE() ::ff::detail::pause_thread()
#endif

namespace ff {
namespace detail {

/// T without reference, const and volatile.
template <class T>
using bare = std::remove_cv_t<std::remove_reference_t<T>>;

WEIR_API void pause_thread() noexcept;
}  // namespace detail

enum { START_TIME = 0, STOP_TIME = 1, GET_TIME = 2 };

/// Milliseconds of one clock of the process: `START_TIME` begins to count, `STOP_TIME` and
/// `GET_TIME` return how many there were since then, and `STOP_TIME` ends it.
WEIR_API double ffTime(int tag);

/// Microseconds since the beginning of 1970.
WEIR_API unsigned long getusec();

/// Milliseconds from `b` to `a`.
inline double diffmsec(const timeval& a, const timeval& b) {
  return static_cast<double>(a.tv_sec - b.tv_sec) * 1000.0 + static_cast<double>(a.tv_usec - b.tv_usec) / 1000.0;
}
/// Microseconds from `b` to `a`.
inline unsigned long diffusec(const timeval& a, const timeval& b) {
  return static_cast<unsigned long>((a.tv_sec - b.tv_sec) * 1000000 + (a.tv_usec - b.tv_usec));
}
inline bool operator<(const timeval& a, const timeval& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_usec < b.tv_usec;
}

/// Writes "ERROR: " and a message as printf does to standard error.
[[gnu::format(printf, 1, 2)]] WEIR_API void error(const char* format, ...);

/// Lets other threads run.
WEIR_API void ff_relax(unsigned long = 0);

using std::make_unique;  // programs call it without `std::`

}  // namespace ff

#endif
