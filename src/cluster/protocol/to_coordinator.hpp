// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include "cluster/protocol/message_parts.hpp"
#include "cluster/protocol/program_build.hpp"
#include "cluster/protocol/report_parts.hpp"
#include "cluster/protocol/standstill_answer.hpp"
#include "cluster/protocol/welcome.hpp"
#include "cluster/wire/transport.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The messages of a group. See messages.hpp.
namespace weir::cluster::to_coordinator {

/// The first message of a group: where its process is, and which build it runs.
struct here {
  process_place place;
  program_build build;

  static void describe(auto& self, auto& fields) {
    process_place::describe(self.place, fields);
    fields("build", self.build);
  }
};

/// The configuration does not fit the network.
struct misfit {
  std::vector<std::string> problems;

  static void describe(auto& self, auto& fields) { fields("problems", self.problems); }
};

/// The group's part of a run is made, and waits for the others.
struct ready {
  std::uint32_t run = 0;
  std::string fingerprint;   ///< identifies the network
  std::string result_group;  ///< the group whose report contains the others'
  std::string trace;         ///< file that the program requests; may be empty
  std::vector<loop_id> loops;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("fingerprint", self.fingerprint);
    fields("result_group", self.result_group);
    fields("trace", self.trace);
    fields("loops", self.loops);
  }
};

/// It seems that no item is on its way in the group's part of the loop.
struct quiet : about_loop {};
/// The answer to `to_group::note`.
struct noted : about_loop {};
/// The answer to `to_group::compare`.
struct compared : about_loop {
  bool quiet = false;      ///< since it noted
  bool quiet_now = false;  ///< at this moment
  std::uint64_t sent = 0;  ///< number of items

  static void describe(auto& self, auto& fields) {
    about_loop::describe(self, fields);
    fields("quiet", self.quiet);
    fields("quiet_now", self.quiet_now);
    fields("sent", self.sent);
  }
};
/// The answer to `to_group::ask`.
struct answered : about_loop {};

/// A node of the group has failed.
struct failed {
  std::string path;
  std::string text;
  bool undecodable = false;  ///< an item from another group did not decode

  static void describe(auto& self, auto& fields) {
    fields("path", self.path);
    fields("text", self.text);
    fields("undecodable", self.undecodable);
  }
};

/// The group's connection to another group is lost, or could not be made.
struct lost {
  std::string group;
  bool met = false;  ///< there was a connection
  std::string text;
  loss_cause cause = loss_cause::broken;

  static void describe(auto& self, auto& fields) {
    fields("text", self.text);
    fields("group", self.group);
    fields("met", self.met);
    fields.up_to("cause", self.cause, loss_cause::misunderstood);
  }
};

struct cancel : plain_message {};
struct drain : plain_message {};

/// The group has stood still since its last look (see standstill_watch).
struct still : about_rounds {};
/// The answer to `to_group::standstill`.
struct standstill {
  std::uint32_t run = 0;
  standstill_answer answer;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    standstill_answer::describe(self.answer, fields);
  }
  /// @throws protocol_error
  void check() const;
};

/// A question for the coordinator's time.
struct time {
  std::int64_t asked = 0;  ///< the group's own time, ns

  static void describe(auto& self, auto& fields) { fields("asked", self.asked); }
};

/// A part of the group's trace of a run, in the form of `trace_pieces`.
struct trace {
  std::uint32_t run = 0;
  std::string events;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("events", self.events);
  }
};
/// All of the group's trace was sent.
struct traced {
  std::uint32_t run = 0;
  trace_end about;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("about", self.about);
  }
};

/// A part of the group's report so far, for watchers: the answer to `to_group::sample`. A group
/// that is watched from the beginning, or was asked once, also sends it unasked when a run has
/// ended.
struct sampled {
  std::uint64_t number = 0;             ///< number of the question; 0: it is unasked
  std::int64_t cpu_ns = 0;              ///< CPU time of its process
  std::uint64_t run = 0;                ///< 0: there was none so far
  std::optional<numbered_report> part;  ///< none before the first run; channels are those of this group's producers
  bool more = false;                    ///< other parts follow

  static void describe(auto& self, auto& fields) {
    fields("number", self.number);
    fields("cpu_ns", self.cpu_ns);
    fields("run", self.run);
    fields("part", self.part);
    fields("more", self.more);
  }
  /// @throws protocol_error
  void check() const;
};

/// A part of the group's report on a run that has ended. The result group sends none.
struct report {
  std::uint32_t run = 0;
  numbered_report part;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("part", self.part);
  }
};
/// The group's part of a run has ended, and all of its report was sent.
struct done : about_run {};

}  // namespace weir::cluster::to_coordinator
