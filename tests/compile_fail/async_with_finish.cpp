// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `finish` would not be called.
// expect: weir: the function of weir::async has no start, quiet, finish or on_deadline
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
#endif
};

int main() { static_cast<void>(weir::async(total{}, 2)); }
