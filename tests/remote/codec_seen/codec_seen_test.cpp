// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program of two files that send the same item type, of which only one includes the header with
// its codec. CMakeLists.txt links the files in both orders, and into a third program
// (NONE_HAS_CODECS) the one without the header alone.

#include "readings.hpp"

#include <gtest/gtest.h>

namespace {

using namespace codec_seen;

#ifdef NONE_HAS_CODECS
TEST(codec_seen_nowhere, the_type_is_refused) {
  for (const std::string& said :
       {sent_by_the_file_without_codecs(), sent_by_the_file_without_codecs_in_shared_code()}) {
    EXPECT_NE(said.find("have no codec; include weir/item/cereal.hpp"), std::string::npos) << said;
  }
}
#else
constexpr const char* all = "of 1: 1; of 2: 4; of 3: 9; ";

TEST(codec_seen_in_one_file, the_type_crosses_wherever_it_is_sent) {
  EXPECT_EQ(sent_by_the_file_with_codecs(), all);
  EXPECT_EQ(sent_by_the_file_with_codecs_in_shared_code(), all);
  EXPECT_EQ(sent_by_the_file_without_codecs(), all);
  EXPECT_EQ(sent_by_the_file_without_codecs_in_shared_code(), all);
}
#endif

}  // namespace
