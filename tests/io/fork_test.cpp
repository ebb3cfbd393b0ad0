// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A forked child of a process that has waited for pipes and connections waits for its own.

#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"
#include "weir/io/lines.hpp"
#include "weir/io/tcp.hpp"

#include "support/child.hpp"
#include "support/networks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class forked_io : public each_executor {
 protected:
  void SetUp() override {
    if (!threads_start_in_a_child) GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
  }
};
WEIR_UNDER_EACH_EXECUTOR(forked_io);

class a_pipe {
 public:
  a_pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  a_pipe(const a_pipe&) = delete;
  a_pipe& operator=(const a_pipe&) = delete;
  ~a_pipe() {
    ::close(ends_[0]);
    end();
  }
  auto lines() const { return weir::lines("/proc/self/fd/" + std::to_string(ends_[0])); }
  void say_line() { EXPECT_EQ(::write(ends_[1], "a line\n", 7), 7); }  // enough to see that it is not compressed
  void end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

// Each line is written when the one before has been read, so that the source waits.
bool reads_a_pipe(const weir::run_options& options) {
  a_pipe pipe;
  int left = 20;
  pipe.say_line();
  weir::run(pipe.lines() | weir::sink([&](const std::string&) {
              if (--left == 0) {
                pipe.end();
              } else {
                pipe.say_line();
              }
            }),
            options);
  return left == 0;
}

bool sends_over_tcp(const weir::run_options& options) {
  std::atomic<int> port{0};
  std::vector<std::string> received;
  weir::listen_options listens;
  listens.peers = 1;
  listens.on_listening = [&](std::uint16_t at) {
    port = at;
    port.notify_all();
  };
  weir::network receiver = weir::listen_for_lines(listens) |
                           weir::node([](weir::peer_line line) { return std::move(line.line); }) |
                           weir::collect(received);
  weir::running under_way = weir::start(receiver, options);
  port.wait(0);
  const std::vector<std::string> sent{"one", "two", "three"};
  weir::run(weir::from(sent) | weir::send_lines("127.0.0.1", static_cast<std::uint16_t>(port)), options);
  under_way.wait();
  return received == sent;
}

TEST_P(forked_io, works_anew) {
  const auto works = [&] { return reads_a_pipe(GetParam().options) && sends_over_tcp(GetParam().options); };
  EXPECT_TRUE(works());
  EXPECT_EQ(in_a_child(works), 0);
  EXPECT_TRUE(works());
}

// A source of the parent goes on waiting, although the child destroys its copies of everything.
TEST_P(forked_io, leaves_what_the_parent_waits_for) {
  a_pipe pipe;
  std::atomic<int> lines{0};
  std::optional<weir::network> net(pipe.lines() | weir::sink([&](const std::string&) {
                                     ++lines;
                                     lines.notify_all();
                                   }));
  std::optional<weir::running> under_way(weir::start(*net, GetParam().options));
  pipe.say_line();
  lines.wait(0);
  EXPECT_EQ(in_a_child([&] {
              under_way.reset();
              net.reset();
              return reads_a_pipe(GetParam().options);
            }),
            0);
  pipe.say_line();
  pipe.end();
  under_way->wait();
  EXPECT_EQ(lines, 2);
}

}  // namespace
