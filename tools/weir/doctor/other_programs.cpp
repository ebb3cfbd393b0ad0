// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "common/process.hpp"
#include "doctor/finding.hpp"
#include "run/mpi_start.hpp"
#include "support/environment.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto time_to_answer = 5s;

// The version of a program, as it says itself.
struct answer {
  offer is = offer::none;
  std::string line;  // the first
};

answer version_of(const std::vector<std::string>& call) {
  try {
    const finished_program said = run_apart(call, time_to_answer);
    const std::string& text = said.output.empty() ? said.error : said.output;
    const bool works = said.end.signal == 0 && said.end.code == 0;
    return {works ? offer::whole : offer::part, text.substr(0, text.find('\n'))};
  } catch (const cannot_start&) {
    return {};
  } catch (const took_too_long&) {
    return {offer::part, "it does not answer"};
  }
}

// A program of which only a part of weir makes use.
finding program_found(const std::string& topic, const std::vector<std::string>& call, const std::string& consequence) {
  const answer said = version_of(call);
  finding made{.topic = topic, .is = said.is, .text = {}, .consequence = {}};
  made.facts["found"] = said.is != offer::none;
  switch (said.is) {
    case offer::whole:
      made.text = said.line.substr(0, said.line.find(','));
      made.facts["version"] = said.line;
      return made;
    case offer::part: made.text = fmt::format("{} fails: {}", call.front(), said.line); break;
    case offer::none: made.text = call.front() + " is not installed, or not in PATH"; break;
  }
  made.consequence = consequence;
  return made;
}

// Folders where programs look for weir's plugins.
std::vector<fs::path> plugin_folders() {
  if (const char* const said = weir::support::variable("WEIR_PLUGINS"); said != nullptr && *said != '\0') return {said};
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  return {folder, folder.parent_path() / "lib" / "weir"};
}

enum class plugin { loads, absent, broken };

// Loads the plugin in a process of its own: MPI leaves threads and handlers behind.
plugin plugin_for(const std::string& mpi) {
  for (const fs::path& folder : plugin_folders()) {
    const std::string file = folder / ("weir_mpi_" + mpi + ".so");
    if (::access(file.c_str(), R_OK) != 0) continue;
    const pid_t child = ::fork();
    if (child == 0) {
      const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
      ::_exit(::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr ? 0 : 1);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return child > 0 && status == 0 ? plugin::loads : plugin::broken;
  }
  return plugin::absent;
}

const char* name_of(mpi_launcher launcher) {
  switch (launcher) {
    case mpi_launcher::open_mpi: return "Open MPI";
    case mpi_launcher::hydra: return "MPICH";
    case mpi_launcher::srun: return "srun";
  }
  return "";
}

}  // namespace

finding mpi_found() {
  finding made{.topic = "MPI", .text = {}, .consequence = {}};
  std::string launcher, problem;
  try {
    launcher = name_of(launcher_behind("mpirun"));
    made.text = "mpirun of " + launcher;
  } catch (const std::exception&) {
    made.text = "mpirun is not installed, or not in PATH";
    made.is = offer::none;
  }
  made.facts["mpirun"] = launcher;
  made.facts["plugins"] = nlohmann::ordered_json::array();
  std::string plugins, broken;
  bool fits = false;
  for (const auto& [mpi, name] : {std::pair("openmpi", "Open MPI"), std::pair("mpich", "MPICH")}) {
    const plugin there = plugin_for(mpi);
    if (there == plugin::broken) broken += (broken.empty() ? "" : " and ") + std::string(name);
    if (there != plugin::loads) continue;
    plugins += (plugins.empty() ? "" : " and ") + std::string(name);
    made.facts["plugins"].push_back(mpi);
    fits = fits || launcher == name;
  }
  made.text += plugins.empty() ? "; weir has no plugin" : "; weir has a plugin for " + plugins;
  if (!broken.empty()) made.text += "; that for " + broken + " does not load";
  if (made.is == offer::whole && !fits) made.is = offer::part;
  if (made.is != offer::whole) {
    made.consequence = "Without it, groups are connected by TCP and shared memory, not by \"protocol\": \"MPI\"";
    if (plugins.empty() && !launcher.empty()) made.consequence += ". Build weir where that MPI is installed";
  }
  return made;
}

finding slurm_found() {
  finding made = program_found("SLURM", {"srun", "--version"},
                               "Without it, weir run starts groups by itself, on this machine or through ssh");
  if (const char* const job = weir::support::variable("SLURM_JOB_ID"); job != nullptr && *job != '\0') {
    const char* const nodes = weir::support::variable("SLURM_JOB_NODELIST");
    made.text += fmt::format("; this is allocation {}{}", job, nodes == nullptr ? "" : std::string(", nodes ") + nodes);
    made.facts["allocation"] = job;
  }
  return made;
}

finding ssh_found() {
  return program_found("ssh", {"ssh", "-V"}, "Without it, weir run reaches other machines by --via only");
}

finding graphviz_found() {
  return program_found("Graphviz", {"dot", "-V"}, "Without it, weir graph writes DOT; --svg does not work");
}

finding stacks_found() {
  finding made =
      program_found("eu-stack", {"eu-stack", "--version"}, "Without it, weir top can't show stacks; install elfutils");
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  made.facts["ptrace_scope"] = scope;
  if (made.is == offer::whole && (scope == 3 || (scope != 0 && ::geteuid() != 0))) {
    made.is = offer::part;
    made.text += fmt::format("; kernel.yama.ptrace_scope is {}", scope);
    made.consequence = scope == 3 ? "So weir top can't show stacks" : "So weir top shows stacks to root only";
  }
  return made;
}
