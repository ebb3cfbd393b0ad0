// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Callers, and processes that are called, that do not keep to the handshake. The test composes the
// bytes by itself, after the grammar in handshake.cpp.

#include "weir/detail/cluster/sha256.hpp"

#include "cluster/wire/meeting.hpp"
#include "clusters.hpp"

#include <arpa/inet.h>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <asio/write.hpp>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using weir::cluster_member;
using weir::cluster::protocol_version;

constexpr std::size_t hello_bytes = 104;
constexpr std::size_t proof_bytes = 32;

std::string hello_of(std::string_view name, std::uint8_t purpose, char nonce) {
  std::string made(hello_bytes, '\0');
  made.replace(0, 4, "WEIR");
  const std::uint16_t order = 0x0102;
  std::memcpy(made.data() + 4, &protocol_version, 2);
  std::memcpy(made.data() + 6, &order, 2);
  made[8] = sizeof(void*);
  made[9] = static_cast<char>(purpose);
  made[10] = static_cast<char>(name.size());
  made.replace(11, name.size(), name);
  made.replace(72, 32, std::string(32, nonce));
  return made;
}

std::string proof_of(std::string_view role, const std::string& client, const std::string& server,
                     const std::string& secret) {
  const std::string message = std::string(role) + client + server + std::string(32, '\0');  // not encrypted
  const weir::detail::sha256::digest made = weir::detail::hmac_sha256(secret, message);
  return {made.begin(), made.end()};
}

// One end of a TCP connection, which sends whatever the test wants.
class plain_socket {
 public:
  explicit plain_socket(int number) : number_(number) {}
  plain_socket(const plain_socket&) = delete;
  plain_socket& operator=(const plain_socket&) = delete;
  ~plain_socket() { ::close(number_); }

  static std::unique_ptr<plain_socket> to(std::uint16_t port, std::uint32_t from = INADDR_ANY) {
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(from);
    EXPECT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0) << std::strerror(errno);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(port);
    EXPECT_EQ(::connect(made, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0) << std::strerror(errno);
    return std::make_unique<plain_socket>(made);
  }

