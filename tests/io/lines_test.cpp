// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/lines.hpp"

#include "weir/io/chunks.hpp"
#include "weir/io/collect.hpp"
#include "weir/item/buffer.hpp"
#include "weir/serve/accelerator.hpp"

#include "folder.hpp"
#include "needs.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <string>

namespace {

using weir_test::joined;
using weir_test::many_lines;
using weir_test::strings;

class lines : public weir_test::in_folder {};
WEIR_UNDER_EACH_EXECUTOR(lines);
class chunks : public weir_test::in_folder {};
WEIR_UNDER_EACH_EXECUTOR(chunks);

std::string all(const std::vector<weir::buffer>& parts) {
  std::string text;
  for (const weir::buffer& part : parts) text += part.text();
  return text;
}

TEST_P(lines, leave_out_the_newline_only_and_may_lack_the_last_one) {
  const std::string path = write("text", "one\n\ntwo\r\nthree");
  EXPECT_EQ(all_of(weir::lines(path)), (strings{"one", "", "two\r", "three"}));
  EXPECT_EQ(all_of(weir::lines(write("ended", "one\n"))), strings{"one"});
  EXPECT_EQ(all_of(weir::lines(write("empty", ""))), strings{});
  EXPECT_EQ(all_of(weir::lines(write("short", "a"))), strings{"a"});
}

TEST_P(lines, of_several_files_in_a_row_and_anew_in_each_run) {
  const std::string first = write("first", "a\nb");
  const std::string second = write("second", "c\n");
  EXPECT_EQ(all_of(weir::lines({first.c_str(), second.c_str()})), (strings{"a", "b", "c"}));
  EXPECT_EQ(all_of(weir::lines(strings{second, first})), (strings{"c", "a", "b"}));
  EXPECT_EQ(all_of(weir::lines(std::filesystem::path(second))), strings{"c"});
  strings out;
  weir::network net = weir::lines({first, second}) | weir::collect(out);
  run(net);
  run(net);
  EXPECT_EQ(out, (strings{"a", "b", "c", "a", "b", "c"}));
}

TEST_P(lines, of_any_length) {
  const strings expected = many_lines();
  EXPECT_EQ(all_of(weir::lines(write("long", joined(expected)))), expected);
}

TEST_P(lines, that_were_compressed_by_the_commands) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  const strings expected = many_lines();
  write("text", joined(expected));
  shell("gzip -k text && mv text.gz disguised.txt && zstd -q text -o other.txt");
  EXPECT_EQ(all_of(weir::lines(at("disguised.txt"))), expected);
  EXPECT_EQ(all_of(weir::lines(at("other.txt"))), expected);
}

TEST_P(lines, of_members_and_frames_that_follow_each_other) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  write("a", "one\ntw");
  write("b", "o\nthree\n");
  shell("gzip -c a >gz; gzip -c b >>gz; zstd -qc a >zst; zstd -qc b >>zst; head -c 512 /dev/zero >>gz");
  EXPECT_EQ(all_of(weir::lines(at("gz"))), (strings{"one", "two", "three"}));
  EXPECT_EQ(all_of(weir::lines(at("zst"))), (strings{"one", "two", "three"}));
  shell("printf '' | gzip -c >nothing");
  EXPECT_EQ(all_of(weir::lines(at("nothing"))), strings{});
}

TEST_P(lines, that_can_not_be_read_name_their_file) {
  EXPECT_EQ(problem_with(weir::lines(at("none"))),
            "/lines1: can't read '" + at("none") + "': No such file or directory");
  EXPECT_EQ(problem_with(weir::lines(at(""))), "/lines1: can't read '" + at("") + "': Is a directory");
  const std::string second = at("n\n");
  EXPECT_NE(problem_with(weir::lines({write("first", "x"), second})).find("n\\012'"), std::string::npos);
}

