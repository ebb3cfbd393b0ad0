// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Properties of every transport, and of the connections built on transports.

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include "certificates.hpp"
#include "cluster/wire/connection.hpp"
#include "cluster/wire/inproc_transport.hpp"
#include "cluster/wire/meeting.hpp"
#include "cluster/wire/mpi_process.hpp"
#include "cluster/wire/shm_transport.hpp"
#include "cluster/wire/tcp_transport.hpp"
#include "cluster/wire/tls.hpp"
#include "needs.hpp"

#include <asio/co_spawn.hpp>
#include <asio/connect.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace {

using namespace weir::cluster;
using namespace std::chrono_literals;
using asio::ip::tcp;

// A process, as seen by transports: an I/O context with its thread.
class place {
 public:
  place() : work_(asio::make_work_guard(context)), thread_([this] { context.run(); }) {}
  ~place() {
    work_.reset();
    context.stop();
    thread_.join();
  }
  void act(const std::function<void()>& what) { asio::post(context, asio::use_future(what)).get(); }

  asio::io_context context{1};

 private:
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

std::pair<tcp::socket, tcp::socket> connected_sockets(place& one, place& other) {
  tcp::acceptor acceptor(one.context, {asio::ip::address_v4::loopback(), 0});
  tcp::socket client(other.context);
  client.connect(acceptor.local_endpoint());
  return {acceptor.accept(), std::move(client)};
}

// Returns the two ends of a transport, as made by a handshake.
std::pair<met_peer, met_peer> meet(place& one, place& other, transport_kind kind, const weir::tls_configuration& tls,
                                   const connection_limits& limits = {}) {
  auto [server, client] = connected_sockets(one, other);
  const credentials own{"secret", load_tls(tls)};
  const terms_for offer = [kind](const introduction&) { return terms{0, kind}; };
  const terms_for answer = [](const introduction&) { return terms{}; };
  auto first =
      asio::co_spawn(one.context, meet_as_server(std::move(server), "one", own, offer, limits), asio::use_future);
  auto second = asio::co_spawn(
      other.context, meet_as_client(std::move(client), introduction{"other", purpose::link}, own, answer, limits, 60s),
      asio::use_future);
  return {first.get(), second.get()};
}

// Records the events that a transport reports to its user.
class listener final : public transport::user {
 public:
  void arrived(arrived_frame& what) override {
    std::unique_lock lock(mutex_);
    told_.wait(lock, [&] { return !held_; });
    frames.emplace_back(what.header().count, what.keep());
    told_.notify_all();
  }
  void is_heard() override {}
  void has_room() override {
    const std::lock_guard lock(mutex_);
    ++rooms;
    told_.notify_all();
  }
  void is_lost(const std::string& why, loss_cause) override {
    const std::lock_guard lock(mutex_);
    losses.push_back(why);
    told_.notify_all();
  }
  bool wait_until(const std::function<bool()>& is) {
    std::unique_lock lock(mutex_);
    return told_.wait_for(lock, 60s, is);
  }
  void forget_frames() {
    const std::lock_guard lock(mutex_);
    frames.clear();
  }
  // Blocks the thread that delivers a frame, while `on`.
  void hold(bool on) {
    const std::lock_guard lock(mutex_);
    held_ = on;
    told_.notify_all();
  }

  std::vector<std::pair<std::uint64_t, weir::buffer>> frames;  // count and payload of each frame
  int rooms = 0;
  std::vector<std::string> losses;

 private:
  std::mutex mutex_;
  std::condition_variable told_;
  bool held_ = false;
};

std::shared_ptr<outgoing_frame> frame_of(std::uint64_t number, weir::byte_sink payload) {
  auto made = std::make_shared<outgoing_frame>();
  made->header.type = frame_type::items;
  made->header.count = made->header.sequence = number;
  made->header.length = static_cast<std::uint32_t>(payload.size());
  made->payload = std::move(payload);
  return made;
}

std::byte byte_at(std::uint64_t number, std::size_t at) {
  return static_cast<std::byte>(number * 31 + at * 7 + at / 251);
}

weir::buffer bytes_of(std::uint64_t number, std::size_t size) {
  weir::buffer made(size);
  const auto bytes = made.writable();
  for (std::size_t i = 0; i != size; ++i) bytes[i] = byte_at(number, i);
  return made;
}

bool is_whole(std::uint64_t number, const weir::buffer& payload) {
  for (std::size_t i = 0; i != payload.size(); ++i) {
    if (payload.bytes()[i] != byte_at(number, i)) return false;
  }
  return true;
}

struct way {
  const char* name;
  transport_kind kind;
  bool tls = false;
  const char* mpi = nullptr;
};
void PrintTo(const way& which, std::ostream* to) { *to << which.name; }

class transports : public testing::TestWithParam<way> {
 protected:
  void SetUp() override {
    if (GetParam().mpi != nullptr) {
      if (const std::string why_not = join(GetParam().mpi); !why_not.empty()) GTEST_SKIP() << why_not;
    }
    if (GetParam().tls) WEIR_NEEDS(openssl);
    weir::tls_configuration tls;
    if (GetParam().tls) tls = certificates.files();
    auto [first, second] = meet(here, there, GetParam().kind, tls);
    ASSERT_EQ(first.kind, GetParam().kind);
    ASSERT_EQ(second.kind, GetParam().kind);
    out = first.over;
    in = second.over;
    here.act([&] { out->begin(at_out); });
    there.act([&] { in->begin(at_in); });
  }
  void TearDown() override {
    if (out) here.act([&] { out->end(); });
    if (in) there.act([&] { in->end(); });
  }

