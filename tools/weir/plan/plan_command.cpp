// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_command.hpp"

#include <weir/cluster/configuration.hpp>
#include <weir/run/run.hpp>

#include "common/files.hpp"
#include "common/process.hpp"
#include "run/launcher.hpp"
#include "run/slurm_allocation.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

namespace {

using json = nlohmann::ordered_json;

// Number of cut channels that are shown.
constexpr std::size_t channels_shown = 10;

void forget_other_requests() {
  for (const char* const variable : {"WEIR_TUNING", "WEIR_PROFILE", "WEIR_GRAPH", "WEIR_TRACE", "WEIR_TOP",
                                     "WEIR_GROUP", "WEIR_CLUSTER", "WEIR_COORDINATOR"})
    unsetenv(variable);
}

// Runs the program and returns the JSON that the program writes to the file, which must have `key`.
// Throws an error that says what is wrong if it does not.
json written_by(const std::vector<std::string>& program, const lent_file& file, const char* key, const char* what) {
  process_end end;
  try {
    end = run_to_the_end(program, program_output::discarded);
  } catch (const cannot_start& why) {
    throw std::runtime_error(explained(why, program.front()));
  }
  json answer = json::parse(read_file(file.path()), nullptr, false);
  if (!answer.is_discarded() && answer.contains(key)) return answer;
  const std::string& name = program.front();
  if (end.signal != 0)
    throw std::runtime_error(
        fmt::format("{} was ended by signal {} ({}) before it {}", name, end.signal, end.signal_name(), what));
  if (end.code != 0) {
    throw std::runtime_error(
        fmt::format("{} ended with exit code {} before it {}; see its messages above, and check its arguments", name,
                    end.code, what));
  }
  throw std::runtime_error(
      fmt::format("{} ended, but never {}; check that these arguments make it run a network", name, what));
}

// The configuration to plan, and the cores to plan for.
struct planned_configuration {
  std::string text, file;
  std::size_t cores = 0;           // replaces symbolic widths; 0: the cores of this machine
  json cores_of = json::object();  // cores of each group, if known
};

// Asks the program how a configuration cuts its network.
json answer_of(const std::vector<std::string>& program, const planned_configuration& what, const json& report) {
  const lent_file request("WEIR_PLAN");
  const json asked{{"configuration", what.text},
                   {"file", what.file},
                   {"cores", what.cores != 0 ? what.cores : weir::available_cores()},
                   {"cores_of", what.cores_of},
                   {"report", report}};
  weir::support::write_file(request.path(), asked.dump());
  return written_by(program, request, "problems", "ran a network");
}

json report_of(const std::vector<std::string>& program) {
  const lent_file profile("WEIR_PROFILE");
  return written_by(program, profile, "report", "ran a network to its end").at("report");
}

// @return whether there are no problems
bool no_problems(const json& answer, const char* who) {
  for (const json& problem : answer.at("problems")) weir::support::complain(who, problem.get<std::string>());
  return answer.at("problems").empty();
}

// Places of the groups by name, where more is known than the configuration says.
using group_places = std::map<std::string, std::string>;

std::string explanation(const json& answer, const group_places& places = {}) {
  std::size_t widest = 0;
  for (const auto& [name, place] : places) widest = std::max(widest, place.size() + 2);
  std::string text = fmt::format("group     work  {:{}}nodes\n", places.empty() ? "" : "on", widest);
  for (const json& group : answer.at("groups")) {
    const auto name = group.at("name").get<std::string>();
    std::string nodes;
    for (const json& each : group.at("nodes")) nodes += (nodes.empty() ? "" : " ") + each.get<std::string>();
    text += fmt::format("{:8} {:4.0f} %  {:{}}{}\n", name, 100 * group.at("work").get<double>(),
                        places.empty() ? "" : places.at(name), widest, nodes);
  }
  const json& channels = answer.at("channels");
  text += fmt::format("\n{:.0f} % of all bytes cross from group to group, in {} channel{}{}\n",
                      100 * answer.at("cut").get<double>(), channels.size(), channels.size() == 1 ? "" : "s",
                      channels.size() > channels_shown ? fmt::format("; most of them in these {}:", channels_shown)
                      : channels.empty()               ? "."
                                                       : ":");
  for (std::size_t i = 0; i != std::min(channels.size(), channels_shown); ++i) {
    text += fmt::format("{:4.0f} %  {} -> {}\n", 100 * channels[i].at("share").get<double>(),
                        channels[i].at("from").get<std::string>(), channels[i].at("to").get<std::string>());
  }
  text +=
      answer.at("measured").get<bool>()
          ? "\nWork and items were measured in one run, in one process.\n"
          : "\nWork and items were estimated from the graph alone; --measure runs the program once to measure them.\n";
  return text;
}

// Returns the given or generated configuration with the nodes of each group filled in.
json completed(json configuration, const json& answer) {
  configuration.erase("plan");
  for (json& group : configuration.at("groups")) {
    for (const json& planned : answer.at("groups")) {
      if (planned.at("name") == group.at("name")) group["nodes"] = planned.at("nodes");
    }
  }
  return configuration;
}

// Moves the group to the front. The first group gets standard input, as the first source does in
// one process.
void put_first(const json& name, json& groups) {
  const auto found = std::ranges::find_if(groups, [&](const json& each) { return each.at("name") == name; });
  if (found != groups.end()) std::rotate(groups.begin(), found, found + 1);
}

json made_up_json(const group_options& options) {
  json groups = json::array();
  for (const weir::group_configuration& each : made_up(options).groups) {
    json group{{"name", each.name}};
    if (!each.host.empty()) group["endpoint"] = each.host;
    groups.push_back(std::move(group));
  }
  return {{"plan", true}, {"groups", std::move(groups)}};
}

// Makes groups on the nodes of the allocation; groups on one node share its cores. Adds up the
// cores in use.
json allocated_json(group_options options, planned_configuration& planned, group_places& places) {
  const std::vector<allocated_node> nodes = allocated_nodes_with_cores();
  for (const allocated_node& each : nodes) options.hosts.push_back(each.name);
  const json made = made_up_json(options);
  const json& groups = made.at("groups");
  for (const allocated_node& node : nodes) {
    const auto is_there = [&](const json& each) { return each.at("endpoint") == node.name; };
    const auto neighbours = std::ranges::count_if(groups, is_there);
    if (neighbours != 0) planned.cores += node.cores;
    for (const json& each : groups) {
      if (!is_there(each)) continue;
      const auto name = each.at("name").get<std::string>();
      planned.cores_of[name] = static_cast<double>(node.cores) / static_cast<double>(neighbours);
      places[name] = fmt::format("{} ({} core{})", node.name, node.cores, node.cores == 1 ? "" : "s");
    }
  }
  json configuration{{"protocol", "MPI"}};
  configuration.update(made);
  return configuration;
}

void add_cores(weir::support::command& command, unsigned long& into) {
  command
      .add("--cores", into,
           "Cores of all machines together; farms without a width get that many workers (default: those of the "
           "allocation, or of this machine)")
      .whole_number(1, 1'000'000)
      .value_name("N");
}

}  // namespace