  void say(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the connection is closed
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Returns `most` bytes, or those received before the end of the connection.
  std::string hear(std::size_t most) const {
    std::string got;
    while (got.size() != most) {
      pollfd ready{number_, POLLIN, 0};
      if (::poll(&ready, 1, 60'000) != 1) return got + "(silence)";
      std::string part(most - got.size(), '\0');
      const ssize_t came = ::recv(number_, part.data(), part.size(), 0);
      if (came <= 0) break;
      got.append(part, 0, static_cast<std::size_t>(came));
    }
    return got;
  }
  bool is_closed_within(std::chrono::milliseconds time) const {
    pollfd ready{number_, POLLIN, 0};
    char byte = 0;
    return ::poll(&ready, 1, static_cast<int>(time.count())) == 1 && ::recv(number_, &byte, 1, 0) <= 0;
  }

 private:
  const int number_;
};

// ---- callers ----

class callers : public testing::Test {
 protected:
  static weir::cluster_configuration two_groups() {
    weir::cluster_configuration made = groups_named({"G1", "G2"});
    made.transport = weir::link_transport::tcp;
    return made;
  }
  // Whatever callers came before, the groups of the run are admitted, and the run succeeds.
  void expect_that_it_runs() {
    const auto problems = cluster.in_each_group([](cluster_member& member) {
      std::vector<long> seen;
      weir::network net = numbers(1000).in_group("G1") | into(seen).in_group("G2");
      weir::run(net, {.member = &member});
      if (member.name() == "G2") {
        EXPECT_EQ(seen.size(), 1000U);
      }
    });
    for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  }
  std::unique_ptr<plain_socket> caller() const { return plain_socket::to(cluster.coordinator.port()); }

  cluster_in_process cluster{two_groups()};
};

// Sends the hello of a client and a proof made by `prove`.
// @return the byte that the server sends after its hello and proof; empty if the connection is
// closed
std::string refusal(const plain_socket& caller, const std::string& hello,
                    const std::function<std::string(const std::string& answer)>& prove) {
  caller.say(hello);
  const std::string answer = caller.hear(hello_bytes + proof_bytes);
  EXPECT_EQ(answer.size(), hello_bytes + proof_bytes);
  caller.say(prove(answer.substr(0, hello_bytes)));
  return caller.hear(1);
}

TEST_F(callers, who_do_not_prove_that_they_know_the_secret_are_refused) {
  const std::string hello = hello_of("G1", 1, 'n');
  std::string seen;  // the proof that an eavesdropper would have
  const auto right = [&](const std::string& answer) { return seen = proof_of("client", hello, answer, "a secret"); };
  EXPECT_EQ(refusal(*caller(), hello, right), "\1");  // shows that the bytes composed by this test are right
  EXPECT_EQ(refusal(*caller(), hello,
                    [&](const std::string& answer) { return proof_of("client", hello, answer, "another"); }),
            "");
  EXPECT_EQ(refusal(*caller(), hello, [](const std::string&) { return std::string(proof_bytes, '\0'); }), "");
  EXPECT_EQ(refusal(*caller(), hello, [&](const std::string&) { return seen; }), "") << "a proof that was replayed";
  // The server's own proof is sent back to it; the server made that proof for the same random
  // numbers.
  const auto reflecting = caller();
  reflecting->say(hello);
  const std::string answer = reflecting->hear(hello_bytes + proof_bytes);
  reflecting->say(answer.substr(hello_bytes));
  EXPECT_EQ(reflecting->hear(1), "");
  expect_that_it_runs();
}

TEST_F(callers, who_say_anything_else_are_refused) {
  for (const std::string& words :
       {std::string("GET / HTTP/1.1\r\nHost: weir\r\n\r\n") + std::string(80, ' '), std::string(hello_bytes, '\0'),
        std::string(100'000, '\xff'), std::string("\x16\x03\x01\x02\0\1\0\1\xfc\3\3", 11) + std::string(100, 'x')}) {
    const auto scanner = caller();
    scanner->say(words);
    // The caller receives at most the server's hello, and no proof.
    EXPECT_LE(scanner->hear(hello_bytes + 1).size(), hello_bytes);
  }
  caller()->say("SSH-2.0");  // and closes the connection
  caller();
  expect_that_it_runs();
}

// The names of groups are not secret.
TEST_F(callers, who_have_no_business_here_are_refused) {
  for (const auto& [name, purpose] : {std::pair<std::string, std::uint8_t>{"G3", 1}, {"", 1}, {"G1", 2}}) {
    const std::string hello = hello_of(name, purpose, 'n');
    const auto stranger = caller();
    EXPECT_EQ(refusal(*stranger, hello,
                      [&](const std::string& answer) { return proof_of("client", hello, answer, "a secret"); }),
              "\1");
    EXPECT_EQ(stranger->hear(1), "") << name;
  }
  expect_that_it_runs();
}

TEST_F(callers, who_are_built_differently_are_told_and_refused) {
  for (const std::size_t where : {4, 6, 8}) {  // offsets of version, byte order, word size
    std::string hello = hello_of("G1", 1, 'n');
    std::swap(hello[where], hello[where + 1]);
    const auto other = caller();
    other->say(hello);
    const std::string answer = other->hear(hello_bytes + 1);
    ASSERT_EQ(answer.size(), hello_bytes) << "no proof may follow";
    EXPECT_EQ(answer.substr(0, 9), hello_of("", 1, ' ').substr(0, 9)) << "but what it is itself";
  }
  expect_that_it_runs();
}

// More callers than the 32 that are served at once; they send nothing, or a byte.
TEST_F(callers, who_take_their_time_make_nobody_wait_for_long) {
  const auto began = steady::now();
  std::vector<std::unique_ptr<plain_socket>> slow;
  for (int i = 0; i != 40; ++i) slow.push_back(caller());
  const std::string hello = hello_of("G1", 1, 'n');
  for (std::size_t i = 0; i != 60; ++i) slow[i % slow.size()]->say(hello.substr(i, 1));
  // The groups of the run wait until the slow callers are dropped.
  expect_that_it_runs();
  EXPECT_GT(steady::now() - began, 4s) << "they found a place at once";
  // Each caller has a time limit of its own, which begins when it is admitted. Ten dropped callers
  // make enough room for the run to end while others of the first 32 still have time left.
  for (std::size_t i = 0; i != 32; ++i) EXPECT_TRUE(slow[i]->is_closed_within(60s)) << i;
}

// Number of callers that are still being served, or wait for that.
std::size_t still_there(const std::vector<std::unique_ptr<plain_socket>>& all) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [](const auto& each) { return !each->is_closed_within(0ms); }));
}

// The groups do not wait for these callers, which would take 20 s, 32 at a time.
TEST_F(callers, from_elsewhere_who_say_nothing_keep_nobody_away) {
  std::vector<std::unique_ptr<plain_socket>> idle;
  for (int i = 0; i != 128; ++i) idle.push_back(plain_socket::to(cluster.coordinator.port(), INADDR_LOOPBACK + 1));
  expect_that_it_runs();
  EXPECT_GE(still_there(idle), 120U);
}

TEST_F(callers, of_another_user_who_say_nothing_keep_nobody_away) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be another user";
  std::vector<std::unique_ptr<plain_socket>> idle;
  std::thread other([&] {
    ::syscall(SYS_setresuid, -1, 65534, -1);  // changes the user of this thread only
    for (int i = 0; i != 128; ++i) idle.push_back(caller());
  });
  other.join();
  expect_that_it_runs();
  EXPECT_GE(still_there(idle), 120U);
}

// The bytes that a caller sends before its proof stay in the socket's buffer.
TEST(meeting, reads_no_more_than_256_bytes_before_the_proof) {
  asio::io_context context{1};
  auto work = asio::make_work_guard(context);
  std::thread thread([&] { context.run(); });
  asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  const auto caller = plain_socket::to(acceptor.local_endpoint().port());
  asio::ip::tcp::socket socket = acceptor.accept();
  const int kept = ::dup(socket.native_handle());  // a duplicate, to count the bytes that are left
  const weir::cluster::credentials own{"secret", nullptr};
  const weir::cluster::terms_for nothing = [](const weir::cluster::introduction&) { return weir::cluster::terms{}; };
  const weir::cluster::connection_limits limits;
  const std::size_t sent = 50'000;
  caller->say(hello_of("G1", 1, 'n') + std::string(sent - hello_bytes, 'x'));
  auto met = asio::co_spawn(context, weir::cluster::meet_as_server(std::move(socket), "one", own, nothing, limits),
                            asio::use_future);
  EXPECT_THROW(met.get(), weir::cluster::handshake_error);
  int left = 0;
  EXPECT_EQ(::ioctl(kept, FIONREAD, &left), 0);
  EXPECT_GE(left, static_cast<int>(sent - 256));
  ::close(kept);
  work.reset();
  thread.join();
}

// ---- processes that are called ----

// Listens, and sends each caller the same answer.
class answerer {
 public:
  explicit answerer(std::string answer) : answer_(std::move(answer)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    ::bind(listening_, reinterpret_cast<const sockaddr*>(&at), size);
    ::listen(listening_, 8);
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] {
      for (int got = 0; (got = ::accept(listening_, nullptr, nullptr)) >= 0;) {
        const plain_socket caller(got);
        caller.say(answer_);
        heard_ = caller.hear(100'000);
      }
    });
  }
  answerer(const answerer&) = delete;
  answerer& operator=(const answerer&) = delete;
  ~answerer() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  std::string at() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  const std::string answer_;
  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::string heard_;
  std::thread thread_;
};

