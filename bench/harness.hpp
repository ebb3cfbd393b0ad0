// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The parts that all benchmark programs share: arguments, clocks, calibrated work, and the one
/// line that they print.
///
/// A program takes `--name NUMBER` pairs, warms up, runs the measured part once, verifies the
/// result, and prints:
///
///     {"problem":"farm","contender":"weir","items":N,"wall_ns":W,"cpu_ns":C,"extra":{"efficiency":0.98}}
///
/// `cpu_ns` is the CPU time of the whole process during the measured part. The program exits with 1
/// if the result is wrong and with 2 if the arguments are.
namespace weir_bench {

/// A number that one thread changes at each item. No other data shares its cache lines, nor the
/// lines that are fetched with them: another thread that uses such data would slow both down.
struct alignas(128) tally {
  std::int64_t value = 0;
};

/// The numbers given on the command line. Unknown options are refused.
class options {
 public:
  options(int argc, char** argv, std::initializer_list<std::pair<const std::string, std::int64_t>> defaults)
      : values_(defaults) {
    for (int i = 1; i < argc; i += 2) {
      const std::string_view name = argv[i];
      const auto found = name.substr(0, 2) == "--" ? values_.find(std::string(name.substr(2))) : values_.end();
      if (found == values_.end() || i + 1 == argc) refuse(argv[0], name);
      const char* text = argv[i + 1];
      const char* end = text + std::strlen(text);
      const auto [stopped, error] = std::from_chars(text, end, found->second);
      if (error != std::errc{} || stopped != end || found->second < 0) refuse(argv[0], name);
    }
  }

  std::int64_t operator[](const std::string& name) const { return values_.at(name); }

 private:
  [[noreturn]] void refuse(const char* program, std::string_view what) const {
    std::fprintf(stderr, "%s: what is %.*s? Known, each with a number >= 0 (and its default):", program,
                 static_cast<int>(what.size()), what.data());
    for (const auto& [name, value] : values_) std::fprintf(stderr, " --%s (%lld)", name.c_str(), (long long)value);
    std::fputc('\n', stderr);
    std::exit(2);
  }

  std::map<std::string, std::int64_t> values_;
};

/// Returns nanoseconds of the steady clock, which all threads share.
inline std::int64_t now_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Returns the CPU nanoseconds of the process so far, all its threads together.
inline std::int64_t process_cpu_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Duration of a measured part.
struct duration {
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
};

class stopwatch {
 public:
  duration elapsed() const noexcept { return {now_ns() - wall_, process_cpu_ns() - cpu_}; }

 private:
  std::int64_t cpu_ = process_cpu_ns();
  std::int64_t wall_ = now_ns();
};

/// Number of cores that this process may use.
inline std::size_t cores() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1)) : 1;
}

/// Pure CPU work: `steps` multiplications, each of which needs the result of the one before. So
/// neither the compiler nor a wide core nor a busy sibling thread changes their duration.
[[gnu::noinline]] inline std::uint64_t multiply_on(std::uint64_t steps) noexcept {
  std::uint64_t x = steps;
  for (; steps != 0; --steps) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    __asm__ __volatile__("" : "+r"(x));
  }
  return x;
}

/// Does that work; with 0 steps, nothing.
inline void spin(std::uint64_t steps) noexcept {
  if (steps != 0) multiply_on(steps);
}

/// Translates nanoseconds into steps of `spin`, and back. Calibrated once, in the constructor: by
/// the fastest of many short trials, since every disturbance makes a trial longer.
class work_scale {
 public:
  work_scale() {
    constexpr std::uint64_t steps = 20'000;
    for (int trial = 0; trial != 1000; ++trial) {
      const std::int64_t before = now_ns();
      spin(steps);
      ns_per_step_ = std::min(ns_per_step_, static_cast<double>(now_ns() - before) / static_cast<double>(steps));
    }
  }

  std::uint64_t steps(std::int64_t ns) const noexcept {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(ns) / ns_per_step_));
  }
  double ns(std::uint64_t steps) const noexcept { return static_cast<double>(steps) * ns_per_step_; }
  double ns_per_step() const noexcept { return ns_per_step_; }

 private:
  double ns_per_step_ = std::numeric_limits<double>::max();
};

using extras = std::vector<std::pair<std::string, double>>;

/// Share of the attainable speed: the time that `work_ns` of CPU work take when spread evenly over
/// `width` cores (or over all, if those are fewer), divided by the measured time.
inline double efficiency(double work_ns, std::size_t width, const duration& took) {
  return work_ns / static_cast<double>(std::min(width, cores())) / static_cast<double>(took.wall_ns);
}

/// Returns the value below which the share `part` of all values lies; sorts them.
inline double quantile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = part * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Ends the program with 1 unless the result is right.
inline void verify(const char* what, std::int64_t got, std::int64_t expected) {
  if (got == expected) return;
  std::fprintf(stderr, "wrong %s: %lld instead of %lld\n", what, (long long)got, (long long)expected);
  std::exit(1);
}

/// Prints the result line, in one piece: MPICH's launcher puts a rank in front of each.
inline void print_result(const char* problem, const char* contender, std::int64_t items, const duration& took,
                         const extras& extra = {}) {
  std::string line = std::string(R"({"problem":")") + problem + R"(","contender":")" + contender + R"(","items":)" +
                     std::to_string(items) + R"(,"wall_ns":)" + std::to_string(took.wall_ns) + R"(,"cpu_ns":)" +
                     std::to_string(took.cpu_ns) + R"(,"extra":{)";
  const char* separator = "";
  for (const auto& [name, value] : extra) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", value);
    line += std::string(separator) + '"' + name + "\":" + digits.data();
    separator = ",";
  }
  line += "}}\n";
  std::fputs(line.c_str(), stdout);
}

}  // namespace weir_bench
