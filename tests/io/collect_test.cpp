// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/collect.hpp"

#include "weir/io/from.hpp"

#include "support/networks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

class collecting : public weir_test::each_executor {};
WEIR_UNDER_EACH_EXECUTOR(collecting);

TEST_P(collecting, appends_in_the_order_of_the_stream_and_again_in_the_next_run) {
  std::vector<int> out{-1};
  weir::network net = weir::from({1, 2, 3}) | weir::collect(out);
  run(net);
  run(net);
  EXPECT_EQ(out, (std::vector{-1, 1, 2, 3, 1, 2, 3}));
}

TEST_P(collecting, takes_what_can_only_be_moved) {
  std::vector<std::unique_ptr<int>> out;
  run(weir::from({1, 2}) | [](int n) { return std::make_unique<int>(n); } | weir::collect(out));
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(*out[1], 2);
}

TEST_P(collecting, inserts_into_sets_and_maps) {
  std::set<int> set;
  run(weir::from({2, 1, 2}) | weir::collect(set));
  EXPECT_EQ(set, (std::set{1, 2}));
  std::map<std::string, int> map;
  run(weir::from({1, 2}) | [](int n) { return std::pair(std::to_string(n), n); } | weir::collect(map));
  EXPECT_EQ(map, (std::map<std::string, int>{{"1", 1}, {"2", 2}}));
}

TEST_P(collecting, writes_to_output_iterators) {
  std::array<int, 3> array{};
  weir::network net = weir::from({1, 2, 3}) | weir::collect(array.begin());
  run(net);
  run(net);  // starts again at the beginning
  EXPECT_EQ(array, (std::array{1, 2, 3}));
  std::vector<int> vector;
  run(weir::from({1, 2}) | weir::collect(std::back_inserter(vector)));
  EXPECT_EQ(vector, (std::vector{1, 2}));
  std::ostringstream text;
  run(weir::from({1, 2}) | weir::collect(std::ostream_iterator<int>(text, " ")));
  run(weir::from({1, 2}) | [](int n) { return static_cast<char>('a' + n); } |
      weir::collect<char>(std::ostreambuf_iterator<char>(text)));
  EXPECT_EQ(text.str(), "1 2 bc");
}

TEST_P(collecting, refuses_to_stand_side_by_side) {
  std::vector<int> out;
  EXPECT_THROW(run(weir::from({1, 2}) | weir::farm(weir::collect(out), 2)), weir::node_error);
}

}  // namespace
