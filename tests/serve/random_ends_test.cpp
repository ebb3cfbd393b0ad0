// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Accelerators that end at a random moment, in every way, while threads use them. If a wake-up is
// lost, the test runs into its timeout.

#include "weir/serve/accelerator.hpp"

#include "counted.hpp"
#include "networks.hpp"

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;

class random_ends : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(random_ends);

enum class way { close, drain, cancel, fail, end_early, stop_token };

struct weak {
  const std::atomic<way>* how;
  const std::atomic<bool>* now;

  counted process(counted item) {
    if (*now && *how == way::fail) throw std::runtime_error("no more");
    if (*now && *how == way::end_early) throw weir::stopped{};
    return item;
  }
};

// Repeats `call` until it returns false or the accelerator has ended.
template <class Call>
void until_the_end(Call&& call) {
  try {
    while (call()) {
    }
  } catch (const weir::stopped&) {
  } catch (const weir::node_error&) {
  }
}

TEST_P(random_ends, lose_nothing_and_let_everyone_go) {
  constexpr int senders = 4;
  constexpr int receivers = 3;
  std::minstd_rand random(7);
  for (int round = 0; round != 60; ++round) {
    census::reset();
    std::atomic<way> how{static_cast<way>(round % 6)};
    std::atomic<bool> now{false};
    std::atomic<long> sent{0};
    std::atomic<long> received{0};
    {
      std::stop_source stop;
      weir::run_options options = GetParam().options;
      options.stop = stop.get_token();
      const weak node{&how, &now};
      auto running = round % 2 == 0 ? weir::start(weir::node(node).capacity(4), options)
                                    : weir::start(weir::farm(node, 2) | weir::node(node), options);
      std::vector<std::jthread> threads;
      for (int i = 0; i != senders; ++i) {
        threads.emplace_back([&, i] {
          until_the_end([&, n = 0L]() mutable {
            if (i == 0 && ++n % 3 == 0) {  // now and then without waiting
              const auto refused = running.try_send(counted(1));
              if (!refused) ++sent;
              return !refused || refused->why == weir::refusal::full;
            }
            running.send(counted(1));
            ++sent;
            return true;
          });
        });
      }
      for (int i = 0; i != receivers; ++i) {
        threads.emplace_back([&, i] {
          until_the_end([&, n = 0L]() mutable {
            const bool waits = i != 0 || ++n % 3 != 0;
            const std::optional<counted> item = waits ? running.receive() : running.try_receive();
            if (item && ++received % 64 == 0) received.notify_one();
            return item || (!waits && !running.ended());
          });
        });
      }
      const long enough = static_cast<long>(random() % 64) * 64;
      for (long seen = received; seen < enough; seen = received) {
        running.report_so_far();
        received.wait(seen);
      }
      now = true;
      switch (how) {
        case way::close: running.close(); break;
        case way::drain: running.drain(); break;
        case way::cancel: running.cancel(); break;
        case way::stop_token: stop.request_stop(); break;
        case way::fail:
        case way::end_early: break;
      }
      if (how == way::fail) {
        EXPECT_THROW(running.wait(), weir::node_error);
      } else {
        running.wait();
      }
    }
    if (how == way::close || how == way::drain) {
      EXPECT_EQ(received, sent);
    }
    EXPECT_LE(received, sent);
    EXPECT_EQ(census::alive, 0);
  }
}

TEST_P(random_ends, of_accelerators_that_are_only_made) {
  for (int round = 0; round != 200; ++round) {
    auto dropped = weir::start(weir::node([](long item) { return item; }), GetParam().options);
    for (long i = 0; i != round % 7; ++i) dropped.send(i);
    if (round % 3 == 0) dropped.close();
    if (round % 5 == 0) dropped.drain();
  }
}

}  // namespace
