// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The bytes that arrive on a connection become frames, or are refused.

#include "cluster/wire/frame.hpp"

#include "weir/item/buffer.hpp"

#include "cluster/wire/checksum.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace weir::cluster;

std::vector<std::byte> frame(std::uint64_t sequence, const std::string& text, frame_type type = frame_type::items) {
  const auto payload = std::as_bytes(std::span(text.data(), text.size()));
  const frame_bytes header =
      encode({type, 3, 4, 5, sequence, static_cast<std::uint32_t>(text.size()), checksum_of(payload), true});
  std::vector<std::byte> all(header.begin(), header.end());
  all.insert(all.end(), payload.begin(), payload.end());
  return all;
}

// Feeds a reader with pieces of at most `most` bytes. Returns the payloads; keeps their buffers
// alive until the end.
std::vector<std::string> read(const std::vector<std::byte>& bytes, std::size_t most, std::size_t largest = 1 << 20) {
  frame_reader reader(largest);
  std::vector<weir::buffer> kept;
  for (std::size_t at = 0; at != bytes.size();) {
    const auto room = reader.room();
    EXPECT_FALSE(room.empty());
    const std::size_t count = std::min({room.size(), most, bytes.size() - at});
    std::memcpy(room.data(), bytes.data() + at, count);
    reader.put(count);
    at += count;
    while (const auto found = reader.next()) {
      EXPECT_EQ(found->header.run, 3U);
      EXPECT_EQ(found->header.channel, 4U);
      EXPECT_EQ(found->header.count, 5U);
      kept.push_back(reader.keep_payload());
    }
  }
  std::vector<std::string> texts;
  for (const weir::buffer& each : kept) texts.emplace_back(each.text());
  return texts;
}

TEST(frame_reader, finds_frames_however_they_are_cut) {
  std::mt19937 random(5);
  std::vector<std::byte> all;
  std::vector<std::string> texts;
  for (std::uint64_t i = 1; i != 60; ++i) {
    const std::size_t size = i == 30 ? 700'000 : random() % 9000;
    texts.emplace_back(size, static_cast<char>('a' + i % 26));
    const auto one = frame(i, texts.back());
    all.insert(all.end(), one.begin(), one.end());
  }
  for (const std::size_t most : {1UL, 47UL, 48UL, 49UL, 4096UL, 100'000'000UL})
    EXPECT_EQ(read(all, most), texts) << most;
}

TEST(frame_reader, refuses_a_length_beyond_the_limit_before_it_allocates) {
  EXPECT_THROW(read(frame(1, std::string(5000, 'x')), 100, 4999), protocol_error);
  EXPECT_EQ(read(frame(1, std::string(5000, 'x')), 100, 5000).size(), 1U);
}

// A payload is received directly into its final buffer, except for the bytes that came in one piece
// with the header.
TEST(frame_reader, reads_large_frames_to_where_they_stay) {
  frame_reader reader(1 << 20);
  const std::string text(700'000, 'x');
  std::vector<std::byte> all;
  for (std::uint64_t i = 1; i != 4; ++i) {
    const auto one = frame(i, text);
    all.insert(all.end(), one.begin(), one.end());
  }
  std::size_t moved = 0;  // number of bytes that were moved to another place
  std::vector<std::pair<const std::byte*, std::size_t>> put;
  for (std::size_t at = 0; at != all.size();) {
    const auto room = reader.room();
    const std::size_t count = std::min({room.size(), std::size_t{50'000}, all.size() - at});
    std::memcpy(room.data(), all.data() + at, count);
    put.emplace_back(room.data(), count);
    reader.put(count);
    at += count;
    while (const auto found = reader.next()) {
      const std::byte* const first = found->payload.data();
      for (const auto& [where, bytes] : put) moved += first <= where && where < first + text.size() ? 0 : bytes;
      put.clear();
    }
  }
  EXPECT_LE(moved, 50'000 + 2 * sizeof(frame_bytes));
}

// A change of any single bit is detected.
TEST(frame_reader, notices_every_changed_bit) {
  const std::vector<std::byte> good = frame(1, "a payload of some length, to be changed bit by bit");
  for (std::size_t bit = 0; bit != good.size() * 8; ++bit) {
    std::vector<std::byte> bad = good;
    bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_THROW(read(bad, 1000), protocol_error) << bit;
  }
}

TEST(frame_reader, never_crashes_on_noise) {
  std::mt19937 random(9);
  for (int round = 0; round != 2000; ++round) {
    std::vector<std::byte> bytes = frame(1, "something");
    for (int i = 0; i != 4; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    bytes.resize(random() % (bytes.size() + 1));
    try {
      read(bytes, 1 + random() % 100);
    } catch (const protocol_error&) {
    }
  }
}

}  // namespace
