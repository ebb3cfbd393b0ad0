// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_command.hpp"

#include "common/files.hpp"
#include "common/process.hpp"
#include "common/report.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace {

std::string ordinal(unsigned long n) {
  const char* ending = n % 100 / 10 == 1 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, ending);
}

process_end end_of(const std::vector<std::string>& program) {
  try {
    return run_to_the_end(program);
  } catch (const cannot_start& why) {
    throw std::runtime_error(explained(why, program.front()));
  }
}

/// Returns the JSON that the program writes in place of its `run`-th run; empty if it wrote none.
std::string graph_written_by(const std::vector<std::string>& program, unsigned long run, process_end& end) {
  const lent_file file("WEIR_GRAPH");
  setenv("WEIR_GRAPH_RUN", std::to_string(run).c_str(), 1);
  end = end_of(program);
  unsetenv("WEIR_GRAPH_RUN");
  return read_file(file.path());
}

weir::detail::drawing drawing_of_text(const std::string& text) {
  try {
    return weir::detail::drawing_of_json(text);
  } catch (const std::invalid_argument& problem) {
    throw std::runtime_error(fmt::format(
        "the program wrote something that is not a graph of this version of weir ({}); build the program and "
        "this tool from the same weir",
        problem.what()));
  }
}

// Runs the program to its end and returns the drawing of its first run with the measured counters.
weir::detail::drawing measured(const graph_options& options) {
  unsetenv("WEIR_GRAPH");
  const lent_file file("WEIR_PROFILE");
  const process_end end = end_of(options.program);
  const nlohmann::json profile = nlohmann::json::parse(read_file(file.path()), nullptr, false);
  if (profile.is_object() && profile.contains("graph") && profile.contains("report")) {
    weir::detail::drawing made = drawing_of_text(profile["graph"].dump());
    report_file("what was measured", profile["report"].dump(), 1).add_to(made);
    return made;
  }
  const std::string& name = options.program.front();
  if (end.signal != 0) {
    throw std::runtime_error(fmt::format("{} was ended by signal {} ({}) before its first weir::run had ended", name,
                                         end.signal, end.signal_name()));
  }
  throw std::runtime_error(fmt::format(
      "{} ended with exit code {}, and its first weir::run did not succeed, or it has none; see its messages above, "
      "and check its arguments",
      name, end.code));
}

weir::detail::drawing drawing_of(const graph_options& options) {
  process_end end;
  const std::string text = graph_written_by(options.program, options.run, end);
  // A script around the program may go on and end in any way, provided that the graph is complete.
  if (is_whole_json(text)) return drawing_of_text(text);
  const std::string& name = options.program.front();
  const std::string which = ordinal(options.run);
  if (end.signal != 0) {
    throw std::runtime_error(fmt::format("{} was ended by signal {} ({}) before its {} weir::run", name, end.signal,
                                         end.signal_name(), which));
  }
  if (end.code != 0) {
    throw std::runtime_error(
        fmt::format("{} ended with exit code {} before its {} weir::run; see its messages above, and check its "
                    "arguments",
                    name, end.code, which));
  }
  if (options.run == 1) {
    throw std::runtime_error(
        fmt::format("{} ended without calling weir::run; check that these arguments make it run a network", name));
  }
  throw std::runtime_error(
      fmt::format("{} ended before its {} weir::run; ask for an earlier one with --run", name, which));
}

std::string drawn_by_graphviz(const std::string& dot) {
  std::string svg;
  process_end end;
  try {
    end = pipe_through({"dot", "-Tsvg"}, dot, svg);
  } catch (const cannot_start&) {
    throw std::runtime_error(
        "--svg needs the program dot of Graphviz, which is not installed or not in PATH; "
        "without --svg the graph comes in the DOT language");
  }
  if (end.signal != 0) throw std::runtime_error(fmt::format("Graphviz's dot was ended by signal {}", end.signal));
  if (end.code != 0 || svg.empty()) {
    throw std::runtime_error(fmt::format("Graphviz's dot failed with exit code {}", end.code));
  }
  return svg;
}

}  // namespace

weir::support::command add_graph_command(weir::support::command& of, graph_options& into) {
  weir::support::command command = of.subcommand("graph", "Draw the graph that a program runs");
  command.usage("weir graph [options] -- program [arguments]");
  command.flag("--svg", into.svg, "Write a picture (SVG), drawn by Graphviz's dot, instead of DOT");
  command.add("--run", into.run, "Number of the run to draw; the first is 1")
      .value_name("N")
      .whole_number(1, 1'000'000'000)
      .shows_default();
  command.flag("--measure", into.measure,
               "Run the program to its end, and draw its first run with rates and the bottleneck");
  command
      .add("--report", into.report,
           "Take the rates from this file: the text of weir::to_json(report), or of weir top --once --json")
      .value_name("FILE");
  command.flag("--down", into.down, "Draw from top to bottom instead of left to right");
  command.add("-o,--output", into.output, "Write to this file instead of standard output").value_name("FILE");
  command.take_unexpected(into.unexpected);
  command.starts_program();
  command.footer(
      R"(
The program is started with its arguments and ended at the beginning of its N-th
weir::run, whose graph is drawn. Code that runs before has its usual effects:
files are written, messages sent, and the N-1 earlier runs happen. The output of
the program goes to standard error; its standard input is empty. With --measure,
the program runs to its end.

Exit codes:
  0  the graph is drawn
  1  the graph is not drawn; one line on standard error says why
  2  wrong usage)");
  return command;
}

std::string contradiction(const graph_options& options) {
  if (options.measure && !options.report.empty()) return "--measure makes its own report; leave out --report";
  if (options.measure && options.run != 1) return "--measure draws the first run; leave out --run";
  return {};
}

void draw_graph(const graph_options& options) {
  std::optional<report_file> report;
  if (!options.report.empty()) report.emplace(options.report, options.run);
  weir::detail::drawing drawing = options.measure ? measured(options) : drawing_of(options);
  if (report) report->add_to(drawing);
  drawing.downwards = options.down;
  std::string text = weir::detail::to_dot(drawing);
  if (options.svg) text = drawn_by_graphviz(text);
  if (options.output.empty()) {
    weir::support::write_standard_output(text);
  } else {
    weir::support::write_file(options.output, text);
  }
}
