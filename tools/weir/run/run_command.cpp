// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_command.hpp"

#include <weir/cluster/configuration.hpp>
#include <weir/graph/error.hpp>

#include "common/files.hpp"
#include "common/process.hpp"
#include "run/launcher.hpp"
#include "run/slurm_allocation.hpp"
#include "run/unhurried_stream.hpp"
#include "support/environment.hpp"
#include "support/output.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace {

constexpr const char* description = R"(
The program is started once for each group of the configuration. Its networks are cut: each process runs the nodes of its
group, and items cross between them over TCP, shared memory or MPI. A network without groups of its own says in the configuration where its
nodes run:

  {"groups": [{"name": "G1", "nodes": ["read", "split[0]"]},
              {"name": "G2", "nodes": ["split[1]", "count", "print"], "endpoint": "host"}]}

With --on or --hosts there need be none: weir shares the nodes out over so many groups.

A group whose endpoint names another machine is started there through ssh, in the same folder, which must have the
program and its files, or with --deploy in a fresh one, to which they are copied; --via names another way, such as
'ip netns exec {host}'. The output of the groups comes out here, whole lines of each; on a terminal, each line behind its group's name. When one
group fails, all are ended.

Exit codes: that of the program, first of the group where results are gathered (the one of the last sink); after a failure
that of the group that failed first, or 128 + N if signal N ended it, or one of 64 (the call, the configuration, or what
the groups need is wrong; no network was started), 65 (what crossed was damaged), 69 (a group was lost), 70 (an internal error), 76
(the groups run different programs), 77 (a group does not know the secret), 124 (--timeout).)";

// Assigns nodes of the SLURM allocation to the groups if srun starts them and at least one group
// has a host. Groups without a host get the nodes in turn.
void place_in_allocation(launch_options& options) {
  const auto has_host = [](const weir::group_configuration& each) { return !each.host.empty(); };
  if (!is_in_allocation() || std::ranges::none_of(options.configuration.groups, has_host)) return;
  try {
    const std::vector<std::string> nodes = allocated_nodes();
    place_on(nodes, options.configuration);
    for (const weir::group_configuration& each : options.configuration.groups) {
      if (std::ranges::find(nodes, each.host) != nodes.end()) continue;
      options.problems.push_back("group " + each.name + ": " + each.host +
                                 " is none of the nodes of this allocation, " +
                                 weir::support::variable("SLURM_JOB_NODELIST"));
    }
  } catch (const std::exception& problem) {
    options.problems.emplace_back(problem.what());
  }
}

}  // namespace

weir::support::command add_run_command(weir::support::command& of, run_command_options& into) {
  weir::support::command command = of.subcommand("run", "Run a program as a cluster of processes");
  command.usage("weir run [options] [CONFIGURATION] -- program [arguments]");
  command.footer(description);
  command.add("configuration", into.configuration, "The groups, a JSON file").value_name("");
  add_group_options(command, into.groups);
  command.add("--via", into.via, "Start groups that have a host by this command, with {host} replaced (default: ssh)")
      .value_name("COMMAND");
  command
      .add("--address", into.address, "The address of this machine for the others (default: on the way to the first)")
      .value_name("ADDRESS");
  command
      .add("--mpirun", into.mpirun,
           "With \"protocol\": \"MPI\", the command that starts the ranks (default: srun in an allocation of "
           "SLURM, else mpirun)")
      .value_name("COMMAND");
  command.flag("--deploy", into.deploy,
               "Copy the program and the configuration to the other machines, into a folder that is gone afterwards");
  command.add("--deploy-files", into.deployed_files, "Copy these files there, too; may be given several times")
      .one_value_each_time()
      .value_name("FILE,FILE...");
  command.flag("--prefix", into.prefix, "Print each line behind the name of its group (default: only on a terminal)");
  command.flag("--no-prefix", into.no_prefix, "Print all lines as they are, on a terminal, too");
  command
      .add("--logs", into.logs,
           "Also keep what each group prints, as it is, in the files GROUP.out and GROUP.err of this folder")
      .value_name("FOLDER");
  command.add("--stdin", into.standard_input, "The group that reads standard input (default: the first)")
      .value_name("GROUP");
  command
      .add("--start-within", into.start_within,
           "How many seconds all groups may take until they run a network (default: as the configuration says, or 30)")
      .whole_number(1, 1'000'000)
      .value_name("S");
  command.add("--timeout", into.timeout, "End it after so many seconds").whole_number(1, 100'000'000).value_name("S");
  command.take_unexpected(into.unexpected);
  return command;
}

