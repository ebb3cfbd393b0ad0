// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/top_command.hpp"

#include "support/output.hpp"
#include "top/live_programs.hpp"
#include "top/node_stacks.hpp"
#include "top/page_address.hpp"
#include "top/top_formats.hpp"
#include "top/top_session.hpp"
#include "top/top_table.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace {

using namespace std::chrono_literals;

constexpr auto time_to_answer = 5s;
constexpr std::size_t width_without_terminal = 120;

live_sample sample_of(live_connection& connection) {
  connection.ask();
  std::optional<live_sample> came = connection.wait_for_sample(time_to_answer);
  if (!came) throw std::runtime_error("the program ended before it answered");
  return *std::move(came);
}

// Returns a sample taken after the interval, or the last one of the program if it ends before.
std::optional<live_sample> sample_after(live_connection& connection, std::chrono::milliseconds interval) {
  pollfd end{connection.polled(), POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(interval.count()));
  connection.ask();
  return connection.wait_for_sample(time_to_answer);
}

std::string table_of(const live_sample& sample, const std::vector<run_view>& views, bool ended) {
  winsize now{};
  const bool on_terminal = ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) == 0;
  const std::size_t width = on_terminal && now.ws_col >= narrowest ? now.ws_col : width_without_terminal;
  top_content content{.program = sample.program, .pid = sample.pid, .cores = sample.cores, .runs = views};
  content.state = ended ? "ended" : silence_of(sample);
  if (!views.empty()) content.cores_used = views.front().cores;
  std::string text;
  for (const std::string& line : top_lines(content, width, any_height, style_of_the_environment(false))) {
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string text_of(const std::vector<node_stack>& stacks) {
  std::string text;
  for (const std::string& line : lines_of(stacks)) text += '\n' + line;
  return text + '\n';
}

int show_once(const top_options& options) {
  const std::unique_ptr<live_connection> connection = connect_to(options.who);
  live_sample first = sample_of(*connection);
  if (options.open_metrics) {
    weir::support::write_standard_output(to_open_metrics(first, views_of(first, nullptr)));
    return 0;
  }
  std::optional<live_sample> second = sample_after(*connection, options.pause());
  const bool ended = connection->has_ended();
  const live_sample& last = second ? *second : first;
  const std::vector<run_view> views = views_of(last, second && !ended ? &first : nullptr);
  std::optional<std::vector<node_stack>> stacks;
  if (options.stacks) stacks = stacks_of(last);
  const std::string text = options.json ? to_json(last, views, stacks) : table_of(last, views, ended);
  weir::support::write_standard_output(options.json || !stacks ? text : text + text_of(*stacks));
  return 0;
}

}  // namespace

weir::support::command add_top_command(weir::support::command& of, top_options& into) {
  weir::support::command command = of.subcommand("top", "Show what the nodes of a running program do");
  command.usage("weir top [options] [PID|SOCKET]\n       weir top [options] -- program [arguments]");
  command.add("who", into.who, "Process id, or socket, of the program; default: your only program that listens")
      .value_name("PID|SOCKET")
      .completed_by(weir::support::offered::processes);
  command.starts_program();
  command.add("--interval", into.interval, "Time between two refreshes; rates and shares cover it")
      .number(0.1, 3600)
      .shown_as("SECONDS=1");
  command.flag("--once", into.once, "Print one table and end");
  command.flag("--json", into.json, "With --once: JSON instead of a table");
  command.flag("--stacks", into.stacks,
               "With --once: also the stacks of nodes that have been inside their own code for long");
  command.flag("--openmetrics", into.open_metrics, "Print the counters as OpenMetrics text, for Prometheus, and end");
  command
      .flag("--web{0}", into.web,
            "Show it on a web page of this machine, or of this address, instead of the terminal; print the page's "
            "address")
      .shown_as("[=[ADDRESS:]PORT]");
  command.footer(
      R"(
You can watch your own program, by its process id, while it runs a network. A
program that was started by weir top -- program, or with WEIR_TOP=1 in its
environment, can also be watched between networks and without its process id.
The same holds for weir run; its process id shows all groups.

Exit codes:
  0  the figures were shown, also if the program ended meanwhile
  1  the program can't be watched; one line on standard error says why
  2  wrong usage
With -- program, the exit code is that of the program.)");
  return command;
}

std::string contradiction(const top_options& options) {
  if (options.json && options.open_metrics) return "--json and --openmetrics exclude each other; choose one";
  if (!options.web.empty()) {
    for (const auto& [is_given, name] :
         {std::pair(options.once, "--once"), std::pair(options.json, "--json"), std::pair(options.stacks, "--stacks"),
          std::pair(options.open_metrics, "--openmetrics")}) {
      if (is_given) return fmt::format("--web and {} exclude each other; choose one", name);
    }
    try {
      parse_page_address(options.web);
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }
  if (options.json && !options.once) return "--json needs --once; say --once --json";
  if (options.stacks && options.open_metrics) return "--stacks and --openmetrics exclude each other; choose one";
  if (options.stacks && !options.once) return "--stacks needs --once; say --once --stacks, or press s in the view";
  if (!options.program.empty() && !options.who.empty()) {
    return "unexpected " + weir::support::quoted_name(options.who) +
           " before --; a program that is started needs no process id";
  }
  if (!options.program.empty() && (options.once || options.open_metrics)) {
    return "--once and --openmetrics look at a program that is running; start it first, with WEIR_TOP=1 in its "
           "environment";
  }
  return {};
}

int show_top(const top_options& options) {
  if (!options.program.empty()) return watch_program(options.program, options.pause());
  if (options.once || options.open_metrics) return show_once(options);
  if (::isatty(STDOUT_FILENO) == 0)
    throw std::runtime_error("standard output is no terminal; weir top --once needs none");
  watch(connect_to(options.who), options.pause());
  return 0;
}
