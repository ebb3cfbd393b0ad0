// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/protocol/message_parts.hpp"
#include "cluster/protocol/report_parts.hpp"
#include "cluster/protocol/welcome.hpp"

#include <cstdint>
#include <string>

// The messages of the coordinator. See messages.hpp.
namespace weir::cluster::to_group {

/// All groups are there. The fields are those of `cluster::welcome`.
struct welcome : cluster::welcome {};

/// All are ready for the run.
struct go {
  std::uint32_t run = 0;
  bool traced = false;
  std::int64_t now = 0;  ///< the coordinator's time, ns

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("traced", self.traced);
    fields("now", self.now);
  }
};

/// The answer to `to_coordinator::time`.
struct time {
  std::int64_t asked = 0;  ///< as the group sent it
  std::int64_t now = 0;    ///< the coordinator's time, ns

  static void describe(auto& self, auto& fields) {
    fields("asked", self.asked);
    fields("now", self.now);
  }
};

struct note : about_loop {};
struct compare : about_loop {};
struct ask : about_loop {};
struct close : about_loop {};

/// There was a failure, and the cluster ends.
struct stop {
  std::string group;
  std::string path;
  std::string text;

  static void describe(auto& self, auto& fields) {
    fields("group", self.group);
    fields("path", self.path);
    fields("text", self.text);
  }
};

struct cancel : plain_message {};
struct drain : plain_message {};

/// The process of the group must send itself that signal.
struct signal {
  std::uint32_t number = 0;

  static void describe(auto& self, auto& fields) { fields.up_to("number", self.number, largest_signal()); }
  static std::uint32_t largest_signal() noexcept;
};

/// A question whether the group stands still.
struct standstill {
  std::uint32_t run = 0;
  std::uint64_t question = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("question", self.question);
  }
};
/// The group's nodes that can end must do so, if nothing has run since it reported that it stands
/// still after `rounds` rounds.
struct end_some : about_rounds {};

/// A question for the group's report so far.
struct sample {
  std::uint64_t number = 0;  ///< number of the question

  static void describe(auto& self, auto& fields) { fields("number", self.number); }
};

/// To the result group: a part of the report of another group.
struct report {
  std::uint32_t run = 0;
  std::string group;
  numbered_report part;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("group", self.group);
    fields("part", self.part);
  }
};
/// All groups are done with the run.
struct end : about_run {};

}  // namespace weir::cluster::to_group
