// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_command.hpp"
#include "process.hpp"
#include "support/command_line.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using weir::support::failure, weir::support::wrong_usage;

// Without this a closed standard descriptor would be taken by the next file we open, and written to.
void occupy_standard_descriptors() {
  for (int number = 0; number != 3; ++number) {
    if (fcntl(number, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
}

int complain(const std::string& who, std::string what, int code) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::cerr << who + ": " + what + '\n';
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);

  // What follows `--` is the program's own, whatever it looks like.
  char** const split = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
  graph_options graph;
  CLI::App app("Looks at programs written with weir.", "weir");
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  CLI::App& graph_command = add_graph_command(app, graph);
  std::string who = "weir";
  try {
    app.parse(static_cast<int>(split - argv), argv);
    if (!graph_command.parsed()) return complain(who, "which command? see weir --help", wrong_usage);
    who = "weir graph";
    if (split != argv + argc) graph.program.assign(split + 1, argv + argc);
    if (graph.program.empty()) {
      return complain(who, "which program? say weir graph [options] -- program [arguments]; see weir graph --help",
                      wrong_usage);
    }
    draw_graph(graph);
    return 0;
  } catch (const CLI::Success& wanted) {  // --help and --version
    std::ostringstream text;
    app.exit(wanted, text, text);
    try {
      weir::support::write_standard_output(text.str());
      return 0;
    } catch (const std::exception& error) {
      return complain("weir", error.what(), failure);
    }
  } catch (const CLI::ParseError& error) {
    who = graph_command.parsed() ? "weir graph" : "weir";
    std::string what = error.what();
    if (graph_command.remaining_size() != 0 && !graph_command.remaining().front().starts_with('-')) {
      what += "; the program and its arguments come after --";
    }
    return complain(who, what + "; see " + who + " --help", wrong_usage);
  } catch (const interrupted& by) {
    signal(by.signal, SIG_DFL);
    raise(by.signal);
    return failure;
  } catch (const std::exception& error) {
    return complain(who, error.what(), failure);
  }
}
