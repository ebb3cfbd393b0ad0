// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/from.hpp"
#include "weir/io/lines.hpp"
#include "weir/io/write_chunks.hpp"
#include "weir/io/write_lines.hpp"
#include "weir/item/buffer.hpp"

#include "folder.hpp"
#include "needs.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using weir::compression;
using weir_test::joined;
using weir_test::many_lines;
using weir_test::strings;

class writing : public weir_test::in_folder {};
WEIR_UNDER_EACH_EXECUTOR(writing);

TEST_P(writing, lines_to_a_file_anew_in_each_run) {
  const strings lines = many_lines();
  weir::network net = weir::from(lines) | weir::write_lines(at("out"));
  run(net);
  run(net);
  EXPECT_EQ(read("out"), joined(lines));
  EXPECT_EQ(names(), strings{"out"});
}

TEST_P(writing, chunks_as_they_are) {
  run(weir::from({std::string("one\n"), std::string("tw")}) |
      [](std::string text) { return weir::buffer(std::string_view(text)); } | weir::write_chunks(at("out")));
  EXPECT_EQ(read("out"), "one\ntw");
}

TEST_P(writing, nothing_makes_an_empty_file) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  run(weir::from(strings{}) | weir::write_lines(at("plain")));
  run(weir::from(strings{}) | weir::write_lines(at("gz"), {.compress = compression::gzip}));
  run(weir::from(strings{}) | weir::write_lines(at("zst"), {.compress = compression::zstd}));
  EXPECT_EQ(read("plain"), "");
  shell("test -z \"$(gzip -dc gz)\" && test -z \"$(zstd -dc zst)\"");
}

TEST_P(writing, compressed_is_read_by_the_commands_and_by_lines) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  const strings lines = many_lines();
  run(weir::from(lines) | weir::write_lines(at("gz"), {.compress = compression::gzip}));
  run(weir::from(lines) | weir::write_lines(at("zst"), {.compress = compression::zstd, .level = 1}));
  write("plain", joined(lines));
  shell("gzip -dc gz | cmp - plain && zstd -qdc zst | cmp - plain");
  EXPECT_EQ(all_of(weir::lines({at("gz"), at("zst")})).size(), 2 * lines.size());
  EXPECT_THROW(static_cast<void>(weir::write_lines(at("gz"), {.compress = compression::gzip, .level = 10})),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(weir::write_lines(at("zst"), {.compress = compression::zstd, .level = 99})),
               std::invalid_argument);
}

TEST_P(writing, fails_without_a_trace) {
  write("out", "before");
  auto failing = [](int n) -> std::string {
    if (n == 5000) throw std::runtime_error("enough");
    return "line";
  };
  const auto numbers = weir::from(std::views::iota(0));
  EXPECT_EQ(problem_of(numbers | weir::node(failing).named("fail") | weir::write_lines(at("out"))), "/fail: enough");
  EXPECT_EQ(read("out"), "before");
  EXPECT_EQ(names(), strings{"out"});
}

TEST_P(writing, that_is_cancelled_leaves_no_trace) {
  std::atomic<bool> seen{false};
  weir::network net = weir::from(std::views::iota(0)) | [&](int) {
    seen = true;
    seen.notify_one();
    return std::string("line");
  } | weir::write_lines(at("out"));
  weir::running handle = weir::start(net, GetParam().options);
  seen.wait(false);
  handle.cancel();
  handle.wait();
  EXPECT_EQ(names(), strings{});
}

TEST_P(writing, that_is_drained_is_complete) {
  std::atomic<bool> seen{false};
  weir::network net = weir::from(std::views::iota(0)) | [&](int n) {
    seen = true;
    seen.notify_one();
    return std::to_string(n);
  } | weir::write_lines(at("out"));
  weir::running handle = weir::start(net, GetParam().options);
  seen.wait(false);
  handle.drain();
  const weir::report report = handle.wait();
  const strings lines = all_of(weir::lines(at("out")));
  ASSERT_EQ(lines.size(), report.nodes[0].items);
  EXPECT_EQ(lines.back(), std::to_string(lines.size() - 1));
}