TEST_P(lines, that_are_damaged_name_their_file_and_the_damage) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  const std::string text = joined(many_lines());
  write("text", text);
  shell("gzip -k text && zstd -q --check text");
  const std::string gz = read("text.gz");
  const std::string zst = read("text.zst");
  auto problem = [&](const std::string& bytes) { return problem_with(weir::lines(write("damaged", bytes))); };
  const std::string where = "/lines1: can't read '" + at("damaged") + "': ";
  for (const std::size_t length : {4UL, 11UL, gz.size() / 2, gz.size() - 1}) {
    EXPECT_EQ(problem(gz.substr(0, length)), where + "the gzip data is truncated") << length;
  }
  for (const std::size_t length : {5UL, zst.size() / 2, zst.size() - 1}) {
    EXPECT_EQ(problem(zst.substr(0, length)), where + "the zstd data is truncated") << length;
  }
  std::string changed = gz;
  changed[changed.size() - 6] = static_cast<char>(~changed[changed.size() - 6]);
  EXPECT_EQ(problem(changed), where + "the gzip data is corrupt (incorrect data check)");
  changed = zst;
  changed[changed.size() - 2] = static_cast<char>(~changed[changed.size() - 2]);
  EXPECT_EQ(problem(changed), where + "the zstd data is corrupt (Restored data doesn't match checksum)");
  EXPECT_EQ(problem(gz + "and more"), where + "something other than gzip follows the compressed data");
  EXPECT_EQ(problem(zst + "and more"), where + "the zstd data is corrupt (Unknown frame descriptor)");
}

TEST_P(lines, of_any_bytes_whatever_come_to_an_end) {
  WEIR_NEEDS(zlib)
  WEIR_NEEDS(zstd)
  write("text", joined(strings(50, "some text to compress")));
  shell("gzip -k text && zstd -q text");
  for (const char* name : {"text.gz", "text.zst"}) {
    const std::string bytes = read(name);
    for (std::size_t at = 0; at != bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(~changed[at]);
      static_cast<void>(problem_with(weir::lines(write("damaged", changed))));
      EXPECT_NE(problem_with(weir::lines(write("damaged", bytes + changed.substr(at)))), "none") << name << ' ' << at;
    }
  }
}

TEST_P(lines, after_an_error_run_again) {
  strings out;
  weir::network net = weir::lines(at("late")) | weir::collect(out);
  EXPECT_THROW(run(net), weir::node_error);
  write("late", "here\n");
  run(net);
  EXPECT_EQ(out, strings{"here"});
}

