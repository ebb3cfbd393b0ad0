// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 0 s: 60 readings, 20.0 to 29.*moving average 24.5.*0 late.*door 3 times in 12 s

// Windows: readings of some sensors, summed up by the minute although they arrive out of order; a
// moving average; sessions of a visitor.

#include <weir/io/from.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/count_window.hpp>
#include <weir/patterns/session_window.hpp>
#include <weir/patterns/time_window.hpp>
#include <weir/weir.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {
using namespace std::chrono_literals;
struct reading {
  int sensor;
  std::chrono::seconds at;
  double degrees;
};

struct range {
  double low = INFINITY;
  double high = -INFINITY;
};
struct range_of {  // a user-defined aggregate
  range identity() const { return {}; }
  void add(range& to, const reading& item) const { combine(to, {item.degrees, item.degrees}); }
  void combine(range& to, const range& later) const {
    to = {std::fmin(to.low, later.low), std::fmax(to.high, later.high)};
  }
};

struct visit {
  std::string place;
  std::chrono::seconds at;
};
}  // namespace

int main() {
  std::vector<reading> readings;
  for (int i = 0; i != 240; ++i) {
    const int second = i ^ 3;  // four neighbours in reverse
    for (int sensor = 0; sensor != 2; ++sensor) {
      readings.push_back({sensor, std::chrono::seconds(second), 10.0 * (sensor + 2) + second % 10});
    }
  }

  // Windows of a minute, for each sensor; an item may come three seconds later than a newer one.
  // Two workers share the sensors.
  const weir::item_counter late;
  auto minutes = weir::keyed(&reading::sensor,
                             weir::time_window(&reading::at, 1min, range_of{}, {.lateness = 3s, .late_items = late}));
  using minute = weir::keyed_window<int, range, std::chrono::seconds>;
  weir::run(weir::from(readings) | weir::farm(minutes, 2).by_key(&reading::sensor) | weir::sink([](const minute& m) {
              std::printf("sensor %d at %lld s: %llu readings, %.1f to %.1f\n", m.key,
                          static_cast<long long>(m.begin.count()), static_cast<unsigned long long>(m.count),
                          m.value.low, m.value.high);
            }));

  // The mean of the last twenty readings of each sensor, after every fifth.
  double last = 0;
  auto moving = weir::keyed(&reading::sensor, weir::count_window(20, 5, weir::mean_of(&reading::degrees)));
  weir::run(weir::from(readings) | moving | weir::sink([&](const weir::keyed_window<int, double, std::uint64_t>& w) {
              last = w.key == 0 ? w.value : last;
            }));
  std::printf("moving average %.1f, %llu late\n", last, static_cast<unsigned long long>(late.count()));

  // Visits with less than ten seconds between them are one session.
  const std::vector<visit> visits{{"door", 1s}, {"hall", 2s}, {"door", 3s}, {"door", 3s}, {"hall", 30s}};
  weir::run(weir::from(visits) |
            weir::keyed(&visit::place, weir::session_window(&visit::at, 10s, weir::count_of<visit>())) |
            weir::sink([](const weir::keyed_window<std::string, std::uint64_t, std::chrono::seconds>& s) {
              std::printf("%s %llu times in %lld s\n", s.key.c_str(), static_cast<unsigned long long>(s.value),
                          static_cast<long long>((s.end - s.begin).count()));
            }));
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("14_windows: can't write standard output\n", stderr);
  return 1;
}