weir::support::command add_plan_command(weir::support::command& of, plan_options& into) {
  weir::support::command command =
      of.subcommand("plan", "Divide a program's network into groups, and write the configuration");
  command.usage("weir plan [options] -- program [arguments]");
  add_group_options(command, into.groups);
  command.add("--complete", into.configuration, "Place the nodes that this configuration does not mention")
      .value_name("FILE");
  command.flag(
      "--slurm", into.slurm,
      "In an allocation of SLURM: one group for each of its nodes, or --on N groups; work in proportion to cores");
  add_cores(command, into.cores);
  command.flag("--measure", into.measure, "Run the program once, to its end, to measure the costs of its nodes");
  command.add("-o,--output", into.output, "Write to this file instead of standard output").value_name("FILE");
  command.take_unexpected(into.unexpected);
  command.starts_program();
  command.footer(
      R"(
The configuration is for weir run. It gives each group its share of the work, so
that few bytes cross between groups; an explanation goes to standard error. The
program is started with its arguments and ended at the beginning of its first
weir::run. Code that runs before has its usual effects. Its standard input is
empty, and its standard output is discarded.

Exit codes:
  0   the configuration is written
  1   another error
  2   wrong usage
  64  the configuration is wrong)");
  return command;
}

weir::support::command add_check_command(weir::support::command& of, check_options& into) {
  weir::support::command command =
      of.subcommand("check", "Report what is wrong with a configuration, without running it");
  command.usage("weir check CONFIGURATION -- program [arguments]");
  command.add("configuration", into.configuration, "JSON file with the groups").value_name("");
  add_cores(command, into.cores);
  command.take_unexpected(into.unexpected);
  command.starts_program();
  command.footer(
      R"(
The program is started with its arguments and ended at the beginning of its
first weir::run. Code that runs before has its usual effects. Every node must be
in exactly one group, every group must have nodes, and items that cross between
groups must have a codec. All mistakes are reported, one on each line.

Exit codes:
  0   the configuration is right
  1   the program ran no network, or another error
  2   wrong usage
  64  the configuration is wrong)");
  return command;
}

