// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Transports that carry items between groups, and the fate of a run when they break.

#include "weir/graph/notice.hpp"
#include "weir/item/buffer.hpp"

#include "certificates.hpp"
#include "clusters.hpp"
#include "needs.hpp"
#include "proxy.hpp"
#include "reserved_port.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <regex>
#include <thread>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;
using weir::cluster_member;

using problems_by_group = std::map<std::string, std::exception_ptr>;

// G1 sends the numbers below `count` to G2, which sends their doubles back.
std::pair<std::vector<long>, problems_by_group> there_and_back(cluster_in_process& cluster, long count) {
  std::vector<long> all;
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::vector<long> seen;
    weir::network net = numbers(count).in_group("G1") | weir::node([](long i) { return 2 * i; }).in_group("G2") |
                        into(seen).in_group("G1");
    weir::run(net, {.member = &member});
    if (member.name() == "G1") all = std::move(seen);
  });
  return {all, problems};
}

void expect_doubles(cluster_in_process& cluster, long count) {
  const auto [all, problems] = there_and_back(cluster, count);
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  ASSERT_EQ(all.size(), static_cast<std::size_t>(count));
  for (long i = 0; i != count; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], 2 * i);
}

// The errors of the two groups.
std::string outcome(const problems_by_group& problems) {
  return "G1: " + text_of(problems.at("G1")) + "\nG2: " + text_of(problems.at("G2"));
}
// Expects that both groups report the same: which group is lost, whose connection that was, the
// cause, the address of the connection, and the last frames in both directions. `cause` is a
// regular expression.
void expect_loss(const std::string& cause, cluster_in_process& cluster) {
  const auto problems = there_and_back(cluster, 1'000'000).second;
  const std::regex message(
      "group G([12]): (?:has gone|has lost its connection to G[12]): " + cause +
      R"( \(127\.0\.0\.1:[1-9][0-9]*; frame [0-9]+ was the last to come, frame [0-9]+ the last to go)"
      R"((; items came last from /[a-z0-9]+ to /[a-z0-9]+)?\))");
  for (const auto& [group, problem] : problems) {
    EXPECT_TRUE(std::regex_match(text_of(problem), message)) << group << " was told: " << text_of(problem);
    EXPECT_EQ(text_of(problem), text_of(problems.at("G1"))) << "the root cause is one";
  }
}