  // Makes this process alone an MPI job, which sends to itself.
  // @return the reason why that is impossible; empty on success
  static std::string join(const std::string& library) {
    static std::string joined;
    static std::shared_ptr<mpi_process> process;
    if (process != nullptr) return joined == library ? "" : "this process has joined another MPI, " + joined;
#if defined(__SANITIZE_THREAD__)
    return "the thread sanitizer does not see what MPI does";
#endif
#if defined(__SANITIZE_ADDRESS__)
    __lsan_disable();  // for this thread, to the end: memory that MPI keeps, and that it leaks when it ends
#endif
    ::setenv("WEIR_MPI", library.c_str(), 1);
    try {
      process = mpi_process::join();
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    joined = library;
    return "";
  }

  // Writes all frames, as a connection would.
  static void write_all(transport& to, listener& told, std::vector<std::shared_ptr<outgoing_frame>> frames) {
    std::span<const std::shared_ptr<outgoing_frame>> rest(frames);
    for (;;) {
      const int rooms = [&] {
        int seen = 0;
        told.wait_until([&] { return seen = told.rooms, true; });
        return seen;
      }();
      rest = rest.subspan(to.write(rest));
      if (rest.empty()) return;
      ASSERT_TRUE(told.wait_until([&] { return told.rooms > rooms; }));
    }
  }

  weir_test::certificates certificates;
  place here;
  place there;
  std::shared_ptr<listener> at_out = std::make_shared<listener>();
  std::shared_ptr<listener> at_in = std::make_shared<listener>();
  std::shared_ptr<transport> out;
  std::shared_ptr<transport> in;
};

INSTANTIATE_TEST_SUITE_P(all, transports,
                         testing::Values(way{"tcp", transport_kind::tcp}, way{"tls", transport_kind::tcp, true},
                                         way{"shm", transport_kind::shm}, way{"inproc", transport_kind::inproc},
                                         way{"openmpi", transport_kind::mpi, false, "openmpi"},
                                         way{"mpich", transport_kind::mpi, false, "mpich"}),
                         [](const auto& of) { return std::string(of.param.name); });

TEST_P(transports, bring_frames_of_all_sizes_in_order) {
  std::vector<std::size_t> sizes{0, 1, 63, 64, 65, 4095, 4096, 65'536, 73'728, 73'729, 1'000'000, 3'000'000, 0, 8};
  std::mt19937 random(3);
  for (int i = 0; i != 300; ++i) sizes.push_back(random() % 20'000);
  std::vector<std::shared_ptr<outgoing_frame>> frames;
  for (std::size_t i = 0; i != sizes.size(); ++i) {
    weir::byte_sink payload;
    const weir::buffer bytes = bytes_of(i, sizes[i]);
    if (i % 3 == 0) {
      payload.append(bytes);  // shared if it is large
    } else {
      payload.append(bytes.bytes());
    }
    frames.push_back(frame_of(i, std::move(payload)));
  }
  write_all(*out, *at_out, frames);
  ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() == sizes.size(); }));
  for (std::size_t i = 0; i != sizes.size(); ++i) {
    EXPECT_EQ(at_in->frames[i].first, i);
    EXPECT_EQ(at_in->frames[i].second.size(), sizes[i]);
    EXPECT_TRUE(is_whole(i, at_in->frames[i].second)) << i;
  }
}

// All arrived frames are kept, so that the shared memory runs out.
TEST_P(transports, bring_what_was_put_together_in_their_own_memory) {
  constexpr std::uint64_t count = 300;
  std::vector<std::shared_ptr<outgoing_frame>> frames;
  for (std::uint64_t i = 0; i != count; ++i) {
    weir::byte_sink payload = out->new_frame();
    payload.append(bytes_of(i, 60'000 + i).bytes());
    frames.push_back(frame_of(i, std::move(payload)));
  }
  write_all(*out, *at_out, frames);
  frames.clear();
  ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() == count; }));
  for (std::uint64_t i = 0; i != count; ++i) EXPECT_TRUE(is_whole(i, at_in->frames[i].second)) << i;
  // Memory of frames that were not sent is given back, too.
  for (int i = 0; i != 1000; ++i) out->new_frame().append(bytes_of(1, 100).bytes());
  at_in->forget_frames();
  weir::byte_sink last = out->new_frame();
  last.append(bytes_of(7, 70'000).bytes());
  write_all(*out, *at_out, {frame_of(7, std::move(last))});
  ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() == 1; }));
  EXPECT_TRUE(is_whole(7, at_in->frames[0].second));
}