std::string contradiction(const plan_options& options) {
  if (options.configuration.empty() && !options.groups.said() && !options.slurm)
    return "no groups are given; say weir plan --on 4 -- program";
  if (!options.configuration.empty() && options.groups.said())
    return "--complete has its own groups and hosts; leave out --on and --hosts";
  if (!options.slurm) return {};
  if (!options.configuration.empty()) return "--complete has its own groups and hosts; leave out --slurm";
  if (!options.groups.hosts.empty()) return "--slurm takes the nodes of the allocation; leave out --hosts";
  if (!is_in_allocation())
    return "--slurm: this is no allocation of SLURM (SLURM_JOB_ID is not set); call it in a batch script, or say "
           "--hosts";
  return {};
}

std::string contradiction(const check_options& options) {
  return options.configuration.empty() ? "which configuration? say weir check CONFIGURATION -- program" : "";
}

int plan(const plan_options& options) {
  forget_other_requests();
  planned_configuration planned{
      .text = {}, .file = options.configuration.empty() ? "the groups" : options.configuration, .cores = 0};
  group_places places;
  json configuration;
  try {
    if (options.slurm) {
      configuration = allocated_json(options.groups, planned, places);
    } else if (options.configuration.empty()) {
      configuration = made_up_json(options.groups);
    } else {
      const std::string text = read_file(options.configuration);
      weir::configuration_from_json(text, planned.file);
      configuration = json::parse(text);
      configuration["plan"] = true;
    }
  } catch (const weir::configuration_error& problem) {
    weir::support::write_standard_error(std::string(problem.what()) + "\n");
    return exit_configuration;
  }
  const json report = options.measure ? report_of(options.program) : json();
  planned.text = configuration.dump();
  if (options.cores != 0) planned.cores = options.cores;
  const json answer = answer_of(options.program, planned, report);
  if (!no_problems(answer, "weir plan")) return exit_configuration;
  configuration = completed(configuration, answer);
  if (options.configuration.empty()) put_first(answer.at("first"), configuration.at("groups"));
  const std::string text = configuration.dump(2) + "\n";
  weir::support::write_standard_error(explanation(answer, places));
  if (options.output.empty()) {
    weir::support::write_standard_output(text);
  } else {
    weir::support::write_file(options.output, text);
  }
  return 0;
}

int check(const check_options& options) {
  forget_other_requests();
  const std::string text = read_file(options.configuration);
  try {
    weir::configuration_from_json(text, options.configuration);
  } catch (const weir::configuration_error& problem) {
    weir::support::write_standard_error(std::string(problem.what()) + "\n");
    return exit_configuration;
  }
  const json answer =
      answer_of(options.program, {.text = text, .file = options.configuration, .cores = options.cores}, json());
  if (!no_problems(answer, "weir check")) return exit_configuration;
  weir::support::write_standard_error(explanation(answer));
  return 0;
}
