// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/protocol/standstill_answer.hpp"
#include "run/waiting_node.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::cluster {

/// Detects that no node in any group can run any more, although not all have ended. Decides what
/// the coordinator asks of all groups next.
///
/// **Rule.** Each group has reported that it stands still, or has ended. Then all are asked. Each
/// notes its traffic, looks once more, and answers. If no node has run between the two looks of any
/// group, and each group has received everything that another has sent, in both directions, no node
/// will run again.
///
/// **Argument.** Suppose that some node runs later, and take the first one, in group G. All groups
/// have stood still since their first looks. G stood still at its second look, so the node was
/// woken afterwards, by a frame that came in after that look. The frame's sender has not run since
/// its own first look, so the frame was sent before that: it is in the sender's note. It is not in
/// the note of G, which was made before the second look. But the notes are the same, a
/// contradiction. The coordinator may wake nodes as well; it counts its own orders (see
/// `coordinator`).
class standstill_watch {
 public:
  enum class order { none, ask, ask_later, end_some, fail };

  standstill_watch() = default;
  explicit standstill_watch(std::set<std::string> groups) : groups_(std::move(groups)) {}

  /// Called when a group has reported that it stands still, after `rounds` rounds; or that its part
  /// has ended.
  order still(const std::string& group, std::uint64_t rounds);
  order answered(const std::string& group, standstill_answer answer);

  /// Called after `ask_later`.
  order again() const;

  /// Returns the number of the next question, which must then be asked. Answers to earlier
  /// questions do not count any more.
  std::uint64_t ask();
  /// Called after `end_some`, if the order is carried out: returns the groups whose nodes that can
  /// end must do so, and the rounds after which they reported this.
  std::map<std::string, std::uint64_t> end_some();
  struct found {
    std::string group;  ///< group of a node in the cycle
    detail::waiting_cycle cycle;
  };
  /// Called after `fail`. None: the groups have named no node.
  std::optional<found> cycle() const;

 private:
  order judge();
  bool nothing_is_on_its_way() const;

  std::set<std::string> groups_;
  std::map<std::string, std::uint64_t> rounds_;        // those of the groups that stand still
  std::map<std::string, std::uint64_t> asked_rounds_;  // copy of `rounds_` when the question was asked
  std::map<std::string, standstill_answer> answers_;
  std::uint64_t question_ = 0;
  bool asking_ = false;
};

}  // namespace weir::cluster
