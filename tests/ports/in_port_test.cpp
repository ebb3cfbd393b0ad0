// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The choice among its many channels that an in-port makes when it looks for items.

#include "weir/detail/ports/in_port.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

namespace {

using weir::detail::in_channel;
using weir::detail::in_port;
using look = weir::detail::in_port::look;

// A producer that needs no notification.
struct nobody final : weir::detail::host {
  nobody() : host(at, weir::detail::sleepers::nobody(), weir::detail::sleepers::nobody(), never) {}
  void wait_in_place() override {}
  bool let_those_behind_run() override { return false; }
  std::stop_token stop_token() const noexcept override { return {}; }
  std::stop_token drain_token() const noexcept override { return {}; }
  void make_ready(weir::detail::cause) noexcept override {}

  weir::detail::readiness at;
  weir::detail::run_requests never;
};

struct many {
  explicit many(std::size_t width) : port({&weir::item_type_of<int>(), std::vector<weir::channel_id>(width), 0}) {
    for (std::size_t i = 0; i != width; ++i) {
      channels.push_back(
          std::make_unique<weir::detail::channel>(weir::detail::slot_layout{sizeof(int), alignof(int), nullptr}, 8));
      port.attach(*channels.back(), producer);
    }
  }

  void write(std::size_t channel) {
    ASSERT_EQ(channels[channel]->grant(1), 1U);
    channels[channel]->write().done();
  }
  void publish(std::size_t channel) {
    write(channel);
    channels[channel]->publish();
  }

  // Makes one look at the port, which finds `what` in every channel. @return the channels looked at
  std::vector<std::size_t> looked_at(look what = look::empty) {
    std::vector<std::size_t> seen;
    port.each_arrived([&](in_channel& from) {
      seen.push_back(from.index());
      return what;
    });
    return seen;
  }

  nobody producer;
  std::vector<std::unique_ptr<weir::detail::channel>> channels;
  in_port port;
};

using numbers = std::vector<std::size_t>;
constexpr std::size_t width = 2 * in_port::wide + 3;

TEST(in_port, looks_where_something_came_in_turn) {
  many all(width);
  for (const std::size_t each : {130, 5, 64}) all.publish(each);
  EXPECT_EQ(all.looked_at(), numbers({5, 64, 130}));
  all.publish(64);
  all.publish(70);
  EXPECT_EQ(all.looked_at(), numbers({64, 70}));
  all.publish(3);
  all.publish(69);
  all.publish(71);
  EXPECT_EQ(all.looked_at(), numbers({71, 3, 69})) << "behind where it was last";
  all.channels[100]->close();
  EXPECT_EQ(all.looked_at(), numbers({100}));
}

TEST(in_port, looks_everywhere_if_nothing_is_marked) {
  many all(width);
  EXPECT_EQ(all.looked_at().size(), width);
  many few(in_port::wide - 1);
  few.publish(3);
  EXPECT_EQ(few.looked_at().size(), in_port::wide - 1) << "where there are few, always";
}

TEST(in_port, finds_what_is_not_published_although_other_channels_are_busy) {
  many all(width);
  all.write(9);
  unsigned looks = 0;
  for (bool found = false; !found; ++looks) {
    ASSERT_LT(looks, in_port::look_everywhere);
    all.publish(70);
    for (const std::size_t each : all.looked_at()) {
      found = found || each == 9;
      const std::size_t some = all.channels[each]->claim_written();
      if (some != 0) all.channels[each]->read(some).done(some);
    }
  }
  EXPECT_GT(looks, 1U);
}

TEST(in_port, comes_back_to_what_is_left) {
  many all(width);
  all.publish(5);
  all.publish(80);
  EXPECT_EQ(all.looked_at(look::rest), numbers({5, 80}));
  EXPECT_EQ(all.looked_at(look::broken_off), numbers({5}));
  EXPECT_EQ(all.looked_at(look::broken_off), numbers({80}));
  EXPECT_EQ(all.looked_at(), numbers({5, 80}));
  all.port.look_at(17);
  EXPECT_EQ(all.looked_at(), numbers({17}));
}

TEST(in_port, never_looks_at_a_channel_that_has_ended) {
  many all(width);
  all.publish(80);
  EXPECT_EQ(all.looked_at(look::ended), numbers({80}));
  all.port.look_at(80);
  all.publish(5);
  EXPECT_EQ(all.looked_at(), numbers({5}));
  EXPECT_EQ(all.looked_at(look::ended).size(), width - 1);
  EXPECT_TRUE(all.port.ended());
  EXPECT_EQ(all.looked_at(), numbers());
}

}  // namespace