std::string contradiction(const run_command_options& options) {
  if (options.configuration.empty() && !options.groups.said())
    return "which groups? say weir run CONFIGURATION -- program, or weir run --on 4 -- program";
  if (!options.configuration.empty() && options.groups.count != 0)
    return "--on is for runs without a configuration, which says how many groups there are";
  if (options.prefix && options.no_prefix) return "--prefix and --no-prefix: say one of them";
  return {};
}

int run_cluster(const run_command_options& options) {
  weir::cluster_configuration configuration;
  try {
    configuration = options.configuration.empty()
                        ? made_up(options.groups)
                        : weir::configuration_from_json(read_file(options.configuration), options.configuration);
  } catch (const weir::configuration_error& problem) {
    tell(std::string(problem.what()) + "\n");
    return exit_configuration;
  } catch (const std::exception& problem) {
    tell_problem(problem.what());
    return exit_configuration;
  }
  const auto& groups = configuration.groups;
  if (!options.standard_input.empty() &&
      std::ranges::find(groups, options.standard_input, &weir::group_configuration::name) == groups.end()) {
    tell_problem("--stdin: there is no group " + weir::support::quoted_name(options.standard_input));
    return exit_configuration;
  }
  place_on(options.groups.hosts, configuration);
  if (options.start_within != 0) configuration.start_within = std::chrono::seconds(options.start_within);
  std::string address = options.address;
  if (address.starts_with("./[")) address.erase(0, 2);  // the reader of options takes it for a file
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  launch_options wanted{.configuration = std::move(configuration),
                        .program = options.program,
                        .standard_input = options.standard_input,
                        .timeout = std::chrono::seconds(options.timeout),
                        .via = options.via,
                        .problems = {},
                        .deployed = {},
                        .prefix = options.prefix      ? line_prefix::always
                                  : options.no_prefix ? line_prefix::never
                                                      : line_prefix::on_terminal,
                        .logs = options.logs,
                        .mpi = {},
                        .mpi_command = {},
                        .address = address};
  if (wanted.configuration.protocol == weir::cluster_protocol::mpi) {
    wanted.mpi_command = !options.mpirun.empty() ? options.mpirun : is_in_allocation() ? "srun" : "mpirun";
    try {
      wanted.mpi = launcher_behind(wanted.mpi_command);
    } catch (const std::exception& problem) {
      tell_problem(problem.what());
      return exit_configuration;
    }
    if (wanted.mpi == mpi_launcher::srun) place_in_allocation(wanted);
  } else if (!options.mpirun.empty()) {
    tell_problem("--mpirun is for configurations that say \"protocol\": \"MPI\"");
    return exit_configuration;
  }
  if (options.deploy || !options.deployed_files.empty()) {
    std::vector<std::string> files;
    for (const std::string& list : options.deployed_files)
      std::ranges::move(weir::support::split_list(list), std::back_inserter(files));
    wanted.deployed = deployment_of(options.program.front(), options.configuration, files, wanted.problems);
  }
  try {
    return launch(wanted);
  } catch (const interrupted&) {
    throw;
  } catch (const weir::graph_error& problem) {  // the environment or the configuration asks for something impossible
    tell_problem(problem.what());
    return exit_configuration;
  } catch (const std::exception& problem) {
    tell_problem(problem.what());
    return exit_internal;
  }
}
