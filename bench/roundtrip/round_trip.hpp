// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"
#include "../waiting.hpp"

#include <cstddef>
#include <cstdint>
#include <thread>

namespace weir_bench {

/// One item goes to another thread and comes back, again and again. A link has `send(item)` and
/// `receive() -> item`, each for one thread.
template <class Link>
duration round_trip_once(std::int64_t items) {
  Link there;
  Link back;
  std::int64_t sum = 0;
  std::thread echo([&] {
    for (std::int64_t i = 0; i != items; ++i) back.send(there.receive());
  });
  const stopwatch watch;
  for (std::int64_t i = 1; i <= items; ++i) {
    there.send(i);
    sum += back.receive();
  }
  const duration took = watch.elapsed();
  echo.join();
  verify("sum", sum, items * (items + 1) / 2);
  return took;
}

template <class Link>
int round_trip(int argc, char** argv) {
  const options given(argc, argv, {{"items", 1'000'000}});
  const std::int64_t items = given["items"];
  round_trip_once<Link>(items / 10);
  const duration took = round_trip_once<Link>(items);
  print_result("roundtrip", Link::name, items, took,
               {{"round_trip_ns", static_cast<double>(took.wall_ns) / static_cast<double>(items)}});
  return 0;
}

/// A link made of a queue that never waits.
template <class Queue>
class polled {
 public:
  static constexpr const char* name = Queue::name;

  void send(std::int64_t item) {
    until_soon([&] { return queue_.try_push(item); });
  }
  std::int64_t receive() {
    std::int64_t item = 0;
    until_soon([&] { return queue_.try_pop(item); });
    return item;
  }

 private:
  Queue queue_{1024};
};

}  // namespace weir_bench
