// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"
#include "weir/graph/graph.hpp"
#include "weir/run/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <vector>

// Reports as messages. Two farms may have hundreds of thousands of channels between them. So a
// report is sent in parts, each of which takes milliseconds to write and to read. Between two
// parts, a connection transfers other frames:
//
//   {"wall_ns", "cpu_ns", "workers", "ended"    of the whole report
//    "nodes": [node, …]                         as to_json(report) writes them; "channels" is empty
//    "paths": [text, …],
//    "links": {"number": [number, …],
//              "from", "to", "items", "capacity", "waiting", "room", "fill", "input": value or [value, …]}}
//
// The links are the channels; "from" and "to" are positions in "paths". A single value stands for
// the values of all channels. Each node has a "number", too. Numbers are those of nodes and
// channels in the whole graph.
namespace weir::cluster {

/// A report, and the numbers of its nodes and channels in the whole graph.
struct numbered_report {
  report of;
  std::vector<std::uint64_t> nodes;
  std::vector<std::uint64_t> channels;
};

/// Converts the report of one group on its part of a run to the numbers of nodes and channels of
/// the whole network. It has the channels of the group's producers.
numbered_report part_of_whole(const graph& whole, detail::group_report own);

/// Splits a report into parts, at least one, each of which takes milliseconds to write and to read.
std::vector<numbered_report> parts_of(const numbered_report& whole);

/// Appends a part, in the order of `parts_of`.
void add_part(numbered_report& to, numbered_report part);

/// @param part at most as large as one of `parts_of`
nlohmann::json json_of(const numbered_report& part);
/// @throws protocol_error
numbered_report part_from_json(const nlohmann::json& written);

}  // namespace weir::cluster