TEST(links, of_each_kind_give_the_same) {
  for (const auto kind : {weir::link_transport::automatic, weir::link_transport::tcp, weir::link_transport::shm,
                          weir::link_transport::inproc}) {
    weir::cluster_configuration configuration = groups_named({"G1", "G2"});
    configuration.links.push_back({"G2", "G1", kind});
    cluster_in_process cluster(configuration);
    SCOPED_TRACE(static_cast<int>(kind));
    expect_doubles(cluster, 50'000);
  }
}

TEST(links, are_encrypted_where_that_is_asked_for) {
  WEIR_NEEDS(openssl)
  certificates made;
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.tls = made.files();
  cluster_in_process cluster(configuration);
  // The bytes that G1 sends to G2 pass this proxy.
  std::mutex mutex;
  proxy::bytes seen;
  const reserved_port own;  // the port at which G2 listens
  proxy between([&](proxy::bytes& chunk, std::uint64_t) {
    const std::lock_guard lock(mutex);
    seen.insert(seen.end(), chunk.begin(), chunk.end());
    return true;
  });
  cluster.adjust = [&](const std::string& group, weir::cluster_member_options& options) {
    options.tls = made.files(group);
    if (group != "G2") return;
    options.port = own.number();
    options.advertised_port = between.port();
    between.lead_to(options.port);
  };
  expect_doubles(cluster, 50'000);
  const std::lock_guard lock(mutex);
  ASSERT_GT(seen.size(), 50'000 * sizeof(long));
  EXPECT_EQ(seen.front(), 0x16);  // a TLS record: handshake
  const std::string magic = "weir";
  EXPECT_EQ(std::ranges::search(seen, magic).size(), 0U);
}

// An item that is too large for any frame ends the run at its sender.
TEST(links, refuse_items_that_are_too_large) {
  for (const auto kind : {weir::link_transport::tcp, weir::link_transport::shm, weir::link_transport::inproc}) {
    weir::cluster_configuration configuration = groups_named({"G1", "G2"});
    configuration.transport = kind;
    configuration.reconnect_within = 60s;
    cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](cluster_member& member) {
      weir::network net = weir::source([sent = false]() mutable -> std::optional<weir::buffer> {
                            if (std::exchange(sent, true)) return std::nullopt;
                            return weir::buffer(std::size_t{90} << 20);
                          }).in_group("G1") |
                          weir::sink([](const weir::buffer&) {}).in_group("G2");
      weir::run(net, {.member = &member});
    });
    EXPECT_NE(outcome(problems).find("what crosses to another group may take"), std::string::npos) << outcome(problems);
  }
}

TEST(links, are_refused_to_whoever_has_another_certificate) {
  WEIR_NEEDS(openssl)
  certificates made;
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.tls = made.files();
  configuration.start_within = 5s;  // enough for G1 to come up
  const auto stranger = made.files("stranger", "another");
  cluster_in_process cluster(configuration);
  cluster.adjust = [&](const std::string& group, weir::cluster_member_options& options) {
    if (group == "G2") options.tls = stranger;
  };
  const std::string told = outcome(there_and_back(cluster, 10).second);
  EXPECT_NE(told.find("group G2: has not come up within 5 s"), std::string::npos) << told;
  EXPECT_NE(told.find("can't reach the coordinator"), std::string::npos) << told;
}

// Each side reports its own problem, and neither waits in vain.
TEST(links, are_refused_with_a_certificate_that_has_expired) {
  WEIR_NEEDS(openssl)
  certificates made;
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.tls = made.files();
  configuration.start_within = 3s;  // enough for G2 to call
  const auto expired = made.files("expired", "authority", -1);
  auto stranger = made.files("stranger", "another");
  stranger.authorities = made.files().authorities;
  try {
    weir::coordinator coordinator(
        [&] {
          auto other = configuration;
          other.tls = expired;
          return other;
        }(),
        "a secret", true);
    ADD_FAILURE() << "it is taken";
  } catch (const weir::graph_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("expired.pem has expired on "), std::string::npos) << problem.what();
  }
  // A certificate of an authority that the coordinator does not trust.
  cluster_in_process cluster(configuration);
  cluster.adjust = [&](const std::string& group, weir::cluster_member_options& options) {
    options.coordinator_within = 60s;
    if (group == "G2") options.tls = stranger;
  };
  const auto problems = cluster.in_each_group([](cluster_member&) {});
  const std::string of_second = weir_test::text_of(problems.at("G2"));
  EXPECT_NE(of_second.find("can't reach the coordinator at 127.0.0.1:"), std::string::npos) << of_second;
  EXPECT_NE(of_second.find("TLS: "), std::string::npos) << of_second;
  const std::string of_first = weir_test::text_of(problems.at("G1"));
  EXPECT_NE(of_first.find("group G2: has not come up within 3 s; a caller at 127.0.0.1:"), std::string::npos)
      << of_first;
  EXPECT_NE(of_first.find("was refused: TLS: "), std::string::npos) << of_first;
}

TEST(links, bring_large_buffers) {
  for (const auto kind : {weir::link_transport::tcp, weir::link_transport::shm, weir::link_transport::inproc}) {
    weir::cluster_configuration configuration = groups_named({"G1", "G2"});
    configuration.transport = kind;
    cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](cluster_member& member) {
      std::vector<weir::buffer> kept;
      weir::network net = weir::source([i = 0]() mutable -> std::optional<weir::buffer> {
                            if (i == 60) return std::nullopt;
                            weir::buffer made(i % 3 == 0 ? 100 : 1'000'000);
                            std::memset(made.writable().data(), ++i, made.size());
                            return made;
                          }).in_group("G1") |
                          weir::sink([&](weir::buffer came) { kept.push_back(std::move(came)); }).in_group("G2");
      weir::run(net, {.member = &member});
      if (member.name() != "G2") return;
      ASSERT_EQ(kept.size(), 60U);
      for (std::size_t i = 0; i != kept.size(); ++i) {
        const auto bytes = kept[i].bytes();
        ASSERT_EQ(bytes.size(), i % 3 == 0 ? 100U : 1'000'000U);
        EXPECT_TRUE(std::ranges::all_of(bytes, [&](std::byte b) { return b == static_cast<std::byte>(i + 1); }));
      }
    });
    for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  }
}

// Whether standard error, which is a file while it is captured, has any text.
bool has_been_said() {
  struct stat its {};
  return ::fstat(STDERR_FILENO, &its) == 0 && its.st_size > 0;
}