// A named pipe whose writing end is open.
class pipe_end {
 public:
  explicit pipe_end(const std::string& path) {
    if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
    number_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~pipe_end() {
    if (number_ >= 0) close();
  }
  void say(const std::string& text) const {
    ASSERT_EQ(::write(number_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int left() const {
    int bytes = 0;
    return ::ioctl(number_, FIONREAD, &bytes) == 0 ? bytes : -1;
  }
  void close() { ::close(std::exchange(number_, -1)); }

 private:
  int number_ = -1;
};

TEST_P(lines, of_a_pipe_arrive_while_it_is_open) {
  pipe_end pipe(at("pipe"));
  std::atomic<int> seen{0};
  strings out;
  weir::network net = weir::lines(at("pipe")) | weir::sink([&](std::string line) {
                        out.push_back(line);
                        ++seen;
                        seen.notify_one();
                      });
  weir::running handle = weir::start(net, GetParam().options);
  pipe.say("one\ntwo\nthr");
  seen.wait(0);
  seen.wait(1);
  pipe.say("ee\nhalf");
  seen.wait(2);
  pipe.close();
  handle.wait();
  EXPECT_EQ(out, (strings{"one", "two", "three", "half"}));
}

TEST_P(lines, of_standard_input_leave_its_flags_alone) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ASSERT_EQ(::write(ends[1], "one\ntwo", 7), 7);
  std::atomic<bool> seen{false};
  strings out;
  weir::network net = weir::lines("-") | weir::sink([&](std::string line) {
                        out.push_back(line);
                        seen = true;
                        seen.notify_one();
                      });
  weir::running handle = weir::start(net, GetParam().options);
  seen.wait(false);
  EXPECT_EQ(::fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
  ::close(ends[1]);
  handle.wait();
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(ends[0]);
  EXPECT_EQ(out, (strings{"one", "two"}));
}

TEST_P(lines, of_a_silent_pipe_end_when_drained_or_cancelled) {
  const pipe_end pipe(at("pipe"));
  bool finished = false;
  struct noting {
    bool* finished;
    void process(std::string) {}
    void finish() { *finished = true; }
  };
  weir::network net = weir::lines(at("pipe")) | weir::sink(noting{&finished});
  {
    weir::running handle = weir::start(net, GetParam().options);
    handle.drain();
    handle.wait();
  }
  EXPECT_TRUE(finished);
  std::atomic<bool> seen{false};
  weir::network other = weir::lines(at("pipe")) | weir::sink([&](std::string) {
                          seen = true;
                          seen.notify_one();
                        });
  weir::running handle = weir::start(other, GetParam().options);
  pipe.say("something\nmore");
  seen.wait(false);  // and now the run waits for the rest
  handle.cancel();
  handle.wait();
}

TEST_P(lines, of_a_silent_pipe_end_when_nobody_takes_them) {
  const pipe_end pipe(at("pipe"));
  pipe.say("one\n");
  run(weir::lines(at("pipe")) | weir::sink([](std::string) { throw weir::stopped(); }));
}

TEST_P(chunks, have_the_size_that_was_asked_for) {
  const std::string text = joined(many_lines());
  const auto parts = all_of(weir::chunks({write("text", text), write("more", "more")}, 1000));
  EXPECT_EQ(all(parts), text + "more");
  for (std::size_t n = 0; n + 2 < parts.size(); ++n) EXPECT_EQ(parts[n].size(), 1000U);
  EXPECT_EQ(parts.back().text(), "more");
  EXPECT_THROW(static_cast<void>(weir::chunks(at("text"), 0)), weir::graph_error);
}

TEST_P(chunks, of_lines_are_whole) {
  WEIR_NEEDS(zlib)
  const strings lines = many_lines();
  const std::string few = joined(strings(lines.begin(), lines.begin() + 1000)) + "no newline";
  const std::string many = joined(lines) + "no newline";
  for (const std::size_t bytes : {1UL, 100UL, 5000UL, 10'000'000UL}) {
    const std::string& text = bytes < 1000 ? few : many;
    write("text", text);
    shell("gzip -kf text");
    const auto parts = all_of(weir::line_chunks({at("text.gz"), at("text")}, bytes));
    EXPECT_EQ(all(parts), text + text);
    for (const weir::buffer& part : parts) {
      EXPECT_TRUE(part.text().ends_with('\n') || part.text().ends_with("no newline"));
    }
  }
}

TEST_P(chunks, of_lines_come_before_they_are_full) {
  pipe_end pipe(at("pipe"));
  std::atomic<int> seen{0};
  std::string out;
  weir::network net = weir::line_chunks(at("pipe")) | weir::sink([&](weir::buffer chunk) {
                        out += chunk.text();
                        out += '|';
                        ++seen;
                        seen.notify_one();
                      });
  weir::running handle = weir::start(net, GetParam().options);
  pipe.say("one\ntw");
  seen.wait(0);
  pipe.say("o\n");
  seen.wait(1);
  pipe.close();
  handle.wait();
  EXPECT_EQ(out, "one\n|two\n|");
}

TEST_P(chunks, under_way_are_few) {
  constexpr int chunk = 1000;
  constexpr int total = 60 * chunk;
  pipe_end pipe(at("pipe"));
  pipe.say(std::string(total, 'x'));
  int most = 0;
  weir::network net = weir::chunks(at("pipe"), chunk) | weir::sink([&, taken = 0](weir::buffer) mutable {
                        most = std::max(most, total - pipe.left() - chunk * taken++);
                        if (taken == total / chunk) pipe.close();
                      });
  run(net);
  // One chunk is in the hands of the sink, and one is being filled; 4096 bytes were read to
  // recognise a compressed file.
  EXPECT_LE(most, (16 + 2) * chunk + 4096);
}

TEST_P(chunks, go_on_when_one_of_their_consumers_has_ended) {
  write("text", std::string(1'000'000, 'x'));
  std::atomic<int> taken{0};
  auto worker = [&](weir::buffer, weir::context& at) {
    if (at.index() == 0) throw weir::stopped();
    ++taken;
  };
  run(weir::chunks(at("text"), 1000) | weir::farm(weir::sink(worker), 2));
  EXPECT_GT(taken, 900);
}

}  // namespace