TEST_P(writing, keeps_permissions_and_links) {
  write("target", "before");
  shell("chmod 640 target && ln -s target link && ln -s nowhere/yet dangling && ln -s new other");
  run(weir::from(strings{"after"}) | weir::write_lines(at("link")));
  EXPECT_EQ(read("target"), "after\n");
  shell("test -L link && test \"$(stat -c %a target)\" = 640");
  run(weir::from(strings{"x"}) | weir::write_lines(at("other")));
  EXPECT_EQ(read("new"), "x\n");
  EXPECT_NE(problem_of(weir::from(strings{"x"}) | weir::write_lines(at("dangling"))), "none");
  shell("ln -s second first && ln -s last second && ln -s circle circle");
  run(weir::from(strings{"x"}) | weir::write_lines(at("first")));
  EXPECT_EQ(read("last"), "x\n");
  shell("test -L first && test -L second");
  EXPECT_EQ(problem_of(weir::from(strings{"x"}) | weir::write_lines(at("circle"))),
            "/write_lines2: can't write '" + at("circle") + "': Too many levels of symbolic links");
  shell("test -L circle");
}

TEST_P(writing, that_is_impossible_names_the_file) {
  auto problem = [&](const std::string& path) {
    return problem_of(weir::from(strings{"x"}) | weir::write_lines(path));
  };
  EXPECT_EQ(problem(at("no/file")), "/write_lines2: can't write '" + at("no/file") + "': No such file or directory");
  EXPECT_EQ(problem(at("")), "/write_lines2: can't write '" + at("") + "': Is a directory");
  EXPECT_EQ(problem("/dev/full"), "/write_lines2: can't write '/dev/full': No space left on device");
}

TEST_P(writing, to_standard_output) {
  const int before = ::dup(STDOUT_FILENO);
  const int file = ::open(at("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(file, STDOUT_FILENO);
  run(weir::from(strings{"one", "two"}) | weir::write_lines("-"));
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  ::close(file);
  EXPECT_EQ(read("out"), "one\ntwo\n");
}

TEST_P(writing, in_a_farm_is_refused) {
  EXPECT_THROW(run(weir::from(strings{"x"}) | weir::farm(weir::write_lines(at("out")), 2)), weir::graph_error);
}

// The reading end of a named pipe.
class reading_end {
 public:
  explicit reading_end(const std::string& path) {
    if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
    number_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~reading_end() { ::close(number_); }
  std::string take(std::size_t count) const {
    std::string text(count, '\0');
    for (std::size_t got = 0; got != count;) {
      const ssize_t some = ::read(number_, text.data() + got, count - got);
      if (some <= 0) throw std::runtime_error("no more");
      got += static_cast<std::size_t>(some);
    }
    return text;
  }

 private:
  int number_ = -1;
};

TEST_P(writing, to_a_pipe_happens_as_items_come) {
  const reading_end pipe(at("pipe"));
  std::atomic<bool> seen{false};
  weir::network net = weir::source([&, left = 2]() mutable -> std::optional<std::string> {
                        if (left-- == 0) return std::nullopt;
                        if (left == 0) seen.wait(false);
                        return "line";
                      }).on_own_thread() |
                      weir::write_lines(at("pipe"));
  weir::running handle = weir::start(net, GetParam().options);
  EXPECT_EQ(pipe.take(5), "line\n");
  seen = true;
  seen.notify_one();
  EXPECT_EQ(pipe.take(5), "line\n");
  handle.wait();
}

TEST_P(writing, to_a_pipe_that_is_read_slowly_loses_nothing) {
  const reading_end pipe(at("pipe"));
  const strings lines = many_lines();
  weir::network net = weir::from(lines) | weir::write_lines(at("pipe"));
  weir::running handle = weir::start(net, GetParam().options);
  EXPECT_EQ(pipe.take(joined(lines).size()), joined(lines));
  handle.wait();
}

TEST_P(writing, to_a_pipe_that_nobody_reads_is_cancelled) {
  const reading_end pipe(at("pipe"));
  weir::network net =
      weir::from(std::views::iota(0)) | [](int n) { return std::to_string(n); } | weir::write_lines(at("pipe"));
  weir::running handle = weir::start(net, GetParam().options);
  static_cast<void>(pipe.take(1));
  handle.cancel();
  handle.wait();
}

}  // namespace
