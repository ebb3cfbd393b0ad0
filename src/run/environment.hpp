// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"
#include "weir/graph/network.hpp"
#include "weir/passes/tuning.hpp"
#include "weir/run/report.hpp"
#include "weir/run/trace.hpp"

#include <cstddef>
#include <string>

namespace weir {

/// Whether somebody (the command `weir graph`) asked through the environment to see the graph
/// instead of running it:
///
///     WEIR_GRAPH=FILE       write the graph of the run as JSON to FILE, and end the process there with status 0
///     WEIR_GRAPH_RUN=N      of the N-th run, counted from 1 (the default); earlier ones run as usual
///
/// This is the one mode in which the library ends the process.
void answer_graph_request(const graph& g);

/// The trace of the run that begins: what its options say; where they say nothing, what the
/// environment asks for. Called once for each run.
///
///     WEIR_TRACE=FILE       write a trace of each run: of the first to FILE, of the N-th to FILE with N before its
///                           ending (run.json.gz, run.2.json.gz)
///     WEIR_TRACE_RUN=N      only of the N-th, to FILE itself
trace_options requested_trace(const trace_options& said);

/// What a network is to be tuned to: what the options of its run say; where they say nothing, what
/// the environment names. Called once for each run.
/// @param first whether it is the first run of the process to begin
///
///     WEIR_TUNING=FILE      tune as FILE says, which `weir tune` has written: every network that it was written for.
///                           That the first one to run is none of those is an error
///
/// @throws graph_error if the file can't be read, or was written for another network
tuning requested_tuning(const tuning& said, const network& net, bool first);

/// What the environment wants to know of the first run of the process to begin, when it has ended
/// without an error: for the command `weir tune`.
///
///     WEIR_PROFILE=FILE     write its graph, its report, and the tuning chosen from it as JSON to FILE
void answer_profile_request(const network& net, const graph& ran, const report& r, std::size_t cores) noexcept;

/// The socket at which this process shall listen to those who watch its runs (the command `weir
/// top`); empty: nobody shall.
///
///     WEIR_TOP=1            <process id>.sock in `live_view_folder()`
///     WEIR_TOP=FOLDER       <process id>.sock in FOLDER
///     WEIR_TOP=SOCKET       SOCKET. Where another process listens there, this one can't be watched
///
/// @throws graph_error if `live_view_folder()` can't be used
std::string requested_live_view();

}  // namespace weir
