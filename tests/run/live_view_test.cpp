// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The live view of a process: the answers on its socket, who may read them, and that runs do not
// depend on watchers.

#include "weir/detail/run/live_view.hpp"

#include "networks.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <latch>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

// The leak checker of a child would wait for a lock that another thread may have held when the
// process forked (fixed in later versions of the checker).
static int is_child = 0;
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return is_child; }

namespace {

using namespace weir_test;
namespace fs = std::filesystem;
using nlohmann::json;

// A process has one socket for all its runs.
const std::string& socket_path() {
  static const std::string path = fs::path(testing::TempDir()) / ("weir_live_" + std::to_string(::getpid()) + ".sock");
  return path;
}

class watcher {
 public:
  watcher() : number_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_path().c_str(), socket_path().size());
    if (::connect(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error(std::string("can't connect: ") + std::strerror(errno));
    }
  }
  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;
  ~watcher() { ::close(number_); }

  void say(std::string_view text) {
    // A watcher that was refused may find the connection closed.
    [[maybe_unused]] const ssize_t sent = ::send(number_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  bool say_if_there_is_room(std::string_view text) {
    return ::send(number_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
  }

  // Returns the next line; empty at the end of the connection.
  std::string line() {
    for (;;) {
      if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
        std::string made = read_.substr(0, end);
        read_.erase(0, end + 1);
        return made;
      }
      std::array<char, 4096> some;
      const ssize_t got = ::recv(number_, some.data(), some.size(), 0);
      if (got <= 0) return {};
      read_.append(some.data(), static_cast<std::size_t>(got));
    }
  }

  json ask() {
    say("report\n");
    return json::parse(line());
  }

 private:
  int number_;
  std::string read_;
};

const json& run_of(const json& said, const std::string& path) {
  for (const json& run : said.at("runs")) {
    for (const json& node : run.at("report").at("nodes")) {
      if (node.at("path") == path) return run;
    }
  }
  throw std::out_of_range("no run with " + path + " in " + said.dump());
}

class live_view : public each_executor {
 protected:
  live_view() { ::setenv("WEIR_TOP", socket_path().c_str(), 1); }
  ~live_view() override { ::unsetenv("WEIR_TOP"); }

  // A run of a source that goes on until it is told to end.
  class endless {
   public:
    endless(const char* name, const weir::run_options& options)
        : net_(weir::source([this]() -> std::optional<long> {
                 std::this_thread::yield();
                 return over ? std::nullopt : std::optional<long>(made_++);
               }).named(name) |
               weir::sink([](long) {}).named("end")),
          now(weir::start(net_, options)) {}

    std::atomic<bool> over{false};

   private:
    long made_ = 0;
    weir::network net_;

   public:
    weir::running now;
  };

  std::unique_ptr<endless> start_endless(const char* name) const {
    return std::make_unique<endless>(name, GetParam().options);
  }
  void run_once() {
    run(numbers(10).named("once") | weir::sink([](long) {}).named("end"));
  }
};
WEIR_UNDER_EACH_EXECUTOR(live_view);

TEST_P(live_view, is_for_the_owner_of_the_process) {
  run_once();
  struct stat its {};
  ASSERT_EQ(::lstat(socket_path().c_str(), &its), 0);
  EXPECT_TRUE(S_ISSOCK(its.st_mode));
  EXPECT_EQ(its.st_mode & 0777U, 0600U);
  EXPECT_EQ(its.st_uid, ::geteuid());
}

TEST_P(live_view, shows_a_run_under_way) {
  const auto net = start_endless("read");
  watcher by;
  const json first = by.ask();
  EXPECT_EQ(first.at("live_view"), 1);
  EXPECT_EQ(first.at("pid"), ::getpid());
  EXPECT_FALSE(run_of(first, "/read").at("report").at("ended"));
  const auto items = [](const json& said) {
    return run_of(said, "/read").at("report").at("nodes").at(1).at("items").get<std::uint64_t>();
  };
  json later = by.ask();
  while (items(later) == items(first)) later = by.ask();
  EXPECT_GT(items(later), items(first));
  EXPECT_GT(later.at("at_ns"), first.at("at_ns"));
  net->over = true;
  net->now.wait();
}

TEST_P(live_view, shows_what_waits_in_a_channel) {
  if (GetParam().options.fuse) GTEST_SKIP() << "between fused nodes nothing waits while one of them works";
  std::atomic<bool> go_on{false};
  weir::network net =
      numbers(100).named("read") | weir::sink([&](long) { go_on.wait(false); }).named("slow").capacity(16);
  weir::running now = weir::start(net, GetParam().options);
  watcher by;
  const auto channel = [&] { return run_of(by.ask(), "/slow").at("report").at("channels").at(0); };
  while (channel().at("waiting") != 16) std::this_thread::yield();
  EXPECT_EQ(channel().at("room"), 16);
  go_on = true;
  go_on.notify_all();
  now.wait();
}

TEST_P(live_view, shows_what_waits_in_each_input) {
  if (GetParam().options.fuse) GTEST_SKIP() << "between fused nodes nothing waits while one of them works";
  std::atomic<bool> go_on{false};
  const auto quick = weir::node([](long item) { return item; }).named("quick").capacity(16);
  const auto slow = weir::node([&](long item) {
                      go_on.wait(false);
                      return item;
                    })
                        .named("slow")
                        .capacity(16);
  weir::network net = numbers(100) | weir::tee(quick, slow).named("both") |
                      weir::zip<long, long>().named("zip").capacity(16) | weir::sink([](std::tuple<long, long>) {});
  weir::running now = weir::start(net, GetParam().options);
  watcher by;
  const auto waiting = [&] {
    std::map<std::size_t, std::size_t> inputs;
    const json said = by.ask();
    for (const json& channel : run_of(said, "/zip").at("report").at("channels")) {
      if (channel.at("to") == "/zip") inputs[channel.at("input")] = channel.at("waiting");
    }
    return inputs;
  };
  while (waiting() != std::map<std::size_t, std::size_t>{{0, 16}, {1, 0}}) std::this_thread::yield();
  go_on = true;
  go_on.notify_all();
  now.wait();
}

TEST_P(live_view, shows_all_runs_by_their_numbers) {
  const auto one = start_endless("one");
  const auto other = start_endless("other");
  watcher by;
  const json both = by.ask();
  ASSERT_EQ(both.at("runs").size(), 2U);
  EXPECT_EQ(run_of(both, "/other").at("run"), run_of(both, "/one").at("run").get<int>() + 1);
  one->now.cancel();
  one->now.wait();
  const json rest = by.ask();
  ASSERT_EQ(rest.at("runs").size(), 1U);
  EXPECT_EQ(run_of(rest, "/other"), rest.at("runs").at(0));
}

TEST_P(live_view, shows_the_last_run_where_none_is_under_way) {
  const weir::report report = run(numbers(1000).named("read") | weir::sink([](long) {}).named("end"));
  watcher by;
  const json said = by.ask();
  ASSERT_EQ(said.at("runs").size(), 1U);
  const json& last = said.at("runs").at(0).at("report");
  EXPECT_TRUE(last.at("ended"));
  EXPECT_EQ(last, json::parse(weir::to_json(report)));
}

TEST_P(live_view, of_runs_that_are_cancelled_or_fail) {
  {
    const auto dropped = start_endless("dropped");
    watcher by;
    by.ask();
  }
  weir::network net = numbers(1000).named("fails") | weir::sink([](long item) {
                                                       if (item == 500) throw std::runtime_error("too much");
                                                     }).named("end");
  EXPECT_THROW(run(net), weir::node_error);
  watcher by;
  EXPECT_TRUE(run_of(by.ask(), "/fails").at("report").at("ended"));
}

TEST_P(live_view, answers_each_of_several_requests) {
  const auto net = start_endless("read");
  watcher by;
  by.say("report\nreport\nrep");
  by.say("ort\n");
  for (int i = 0; i != 3; ++i) EXPECT_NO_THROW(run_of(json::parse(by.line()), "/read"));
}

TEST_P(live_view, refuses_what_is_no_request) {
  run_once();
  const std::string binary("\0\xff\n", 3);
  for (const std::string& garbage : {std::string("\n"), std::string("Report\n"), std::string("GET / HTTP/1.1\r\n"),
                                     std::string(1 << 16, 'x'), binary}) {
    watcher by;
    by.say(garbage);
    EXPECT_EQ(json::parse(by.line()), json::parse(R"({"error": "no such request; say report"})"));
    EXPECT_EQ(by.line(), "");
  }
  { watcher says_nothing; }
  {
    watcher ends_in_the_middle;
    ends_in_the_middle.say("rep");
  }
  EXPECT_NO_THROW(watcher().ask());
}

TEST_P(live_view, refuses_one_watcher_too_many) {
  run_once();
  constexpr std::size_t most = 16;
  std::list<watcher> many;
  // The process may not have noticed yet that earlier watchers are gone.
  while (many.size() != most) {
    const json said = many.emplace_back().ask();
    if (said.contains("error")) many.pop_back();
  }
  EXPECT_EQ(json::parse(watcher().line()), json::parse(R"({"error": "too many are watching"})"));
  many.pop_front();
  json said;
  do {
    said = watcher().ask();
  } while (said.contains("error"));
  EXPECT_TRUE(said.contains("runs"));
}

TEST_P(live_view, does_not_wait_for_one_who_does_not_read) {
  const auto net = start_endless("read");
  std::list<watcher> silent(3);
  for (watcher& each : silent) {
    for (int i = 0; i != 100'000 && each.say_if_there_is_room("report\nreport\nreport\nreport\n"); ++i) {
    }
  }
  watcher by;
  for (int i = 0; i != 20; ++i) by.ask();
  net->over = true;
  net->now.wait();
  EXPECT_TRUE(run_of(by.ask(), "/read").at("report").at("ended"));
}

TEST_P(live_view, while_runs_begin_and_end) {
  run_once();
  std::atomic<bool> over{false};
  std::latch asked(3);
  std::vector<std::jthread> watchers;
  for (int i = 0; i != 3; ++i) {
    watchers.emplace_back([&] {
      watcher by;
      by.ask();
      asked.count_down();
      while (!over) {
        const json said = by.ask();
        for (const json& run : said.at("runs")) EXPECT_GE(run.at("report").at("nodes").size(), 2U);
      }
    });
  }
  asked.wait();
  weir::network again =
      numbers(100).named("again") | weir::farm([](long item) { return item; }, 2) | weir::sink([](long) {});
  for (int i = 0; i != 100; ++i) {
    run(again);
    const auto cancelled = start_endless("cancelled");
  }
  over = true;
}

TEST_P(live_view, of_a_process_that_forks) {
  run_once();
  EXPECT_EXIT((is_child = 1, std::exit(0)), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(fs::exists(socket_path()));
  EXPECT_NO_THROW(watcher().ask());
}

TEST(live_view_folder, is_for_its_owner_only) {
  const weir_test::temporary_folder temporary;
  const fs::path& home = temporary.path();
  ::setenv("XDG_RUNTIME_DIR", home.c_str(), 1);
  const fs::path folder = weir::detail::live_view_folder();
  EXPECT_EQ(folder, home / "weir");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(weir::detail::live_view_folder(), folder);
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read);
  EXPECT_THROW(weir::detail::live_view_folder(), std::runtime_error);
  fs::remove(folder);
  std::ofstream(folder) << "a file";
  EXPECT_THROW(weir::detail::live_view_folder(), std::runtime_error);
  fs::remove(folder);
  fs::create_directory_symlink("/tmp", folder);
  EXPECT_THROW(weir::detail::live_view_folder(), std::runtime_error);
  ::unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
