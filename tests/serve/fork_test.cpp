// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Servers and accelerators of a process that forks: the child has none of them, and says so.

#include "weir/serve/accelerator.hpp"
#include "weir/serve/server.hpp"

#include "child.hpp"
#include "networks.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace {

using namespace weir_test;

class forked_ends : public each_executor {
 protected:
  void SetUp() override {
    if (!threads_start_in_a_child) GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
  }
};
WEIR_UNDER_EACH_EXECUTOR(forked_ends);

TEST_P(forked_ends, of_a_server_are_refused) {
  std::atomic<bool> may_go_on{false};
  const auto squares = [&] {
    return weir::serve(weir::node([&](long item) {
                         if (item != 1) may_go_on.wait(false);
                         return item * item;
                       }),
                       GetParam().options);
  };
  std::optional<weir::server<long, long>> service(squares());
  weir::reply<long> answered = service->request(1);
  while (!answered.ready()) std::this_thread::yield();
  weir::reply<long> open = service->request(2);
  weir::reply<long> to_be_future = service->request(3);
  EXPECT_EQ(in_a_child([&] {
              const bool has_result = answered.get() == 1;
              const bool ready = open.ready() && open.wait_for(std::chrono::hours(1));
              const bool refused = is_refused([&] { return open.get(); }) &&
                                   is_refused([&] { return std::move(to_be_future).future().get(); }) &&
                                   is_refused([&] { return service->request(4); }) &&
                                   is_refused([&] { return service->report_so_far(); }) &&
                                   is_refused([&] { return service->wait(); });
              service->close();
              service->cancel();
              service->drain();
              service.reset();
              may_go_on = true;
              return has_result && ready && refused && squares().request(4).get() == 16;
            }),
            0);
  may_go_on = true;
  may_go_on.notify_all();
  EXPECT_EQ(open.get(), 4);
  EXPECT_EQ(std::move(to_be_future).future().get(), 9);
  EXPECT_EQ(service->request(5).get(), 25);
}

TEST_P(forked_ends, of_an_accelerator_are_refused) {
  const auto start = [&] { return weir::start(weir::node([](long item) { return item + 1; }), GetParam().options); };
  std::optional<weir::accelerator<long, long>> adder(start());
  adder->send(1);
  EXPECT_EQ(adder->receive(), 2);
  EXPECT_EQ(in_a_child([&] {
              const bool refused =
                  is_refused([&] { adder->send(2); }) && is_refused([&] { return adder->try_send(2); }) &&
                  is_refused([&] { return adder->receive(); }) && is_refused([&] { return adder->try_receive(); }) &&
                  is_refused([&] { return adder->wait(); });
              const bool ended = adder->ended();
              adder->close();
              adder->cancel();
              adder.reset();
              auto own = start();
              own.send(3);
              return refused && ended && own.receive() == 4;
            }),
            0);
  adder->send(5);
  EXPECT_EQ(adder->receive(), 6);
}

}  // namespace
