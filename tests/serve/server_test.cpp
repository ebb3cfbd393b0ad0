// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Requests and their replies.

#include "weir/serve/server.hpp"

#include "weir/blocks/async.hpp"

#include "counted.hpp"
#include "elsewhere.hpp"
#include "networks.hpp"

#include <atomic>
#include <chrono>
#include <coroutine>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class server : public each_executor {
 protected:
  template <class In, class Out>
  auto serve(const weir::block<In, Out>& what) {
    return weir::serve(what, GetParam().options);
  }
};
WEIR_UNDER_EACH_EXECUTOR(server);

auto square() {
  return weir::node([](long item) { return item * item; });
}

// Takes longer for some items, so that others overtake them.
auto uneven() {
  return weir::node([](long item) {
    for (long i = 0; i != (item % 7 == 0 ? 2000 : 0); ++i) weir::detail::pause_thread();
    return item * item;
  });
}

TEST_P(server, each_request_has_its_own_reply) {
  auto squares = serve(weir::node([](int item) { return static_cast<long>(item); }) | weir::farm(uneven(), 3) |
                       weir::fuse([](long item) { return item; }, [](long item) { return std::to_string(item); }));
  std::vector<weir::reply<std::string>> replies;
  for (int i = 0; i != 2000; ++i) replies.push_back(squares.request(i));
  for (long i = 1999; i >= 0; --i) EXPECT_EQ(replies[static_cast<std::size_t>(i)].get(), std::to_string(i * i));
  squares.close();
  squares.wait();
}

TEST_P(server, of_nested_and_ordered_farms_and_sets_with_policies) {
  const auto one = weir::node([](long item) { return item + 1; });
  const auto sections =
      weir::farm(weir::farm(uneven(), 2).by_key([](const long& item) { return item; }), 2).on_demand();
  auto whole = serve(weir::farm(uneven(), 3).ordered() | sections | weir::set(one, one).round_robin());
  for (long i = 0; i != 300; ++i) EXPECT_EQ(whole.request(i).get(), i * i * i * i + 1);
  std::vector<weir::reply<long>> replies;
  for (long i = 0; i != 300; ++i) replies.push_back(whole.request(i));
  for (long i = 0; i != 300; ++i) EXPECT_EQ(replies[static_cast<std::size_t>(i)].get(), i * i * i * i + 1);
}

