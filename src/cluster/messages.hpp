// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages between a group and the coordinator. Each has a struct, and one description of its
// fields, which messages.cpp uses to write and to read it. On the wire a message is a control frame
// that contains a JSON object. Its name is the value of "say"; the other keys are its fields. A
// field that is missing, or has a wrong type, is a protocol_error.

#include "weir/cluster/configuration.hpp"
#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/program_build.hpp"
#include "cluster/report_parts.hpp"
#include "cluster/standstill_watch.hpp"
#include "cluster/transport.hpp"
#include "cluster/welcome.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace weir::cluster {

template <class Self, class T>
concept maybe_const = std::same_as<std::remove_const_t<Self>, T>;

void describe(maybe_const<link_configuration> auto& self, auto& fields) {
  fields("one", self.one);
  fields("other", self.other);
  fields.up_to("transport", self.transport, link_transport::mpi);
}
void describe(maybe_const<waiting_node> auto& self, auto& fields) {
  fields("path", self.path);
  fields("who", self.who);
  fields("next", self.next);
  fields("text", self.text);
}

/// The group's trace of a run is complete.
struct trace_end {
  std::uint64_t dropped = 0;        ///< number of events for which there was no room
  std::int64_t ahead_ns = 0;        ///< how far its clock is ahead of the coordinator's
  std::int64_t uncertainty_ns = 0;  ///< largest error of `ahead_ns`

  static void describe(auto& self, auto& fields) {
    fields("dropped", self.dropped);
    fields("ahead_ns", self.ahead_ns);
    fields("uncertainty_ns", self.uncertainty_ns);
  }
};

/// A message about a loop that lies in several groups (see loop_wave).
struct about_loop {
  std::uint32_t run = 0;
  loop_id loop = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("loop", self.loop);
  }
};

/// A message about the end of a run.
struct about_run {
  std::uint32_t run = 0;

  static void describe(auto& self, auto& fields) { fields("run", self.run); }
};

/// A message about a group that has stood still after `rounds` rounds (see standstill_watch).
struct about_rounds {
  std::uint32_t run = 0;
  std::uint64_t rounds = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("rounds", self.rounds);
  }
};

/// A message without fields.
struct plain_message {
  static void describe(auto& /*self*/, auto& /*fields*/) {}
};

namespace to_coordinator {

/// The first message of a group: where its process is, and which build it runs.
struct here {
  static constexpr const char* name = "here";
  process_place place;
  program_build build;

  static void describe(auto& self, auto& fields) {
    process_place::describe(self.place, fields);
    fields("build", self.build);
  }
};

/// The configuration does not fit the network.
struct misfit {
  static constexpr const char* name = "misfit";
  std::vector<std::string> problems;

  static void describe(auto& self, auto& fields) { fields("problems", self.problems); }
};

/// The group's part of a run is made, and waits for the others.
struct ready {
  static constexpr const char* name = "ready";
  std::uint32_t run = 0;
  std::string fingerprint;  ///< identifies the network
  std::string home;         ///< the group whose report contains the others'
  std::string trace;        ///< file that the program requests; may be empty
  std::vector<loop_id> loops;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("fingerprint", self.fingerprint);
    fields("home", self.home);
    fields("trace", self.trace);
    fields("loops", self.loops);
  }
};

/// It seems that no item is on its way in the group's part of the loop.
struct quiet : about_loop {
  static constexpr const char* name = "quiet";
};
/// The answer to `to_group::note`.
struct noted : about_loop {
  static constexpr const char* name = "noted";
};
/// The answer to `to_group::compare`.
struct compared : about_loop {
  static constexpr const char* name = "compared";
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
struct answered : about_loop {
  static constexpr const char* name = "answered";
};

/// A node of the group has failed.
struct failed {
  static constexpr const char* name = "failed";
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
  static constexpr const char* name = "lost";
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

struct cancel : plain_message {
  static constexpr const char* name = "cancel";
};
struct drain : plain_message {
  static constexpr const char* name = "drain";
};

/// The group has stood still since its last look (see standstill_watch).
struct still : about_rounds {
  static constexpr const char* name = "still";
};
/// The answer to `to_group::standstill`.
struct standstill {
  static constexpr const char* name = "standstill";
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
  static constexpr const char* name = "time";
  std::int64_t asked = 0;  ///< the group's own time, ns

