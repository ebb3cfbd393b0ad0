// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_command.hpp"
#include "plan_command.hpp"
#include "process.hpp"
#include "run_command.hpp"
#include "support/command_line.hpp"
#include "support/output.hpp"
#include "top_command.hpp"
#include "tune_command.hpp"

#include <signal.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

int wrong_call(std::string_view who, const std::string& what) {
  weir::support::complain(who, what);
  return weir::support::wrong_usage;
}

// What `act` returns; what it throws is said, and becomes an exit code.
template <class Act>
int guarded(std::string_view who, Act act) {
  try {
    return act();
  } catch (const interrupted& by) {
    signal(by.signal, SIG_DFL);
    raise(by.signal);
    return weir::support::failure;
  } catch (const std::exception& error) {
    weir::support::complain(who, error.what());
    return weir::support::failure;
  }
}

// Of a command that starts a program: what is wrong with the call; empty if nothing is.
std::string wrong_with(const std::vector<std::string>& unexpected, const std::vector<std::string>& program,
                       const std::string& who) {
  if (!unexpected.empty()) {
    return "unexpected " + weir::support::quoted_name(unexpected.front()) +
           "; the program and its arguments come after --; see " + who + " --help";
  }
  if (program.empty()) return "which program? say " + who + " [options] -- program [arguments]; see " + who + " --help";
  return "";
}

int graph_main(graph_options& options, std::vector<std::string> program) {
  constexpr const char* who = "weir graph";
  if (const std::string wrong = wrong_with(options.unexpected, program, who); !wrong.empty())
    return wrong_call(who, wrong);
  options.program = std::move(program);
  return guarded(who, [&] { return draw_graph(options), 0; });
}

int tune_main(tune_options& options, std::vector<std::string> program) {
  constexpr const char* who = "weir tune";
  if (const std::string wrong = wrong_with(options.unexpected, program, who); !wrong.empty())
    return wrong_call(who, wrong);
  options.program = std::move(program);
  return guarded(who, [&] { return tune(options), 0; });
}

int run_main(run_command_options& options, std::vector<std::string> program) {
  constexpr const char* who = "weir run";
  if (const std::string wrong = wrong_with(options.unexpected, program, who); !wrong.empty())
    return wrong_call(who, wrong);
  if (options.configuration.empty() && options.groups == 0 && options.hosts.empty()) {
    return wrong_call(
        who,
        "which groups? say weir run CONFIGURATION -- program, or weir run --on 4 -- program; see weir run "
        "--help");
  }
  if (!options.configuration.empty() && options.groups != 0)
    return wrong_call(who, "--on is for runs without a configuration, which says how many groups there are");
  options.program = std::move(program);
  return guarded(who, [&] { return run_cluster(options); });
}

int plan_main(plan_options& options, std::vector<std::string> program) {
  constexpr const char* who = "weir plan";
  if (const std::string wrong = wrong_with(options.unexpected, program, who); !wrong.empty())
    return wrong_call(who, wrong);
  if (options.configuration.empty() && options.groups == 0 && options.hosts.empty())
    return wrong_call(who, "how many groups? say weir plan --on 4 -- program; see weir plan --help");
  if (!options.configuration.empty() && (options.groups != 0 || !options.hosts.empty()))
    return wrong_call(who, "--complete has its own groups and hosts; leave out --on and --hosts");
  options.program = std::move(program);
  return guarded(who, [&] { return plan(options); });
}

int check_main(check_options& options, std::vector<std::string> program) {
  constexpr const char* who = "weir check";
  if (const std::string wrong = wrong_with(options.unexpected, program, who); !wrong.empty())
    return wrong_call(who, wrong);
  if (options.configuration.empty())
    return wrong_call(who, "which configuration? say weir check CONFIGURATION -- program; see weir check --help");
  options.program = std::move(program);
  return guarded(who, [&] { return check(options); });
}

int top_main(top_options& options, std::vector<std::string> program, bool divided) {
  constexpr const char* who = "weir top";
  if (divided && program.empty())
    return wrong_call(who, "which program? say weir top -- program [arguments]; see weir top --help");
  options.program = std::move(program);
  if (const std::string wrong = contradiction(options); !wrong.empty())
    return wrong_call(who, wrong + "; see weir top --help");
  return guarded(who, [&] { return show_top(options); });
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);  // writing tells, and names what was closed

  // What follows `--` is the program's own, whatever it looks like.
  char** const split = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
  graph_options graph;
  top_options top;
  tune_options tuning;
  run_command_options running;
  plan_options planning;
  check_options checking;
  CLI::App app("Runs programs written with weir as clusters, and looks at them.", "weir");
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  CLI::App& graph_command = add_graph_command(app, graph);
  CLI::App& run_command = add_run_command(app, running);
  CLI::App& plan_command = add_plan_command(app, planning);
  CLI::App& check_command = add_check_command(app, checking);
  CLI::App& top_command = add_top_command(app, top);
  CLI::App& tune_command = add_tune_command(app, tuning);
  if (const auto code = weir::support::parse(app, static_cast<int>(split - argv), argv)) return *code;
  std::vector<std::string> program;
  if (split != argv + argc) program.assign(split + 1, argv + argc);
  if (graph_command.parsed()) return graph_main(graph, std::move(program));
  if (run_command.parsed()) return run_main(running, std::move(program));
  if (plan_command.parsed()) return plan_main(planning, std::move(program));
  if (check_command.parsed()) return check_main(checking, std::move(program));
  if (top_command.parsed()) return top_main(top, std::move(program), split != argv + argc);
  if (tune_command.parsed()) return tune_main(tuning, std::move(program));
  return wrong_call("weir", "which command? see weir --help");
}