TEST(links, say_where_nothing_goes_on) {
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.stalled_after = 1s;
  cluster_in_process cluster(configuration);
  testing::internal::CaptureStderr();
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::vector<long> seen;
    weir::network net = numbers(20).in_group("G1").named("fast") |
                        weir::sink([&](long i) {
                          // Waits until the standstill has been reported.
                          for (int round = 0; i == 7 && !has_been_said() && round != 6000; ++round)
                            std::this_thread::sleep_for(10ms);
                        })
                            .in_group("G2")
                            .named("slow");
    weir::run(net, {.member = &member});
  });
  const std::string said = testing::internal::GetCapturedStderr();
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_TRUE(said.starts_with("weir: group G1: no progress for 1 s from /fast to /slow in group G2: of ")) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

TEST(links, give_the_notice_of_a_stall_without_a_lock) {
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.stalled_after = 100ms;
  cluster_in_process cluster(configuration);
  std::atomic<cluster_member*> sender{nullptr};
  std::string answer;
  std::atomic<bool> answered{false};
  // The handler asks for a run of the group that gives the notice. That is refused at once.
  const auto former = weir::set_notice_handler([&](std::string_view) {
    if (answered) return;
    try {
      weir::run(numbers(1).in_group("G1") | weir::sink([](long) {}).in_group("G2"), {.member = sender.load()});
    } catch (const std::exception& problem) {
      answer = problem.what();
    }
    answered = true;
    answered.notify_all();
  });
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    if (member.name() == "G1") sender = &member;
    weir::network net = numbers(20).in_group("G1") | weir::sink([&](long i) {
                                                       if (i == 7) answered.wait(false);
                                                     }).in_group("G2");
    weir::run(net, {.member = &member});
  });
  weir::set_notice_handler(former);
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_NE(answer, "");
}

// ---- faults ----

// Two groups whose connection goes through a proxy.
class through_a_proxy : public testing::Test {
 protected:
  void make(std::chrono::milliseconds reconnect_within, proxy::spoiler spoil = nullptr,
            std::chrono::milliseconds dead_after = 60s) {
    make_cluster(reconnect_within, std::move(spoil), dead_after);
    cluster->adjust = [this](const std::string& group, weir::cluster_member_options& options) {
      if (trusted) options.tls = trusted->files(group);
      if (group != "G2") return;
      options.port = own.number();
      options.advertised_port = between->port();
      between->lead_to(options.port);
    };
  }
  // The same, but G2's connection to the coordinator goes through the proxy.
  void make_far_from_coordinator(std::chrono::milliseconds reconnect_within, proxy::spoiler spoil) {
    make_cluster(reconnect_within, std::move(spoil), 60s);
    between->lead_to(cluster->coordinator.port());
    cluster->way_to_coordinator = [this](const std::string& group) {
      return group == "G2" ? between->port() : cluster->coordinator.port();
    };
  }

  // State of the functions that the proxy's threads call.
  std::mutex mutex;
  std::mt19937 random{7};
  std::array<int, 3> done{};
  std::atomic<bool> damaged{false};
  std::atomic<bool> began{false};
  std::unique_ptr<certificates> trusted;  // if set, connections are encrypted
  std::unique_ptr<proxy> between;
  std::unique_ptr<cluster_in_process> cluster;

 private:
  const reserved_port own;  // the port at which G2 listens

  void make_cluster(std::chrono::milliseconds reconnect_within, proxy::spoiler spoil,
                    std::chrono::milliseconds dead_after) {
    between = std::make_unique<proxy>(std::move(spoil));
    weir::cluster_configuration configuration = groups_named({"G1", "G2"});
    if (trusted) configuration.tls = trusted->files();
    configuration.transport = weir::link_transport::tcp;
    configuration.checksums = true;
    configuration.heartbeat = 200ms;
    configuration.dead_after = dead_after;
    configuration.reconnect_within = reconnect_within;
    cluster = std::make_unique<cluster_in_process>(configuration);
  }
};

// An offset well behind the handshake.
constexpr std::uint64_t mid_stream = 200'000;

