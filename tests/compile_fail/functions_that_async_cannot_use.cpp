// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// expect: weir: the function of weir::async has no start, quiet, finish or on_deadline
// expect: weir: the function of weir::async returns what a coroutine can await, such as a weir::coroutine<Out>
// expect: weir: the function of weir::async takes an item by value, const & or &&
#include <weir/blocks/async.hpp>
#include <weir/blocks/coroutine.hpp>
#include <weir/weir.hpp>

struct total {
  long sum = 0;
  weir::coroutine<long> operator()(long item) {
    sum += item;
    co_return item;
  }
#ifndef CONTROL
  void finish(weir::outlet<long>& out) { out.send(sum); }
#else
 private:
  [[maybe_unused]] long finish = 0;  // data, which is no hook
#endif
};

#ifdef CONTROL
weir::coroutine<long> twice(long item) { co_return 2 * item; }
weir::coroutine<long> first(long item) { co_return item; }
#else
long twice(long item) { return 2 * item; }
weir::coroutine<long> first(long& item) { co_return item; }
#endif

int main() {
  static_cast<void>(weir::async(total{}, 2));
  static_cast<void>(weir::async(twice, 2));
  static_cast<void>(weir::async(first, 2));
}
