// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "clusters.hpp"
#include "core/record_finder.hpp"
#include "core/sort_file.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace extsort {
namespace {

using weir_test::cluster_in_process;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t many_records = 20'000, much_text = 300'000;
constexpr double largest_usual = 1.2;  // few data give few samples
#else
constexpr double largest_usual = 1.1;
constexpr std::uint64_t many_records = 100'000, much_text = 1'500'000;
#endif

/// The parameter is the number of groups that sort.
class groups : public testing::TestWithParam<std::size_t> {
 protected:
  struct setting {
    record_format format = binary_records();
    std::size_t memory = 6 * mebibyte;
    bool own_input = false;
    bool own_output = false;
    bool is_unique = false;
    bool direct = false;
    bool is_verified = false;
    int compression = 0;
  };

  std::string own(const std::string& name, std::size_t group) const {
    return where_.file(name + "G" + std::to_string(group + 1));
  }

  // @return the texts of the exceptions of the groups, in the order of the groups
  std::vector<std::string> sort(const setting& how) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i != GetParam(); ++i) names.push_back("G" + std::to_string(i + 1));
    cluster_in_process cluster(weir_test::groups_named(names));
    done_.assign(GetParam(), {});
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      const engine_options by{.workers = 2};
      const std::size_t number = static_cast<std::size_t>(member.name().back() - '1');
      sort_setup setup{
          .input = how.own_input ? own("in", number) : where_.file("in"),
          .output = how.own_output ? own("out", number) : where_.file("out"),
          .format = how.format,
          .memory = how.memory,
          .temporary = {where_.path()},
          .direct = how.direct,
          .is_unique = how.is_unique,
          .is_verified = how.is_verified,
          .groups = {.member = &member, .own_input = how.own_input, .own_output = how.own_output, .by = by},
          .compression = how.compression};
      sort_progress progress;
      done_[number] = sort_file(setup, *weir_engine(by), progress);
    });
    std::vector<std::string> said;
    for (const auto& [group, problem] : problems) said.push_back(weir_test::text_of(problem));
    return said;
  }
  void sort_well(const setting& how) {
    for (const std::string& problem : sort(how)) EXPECT_EQ(problem, "");
  }
  void expect_sorted(const std::string& text, const setting& how) {
    where_.write("in", text);
    sort_well(how);
    const std::string expected = std::visit([&](const auto& as) { return sorted_in_memory(text, as); }, how.format);
    EXPECT_TRUE(where_.read("out") == expected);
    EXPECT_EQ(where_.files(), 2u);
    EXPECT_TRUE(where_.read("in") == text);
    std::uint64_t sent = 0, bytes = 0;
    for (const sort_summary& each : done_) {
      sent += each.bytes_sent;
      bytes += each.bytes;
    }
    EXPECT_EQ(bytes, text.size());
    EXPECT_LE(sent, done_.front().exchanges * text.size());
  }
  // Returns the largest share of the output that a group has, as a multiple of the mean.
  double largest_share() const {
    std::uint64_t all = 0, most = 0;
    for (const sort_summary& each : done_) {
      all += each.bytes;
      most = std::max(most, each.bytes);
    }
    return static_cast<double>(most) * static_cast<double>(done_.size()) / static_cast<double>(all);
  }

  folder where_;
  std::vector<sort_summary> done_;
};
INSTANTIATE_TEST_SUITE_P(of, groups, testing::Values(1, 2, 3, 5),
                         [](const auto& about) { return std::to_string(about.param); });

TEST_P(groups, sort_all_distributions_stably) {
  for (const auto keys : {key_distribution::uniform, key_distribution::zipf, key_distribution::sorted,
                          key_distribution::reversed, key_distribution::equal, key_distribution::few}) {
    for (const std::uint32_t limit : {8u, 40u, 600u}) {
      SCOPED_TRACE(testing::Message() << "distribution " << static_cast<int>(keys) << ", payloads below " << limit);
      expect_sorted(
          generated({.records = limit == 600 ? many_records / 8 : many_records, .keys = keys, .payload_limit = limit}),
          {});
      EXPECT_LT(largest_share(), largest_usual);
    }
  }
}

TEST_P(groups, sort_past_the_page_cache) {
  expect_sorted(generated({.records = many_records, .payload_limit = 40}), {.direct = true});
  expect_sorted("", {.direct = true});
}

TEST_P(groups, sort_with_compressed_runs) {
  expect_sorted(generated({.records = many_records, .payload_limit = 40}), {.compression = 1});
}

TEST_P(groups, verify_what_they_have_written) {
  const std::string text = generated({.records = many_records, .payload_limit = 40});
  expect_sorted(text, {.direct = true, .is_verified = true});
  expect_sorted("", {.is_verified = true});
  for (std::size_t i = 0; i != GetParam(); ++i) where_.write("inG" + std::to_string(i + 1), text);
  sort_well({.own_input = true, .own_output = true, .is_verified = true});
}

