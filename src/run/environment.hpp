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

namespace weir::detail {

/// Writes the graph instead of running it, if the environment requests this (as the command `weir
/// graph` does):
///
///     WEIR_GRAPH=FILE       write the graph of the run as JSON to FILE, and end the process there with status 0
///     WEIR_GRAPH_RUN=N      take the N-th run, counted from 1 (the default); earlier ones run as usual
///
/// In this mode the library ends the process.
void answer_graph_request(const graph& g);

/// Returns the trace options of the run that begins: those of its options, else those of the
/// environment. Called once for each run.
///
///     WEIR_TRACE=FILE       write a trace of each run: the first one's to FILE, the N-th one's to FILE with N before
///                           its ending (run.json.gz, run.2.json.gz)
///     WEIR_TRACE_RUN=N      write only the N-th, to FILE itself
trace_options requested_trace(const trace_options& said);

/// Returns the tuning for a network: that of the options of its run, else the one that the
/// environment names. Called once for each run.
/// @param first whether it is the first run of the process to begin
///
///     WEIR_TUNING=FILE      tune as FILE says, which `weir tune` has written, every network that it was written for.
///                           It is an error if the first network to run is none of those
///
/// @throws graph_error if the file can't be read, or was written for another network
tuning requested_tuning(const tuning& said, const network& net, bool first);

/// After the first run of the process to begin has ended without an error: writes its profile if
/// the environment requests it (as the command `weir tune` does).
///
///     WEIR_PROFILE=FILE     write its graph, its report, and the tuning chosen from it as JSON to FILE
void answer_profile_request(const network& net, const graph& ran, const report& r, std::size_t cores) noexcept;

/// Returns the socket at which this process must listen for watchers of its runs (the command `weir
/// top`); empty: it must not listen.
///
///     WEIR_TOP=1            <process id>.sock in `live_view_folder()`
///     WEIR_TOP=FOLDER       <process id>.sock in FOLDER
///     WEIR_TOP=SOCKET       SOCKET. If another process listens there, this one can't be watched
///
/// @throws graph_error if `live_view_folder()` can't be used
std::string requested_live_view();

}  // namespace weir::detail