TEST_P(transports, bring_frames_both_ways_at_once) {
  constexpr std::uint64_t count = 3000;
  const auto send = [&](transport& to, listener& told) {
    for (std::uint64_t i = 0; i != count; ++i) {
      weir::byte_sink payload = to.new_frame();
      payload.append(bytes_of(i, i * 37 % 30'000).bytes());
      write_all(to, told, {frame_of(i, std::move(payload))});
    }
  };
  std::thread one([&] { send(*out, *at_out); });
  std::thread other([&] { send(*in, *at_in); });
  one.join();
  other.join();
  for (const auto& each : {at_out, at_in}) {
    ASSERT_TRUE(each->wait_until([&] { return each->frames.size() == count; }));
    for (std::uint64_t i = 0; i != count; ++i) {
      ASSERT_EQ(each->frames[i].first, i);
      ASSERT_TRUE(is_whole(i, each->frames[i].second)) << i;
    }
  }
}

// Buffering is bounded: if a receiver takes nothing, the writer has to wait.
TEST_P(transports, take_no_more_than_they_have_room_for) {
  at_in->hold(true);
  std::uint64_t taken = 0;
  const weir::buffer payload = bytes_of(0, 60'000);
  for (;;) {
    weir::byte_sink copy;
    copy.append(payload.bytes());
    const std::vector one{frame_of(taken, std::move(copy))};
    if (out->write(one) == 0 && at_out->wait_until([&] { return true; })) {
      // TLS passes a batch on before the kernel has taken it, so `has_room` may still follow.
      bool more = false;
      for (int i = 0; i != 20 && !more; ++i) {
        std::this_thread::sleep_for(10ms);
        at_out->wait_until([&] { return more = at_out->rooms > 0, at_out->rooms = 0, true; });
      }
      if (!more) break;
      continue;
    }
    ++taken;
    ASSERT_LT(taken * 60'000, std::uint64_t{64} << 20);
  }
  at_in->hold(false);
  ASSERT_TRUE(at_out->wait_until([&] { return at_out->rooms > 0; }));
  ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() >= taken; }));
}

TEST_P(transports, tell_once_of_the_end_of_the_other_side_behind_its_frames) {
  std::vector<std::shared_ptr<outgoing_frame>> frames;
  for (std::uint64_t i = 0; i != 10; ++i) {
    weir::byte_sink payload;
    payload.append(bytes_of(i, 100).bytes());
    frames.push_back(frame_of(i, std::move(payload)));
  }
  write_all(*out, *at_out, frames);
  ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() == 10; }));
  here.act([&] { out->end(); });
  ASSERT_TRUE(at_in->wait_until([&] { return !at_in->losses.empty(); }));
  EXPECT_EQ(at_in->losses, std::vector<std::string>{"it has closed the connection"});
  EXPECT_TRUE(at_out->losses.empty());
}

TEST_P(transports, wake_a_receiver_that_sleeps_each_time) {
  for (std::uint64_t i = 0; i != 200; ++i) {
    weir::byte_sink payload;
    payload.append(bytes_of(i, i % 100).bytes());
    write_all(*out, *at_out, {frame_of(i, std::move(payload))});
    ASSERT_TRUE(at_in->wait_until([&] { return at_in->frames.size() == i + 1; })) << i;
    if (i % 20 == 0) std::this_thread::sleep_for(2ms);  // long enough for the receiver to fall asleep
  }
}

// ---- connections ----

// Two connections whose transport can be broken and made again.
class reconnecting : public testing::Test {
 protected:
  struct side {
    std::shared_ptr<connection> link;
    std::vector<std::uint64_t> numbers;  // used by the I/O thread until `act` has read it
    std::string lost;
    std::promise<void> over;
    int cuts = 0;
  };

