// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/walk.hpp"

#include "weir/io/collect.hpp"

#include "folder.hpp"
#include "there_and_back.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace {

using weir_test::strings;

static_assert(weir::has_codec<std::filesystem::path>);
TEST(path, is_encoded_whatever_its_bytes_are) {
  const std::filesystem::path odd("a folder/\xff\n");
  EXPECT_EQ(weir_test::there_and_back(odd), odd);
}

class walking : public weir_test::in_folder {
 protected:
  // Returns the paths below the folder, in the order in which they came.
  strings walked(const std::string& root, weir::walk_options options = {}) {
    strings found;
    for (const auto& path : all_of(weir::walk(at(root), std::move(options)))) {
      found.push_back(path.lexically_relative(at("")));
    }
    return found;
  }
  static strings in_order(strings names) {
    std::sort(names.begin(), names.end());
    return names;
  }
};
WEIR_UNDER_EACH_EXECUTOR(walking);

TEST_P(walking, finds_regular_files_at_any_depth) {
  shell("mkdir -p a/b empty && touch z a/y a/b/x a/b/.hidden && mkfifo a/pipe && ln -s z link");
  EXPECT_EQ(in_order(walked("")), (strings{"a/b/.hidden", "a/b/x", "a/y", "z"}));
  EXPECT_EQ(walked("", {.sorted = true}), (strings{"a/b/.hidden", "a/b/x", "a/y", "z"}));
  EXPECT_EQ(walked("empty"), strings{});
  EXPECT_EQ(walked("z"), strings{"z"});
  EXPECT_EQ(walked("link"), strings{"link"});
}

TEST_P(walking, follows_links_where_asked_and_no_circle) {
  shell("mkdir -p a/b && touch a/b/x && ln -s ../.. a/b/up && ln -s a again && ln -s a/b/x file");
  EXPECT_EQ(walked("", {.sorted = true}), strings{"a/b/x"});
  EXPECT_EQ(walked("", {.follow_links = true, .sorted = true}), (strings{"a/b/x", "file"}));
}

TEST_P(walking, takes_several_roots_and_walks_again) {
  shell("mkdir a b && touch a/1 b/2");
  std::vector<std::filesystem::path> out;
  const std::vector<std::filesystem::path> roots{at("b"), at("a"), at("a/1")};
  weir::network net = weir::walk(roots) | weir::collect(out);
  run(net);
  EXPECT_EQ(out, (std::vector<std::filesystem::path>{at("b/2"), at("a/1"), at("a/1")}));
  shell("touch b/3");
  run(net);
  EXPECT_EQ(out.size(), 3U + 4U);
}

TEST_P(walking, tells_of_what_it_can_not_read) {
  EXPECT_EQ(problem_with(weir::walk(at("none"))), "/walk1: can't read '" + at("none") + "': No such file or directory");
  shell("mkdir a && touch a/1 && ln -s nowhere a/dangling");
  strings problems;
  auto note = [&](const std::filesystem::path& path, const std::error_code& problem) {
    problems.push_back(path.filename().native() + ": " + problem.message());
  };
  EXPECT_EQ(walked("a", {.follow_links = true, .on_error = note}), strings{"a/1"});
  EXPECT_EQ(problems, strings{"dangling: No such file or directory"});
}

TEST_P(walking, is_cancelled) {
  shell("touch 1 2 3");
  std::stop_source stop;
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  weir::network net = weir::walk(at("")) | weir::sink([&](std::filesystem::path) { stop.request_stop(); });
  weir::run(net, options);
}

}  // namespace
