// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "listening.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

std::string place(const std::string& text) {
  const auto found = wordcount::listening_place_from(text);
  return found ? found->host + " " + std::to_string(found->port) : "none";
}

TEST(listening_place, is_a_port_and_perhaps_a_host) {
  EXPECT_EQ(place("4711"), " 4711");
  EXPECT_EQ(place("0"), " 0");
  EXPECT_EQ(place(":4711"), " 4711");
  EXPECT_EQ(place("localhost:4711"), "localhost 4711");
  EXPECT_EQ(place("10.0.0.1:65535"), "10.0.0.1 65535");
  EXPECT_EQ(place("[::1]:4711"), "::1 4711");
  for (const char* wrong : {"", "host", "host:", "65536", "-1", "4711 ", "47x", "::1:4711", "a:b:1", "[::1]"}) {
    EXPECT_EQ(place(wrong), "none") << wrong;
  }
}

}  // namespace
