// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/start_checks.hpp"

#include "common/files.hpp"
#include "common/process.hpp"
#include "run/remote_start.hpp"
#include "support/environment.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

namespace {

using namespace std::chrono_literals;

// A shell may start the reader of a pipe in the background, just before this program.
constexpr auto reader_comes_within = 500ms;

bool is_bare(const std::string& word) { return word.find('/') == std::string::npos; }

// Returns why the file can't be executed, as an error number; 0: it can.
int problem_with(const std::string& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) return EISDIR;
  return access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

void check_program(const std::string& word, std::vector<std::string>& problems) {
  if (const int problem = problem_with(found_program(word)); problem != 0)
    problems.push_back(explained(cannot_start(std::strerror(problem)), word));
}

// Returns why the log can't be written, as an error number; 0: no reason is visible.
int problem_with_log(const std::string& folder, const std::string& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) return EISDIR;
  const bool is_there = std::filesystem::exists(file, none);
  return access(is_there ? file.c_str() : folder.c_str(), is_there ? W_OK : W_OK | X_OK) == 0 ? 0 : errno;
}

// Opens a pipe for writing, if somebody reads it or comes to read it soon.
descriptor opened_for_a_reader(const std::string& pipe) {
  const auto until = std::chrono::steady_clock::now() + reader_comes_within;
  for (;;) {
    descriptor made(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (made || errno != ENXIO || std::chrono::steady_clock::now() > until) return made;
    std::this_thread::sleep_for(10ms);
  }
}

// Returns why a group can't listen there, as an error number; 0: it can.
int problem_with(const std::string& address, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) return 0;  // reported elsewhere
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
  const descriptor probe(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;  // as the group does
  setsockopt(*probe, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool free = bind(*probe, found->ai_addr, found->ai_addrlen) == 0 && listen(*probe, 1) == 0;
  return free || errno == EADDRNOTAVAIL ? 0 : errno;
}

}  // namespace

std::string found_program(const std::string& word) {
  if (!is_bare(word)) return word;
  const char* const variable = weir::support::variable("PATH");
  std::string_view rest = variable == nullptr ? "/bin:/usr/bin" : variable;
  for (;;) {
    const std::string folder(rest.substr(0, rest.find(':')));
    const std::string file = (folder.empty() ? "." : folder) + "/" + word;
    if (problem_with(file) == 0) return file;
    if (rest.find(':') == std::string_view::npos) return word;
    rest.remove_prefix(folder.size() + 1);
  }
}

std::string leading_program(const std::string& pre_command) {
  const std::string word = pre_command.substr(0, pre_command.find(' '));
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_./+-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return std::ranges::all_of(word, plain) ? word : "";
}

void check_ports(const weir::cluster_configuration& configuration, std::vector<std::string>& problems) {
  std::map<std::pair<std::string, int>, std::string> taken;
  for (const weir::group_configuration& each : configuration.groups) {
    if (each.port == 0) continue;
    const auto [by, first] = taken.try_emplace({each.host, each.port}, each.name);
    if (!first)
      problems.push_back("groups " + by->second + " and " + each.name + " would both listen at port " +
                         std::to_string(each.port) + (each.host.empty() ? "" : " of " + each.host) +
                         "; give one of them another endpoint");
  }
}

std::vector<descriptor> check_logs(const weir::cluster_configuration& configuration, const std::string& folder,
                                   std::vector<std::string>& problems) {
  std::vector<descriptor> pipes;
  if (folder.empty()) return pipes;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    problems.push_back("--logs: can't make the folder " + folder + ": " + problem.message());
    return pipes;
  }
  for (const weir::group_configuration& each : configuration.groups) {
    if (!is_bare(each.name)) {
      problems.push_back("--logs: the name of group " + each.name + " can't be that of a file");
      continue;
    }
    for (const char* const ending : {".out", ".err"}) {
      const std::string file = folder + "/" + each.name + ending;
      if (const int why = problem_with_log(folder, file); why != 0) {
        problems.push_back("--logs: can't write " + file + ": " + std::strerror(why));
      } else if (std::filesystem::is_fifo(file, problem)) {
        pipes.push_back(opened_for_a_reader(file));
        if (!pipes.back())
          problems.push_back("--logs: can't write " + file + ": nobody reads this pipe; remove it, or start a reader");
      }
    }
  }
  return pipes;
}

void check_here(const weir::group_configuration& group, const std::string& program, const std::string& address,
                std::vector<std::string>& problems) {
  if (group.pre_command.empty()) {
    check_program(program, problems);
  } else if (const std::string word = leading_program(group.pre_command); !word.empty()) {
    if (problem_with(found_program(word)) != 0)
      problems.push_back("group " + group.name + ": there is no program " + word +
                         ", which its pre_command begins with");
  }
  if (group.port == 0 || address.empty()) return;
  if (const int problem = problem_with(address, std::to_string(group.port)); problem != 0) {
    problems.push_back("group " + group.name + ": can't listen at " + in_brackets(address) + ":" +
                       std::to_string(group.port) + ": " + std::strerror(problem) +
                       "; free that port, or give the group another endpoint");
  }
}
