// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"

#include "run/waiting_node.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::cluster {

/// The traffic between two groups in a run, over all channels between them, as one of the groups
/// knows it.
struct crossed {
  struct one_way {
    std::uint64_t items = 0;
    std::uint64_t completed = 0;
    std::uint64_t closed = 0;     ///< number of channels
    std::uint64_t abandoned = 0;  ///< number of channels
    bool operator==(const one_way&) const = default;
    one_way& operator+=(const one_way& other) noexcept;

    static void describe(auto& self, auto& fields) {
      fields("items", self.items);
      fields("completed", self.completed);
      fields("closed", self.closed);
      fields("abandoned", self.abandoned);
    }
  };
  one_way out;
  one_way in;

  /// Lists the fields for messages.hpp.
  static void describe(auto& self, auto& fields) {
    fields("out", self.out);
    fields("in", self.in);
  }
};

/// The answer of a group to the question whether it stands still.
struct standstill_answer {
  std::uint64_t question = 0;
  std::uint64_t rounds = 0;  ///< as in `standstill`; `standstill_watch::is_done`: its part has ended
  bool some_can_end = false;
  std::map<std::string, crossed> traffic;  ///< by the other group, at the time when the question came
  std::vector<waiting_node> nodes;         ///< as in `standstill`, and no more

  /// Lists the fields for messages.hpp.
  static void describe(auto& self, auto& fields) {
    fields("question", self.question);
    fields("rounds", self.rounds);
    fields("some_can_end", self.some_can_end);
    fields("traffic", self.traffic);
    fields("nodes", self.nodes);
  }
};

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

  static constexpr std::uint64_t is_done = ~std::uint64_t{0};

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
    waiting_cycle cycle;
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
