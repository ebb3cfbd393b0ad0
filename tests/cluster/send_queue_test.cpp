// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A queue of frames over a transport that takes as many as the test says.

#include "cluster/wire/send_queue.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace {

using namespace weir::cluster;

class recorder final : public transport {
 public:
  explicit recorder(std::size_t takes = 1000) : room(takes) {}
  void begin(std::weak_ptr<user> /*who*/) override {}
  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override {
    std::size_t done = 0;
    for (; done != frames.size() && room != 0; ++done, --room) written.push_back(frames[done]->header.sequence);
    return done;
  }
  void end() noexcept override {}

  std::size_t room;
  std::vector<std::uint64_t> written;
};

using numbers = std::vector<std::uint64_t>;

void send(send_queue& to, int frames) {
  for (int i = 0; i != frames; ++i) to.send(std::make_shared<outgoing_frame>());
}

TEST(send_queue, numbers_frames_and_waits_for_room) {
  const auto over = std::make_shared<recorder>(2);
  send_queue queue(over, false);
  send(queue, 5);
  EXPECT_EQ(over->written, (numbers{1, 2}));
  over->room = 1;
  queue.has_room();
  EXPECT_EQ(over->written, (numbers{1, 2, 3}));
  over->room = 1000;
  queue.has_room();
  send(queue, 1);
  EXPECT_EQ(over->written, (numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(queue.last_to_go(), 6U);
}

TEST(send_queue, repeats_over_another_transport_what_the_peer_lacks) {
  const auto first = std::make_shared<recorder>(4);
  send_queue queue(first, true);
  send(queue, 6);
  queue.confirm(2);
  EXPECT_EQ(queue.given_up(), 2U);
  EXPECT_EQ(queue.stop(), first);
  send(queue, 1);
  const auto second = std::make_shared<recorder>();
  ASSERT_TRUE(queue.resume(second, 3));
  queue.write();
  EXPECT_EQ(second->written, (numbers{4, 5, 6, 7}));
  EXPECT_EQ(first->written, (numbers{1, 2, 3, 4}));
}

TEST(send_queue, does_not_go_on_with_a_peer_that_lacks_what_it_had_confirmed) {
  send_queue queue(std::make_shared<recorder>(), true);
  send(queue, 3);
  queue.confirm(2);
  queue.stop();
  EXPECT_FALSE(queue.resume(std::make_shared<recorder>(), 1));
  EXPECT_FALSE(queue.resume(std::make_shared<recorder>(), 4)) << "it was never sent";
}

TEST(send_queue, discards_frames_once_it_has_ended) {
  const auto over = std::make_shared<recorder>(1);
  send_queue queue(over, true);
  send(queue, 3);
  queue.end();
  send(queue, 1);
  over->room = 1000;
  queue.has_room();
  EXPECT_EQ(over->written, numbers{1});
}

}  // namespace
