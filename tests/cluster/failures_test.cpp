// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The first failure that a coordinator reports: its group, its kind and its text.

#include "weir/blocks/describe.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include "clusters.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

// An item that can't be decoded.
struct riddle {
  std::string text;
};
template <>
struct weir::codec<riddle> {
  static void encode(const riddle& item, byte_sink& out) { codec<std::string>::encode(item.text, out); }
  static riddle decode(byte_source&) { throw codec_error("nobody can read this"); }
};

namespace {

using namespace weir_test;
using weir::cluster_member;
using weir::failure_kind;

weir::cluster_failure failure_of(const weir::coordinator& of) {
  while (!of.failure()) std::this_thread::yield();
  return *of.failure();
}

template <class Make>
weir::cluster_failure failure_of_run(Make&& make) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  cluster.in_each_group([&](cluster_member& member) {
    weir::network net = make(member.name());
    weir::run(net, {.member = &member});
  });
  return failure_of(cluster.coordinator);
}

weir::network of_riddles() {
  return weir::source([]() -> std::optional<riddle> { return riddle{"?"}; }).named("asks").in_group("G1") |
         weir::sink([](const riddle&) {}).in_group("G2");
}

TEST(cluster_failures, a_node_that_throws) {
  const auto failure = failure_of_run([](const std::string&) {
    return numbers(10).in_group("G1") |
           weir::sink([](long) { throw std::runtime_error("no more"); }).named("end").in_group("G2");
  });
  EXPECT_EQ(failure.kind, failure_kind::node);
  EXPECT_EQ(failure.group, "G2");
  EXPECT_EQ(failure.path, "/end");
  EXPECT_EQ(failure.text, "no more");
}

// The text is printed elsewhere.
TEST(cluster_failures, what_a_node_says_does_nothing_to_terminals) {
  const auto failure = failure_of_run([](const std::string&) -> weir::network {
    return numbers(10).in_group("G1") | weir::sink([](long) {
                                          throw std::runtime_error(
                                              "\x1b[31mred\xC2\x9B"
                                              "1m\nand\tm\xC3\xBC");
                                        })
                                            .named("end")
                                            .in_group("G2");
  });
  EXPECT_EQ(failure.text, "\\033[31mred\\302\\2331m\nand\tm\xC3\xBC");
}

TEST(cluster_failures, items_that_do_not_decode) {
  const auto failure = failure_of_run([](const std::string&) { return of_riddles(); });
  EXPECT_EQ(failure.kind, failure_kind::data);
  EXPECT_EQ(failure.group, "G2");
  EXPECT_NE(failure.text.find("nobody can read this"), std::string::npos) << failure.text;
}

TEST(cluster_failures, another_network) {
  const auto failure = failure_of_run([](const std::string& group) {
    return group == "G1" ? of_riddles() : numbers(10).in_group("G1") | weir::sink([](long) {}).in_group("G2");
  });
  EXPECT_EQ(failure.kind, failure_kind::protocol);
}

TEST(cluster_failures, a_network_that_does_not_fit_the_configuration) {
  cluster_in_process cluster(groups_named({"G1", "G2", "G3"}));
  std::atomic<int> complaints{0};
  cluster.in_each_group([&](cluster_member& member) {
    weir::network net = numbers(10).named("count").in_group("G1") | weir::sink([](long) {}).named("end").in_group("G4");
    try {
      weir::run(net, {.member = &member});
    } catch (const weir::graph_error& problem) {
      EXPECT_EQ(problem.path(), "/end");
      EXPECT_TRUE(cluster.coordinator.failure()) << "complains before that is known";
      ++complaints;
    }
  });
  EXPECT_EQ(complaints, 3);
  const auto failure = failure_of(cluster.coordinator);
  EXPECT_EQ(failure.kind, failure_kind::configuration);
  EXPECT_EQ(failure.text,
            "/end: is in the group G4, but there are only G1, G2, G3\nG2: is a group without nodes\n"
            "G3: is a group without nodes");
}

TEST(cluster_failures, a_group_that_leaves) {
  const auto failure = failure_of_run([](const std::string& group) {
    if (group == "G2") throw std::runtime_error("not this time");
    return of_riddles();
  });
  EXPECT_EQ(failure.kind, failure_kind::lost);
  EXPECT_EQ(failure.group, "G2");
}

