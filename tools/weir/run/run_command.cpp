// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_command.hpp"

#include <weir/cluster/configuration.hpp>
#include <weir/graph/error.hpp>

#include "common/files.hpp"
#include "common/process.hpp"
#include "run/launcher.hpp"
#include "run/slurm_allocation.hpp"
#include "run/tell.hpp"
#include "support/environment.hpp"
#include "support/output.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace {

constexpr const char* description = R"(
weir run starts the program once for each group. Each process runs the nodes of
its group. Items cross between groups over TCP, shared memory or MPI. The
configuration says in which group each node runs:

  {"groups": [{"name": "G1", "nodes": ["read", "split[0]"]},
              {"name": "G2", "nodes": ["split[1]", "count", "print"],
               "endpoint": "host"}]}

With --on or --hosts, no configuration is needed: weir divides the nodes among
that many groups.

A group whose endpoint names another machine is started there through ssh, in
the folder with the same path as the present one. That folder must have the
program and its files. --deploy copies them into a new folder instead. --via
names another command than ssh, such as 'ip netns exec {host}'. The output of
all groups is printed here, in whole lines; on a terminal, each line begins with
the name of its group. When one group fails, all are ended.

Exit codes:
  N        a code of the program. If nothing failed: that of the group of the
           last sink; if that is 0, the first other one that is not 0. After a
           failure: that of the first group that failed
  128 + N  signal N ended the first group that failed, or weir run itself
  1        also: output can't be written, or standard input can't be read
  64       wrong usage, wrong configuration, or a group can't be started
  65       data between groups was damaged
  69       a group was lost
  70       an internal error
  76       the groups run different programs or networks
  77       a group does not know the secret of the run
  124      weir run took longer than --timeout)";

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
      options.problems.push_back("group " + each.name + ": " + each.host + " is not in the nodes of this allocation, " +
                                 weir::support::variable("SLURM_JOB_NODELIST"));
    }
  } catch (const std::exception& problem) {
    options.problems.emplace_back(problem.what());
  }
}

}  // namespace

weir::support::command add_run_command(weir::support::command& of, run_command_options& into) {
  weir::support::command command =
      of.subcommand("run", "Run a program as a cluster: one process for each group of nodes");
  command.usage("weir run [options] [CONFIGURATION] -- program [arguments]");
  command.footer(description);
  command.add("configuration", into.configuration, "JSON file with the groups").value_name("");
  add_group_options(command, into.groups);
  command.add("--via", into.via, "Start groups on their hosts by this command; {host} is the host (default: ssh)")
      .value_name("COMMAND");
  command
      .add("--address", into.address,
           "Address at which groups reach this machine (default: the one from which it reaches the first host)")
      .value_name("ADDRESS");
  command
      .add("--mpirun", into.mpirun,
           "With \"protocol\": \"MPI\", start the ranks by this command (default: srun in an allocation of SLURM, "
           "else mpirun)")
      .value_name("COMMAND");
  command.flag("--deploy", into.deploy,
               "Copy the program and the configuration to the other machines, into a temporary folder");
  command.add("--deploy-files", into.deployed_files, "Also copy these files; may be given several times")
      .one_value_each_time()
      .shown_as("FILE,FILE...");
  command.flag("--prefix", into.prefix, "Begin each line with the name of its group (default: only on a terminal)");
  command.flag("--no-prefix", into.no_prefix, "Print lines without the name of the group, also on a terminal");
  command.add("--logs", into.logs, "Also write the output of each group to GROUP.out and GROUP.err in this folder")
      .value_name("FOLDER");
  command.add("--stdin", into.standard_input, "Group that reads standard input (default: the first)")
      .value_name("GROUP");
  command
      .add("--start-within", into.start_within,
           "Seconds within which all groups must run a network (default: as the configuration says, or 30)")
      .whole_number(1, 1'000'000)
      .value_name("S");
  command
      .add("--timeout", into.timeout,
           "End weir run after S seconds, in which it also prepares the hosts and copies files")
      .whole_number(1, 100'000'000)
      .value_name("S");
  command.take_unexpected(into.unexpected);
  command.starts_program();
  return command;
}

std::string contradiction(const run_command_options& options) {
  if (options.configuration.empty() && !options.groups.said())
    return "no groups are given; say weir run CONFIGURATION -- program, or weir run --on 4 -- program";
  if (!options.configuration.empty() && options.groups.count != 0)
    return "--on does not work with a configuration, which has the groups; leave out one of them";
  if (options.prefix && options.no_prefix) return "--prefix and --no-prefix exclude each other; say one of them";
  return {};
}

// An option that srun leaves without effect, and the remedy; empty: there is none.
std::string without_effect_under_srun(const run_command_options& options) {
  if (!options.via.empty()) return "srun reaches the nodes by itself; leave out --via";
  if (!options.deploy && options.deployed_files.empty()) return {};
  return "--deploy and --deploy-files copy nothing if srun starts the groups; put the program at the same path on each "
         "node, and leave them out";
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
    tell_problem("--stdin: there is no group " + weir::support::quoted_name(options.standard_input) +
                 "; name one of the configuration");
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
    if (wanted.mpi == mpi_launcher::srun) {
      if (const std::string problem = without_effect_under_srun(options); !problem.empty()) {
        tell_problem(problem);
        return exit_configuration;
      }
      place_in_allocation(wanted);
    }
  } else if (!options.mpirun.empty()) {
    tell_problem("--mpirun works with \"protocol\": \"MPI\" in the configuration only");
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
