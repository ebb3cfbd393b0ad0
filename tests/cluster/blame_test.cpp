// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Which of the observations of a coordinator becomes the failure of the cluster.

#include "cluster/coordinator/blame.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir::cluster;
using namespace std::chrono_literals;
using weir::failure_kind;

class blaming : public testing::Test {
 public:
  void wait_a_moment() {
    for (const auto& act : std::exchange(later_, {})) act();
  }
  member& group(const std::string& name) { return groups.at(name); }
  static handshake_error refusal(const std::string& claimed, bool about_secret = false) {
    handshake_error made("no");
    made.claimed = claimed;
    made.caller = "1.2.3.4:5";
    made.about_secret = about_secret;
    return made;
  }
  // Expects that this is the failure, and was told once.
  void expect(const std::string& name, const std::string& text, failure_kind kind) {
    const auto found = blames.failure();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->group, name);
    EXPECT_EQ(found->text, text);
    EXPECT_EQ(found->kind, kind);
    EXPECT_EQ(told_, 1);
  }

 private:
  static weir::group_configuration named(const std::string& name) {
    weir::group_configuration made;
    made.name = name;
    return made;
  }

  const std::vector<weir::group_configuration> configured_{named("A"), named("B")};
  std::vector<std::function<void()>> later_;
  int told_ = 0;

 public:
  roster groups{configured_};
  blame blames{groups, [this](std::function<void()> act) { later_.push_back(std::move(act)); },
               [this](const weir::cluster_failure&) { ++told_; }};
};

TEST_F(blaming, keeps_the_first_failure) {
  blames.fail({"A", "/a", "one", failure_kind::node});
  blames.fail({"B", "/b", "other", failure_kind::node});
  expect("A", "one", failure_kind::node);
}

TEST_F(blaming, prefers_the_exit_status_to_the_loss_of_a_connection) {
  blames.connection_lost(group("A"), "it broke", loss_cause::broken);
  EXPECT_FALSE(blames.failure());
  blames.process_ended(group("A"), "was killed by signal 9");
  wait_a_moment();
  expect("A", "was killed by signal 9", failure_kind::process);
}

TEST_F(blaming, says_how_a_connection_was_lost_if_nothing_explains_it) {
  blames.connection_lost(group("A"), "it broke", loss_cause::broken);
  wait_a_moment();
  expect("A", "has gone: it broke", failure_kind::lost);
}

TEST_F(blaming, does_not_wait_if_the_bytes_were_damaged) {
  blames.connection_lost(group("A"), "nonsense", loss_cause::damaged);
  expect("A", "has gone: nonsense", failure_kind::data);
}

TEST_F(blaming, blames_the_group_that_others_can_not_reach) {
  blames.connection_lost_between(group("A"), {.group = "B", .met = false, .text = "no route"});
  wait_a_moment();
  expect("B", "can't be reached by A: no route", failure_kind::lost);
}

TEST_F(blaming, says_whether_others_have_gone_too) {
  group("B").over = true;
  blames.gone(group("A"), "has gone");
  expect("A", "has gone", failure_kind::lost);
  EXPECT_TRUE(blames.failure()->others_gone);
}

TEST_F(blaming, is_silent_if_all_have_ended_well_before_they_connected) {
  for (const char* name : {"A", "B"}) {
    EXPECT_FALSE(blames.nobody_came());
    blames.process_ended(group(name), "");
    blames.has_ended_unconnected(group(name));
  }
  EXPECT_TRUE(blames.nobody_came());
  EXPECT_FALSE(blames.failure());
}

TEST_F(blaming, blames_a_group_that_has_ended_well_when_another_one_comes) {
  blames.process_ended(group("A"), "");
  blames.has_ended_unconnected(group("A"));
  blames.came(group("B"));
  expect("A", "has ended before it ran a network", failure_kind::lost);
}

TEST_F(blaming, believes_a_refusal_only_if_the_group_does_not_come) {
  blames.refused(refusal("A", true));
  EXPECT_FALSE(blames.failure());
  blames.some_are_missing(2000ms);
  expect("A", "was refused: no", failure_kind::authentication);
}

TEST_F(blaming, names_all_groups_that_are_missing_and_the_last_caller) {
  blames.refused(refusal(""));
  blames.some_are_missing(2000ms);
  expect("A", "has not come up within 2 s; nor has B; a caller at 1.2.3.4:5 was refused: no", failure_kind::lost);
}

}  // namespace
