// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_command.hpp"
#include "process.hpp"
#include "support/command_line.hpp"
#include "support/output.hpp"

#include <signal.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);  // writing tells, and names what was closed

  // What follows `--` is the program's own, whatever it looks like.
  char** const split = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
  graph_options graph;
  CLI::App app("Looks at programs written with weir.", "weir");
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  CLI::App& graph_command = add_graph_command(app, graph);
  if (const auto code = weir::support::parse(app, static_cast<int>(split - argv), argv)) return *code;
  const auto wrong_call = [](std::string_view who, const std::string& what) {
    weir::support::complain(who, what);
    return weir::support::wrong_usage;
  };
  if (!graph_command.parsed()) return wrong_call("weir", "which command? see weir --help");
  if (!graph.unexpected.empty()) {
    return wrong_call("weir graph", "unexpected " + weir::support::quoted_name(graph.unexpected.front()) +
                                        "; the program and its arguments come after --; see weir graph --help");
  }
  if (split != argv + argc) graph.program.assign(split + 1, argv + argc);
  if (graph.program.empty()) {
    return wrong_call("weir graph",
                      "which program? say weir graph [options] -- program [arguments]; see weir graph --help");
  }
  try {
    draw_graph(graph);
    return 0;
  } catch (const interrupted& by) {
    signal(by.signal, SIG_DFL);
    raise(by.signal);
    return weir::support::failure;
  } catch (const std::exception& error) {
    weir::support::complain("weir graph", error.what());
    return weir::support::failure;
  }
}
