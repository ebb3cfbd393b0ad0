// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "database_file.hpp"

#include "sequences.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace swsearch {
namespace {

struct file_of_a_database : testing::Test {
  std::string name = testing::TempDir() + "/" + std::to_string(::getpid()) + ".swdb";
  std::vector<std::vector<residue>> all;

  file_of_a_database() {
    std::mt19937 random(3);
    for (int i = 0; i != 300; ++i) all.push_back(random_residues(random, random() % 100));
    write_database(name, database_of(all), alphabet::protein());
  }
  ~file_of_a_database() override { std::filesystem::remove(name); }

  std::string contents() const {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
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

// Which sequences a share has, and what it knows of the whole.
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