TEST_P(server, hundreds_of_threads) {
  auto squares = serve(weir::farm(uneven(), 2));
  std::vector<std::jthread> threads;
  std::atomic<long> wrong{0};
  for (long i = 0; i != 200; ++i) {
    threads.emplace_back([&, i] {
      for (long n = 0; n != 50; ++n) {
        if (squares.request(i * 50 + n).get() != (i * 50 + n) * (i * 50 + n)) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_P(server, replies_as_futures) {
  auto squares = serve(weir::farm(square(), 2));
  std::vector<std::future<long>> futures;
  for (long i = 0; i != 500; ++i) futures.push_back(squares.request(i).future());
  for (long i = 0; i != 500; ++i) EXPECT_EQ(futures[static_cast<std::size_t>(i)].get(), i * i);
}

// A coroutine that runs by itself. `chain` counts down when it is done.
struct detached {
  struct promise_type {
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

// Plain function parameters are used, because the captures of a coroutine lambda die with the
// lambda.
detached chain(weir::server<long, long>& squares, long first, long rounds, std::atomic<long>& sum, std::latch& done) {
  long item = first;
  for (long i = 0; i != rounds; ++i) item = co_await squares.request(item) % 1000;
  sum += item;
  done.count_down();
}

long chained(long item, long rounds) {
  for (long i = 0; i != rounds; ++i) item = item * item % 1000;
  return item;
}

TEST_P(server, coroutines_go_on_with_their_results) {
  constexpr long coroutines = 300;
  constexpr long rounds = 30;
  auto squares = serve(weir::farm(square(), 2));
  std::atomic<long> sum{0};
  std::latch done(coroutines);
  long expected = 0;
  for (long i = 0; i != coroutines; ++i) {
    chain(squares, i, rounds, sum, done);
    expected += chained(i, rounds);
  }
  done.wait();
  EXPECT_EQ(sum, expected);
}

detached flood(weir::server<long, long>& squares, long count, std::atomic<long>& left) {
  // Resumed by the node; the coroutine must be able to wait for room there.
  co_await squares.request(1);
  for (long i = 0; i != count; ++i) static_cast<void>(squares.request(i));
  left = 0;
  left.notify_one();
}

TEST_P(server, a_coroutine_may_wait_for_room) {
  auto squares = serve(square());
  std::atomic<long> left{1};
  flood(squares, 50'000, left);
  left.wait(1);
}

struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

detached expect_error(weir::reply<long> from, std::atomic<long>& errors, std::latch& done) {
  try {
    co_await std::move(from);
  } catch (const weir::node_error&) {
    ++errors;
  } catch (const weir::stopped&) {
  }
  done.count_down();
}

// An error of the whole run, as when a node can't start; for errors of single requests see
// failed_requests.
TEST_P(server, an_error_comes_out_of_every_open_request) {
  std::latch go(1);
  struct no_start {
    std::latch* go;
    void start() const {
      go->wait();
      throw broken("no more");
    }
    long process(long item) const { return item; }
  };
  auto weak = serve(square() | weir::node(no_start{&go}).named("weak"));
  std::vector<weir::reply<long>> replies;
  for (long i = 0; i != 30; ++i) replies.push_back(weak.request(i));
  std::vector<std::future<long>> futures;
  for (long i = 0; i != 30; ++i) futures.push_back(weak.request(100 + i).future());
  std::atomic<long> errors{0};
  std::latch done(30);
  for (long i = 0; i != 30; ++i) expect_error(weak.request(200 + i), errors, done);
  go.count_down();
  done.wait();
  EXPECT_EQ(errors, 30);
  for (auto& each : replies) EXPECT_THROW(each.get(), weir::node_error);
  for (auto& each : futures) EXPECT_THROW(each.get(), weir::node_error);
  EXPECT_THROW(static_cast<void>(weak.request(1)), weir::node_error);
  EXPECT_THROW(weak.wait(), weir::node_error);
}

TEST_P(server, a_reply_may_outlive_its_server) {
  std::optional<weir::reply<long>> answered;
  std::optional<weir::reply<long>> open;
  {
    auto slow = serve(weir::node([&](long item, weir::context& at) {
      while (item == 1 && !at.stop_requested()) std::this_thread::yield();
      return item;
    }));
    answered = slow.request(0);
    EXPECT_EQ(slow.request(2).get(), 2);
    open = slow.request(1);
    EXPECT_FALSE(open->ready());
  }
  EXPECT_EQ(answered->get(), 0);
  EXPECT_THROW(open->get(), weir::stopped);
}

TEST_P(server, ends_while_threads_are_at_work) {
  for (int round = 0; round != 40; ++round) {
    census::reset();
    {
      auto passing = serve(weir::farm([](counted item) { return item; }, 2));
      std::atomic<long> answered{0};
      std::vector<std::jthread> threads;
      for (int i = 0; i != 4; ++i) {
        threads.emplace_back([&] {
          try {
            for (long n = 0;; ++n) {
              EXPECT_EQ(passing.request(counted(n)).get().value(), n);
              ++answered;
              answered.notify_all();
            }
          } catch (const weir::stopped&) {
          }
        });
      }
      for (long seen = 0; seen < 20; seen = answered) answered.wait(seen);
      if (round % 3 == 0) passing.close();
      if (round % 3 == 1) passing.cancel();
      if (round % 3 == 2) passing.drain();
      threads.clear();
      passing.wait();
    }
    EXPECT_EQ(census::alive, 0);
  }
}

template <class Call>
std::string refusal(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (const weir::graph_error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(server, refuses_blocks_that_may_not_answer_or_answer_twice) {
  const auto filter = weir::node([](long item) -> std::optional<long> { return item; });
  const auto flat_map = weir::node([](long item, weir::outlet<long>& out) { out.send(item); });
  const std::string why =
      "may send none or several items for one, so that a request has no one reply; use a node In -> Out, or start the "
      "block "
      "instead of serving it";
  EXPECT_EQ(refusal([&] { return weir::serve(square() | filter.named("choose")); }), "/choose: " + why);
  EXPECT_EQ(refusal([&] { return weir::serve(weir::farm(flat_map, 2).named("split")); }), "/split[0]: " + why);
  EXPECT_EQ(refusal([&] { return weir::serve(square().named("one") | weir::farm(square(), 2).broadcast()); }),
            "/one: sends copies of an item to several nodes, so that a request has several replies; don't broadcast");
}

// The request that a worker was given when it ended, and all later ones, are answered by
// `weir::stopped`.
TEST_P(server, whose_worker_ends_early) {
  auto serving = weir::serve(weir::farm(
                                 [](long item) {
                                   if (item == 0) throw weir::stopped{};
                                   return item;
                                 },
                                 2),
                             GetParam().options);
  auto lost = serving.request(0);
  EXPECT_THROW(lost.get(), weir::stopped);
}

// A node that waits at the server or accelerator of another run does not prevent the end of its own
// run.
TEST(within_a_node, a_request_is_given_up_when_the_run_around_it_is_cancelled) {
  std::latch asked(1);
  std::latch cancelled(1);
  auto server = weir::serve(weir::node([&](long item) {
    asked.count_down();
    cancelled.wait();
    return item;
  }));
  std::atomic<bool> stopped{false};
  weir::network net = numbers(1) | weir::sink([&](long item) {
                        try {
                          server.request(item).get();
                        } catch (const weir::stopped&) {
                          stopped = true;
                          throw;
                        }
                      });
  weir::running now = weir::start(net);
  asked.wait();
  now.cancel();
  now.wait();
  EXPECT_TRUE(stopped);
  cancelled.count_down();
  EXPECT_EQ(server.request(5).get(), 5);
}

// A node has a server and an accelerator of its own, and needs them for the items that are still to
// be processed when its run is drained.
TEST(within_a_node, servers_and_accelerators_outlast_a_drain_of_the_run_around_them) {
  struct asks {
    std::latch* inside = nullptr;
    std::latch* drained = nullptr;
    std::optional<weir::server<long, long>> server{};
    std::optional<weir::accelerator<long, long>> accelerator{};

    asks(std::latch* in, std::latch* until) : inside(in), drained(until) {}
    asks(const asks& other) : inside(other.inside), drained(other.drained) {}
    void start() {
      server.emplace(weir::serve(weir::node([](long item) { return 2 * item; })));
      accelerator.emplace(weir::start(weir::node([](long item) { return 3 * item; })));
    }
    long process(long item) {
      if (item == 0) {
        inside->count_down();
        drained->wait();
      }
      accelerator->send(item);
      return server->request(item).get() + accelerator->receive().value();
    }
    void finish() {
      server.reset();
      accelerator.reset();
    }
  };
  std::latch inside(1);
  std::latch drained(1);
  long items = 0;
  weir::network net = weir::source([](weir::outlet<long>& out) {
                        for (long i = 0; i != 100; ++i) out.send(i);
                      }) |
                      weir::node(asks(&inside, &drained)) | weir::sink([&](long made) {
                        EXPECT_EQ(made, 5 * items);
                        ++items;
                      });
  weir::running now = weir::start(net);
  inside.wait();
  now.drain();
  drained.count_down();
  const weir::report made = now.wait();
  EXPECT_EQ(static_cast<std::uint64_t>(items), made.nodes.front().items);
  EXPECT_GE(items, 1);
}

/// A source of which all that it sends comes from an accelerator of its own, which only a drain
/// ends.
template <class In, class Begin>
struct receives {
  std::latch* inside;
  Begin begin;
  std::optional<weir::accelerator<In, long>> from{};

  void start() { from.emplace(begin()); }
  std::optional<long> next() {
    if (inside != nullptr) std::exchange(inside, nullptr)->count_down();
    return from->receive();
  }
};

template <class In, class Begin>
void drain_a_source_with_an_accelerator(Begin begin) {
  std::latch inside(1);
  weir::network net = weir::source(receives<In, Begin>{&inside, begin}) | weir::sink([](long) {});
  weir::running now = weir::start(net);
  inside.wait();
  now.drain();
  now.wait();
}

TEST(within_a_node, an_accelerator_of_a_source_ends_with_a_drain_of_the_run_around_it) {
  drain_a_source_with_an_accelerator<void>([] {
    return weir::start(weir::source([](weir::outlet<long>&, weir::context& at) {
      while (!at.drain_requested()) std::this_thread::yield();
    }));
  });
  drain_a_source_with_an_accelerator<long>([] { return weir::start(weir::node([](long item) { return item; })); });
}

/// A source that has several items in an accelerator, and receives the rest in its finish.
struct sends_ahead {
  std::latch* inside;
  long* sent;
  std::optional<weir::accelerator<long, long>> by{};

  void start() {
    by.emplace(weir::start(weir::node([](long item) { return item; })));
  }
  std::optional<long> next() {
    for (int i = 0; i != 3 && !by->try_send(*sent); ++i) ++*sent;
    if (*sent > 100 && inside != nullptr) std::exchange(inside, nullptr)->count_down();
    return by->receive();
  }
  void finish(weir::outlet<long>& out) {
    by->close();
    while (const std::optional<long> rest = by->receive()) out.send(*rest);
  }
};

TEST(within_a_node, a_source_receives_the_rest_of_its_accelerator_after_a_drain) {
  for (int runs = 0; runs != 5; ++runs) {
    std::latch inside(1);
    long sent = 0;
    long received = 0;
    weir::network net =
        weir::source(sends_ahead{&inside, &sent}) | weir::sink([&](long item) { EXPECT_EQ(item, received++); });
    weir::running now = weir::start(net);
    inside.wait();
    now.drain();
    now.wait();
    EXPECT_EQ(received, sent);
  }
}

TEST(within_a_node, receiving_is_given_up_when_the_run_around_it_is_cancelled) {
  auto nothing_comes = weir::start(weir::node([](long item) { return item; }));
  std::latch waits(1);
  weir::network net = numbers(1) | weir::sink([&](long) {
                        waits.count_down();
                        EXPECT_THROW(nothing_comes.receive(), weir::stopped);
                      });
  weir::running now = weir::start(net);
  waits.wait();
  now.cancel();
  now.wait();
  nothing_comes.send(3);
  EXPECT_EQ(nothing_comes.receive(), 3);
}

// ---- an error affects only its request ----

struct answers {
  long right = 0;
  long thrown = 0;
  std::set<std::string> said;
};

// `clients` threads request 0, 1, … `each` - 1 of their own thousand; a reply is right if it is
// twice the request.
template <class Server>
answers ask(Server& server, long clients, long each) {
  answers all;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (long client = 0; client != clients; ++client) {
    threads.emplace_back([&, client] {
      for (long i = 0; i != each; ++i) {
        const long asked = client * 1000 + i;
        try {
          const bool right = server.request(asked).get() == 2 * asked;
          const std::lock_guard lock(mutex);
          all.right += right ? 1 : 0;
        } catch (const weir::node_error& problem) {
          const std::lock_guard lock(mutex);
          ++all.thrown;
          all.said.insert(problem.what());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return all;
}

auto doubled(long bad) {
  return weir::node([bad](long item) {
    if (item % 1000 == bad) throw std::invalid_argument("bad request");
    return item * 2;
  });
}

TEST(failed_requests, touch_no_other_ones) {
  const auto passes = weir::node([](long item) { return item; });
  const auto by_key = [](const long& item) { return item / 7; };
  elsewhere there;
  const auto doubled_later = [&there](long item) -> weir::coroutine<long> {
    co_await there.later();
    if (item % 1000 == 500) throw std::invalid_argument("bad request");
    co_return item * 2;
  };
  const std::vector<std::pair<const char*, weir::block<long, long>>> blocks = {
      {"node", doubled(500)},
      {"pipeline", passes | doubled(500) | passes},
      {"farm", weir::farm(doubled(500), 3)},
      {"ordered", weir::farm(doubled(500), 3).ordered()},
      {"in_between", weir::farm(passes, 2).ordered() | weir::farm(passes | doubled(500), 2).by_key(by_key) | passes},
      {"async", passes | weir::async(doubled_later, 20)},
      {"async_farm", weir::farm(weir::async(doubled_later, 5) | passes, 3).ordered()},
      {"on_demand", weir::farm(doubled(500) | passes, 3).on_demand(2)}};
  for (const auto& [name, block] : blocks) {
    for (const bool fuse : {false, true}) {
      SCOPED_TRACE(std::string(name) + (fuse ? ", fused" : ""));
      auto server = weir::serve(block, {.workers = 2, .fuse = fuse});
      const answers all = ask(server, 8, 600);
      EXPECT_EQ(all.right, 8 * 599);
      EXPECT_EQ(all.thrown, 8);
      for (const std::string& said : all.said) EXPECT_NE(said.find(": bad request"), std::string::npos) << said;
      server.close();
      server.wait();
    }
  }
}

// The first request is answered only after the second one.
TEST(server, lets_operations_overtake_each_other) {
  std::coroutine_handle<> first;
  std::latch waits(1);
  struct keeps {
    std::coroutine_handle<>& where;
    std::latch& waits;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> who) {
      where = who;
      waits.count_down();
    }
    void await_resume() const noexcept {}
  };
  const auto answer = [&](long item) -> weir::coroutine<long> {
    if (item == 1) co_await keeps{first, waits};
    co_return item * 2;
  };
  auto server = weir::serve(weir::node([](long item) { return item; }) | weir::async(answer, 2));
  auto slow = server.request(1);
  waits.wait();
  EXPECT_EQ(server.request(2).get(), 4);
  first.resume();
  EXPECT_EQ(slow.get(), 2);
}

TEST(failed_requests, may_be_all) {
  auto server = weir::serve(weir::farm(weir::node([](long item) -> long { throw std::to_string(item); }), 2));
  for (long i = 0; i != 100; ++i) {
    try {
      server.request(i).get();
      ADD_FAILURE() << i;
    } catch (const weir::node_error& problem) {
      EXPECT_NE(std::string(problem.what()).find("an exception that is no std::exception"), std::string::npos);
      EXPECT_THROW(problem.rethrow_nested(), std::string);
    }
  }
  server.close();
  server.wait();
}

// An error of the function that chooses the consumer of an item belongs to the item's request, too.
TEST(failed_requests, are_those_that_a_policy_has_no_place_for) {
  auto server = weir::serve(weir::node([](long item) { return item; }) |
                            weir::farm([](long item) { return item * 2; }, 2).distribute([](long item, std::size_t) {
                              if (item % 1000 == 50) throw std::out_of_range("nobody takes that");
                              return static_cast<std::size_t>(item % 2);
                            }));
  const answers all = ask(server, 3, 100);
  EXPECT_EQ(all.right, 3 * 99);
  EXPECT_EQ(all.thrown, 3);
}

TEST_P(server, takes_few_requests_that_own_much_memory) {
  constexpr long most = 16 + 8 + 4;  // those at the entry, 2 MiB behind it, and those in hand
  census::reset();
  std::latch go(1);
  auto stands_still = serve(weir::node([&](const large& item) {
    go.wait();
    return item.value();
  }));
  std::jthread asks([&] {
    std::vector<weir::reply<long>> replies;
    for (long i = 0; i != 300; ++i) replies.push_back(stands_still.request(large(i)));
    for (long i = 0; i != 300; ++i) EXPECT_EQ(replies[static_cast<std::size_t>(i)].get(), i);
  });
  for (int i = 0; i != 5000 && census::peak <= most; ++i) std::this_thread::yield();
  go.count_down();
  asks.join();
  stands_still.close();
  stands_still.wait();
  EXPECT_LE(census::peak, most);
  EXPECT_EQ(census::alive, 0);
}

// Items own memory: none is lost or destroyed twice.
TEST(failed_requests, leave_nothing_behind) {
  auto server = weir::serve(weir::farm(
      [](std::unique_ptr<long> item) {
        if (*item % 3 == 0) throw std::runtime_error("bad request");
        return std::make_unique<long>(*item * 2);
      },
      2));
  long right = 0;
  for (long i = 0; i != 300; ++i) {
    try {
      right += *server.request(std::make_unique<long>(i)).get() == 2 * i ? 1 : 0;
    } catch (const weir::node_error&) {
    }
  }
  EXPECT_EQ(right, 200);
}

TEST(failed_requests, are_not_what_start_throws) {
  struct no_start {
    void start() const { throw std::runtime_error("no licence"); }
    long process(long item) const { return item; }
  };
  auto server = weir::serve(weir::node(no_start{}));
  EXPECT_THROW(server.request(1).get(), weir::node_error);
  EXPECT_THROW(server.wait(), weir::node_error);
}

TEST(reply, waits_no_longer_than_it_is_told) {
  std::latch go_on(1);
  auto server = weir::serve(weir::node([&](long item) {
    go_on.wait();
    return item;
  }));
  auto reply = server.request(7);
  EXPECT_FALSE(reply.wait_for(std::chrono::milliseconds(1)));
  EXPECT_FALSE(reply.wait_for(std::chrono::nanoseconds(-5)));
  EXPECT_FALSE(reply.wait_until(std::chrono::steady_clock::now()));
  go_on.count_down();
  EXPECT_TRUE(reply.wait_for(std::chrono::hours::max()));
  EXPECT_TRUE(reply.wait_for(std::chrono::seconds(0)));
  EXPECT_EQ(reply.get(), 7);
}

TEST(reply, has_its_result_once) {
  auto server = weir::serve(weir::node([](std::string text) { return text + "!"; }));
  auto reply = server.request("abc");
  EXPECT_EQ(reply.get(), "abc!");
  EXPECT_TRUE(reply.ready());
  EXPECT_THROW(reply.get(), std::logic_error);
  EXPECT_THROW(std::move(reply).future(), std::logic_error);
  auto another = server.request("def");
  auto future = std::move(another).future();
  EXPECT_THROW(another.get(), std::logic_error);
  EXPECT_EQ(future.get(), "def!");
}

TEST(moved, servers_accelerators_and_runs_say_so) {
  auto server = weir::serve(weir::node([](long item) { return item; }));
  auto other = std::move(server);
  EXPECT_THROW(static_cast<void>(server.request(1)), std::logic_error);
  EXPECT_THROW(static_cast<void>(server.wait()), std::logic_error);
  server.close();
  server.cancel();
  server.drain();
  EXPECT_EQ(other.request(2).get(), 2);

  auto accelerator = weir::start(weir::node([](long item) { return item; }));
  auto another = std::move(accelerator);
  EXPECT_THROW(accelerator.send(1), std::logic_error);
  EXPECT_THROW(static_cast<void>(accelerator.receive()), std::logic_error);
  EXPECT_TRUE(accelerator.ended());
  accelerator.close();
  accelerator.cancel();
  another.send(3);
  EXPECT_EQ(another.receive(), 3);

  weir::network net = numbers(10) | weir::sink([](long) {});
  weir::running first = weir::start(net);
  weir::running second = std::move(first);
  first.cancel();
  first.drain();
  EXPECT_EQ(first.failure(), nullptr);
  EXPECT_THROW(static_cast<void>(first.wait()), std::logic_error);
  EXPECT_THROW(static_cast<void>(first.report_so_far()), std::logic_error);
  EXPECT_EQ(second.wait().nodes.back().items, 10U);
}

}  // namespace