// The result group of a run is done and waits for the others when one of them fails. The report
// still has the counts of its own nodes.
TEST(cluster_failures, keep_what_was_counted_in_the_result_group) {
  cluster_in_process cluster(groups_named({"other", "result"}));
  std::atomic<long> arrived{0};
  cluster.in_each_group([&](cluster_member& member) {
    const auto fails_late = weir::sink([&](long) {
      while (arrived.load() != 10) std::this_thread::yield();
      throw std::runtime_error("too late");
    });
    const auto counts = weir::sink([&](long) { ++arrived; });
    weir::graph g;
    const auto add = [&](const auto& node) { return g.add(weir::describe(node)); };
    const auto first = add(numbers(1).in_group("other"));
    const auto second = add(numbers(10).in_group("other"));
    g.connect(first, 0, add(fails_late.in_group("other")), 0, 4);
    g.connect(second, 0, add(counts.named("counts").in_group("result")), 0, 4);
    weir::network net(std::move(g));
    weir::running now = weir::start(net, {.member = &member});
    EXPECT_THROW(now.wait(), weir::node_error);
    if (member.name() != "result") return;
    const weir::report all = now.report_so_far();
    EXPECT_TRUE(all.in_result_group);
    const auto told = std::ranges::find(all.nodes, "/counts", &weir::node_report::path);
    ASSERT_NE(told, all.nodes.end());
    EXPECT_EQ(told->items, 10U);
  });
  EXPECT_EQ(failure_of(cluster.coordinator).text, "too late");
}

TEST(cluster_failures, a_process_that_ends) {
  weir::coordinator coordinator(groups_named({"G1", "G2"}), "a secret", true);
  coordinator.process_ended("G2", "has ended with exit code 3");
  const auto failure = failure_of(coordinator);
  EXPECT_EQ(failure.kind, failure_kind::process);
  EXPECT_EQ(failure.group, "G2");
  EXPECT_EQ(failure.text, "has ended with exit code 3");
}

TEST(cluster_failures, a_group_with_another_secret) {
  weir::coordinator coordinator(groups_named({"G1", "G2"}), "a secret", true);
  const std::string at = "127.0.0.1:" + std::to_string(coordinator.port());
  // A caller that fails to become a group is not a failure of the run, until the process of the
  // group with that name ends.
  EXPECT_THROW(cluster_member("G2", at, "another"), weir::graph_error);
  EXPECT_THROW(cluster_member("G9", at, "another"), weir::graph_error);
  EXPECT_FALSE(coordinator.failure());
  coordinator.process_ended("G2", "has ended with exit code 1");
  const auto failure = failure_of(coordinator);
  EXPECT_EQ(failure.kind, failure_kind::authentication);
  EXPECT_EQ(failure.group, "G2");
  EXPECT_EQ(failure.text, "was refused: it does not know the secret of this run");
}

// Sends the hello of the handshake as a later version would.
TEST(cluster_failures, a_group_of_another_version) {
  weir::coordinator coordinator(groups_named({"G1", "G2"}), "a secret", true);
  std::array<char, 104> hello{'W', 'E', 'I', 'R', 99, 0, 2, 1, sizeof(void*), 1, 2, 'G', '2'};
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(coordinator.port());
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  ASSERT_EQ(::write(socket, hello.data(), hello.size()), 104);
  std::array<char, 256> answer;
  while (::read(socket, answer.data(), answer.size()) > 0) continue;
  ::close(socket);
  coordinator.process_ended("G2", "has ended with exit code 1");
  const auto failure = failure_of(coordinator);
  EXPECT_EQ(failure.kind, failure_kind::protocol);
  EXPECT_NE(failure.text.find("it speaks version 99 of the protocol"), std::string::npos) << failure.text;
}

// Returns an address of this machine that other machines could reach; empty if there is none.
std::string address_for_others() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return "";
  std::string found;
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET || (each->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* const address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    found = ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
  }
  ::freeifaddrs(all);
  return found;
}

std::string text_of_joining(const std::string& at, const std::string& secret) {
  try {
    const cluster_member member("G1", at, secret);
  } catch (const weir::graph_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(cluster_trust, without_a_secret_nobody_leaves_this_machine) {
  const std::string address = address_for_others();
  if (address.empty()) GTEST_SKIP() << "this machine has no address but its own";
  const auto at = [&](const weir::coordinator& of) { return address + ":" + std::to_string(of.port()); };
  const weir::coordinator without(groups_named({"G1"}), "", false);
  EXPECT_NE(text_of_joining(at(without), "").find("Connection refused"), std::string::npos);
  const weir::coordinator with(groups_named({"G1"}), "a secret", false);
  EXPECT_NE(text_of_joining(at(with), "").find("has no secret, so it connects to this machine alone"),
            std::string::npos);
  EXPECT_EQ(text_of_joining(at(with), "a secret"), "");
}

}  // namespace