// Expects that a group which calls a coordinator that sends `answer` fails with `words`.
void expect_refused(const std::string& answer, const std::string& words) {
  const answerer other(answer);
  try {
    cluster_member("G1", other.at(), "a secret");
    FAIL();
  } catch (const weir::graph_error& problem) {
    EXPECT_EQ(problem.what(), "G1: can't reach the coordinator at " + other.at() + ": " + words);
  }
}

TEST(a_group, refuses_others_that_are_built_differently_with_the_values_of_both_sides) {
  std::string changed = hello_of("coordinator", 1, 'n');
  changed[4] += 1;
  expect_refused(changed, "it speaks version " + std::to_string(protocol_version + 1) +
                              " of the protocol, this program version " + std::to_string(protocol_version));
  changed = hello_of("coordinator", 1, 'n');
  std::swap(changed[6], changed[7]);
  const std::string here = changed[6] == 1 ? "2 1" : "1 2";
  const std::string there = changed[6] == 1 ? "1 2" : "2 1";
  expect_refused(changed,
                 "its machine writes numbers in the byte order " + there + ", this one in the byte order " + here);
  changed = hello_of("coordinator", 1, 'n');
  changed[8] = 4;
  expect_refused(changed, "it was built for 32 bits, this program for 64");
}

TEST(a_group, refuses_others_that_do_not_prove_themselves) {
  const std::string hello = hello_of("coordinator", 1, 'n');
  expect_refused(hello + std::string(proof_bytes, 'p'), "it does not know the secret of this run");
  expect_refused("HTTP/1.1 400 Bad Request\r\n\r\n" + std::string(100, ' '), "that is not a program of weir");
}

}  // namespace
