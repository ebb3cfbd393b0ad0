// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/arena.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace extsort {
namespace {

TEST(arena, gives_no_more_than_there_is) {
  arena memory(4 * page);
  EXPECT_EQ(memory.take(3 * page - 1).size(), 3 * page);
  EXPECT_THROW(memory.take(page + 1), too_little_memory);
  EXPECT_THROW(memory.take(std::numeric_limits<std::size_t>::max()), too_little_memory);
  EXPECT_THROW(memory.take(2, page), too_little_memory);
  EXPECT_EQ(memory.left(), 0u);
  memory.reset();
  EXPECT_EQ(memory.take(4 * page).size(), 4 * page);
}

}  // namespace
}  // namespace extsort
