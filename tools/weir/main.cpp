// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/version.hpp>

#include "common/process.hpp"
#include "doctor/doctor_command.hpp"
#include "doctor/this_build.hpp"
#include "graph/graph_command.hpp"
#include "plan/plan_command.hpp"
#include "run/launcher.hpp"
#include "run/run_command.hpp"
#include "run/tell.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/output.hpp"
#include "top/top_command.hpp"
#include "tune/tune_command.hpp"
#ifdef WEIR_WITH_WEB
#include "web/web_session.hpp"
#endif

#include <signal.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

int wrong_call(std::string_view who, const std::string& what) {
  tell(weir::support::complaint(who, what));
  return weir::support::wrong_usage;
}

// Calls `act` and returns its result. An exception is printed and becomes an exit code.
template <class Act>
int guarded(std::string_view who, Act act) {
  try {
    const int code = act();
    weir::support::finish_standard_output();
    return code;
  } catch (const interrupted& by) {
    signal(by.signal, SIG_DFL);
    raise(by.signal);
    return weir::support::failure;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, who, weir::support::failure);
  }
}

// Returns an error in the call of a command that starts a program; empty if there is none.
std::string unexpected_in(const std::vector<std::string>& words) {
  return words.empty() ? ""
                       : "unexpected " + weir::support::quoted_name(words.front()) +
                             "; put the program and its arguments after --";
}

// Calls `act(options)` with the program that follows `--`, if the call has no error.
template <class Options, class Act>
int start_with(const weir::support::command& command, Options& options, std::vector<std::string> program, Act act,
               int if_wrong = weir::support::wrong_usage) {
  const std::string who = "weir " + command.name();
  std::string wrong = unexpected_in(options.unexpected);
  // Without a program, a call that also lacks the rest gets the whole of it as advice.
  if constexpr (requires { contradiction(options); }) {
    if (wrong.empty()) wrong = contradiction(options);
  }
  if (wrong.empty() && program.empty()) wrong = "no program is given; say " + who + " [options] -- program [arguments]";
  if (!wrong.empty()) {
    wrong_call(who, wrong + "; see " + who + " --help");
    return if_wrong;
  }
  options.program = std::move(program);
  return guarded(who, [&] { return act(options); });
}

#ifndef WEIR_WITH_WEB
int serve_page(const top_options&) {
  throw std::runtime_error(
      "--web is not part of this build: there was no Boost.Beast; install Boost's headers (Debian's libboost-dev), "
      "and build weir again");
}
#endif

int top_main(top_options& options, std::vector<std::string> program, bool divided) {
  constexpr const char* who = "weir top";
  if (divided && program.empty())
    return wrong_call(who, "no program is given; say weir top -- program [arguments]; see weir top --help");
  options.program = std::move(program);
  if (const std::string wrong = contradiction(options); !wrong.empty())
    return wrong_call(who, wrong + "; see weir top --help");
  return guarded(who, [&] { return options.web.empty() ? show_top(options) : serve_page(options); });
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();

  // Words behind `--` belong to the program, even if they look like options.
  char** const split = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
  graph_options graph;
  top_options top;
  tune_options tuning;
  run_command_options running;
  plan_options planning;
  check_options checking;
  doctor_options examining;
  weir::support::command command("Runs weir programs as clusters, watches them, draws their graphs, and tunes them.",
                                 "weir");
  command.usage("weir COMMAND [options]\n       weir help COMMAND");
  command.footer(R"(
weir COMMAND --help, or weir help COMMAND, lists the options of a command.

Exit codes:
  0  success
  1  a failure; one line on standard error says why
  2  wrong usage
weir run has more; see weir run --help.)");
  command.version(weir::version, text_of(how_built()));
  const weir::support::command graph_command = add_graph_command(command, graph);
  const weir::support::command run_command = add_run_command(command, running);
  const weir::support::command plan_command = add_plan_command(command, planning);
  const weir::support::command check_command = add_check_command(command, checking);
  const weir::support::command top_command = add_top_command(command, top);
  const weir::support::command tune_command = add_tune_command(command, tuning);
  const weir::support::command doctor_command = add_doctor_command(command, examining);
  // In `weir run`, exit codes 1 and 2 are reserved for the program.
  const auto code = command.parse(static_cast<int>(split - argv), argv);
  if (code == weir::support::wrong_usage && run_command.is_chosen()) return exit_configuration;
  if (code) return *code;
  std::vector<std::string> program;
  if (split != argv + argc) program.assign(split + 1, argv + argc);
  if (graph_command.is_chosen())
    return start_with(graph_command, graph, std::move(program), [](const auto& o) { return draw_graph(o), 0; });
  if (run_command.is_chosen())
    return start_with(run_command, running, std::move(program), run_cluster, exit_configuration);
  if (plan_command.is_chosen()) return start_with(plan_command, planning, std::move(program), plan);
  if (check_command.is_chosen()) return start_with(check_command, checking, std::move(program), check);
  if (top_command.is_chosen()) return top_main(top, std::move(program), split != argv + argc);
  if (tune_command.is_chosen())
    return start_with(tune_command, tuning, std::move(program), [](const auto& o) { return tune(o), 0; });
  if (doctor_command.is_chosen()) {
    if (!program.empty())
      return wrong_call("weir doctor", "unexpected " + weir::support::quoted_name(program.front()) +
                                           "; it takes no program; see weir doctor --help");
    return guarded("weir doctor", [&] { return examine(examining), 0; });
  }
  return wrong_call("weir", "no command is given; see weir --help");
}
