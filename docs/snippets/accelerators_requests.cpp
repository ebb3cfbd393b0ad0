// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 49 81 16.a coroutine: 25.stopped

#include <weir/serve/server.hpp>
#include <weir/weir.hpp>

#include <coroutine>
#include <exception>
#include <future>
#include <iostream>

// The smallest coroutine type: it runs by itself, and reports its end to no one.
struct detached {
  struct promise_type {
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

detached ask(weir::server<int, int>& squares, std::promise<void>& done) {
  const int answer = co_await squares.request(5);
  std::cout << "a coroutine: " << answer << '\n';
  done.set_value();
}

int main() {
  auto squares = weir::serve(weir::farm([](int n) { return n * n; }, 2));  // a server<int, int>

  weir::reply<int> first = squares.request(7);
  std::future<int> second = squares.request(9).future();
  std::cout << first.get() << ' ' << second.get() << ' ' << squares.request(4).get() << '\n';

  std::promise<void> done;
  ask(squares, done);
  done.get_future().wait();

  squares.cancel();
  try {
    squares.request(6).get();
  } catch (const weir::stopped&) {
    std::cout << "stopped\n";
  }
}