  // The heartbeat is so slow that only the test breaks a connection, and not a thread that gets no
  // core for a while.
  void begin(std::chrono::milliseconds window, std::chrono::milliseconds heartbeat = 10s) {
    limits.heartbeat = heartbeat;
    limits.reconnect_within = window;
    auto [first, second] = meet(here, there, transport_kind::tcp, {}, limits);
    make(here, one, first.over);
    make(there, other, second.over);
  }
  void make(place& at, side& of, std::shared_ptr<transport> over) {
    of.link = std::make_shared<connection>(at.context.get_executor(), std::move(over), limits, true);
    at.act([&] {
      of.link->begin(
          [&](arrived_frame& what) {
            if (what.header().channel == 666) throw protocol_error("a channel that nobody wants");
            of.numbers.push_back(what.header().count);
          },
          [&](const std::string& why) {
            of.lost = why;
            of.over.set_value();
          },
          [&] { ++of.cuts; });
    });
  }
  void join() {
    connection_limits none = limits;
    auto [first, second] = meet(here, there, transport_kind::tcp, {}, none);
    // Both sides act as if they had met again.
    here.act([&] { one.link->cut("the test broke it"); });
    there.act([&] { other.link->cut("the test broke it"); });
    std::uint64_t received_one = 0;
    std::uint64_t received_other = 0;
    here.act([&] { received_one = one.link->received(); });
    there.act([&] { received_other = other.link->received(); });
    here.act([&] { one.link->resume(first.over, received_other); });
    there.act([&] { other.link->resume(second.over, received_one); });
  }
  void TearDown() override {
    if (one.link) here.act([&] { one.link->end(); });
    if (other.link) there.act([&] { other.link->end(); });
  }

  connection_limits limits;
  place here;
  place there;
  side one;
  side other;
};

// Both sides send while their connection breaks again and again.
TEST_F(reconnecting, loses_nothing_and_repeats_nothing) {
  begin(60s);
  constexpr std::uint64_t count = 20'000;
  const auto send = [&](connection& to) {
    for (std::uint64_t i = 0; i != count; ++i) {
      weir::byte_sink payload;
      payload.append(bytes_of(i, i % 3000).bytes());
      to.send(frame_type::items, 1, 2, i, std::move(payload));
      if (i % 64 == 0) std::this_thread::sleep_for(100us);  // so that sending lasts while the connection is broken
    }
  };
  std::thread first([&] { send(*one.link); });
  std::thread second([&] { send(*other.link); });
  std::mt19937 random(11);
  for (int i = 0; i != 30; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
    join();
  }
  first.join();
  second.join();
  const auto all_came = [&](place& at, side& of) {
    std::size_t came = 0;
    for (int i = 0; i != 6000 && came != count; ++i) {
      at.act([&] { came = of.numbers.size(); });
      if (came != count) std::this_thread::sleep_for(10ms);
    }
    return came == count;
  };
  ASSERT_TRUE(all_came(here, one));
  ASSERT_TRUE(all_came(there, other));
  std::vector<std::uint64_t> expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(one.numbers, expected);
  EXPECT_EQ(other.numbers, expected);
}

TEST_F(reconnecting, is_lost_when_its_time_is_over) {
  const auto began = std::chrono::steady_clock::now();  // before the last message of the other side
  begin(700ms, 500ms);
  here.act([&] { one.link->cut("the test broke it"); });
  one.over.get_future().get();
  EXPECT_GE(std::chrono::steady_clock::now() - began, 700ms);
  EXPECT_EQ(one.lost, "nothing was heard of it for 700 ms; before that, the test broke it");
  EXPECT_EQ(one.cuts, 1);
}

TEST_F(reconnecting, does_not_go_on_with_a_peer_that_has_forgotten) {
  begin(60s);
  for (std::uint64_t i = 0; i != 1000; ++i) one.link->send(frame_type::items, 1, 2, i, {});
  // Frames are given up once the peer has confirmed them.
  for (int i = 0; i != 6000 && one.link->given_up() == 0; ++i) std::this_thread::sleep_for(10ms);
  ASSERT_GT(one.link->given_up(), 0U);
  auto [first, second] = meet(here, there, transport_kind::tcp, {}, limits);
  here.act([&] { one.link->resume(first.over, 0); });
  one.over.get_future().get();
  EXPECT_EQ(one.lost, "it has forgotten what had arrived before the connection broke");
}

TEST_F(reconnecting, is_lost_at_once_if_no_time_is_given) {
  begin(0ms);
  there.act([&] { other.link->end(); });
  one.over.get_future().get();
  EXPECT_EQ(one.lost, "it has closed the connection");
}

TEST_F(reconnecting, does_not_forgive_a_peer_that_says_what_makes_no_sense) {
  begin(60s);
  one.link->send(frame_type::items, 1, 666, 5, {});
  other.over.get_future().get();
  EXPECT_EQ(other.lost, "frame 1 (channel 666): a channel that nobody wants");
}

}  // namespace
