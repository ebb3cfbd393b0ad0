// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: drained: as many out as in.cancelled: at most as many.stopped

#include <weir/weir.hpp>

#include <atomic>
#include <iostream>
#include <optional>
#include <stop_token>

struct counts {
  std::atomic<long> sent{0};
  std::atomic<long> received{0};
};

// A network that never ends by itself.
weir::network endless(counts& seen) {
  auto numbers = weir::source([&seen]() -> std::optional<long> { return ++seen.sent; });
  auto receive = weir::sink([&seen](long) {
    ++seen.received;
    seen.received.notify_one();
  });
  return numbers | receive;
}

int main() {
  {
    counts seen;
    weir::network net = endless(seen);
    weir::running handle = weir::start(net);  // returns at once; the network must outlive the handle
    seen.received.wait(0);
    handle.drain();  // ends the sources; their items are still processed, and finish is called
    handle.wait();   // returns the report, or throws a node_error
    std::cout << "drained: " << (seen.sent == seen.received ? "as many out as in" : "some are missing") << '\n';
  }
  {
    counts seen;
    weir::network net = endless(seen);
    weir::running handle = weir::start(net);
    seen.received.wait(0);
    handle.cancel();  // discards the queued items; no finish is called
    handle.wait();
    std::cout << "cancelled: " << (seen.received <= seen.sent ? "at most as many" : "too many") << '\n';
  }
  std::stop_source stop;
  weir::network net =
      weir::source([]() -> std::optional<int> { return 1; }) | weir::sink([&stop, left = 1000](int) mutable {
        if (--left == 0) stop.request_stop();
      });
  weir::run(net, {.stop = stop.get_token()});  // as cancel(): returns normally
  if (stop.stop_requested()) std::cout << "stopped\n";
}