TEST_F(through_a_proxy, that_is_honest_all_is_well) {
  make(0ms);
  expect_doubles(*cluster, 100'000);
  EXPECT_EQ(between->connections(), 1);
}

TEST_F(through_a_proxy, that_breaks_a_connection_the_run_ends_and_names_the_group) {
  make(0ms, [&](proxy::bytes&, std::uint64_t before) { return before < mid_stream; });
  expect_loss("(Connection reset by peer|it has closed the connection)", *cluster);
}

// The connection breaks again and again, at any byte.
TEST_F(through_a_proxy, that_breaks_connections_that_are_made_again_nothing_is_lost) {
  make(60s, [&](proxy::bytes& chunk, std::uint64_t before) {
    const std::lock_guard lock(mutex);
    if (before < 2000 || random() % 40 != 0) return true;
    chunk.resize(random() % chunk.size());
    return false;
  });
  expect_doubles(*cluster, 1'000'000);
  EXPECT_GT(between->connections(), 3);
}

TEST_F(through_a_proxy, that_breaks_encrypted_connections_that_are_made_again_nothing_is_lost) {
  WEIR_NEEDS(openssl)
  trusted = std::make_unique<certificates>();
  make(60s, [&](proxy::bytes& chunk, std::uint64_t before) {
    const std::lock_guard lock(mutex);
    if (before < 10'000 || random() % 40 != 0) return true;
    chunk.resize(random() % chunk.size());
    return false;
  });
  expect_doubles(*cluster, 1'000'000);
  EXPECT_GT(between->connections(), 3);
}

// The connection breaks at any message about a run, including its beginning and its end.
TEST_F(through_a_proxy, that_breaks_the_way_to_the_coordinator_the_runs_go_on) {
  constexpr int runs = 30;
  make_far_from_coordinator(60s, [&](proxy::bytes& chunk, std::uint64_t before) {
    const std::lock_guard lock(mutex);
    if (before < 500 || random() % 6 != 0) return true;
    chunk.resize(random() % chunk.size());
    return false;
  });
  std::array<long, runs> sums{};
  const auto problems = cluster->in_each_group([&](cluster_member& member) {
    for (long& sum : sums) {
      weir::network net = numbers(1000).in_group("G1") | weir::sink([&sum](long i) { sum += i; }).in_group("G2");
      weir::run(net, {.member = &member});
    }
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_EQ(std::ranges::count(sums, 999 * 1000 / 2), runs);
  EXPECT_GT(between->connections(), 3);
}

// The proxy changes a bit, loses a chunk, or sends a chunk twice.
TEST_F(through_a_proxy, that_spoils_connections_that_are_made_again_nothing_is_lost) {
  make(60s, [&](proxy::bytes& chunk, std::uint64_t before) {
    const std::lock_guard lock(mutex);
    if (before < 2000 || random() % 20 != 0) return true;
    const auto what = random() % 3;
    ++done[what];
    if (what == 0) {
      chunk[random() % chunk.size()] ^= static_cast<char>(1 << random() % 8);
    } else if (what == 1) {
      chunk.clear();
    } else {
      chunk.insert(chunk.end(), chunk.begin(), chunk.end());
    }
    return true;
  });
  expect_doubles(*cluster, 1'000'000);
  const std::lock_guard lock(mutex);
  EXPECT_GT(done[0] + done[1] + done[2], 3);
}

TEST_F(through_a_proxy, that_changes_a_bit_a_run_that_may_not_connect_again_ends) {
  make(0ms, [&](proxy::bytes& chunk, std::uint64_t before) {
    if (before > mid_stream && !damaged.exchange(true)) chunk[chunk.size() / 2] ^= 4;
    return true;
  });
  expect_loss("(it has closed the connection: )?.*(damaged on its way|is not a frame of weir)", *cluster);
}

TEST_F(through_a_proxy, that_falls_silent_is_noticed) {
  make(
      0ms,
      [&](proxy::bytes&, std::uint64_t before) {
        if (before > mid_stream) between->set_silent(true);
        return true;
      },
      1s);
  expect_loss("nothing was heard of it for 1000 ms", *cluster);
}

// Simulates a cable that is unplugged for longer than a peer may be silent, and for less than the
// time to reconnect.
TEST_F(through_a_proxy, that_heals_in_time_the_run_goes_on) {
  make(60s, [&](proxy::bytes&, std::uint64_t before) {
    if (before > mid_stream) began = true;
    return true;
  });
  std::thread healing([&] {
    while (!began) std::this_thread::sleep_for(1ms);
    between->set_down(true);
    std::this_thread::sleep_for(1500ms);
    between->set_silent(true);
    between->set_down(false);
    std::this_thread::sleep_for(1500ms);
    between->set_silent(false);
  });
  expect_doubles(*cluster, 10'000'000);
  began = true;
  healing.join();
  EXPECT_GT(between->connections(), 1);
}

TEST_F(through_a_proxy, that_does_not_heal_in_time_the_run_ends) {
  make(2s, [&](proxy::bytes&, std::uint64_t before) {
    if (before > mid_stream) between->set_down(true);
    return true;
  });
  expect_loss("nothing was heard of it for 2000 ms; before that, .*", *cluster);
}

}  // namespace