  static void describe(auto& self, auto& fields) { fields("asked", self.asked); }
};

/// A part of the group's trace of a run, in the form of `trace_pieces`.
struct trace {
  static constexpr const char* name = "trace";
  std::uint32_t run = 0;
  std::string events;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("events", self.events);
  }
};
/// All of the group's trace was sent.
struct traced {
  static constexpr const char* name = "traced";
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
  static constexpr const char* name = "sampled";
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

/// A part of the group's report on a run that has ended. The home group sends none.
struct report {
  static constexpr const char* name = "report";
  std::uint32_t run = 0;
  numbered_report part;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("part", self.part);
  }
};
/// The group's part of a run has ended, and all of its report was sent.
struct done : about_run {
  static constexpr const char* name = "done";
};

using any = std::variant<here, misfit, ready, quiet, noted, compared, answered, failed, lost, cancel, drain, still,
                         standstill, time, trace, traced, sampled, report, done>;

}  // namespace to_coordinator

namespace to_group {

/// All groups are there. The fields are those of `cluster::welcome`.
struct welcome : cluster::welcome {
  static constexpr const char* name = "welcome";
};

/// All are ready for the run.
struct go {
  static constexpr const char* name = "go";
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
  static constexpr const char* name = "time";
  std::int64_t asked = 0;  ///< as the group sent it
  std::int64_t now = 0;    ///< the coordinator's time, ns

  static void describe(auto& self, auto& fields) {
    fields("asked", self.asked);
    fields("now", self.now);
  }
};

struct note : about_loop {
  static constexpr const char* name = "note";
};
struct compare : about_loop {
  static constexpr const char* name = "compare";
};
struct ask : about_loop {
  static constexpr const char* name = "ask";
};
struct close : about_loop {
  static constexpr const char* name = "close";
};

/// There was a failure, and the cluster ends.
struct stop {
  static constexpr const char* name = "stop";
  std::string group;
  std::string path;
  std::string text;

  static void describe(auto& self, auto& fields) {
    fields("group", self.group);
    fields("path", self.path);
    fields("text", self.text);
  }
};

struct cancel : plain_message {
  static constexpr const char* name = "cancel";
};
struct drain : plain_message {
  static constexpr const char* name = "drain";
};

/// The process of the group must send itself that signal.
struct signal {
  static constexpr const char* name = "signal";
  std::uint32_t number = 0;

  static void describe(auto& self, auto& fields) { fields.up_to("number", self.number, largest_signal()); }
  static std::uint32_t largest_signal() noexcept;
};

/// A question whether the group stands still.
struct standstill {
  static constexpr const char* name = "standstill?";
  std::uint32_t run = 0;
  std::uint64_t question = 0;

  static void describe(auto& self, auto& fields) {
    fields("run", self.run);
    fields("question", self.question);
  }
};
/// The group's nodes that can end must do so, if nothing has run since it reported that it stands
/// still after `rounds` rounds.
struct end_some : about_rounds {
  static constexpr const char* name = "end_some";
};

/// A question for the group's report so far.
struct sample {
  static constexpr const char* name = "sample";
  std::uint64_t number = 0;  ///< number of the question

  static void describe(auto& self, auto& fields) { fields("number", self.number); }
};

/// To the home group: a part of the report of another group.
struct report {
  static constexpr const char* name = "report";
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
struct end : about_run {
  static constexpr const char* name = "end";
};

using any = std::variant<welcome, go, time, note, compare, ask, close, stop, cancel, drain, signal, standstill,
                         end_some, sample, report, end>;

}  // namespace to_group

/// Writes a message for the wire. Bytes of texts that are not UTF-8 are replaced.
std::string wire_text(const to_coordinator::any& message);
std::string wire_text(const to_group::any& message);

/// Reads a message. @throws protocol_error if the text is no message; names the wrong field
to_coordinator::any read_by_coordinator(std::span<const std::byte> text);
to_group::any read_by_group(std::span<const std::byte> text);

}  // namespace weir::cluster