TEST_P(groups, sort_records_of_one_size) {
  expect_sorted(generated({.records = many_records / 4, .fixed_size = 100}),
                {.format = fixed_records{.size = 100, .key_begin = 0, .key_size = 10}});
  expect_sorted(generated({.records = many_records / 4, .keys = key_distribution::few, .fixed_size = 33}),
                {.format = fixed_records{.size = 33, .key_begin = 3, .key_size = 17}});
}

TEST_P(groups, sort_lines) {
  for (const unsigned kinds : {3u, 4u, 20u}) {
    for (const std::size_t longest : {2u, 12u, 200u, 20'000u}) {
      SCOPED_TRACE(testing::Message() << kinds << " kinds of characters, lines up to " << longest);
      expect_sorted(random_text(much_text, kinds, longest), {.format = text_lines()});
    }
  }
}

TEST_P(groups, sort_little) {
  for (const std::string& text : {std::string(), binary_record(7, ""), binary_record(7, "") + binary_record(6, "x"),
                                  generated({.records = 40, .payload_limit = 3000})})
    expect_sorted(text, {});
  for (const std::string text : {"", "\n", "b\na\n", "c\n\n\na\n"}) expect_sorted(text, {.format = text_lines()});
  where_.write("in", "b\na");
  sort_well({.format = text_lines()});
  EXPECT_EQ(where_.read("out"), "a\nb\n");
}

// The first of several equal lines is kept.
TEST_P(groups, leave_out_lines_with_equal_keys) {
  for (const unsigned kinds : {3u, 20u}) {
    const std::string text = random_text(much_text, kinds, 5);
    const std::string sorted = sorted_in_memory(text, text_lines());
    std::string expected, last;
    for (std::size_t at = 0, end = 0; at != sorted.size(); at = end) {
      end = sorted.find('\n', at) + 1;
      const std::string present = sorted.substr(at, end - at);
      if (present != last) expected += present;
      last = present;
    }
    where_.write("in", text);
    for (const bool own_output : {false, true}) {
      sort_well({.format = text_lines(), .own_output = own_output, .is_unique = true});
      std::string all = own_output ? "" : where_.read("out");
      for (std::size_t i = 0; own_output && i != GetParam(); ++i) all += where_.read("outG" + std::to_string(i + 1));
      EXPECT_TRUE(all == expected) << kinds << " kinds, " << own_output;
    }
  }
}

// Both the input files and the parts of the output follow each other in the order of the groups.
TEST_P(groups, sort_files_of_their_own) {
  std::string text;
  for (std::size_t i = 0; i != GetParam(); ++i) {
    const std::string part = generated({.records = many_records / (i + 1),
                                        .seed = i,
                                        .keys = i % 2 == 0 ? key_distribution::few : key_distribution::zipf,
                                        .payload_limit = 30});
    where_.write("inG" + std::to_string(i + 1), part);
    text += part;
  }
  const std::string expected = sorted_in_memory(text, binary_records());
  sort_well({.own_input = true});
  EXPECT_TRUE(where_.read("out") == expected);
  sort_well({.own_input = true, .own_output = true});
  std::string all;
  for (std::size_t i = 0; i != GetParam(); ++i) all += where_.read("outG" + std::to_string(i + 1));
  EXPECT_TRUE(all == expected);
  EXPECT_LT(largest_share(), largest_usual);
}

// Records contain records, so bytes that look like the beginning of a share are not one. The group
// before that share detects this.
TEST_P(groups, find_out_that_a_share_begins_elsewhere) {
  const std::string inner = generated({.records = 60'000, .payload_limit = 20});
  std::string text = generated({.records = 5000, .seed = 5, .payload_limit = 20});
  for (int i = 0; i != 3; ++i) text += binary_record(static_cast<std::uint64_t>(900 + i), inner);
  text += generated({.records = 5000, .seed = 6, .payload_limit = 20});
  expect_sorted(text, {.memory = 32 * mebibyte});
  EXPECT_EQ(done_.front().exchanges > 1, GetParam() > 1);
}

TEST_P(groups, say_where_a_record_is_bad) {
  const std::string text = generated({.records = many_records, .payload_limit = 40});
  where_.write("out", "before");
  const auto expect_refused = [&](const std::string& damaged, const std::string& why) {
    where_.write("in", damaged);
    const std::vector<std::string> said = sort({});
    EXPECT_EQ(std::ranges::count_if(said, [&](const std::string& each) { return each.find(why) != std::string::npos; }),
              static_cast<std::ptrdiff_t>(GetParam()))
        << testing::PrintToString(said);
    EXPECT_EQ(where_.read("out"), "before");
    EXPECT_EQ(where_.files(), 2u);
  };
  expect_refused(text.substr(0, text.size() - 1), "is cut off");
  // A length in the middle of the file that exceeds the rest of the file.
  std::string damaged = text;
  std::uint64_t at = 0;
  while (at < text.size() * 2 / 3)
    at += binary_records().size_of(reinterpret_cast<const std::byte*>(text.data() + at), text.size() - at);
  damaged.replace(at + 8, 4, "\xf0\xff\xff\x7f");
  expect_refused(damaged, "the record at byte " + std::to_string(at) + " ");
}

}  // namespace
}  // namespace extsort
