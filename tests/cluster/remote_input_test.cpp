// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/remote_input.hpp"

#include "cluster/wire/frame.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace {

using weir::cluster::protocol_error;
using weir::cluster::remote_input;

// A peer that sends more than its credit can't fill the memory of this process.
TEST(remote_input, refuses_more_than_a_sender_may_have_under_way) {
  remote_input receiver(1, {0, 1}, nullptr);
  constexpr std::size_t frame = 60 * 1024;
  std::size_t sent = 0;
  for (; sent < weir::detail::outgoing_link::bytes_under_way_most; sent += frame)
    receiver.deliver_items(0, 1, weir::buffer(frame));
  EXPECT_THROW(receiver.deliver_items(0, 1, weir::buffer(frame)), protocol_error);
  receiver.deliver_items(1, 1, weir::buffer(frame));  // another channel
}

// A frame may exceed the limit if it holds a single large item.
TEST(remote_input, takes_a_large_item_behind_small_ones) {
  remote_input receiver(1, {0, 1}, nullptr);
  receiver.deliver_items(0, 1, weir::buffer(100));
  receiver.deliver_items(0, 1, weir::buffer(std::size_t{20} << 20));
  EXPECT_THROW(receiver.deliver_items(0, 1, weir::buffer(1)), protocol_error);
}

}  // namespace
