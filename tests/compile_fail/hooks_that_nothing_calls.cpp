// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Each of these functions would silently be left out.
// expect: weir: quiet is called in loops only, and a source is in none
// expect: weir: returned is called only of the master of a loop: say weir::feedback(master, worker)
// expect: weir: start, quiet, finish and on_deadline are public functions that take the outlets that process has, or none
#include <weir/weir.hpp>

#include <optional>

struct numbers {
  std::optional<long> next() { return std::nullopt; }
#ifndef CONTROL
  void quiet(weir::outlet<long>& out) { out.send(1); }
#endif
};

struct master {
  void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
#ifdef CONTROL
  long returned() const { return 0; }  // a function of its own
#else
  void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
#endif
};

struct counter final {
  long count = 0;
  void process(long, weir::outlet<long>&) { ++count; }
  void finish(int) {}
#ifdef CONTROL
  void finish(weir::outlet<long>& out) { out.send(count); }
#else
  void finish(weir::outlet<int>& out) { out.send(static_cast<int>(count)); }
#endif
};

int main() {
  static_cast<void>(weir::source(numbers{}));
  static_cast<void>(weir::node(master{}));
  static_cast<void>(weir::node(counter{}));
}
