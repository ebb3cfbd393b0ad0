// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "database_file.hpp"

#include "file_text.hpp"
#include "sequences.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace swsearch {
namespace {

struct file_of_a_database : testing::Test {
  weir_test::temporary_folder folder;
  std::string name = folder.path() / "all.swdb";
  std::vector<std::vector<residue>> all;

  file_of_a_database() {
    std::mt19937 random(3);
    for (int i = 0; i != 300; ++i) all.push_back(random_residues(random, random() % 100));
    write_database(name, database_of(all), alphabet::protein());
  }

  std::string contents() const { return weir_test::file_text(name); }
  void set_contents(const std::string& text) const {
    std::ofstream(name, std::ios::binary | std::ios::trunc)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  std::string complaint(const alphabet& letters = alphabet::protein()) const {
    try {
      map_database(name, letters);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
};

TEST_F(file_of_a_database, has_all_of_it) {
  const database found = map_database(name, alphabet::protein());
  EXPECT_EQ(found.size(), all.size());
  EXPECT_EQ(found.whole().sequences, all.size());
  std::vector<int> seen(all.size());
  std::uint64_t residues = 0;
  for (std::size_t batch = 0; batch != found.batches(); ++batch) {
    for (std::size_t lane = 0; lane != found.members(batch).size(); ++lane) {
      const std::uint32_t number = found.members(batch)[lane];
      ++seen[number];
      residues += all[number].size();
      EXPECT_EQ(found.residues_of(batch, lane), all[number]);
      EXPECT_EQ(found.name(number), std::to_string(number));
      EXPECT_EQ(found.number_in_whole(number), number);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(all.size(), 1));
  EXPECT_EQ(found.whole().residues, residues);
}

TEST_F(file_of_a_database, is_shared_out_by_batches) {
  std::vector<int> seen(all.size());
  for (std::size_t number = 0; number != 3; ++number) {
    const database found = map_database(name, alphabet::protein(), {number, 3});
    EXPECT_EQ(found.whole().sequences, all.size());
    for (std::size_t batch = 0; batch != found.batches(); ++batch) {
      for (std::size_t lane = 0; lane != found.members(batch).size(); ++lane) {
        ++seen[found.members(batch)[lane]];
        EXPECT_EQ(found.residues_of(batch, lane), all[found.members(batch)[lane]]);
      }
    }
  }
  EXPECT_EQ(seen, std::vector<int>(all.size(), 1));
}

TEST_F(file_of_a_database, may_have_more_shares_than_batches) {
  std::size_t sequences = 0;
  for (std::size_t number = 0; number != 50; ++number) {
    const database found = map_database(name, alphabet::protein(), {number, 50});
    for (std::size_t batch = 0; batch != found.batches(); ++batch) sequences += found.members(batch).size();
  }
  EXPECT_EQ(sequences, all.size());
}

TEST_F(file_of_a_database, is_refused_if_any_byte_is_damaged) {
  const std::string whole = contents();
  std::mt19937 random(4);
  for (int i = 0; i != 400; ++i) {
    const std::size_t at = i < 128 ? static_cast<std::size_t>(i) : random() % whole.size();
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    set_contents(damaged);
    ASSERT_TRUE(complaint().starts_with("'" + name + "': ")) << "byte " << at << ": " << complaint();
  }
  set_contents(whole);
  EXPECT_EQ(complaint(), "");
}

TEST_F(file_of_a_database, is_refused_if_it_is_cut_off_or_goes_on) {
  const std::string whole = contents();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{127}, std::size_t{128}, whole.size() / 2, whole.size() - 1}) {
    set_contents(whole.substr(0, size));
    EXPECT_NE(complaint().find("the index is cut off"), std::string::npos) << size << ": " << complaint();
  }
  set_contents(whole + "more");
  EXPECT_NE(complaint(), "");
}

TEST_F(file_of_a_database, is_refused_for_other_letters) {
  EXPECT_NE(complaint(alphabet::dna()).find("the index has other letters, ARNDCQEGHILKMFPSTWYVBJZX*UO"),
            std::string::npos);
  set_contents(">one\nACGTACGTACGT\n" + std::string(200, 'A'));
  EXPECT_EQ(complaint(), "'" + name + "': this is no index of swsearch");
}

TEST_F(file_of_a_database, has_long_sequences_in_pieces) {
  std::mt19937 random(6);
  all.insert(all.begin() + 7, random_residues(random, 100'001));
  all.push_back(random_residues(random, least_cut));
  all.push_back(random_residues(random, least_cut - 1));
  write_database(name, database_of(all), alphabet::protein());
  const database found = map_database(name, alphabet::protein());
  ASSERT_EQ(found.batches(), 7u);
  EXPECT_TRUE(found.is_cut(0) && found.is_cut(1));
  for (std::size_t batch = 0; batch != found.batches(); ++batch) {
    for (std::size_t lane = 0; lane != found.members(batch).size(); ++lane)
      EXPECT_EQ(found.residues_of(batch, lane), all[found.members(batch)[lane]]);
  }
  EXPECT_EQ(found.layout().residues.size() % lanes, 0u);
  EXPECT_EQ(found.columns(0), 1568u);  // 64 pieces of 1563, as a multiple of 8
  const std::vector<residue> some = found.residues_of(0, 5, 5 * 1568 - 3, 2000);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all[7].begin() + 5 * 1568 - 3));
  EXPECT_EQ(found.residues_of(0, 63, 100'000, 2000).size(), 1u);
  // Each piece continues into the pieces behind it.
  for (const std::size_t overlap : {1u, 8u, 1568u, 4000u, 200'000u}) {
    kernel_memory memory;
    const batch_view view = found.batch(0, overlap, memory);
    for (std::size_t lane = 0; lane != lanes; ++lane) {
      const std::size_t begin = lane * 1568;
      ASSERT_EQ(view.lengths[lane], std::min<std::size_t>(100'001 - begin, 1568 + overlap));
      for (std::size_t i = 0; i != view.lengths[lane]; ++i) {
        const residue* const column =
            i < view.columns ? view.residues + i * lanes : view.more_columns + (i - view.columns) * lanes;
        ASSERT_EQ(column[lane], all[7][begin + i]) << "lane " << lane << ", column " << i;
      }
    }
  }
}

TEST(batch_at, cuts_where_most_lanes_would_be_empty) {
  std::vector<std::uint32_t> lengths(200, least_cut), order(200);
  std::iota(order.begin(), order.end(), 0);
  const auto shape = [&] {
    const batch_shape made =
        batch_at({.lengths = lengths, .title_ends = {}, .titles = {}, .order = order, .residues = {}}, 0);
    return std::tuple(made.sequences, made.is_cut, made.columns);
  };
  EXPECT_EQ(shape(), std::tuple(64u, false, 65536u));
  std::fill(lengths.begin() + 32, lengths.end(), 0);
  EXPECT_EQ(shape(), std::tuple(64u, false, 65536u));
  lengths[31] = 65535;
  EXPECT_EQ(shape(), std::tuple(1u, true, 1024u));
  lengths[0] = 4'294'967'287;  // the largest length that is allowed
  EXPECT_EQ(shape(), std::tuple(1u, true, 67'108'864u));
  lengths[0] = 65535;
  EXPECT_EQ(shape(), std::tuple(64u, false, 65536u));
}

// Checksums detect accidental changes. An index with right checksums may still refer to places
// outside itself.
TEST_F(file_of_a_database, is_refused_if_it_makes_no_sense) {
  std::vector<std::uint32_t> lengths, order;
  std::vector<std::uint64_t> title_ends;
  std::vector<char> titles(300, 't');
  struct alignas(lanes) column {
    residue of[lanes];
  };
  std::vector<column> columns;
  database_size whole;
  const auto begin = [&] {
    lengths.assign(100, 20);
    order.resize(100);
    std::iota(order.begin(), order.end(), 0);
    title_ends.clear();
    for (std::size_t i = 0; i != 100; ++i) title_ends.push_back(3 * (i + 1));
    columns.assign(48, {});
    whole = {100, 2000};
  };
  const auto write = [&](const auto& change) {
    begin();
    // The database keeps views, and reads only lengths and their order before the change.
    database_layout layout{.lengths = lengths,
                           .title_ends = title_ends,
                           .titles = {titles.data(), titles.size()},
                           .order = order,
                           .residues = {columns.front().of, columns.size() * lanes}};
    const database made(layout, {}, {}, {}, whole);
    change();
    write_database(name, made, alphabet::protein());
    return complaint();
  };
  const std::string refused = "'" + name + "': this is no index that swsearch has made";
  EXPECT_EQ(write([] {}), "");
  EXPECT_EQ(write([&] { order[3] = 100; }), refused);
  EXPECT_EQ(write([&] { order[3] = 4; }), refused);
  EXPECT_EQ(write([&] { std::swap(order[3], order[4]); }), "");
  EXPECT_EQ(write([&] { lengths[99] = 21; }), refused);
  EXPECT_EQ(write([&] { lengths[0] = 4'294'967'295; }), refused);
  EXPECT_EQ(write([&] { std::ranges::fill(lengths, 28); }), refused);
  EXPECT_EQ(write([&] { title_ends[5] = 2; }), refused);
  EXPECT_EQ(write([&] { title_ends[99] = 301; }), refused);
  EXPECT_EQ(write([&] { columns[40].of[7] = 32; }), refused);
}

// The sequences of a share, and the size of the whole that it records.
TEST(database_builder, makes_shares_of_sequences) {
  database_builder builder(share{1, 3});
  builder.add({"one", "of three", residues("ARND")});
  builder.add({"four", "", residues("WWW")});
  const database made = builder.finish({6, 100});
  EXPECT_EQ(made.whole().residues, 100u);
  EXPECT_EQ(made.number_in_whole(0), 1u);
  EXPECT_EQ(made.number_in_whole(1), 4u);
  EXPECT_EQ(made.title(0), "one of three");
  EXPECT_EQ(made.name(0), "one");
  EXPECT_EQ(made.name(1), "four");
  ASSERT_EQ(made.batches(), 1u);
  EXPECT_EQ(made.residues_of(0, 0), residues("ARND"));
  EXPECT_EQ(made.residues_of(0, 1), residues("WWW"));
  EXPECT_EQ(builder.finish({0, 0}).batches(), 0u);
}

}  // namespace
}  // namespace swsearch
