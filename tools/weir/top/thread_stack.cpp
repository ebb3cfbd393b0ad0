// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/thread_stack.hpp"

#include "common/display_text.hpp"
#include "common/process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace {

namespace fs = std::filesystem;

using namespace std::chrono_literals;

// Enough time for eu-stack to read the debug information of a large program.
constexpr auto time_to_look = 20s;

fs::path folder_of(pid_t process, long thread) {
  return fs::path("/proc") / std::to_string(process) / "task" / std::to_string(thread);
}

// Returns the value in a line `Name: value` of /proc/…/status; empty if there is no such line.
std::string status_of(const fs::path& thread, std::string_view name) {
  std::ifstream file(thread / "status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':')) continue;
    const std::size_t at = line.find_first_not_of(" \t", name.size() + 1);
    return at == std::string::npos ? std::string() : line.substr(at);
  }
  return {};
}

bool is_stopped(const fs::path& thread) { return status_of(thread, "State").starts_with('T'); }

// Removes the number behind the last colon of `text` and returns it; 0 if there is none.
int number_taken_off(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data() + colon + 1, end, number);
  if (problem != std::errc() || stopped != end) return 0;
  text = text.substr(0, colon);
  return number;
}

std::string without(std::string text, std::string_view what, std::string_view instead) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += instead.size())
    text.replace(at, what.size(), instead);
  return text;
}

// Returns the function name as programmers write it.
std::string readable(std::string_view function) {
  std::string made(function.substr(0, function.find(" [clone")));
  made = without(made, "std::__cxx11::", "std::");
  made = without(made, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  return harmless(without(made, "std::basic_string_view<char, std::char_traits<char> >", "std::string_view"));
}

// Returns why the stack could not be read.
std::string reason(const fs::path& thread, const std::string& said) {
  std::error_code none;
  if (!fs::exists(thread, none)) return "the thread has ended meanwhile";
  if (const std::string tracer = status_of(thread, "TracerPid"); !tracer.empty() && tracer != "0") {
    return "process " + tracer + " traces it already, such as a debugger does";
  }
  struct stat its {};
  const uid_t own = ::geteuid();
  if (own != 0 && ::stat(thread.c_str(), &its) == 0 && its.st_uid != own) {
    return "it belongs to another user; call weir top as that user, or as root";
  }
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  if (scope == 3) return "this system lets nobody look into running programs (kernel.yama.ptrace_scope is 3)";
  if (scope != 0 && own != 0) {
    return fmt::format(
        "this system lets only root look into running programs (kernel.yama.ptrace_scope is {}); call weir top as root",
        scope);
  }
  const std::string first = said.substr(0, said.find('\n'));
  return first.empty() ? "eu-stack says nothing of it" : harmless(first);
}

}  // namespace

std::vector<stack_frame> frames_of(std::string_view printed) {
  std::vector<stack_frame> made;
  std::string_view place;  // code address of the last frame
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    const std::size_t address = line.find(" 0x");
    if (line.starts_with('#') && address != std::string_view::npos) {
      stack_frame& frame = made.emplace_back();
      const std::size_t behind = std::min(line.find(' ', address + 1), line.size());
      const std::string_view its_place = line.substr(address, behind - address);
      line.remove_prefix(behind);
      constexpr std::string_view dash = " - ";
      if (const std::size_t module = line.rfind(dash); module != std::string_view::npos) {
        frame.module = harmless(std::string(line.substr(module + dash.size())));
        line = line.substr(0, module);
      }
      if (!line.empty()) frame.function = readable(line.substr(1));
      // An inlined function with the name of its caller counts once.
      if (its_place == std::exchange(place, its_place) && frame.function == std::prev(made.end(), 2)->function)
        made.pop_back();
    } else if (line.starts_with("    ") && !made.empty()) {
      line.remove_prefix(4);
      const int last = number_taken_off(line);  // a column, if there is another number before it
      const int line_number = number_taken_off(line);
      made.back().file = harmless(std::string(line));
      made.back().line = line_number != 0 ? line_number : last;
    }
  }
  return made;
}

thread_stack stack_of(pid_t process, long thread) {
  const fs::path folder = folder_of(process, thread);
  std::error_code none;
  if (!fs::exists(folder, none)) return {.problem = "the thread has ended, or is on another machine"};
  const bool was_stopped = is_stopped(folder);
  ::unsetenv("DEBUGINFOD_URLS");  // with it, eu-stack would ask servers
  try {
    const finished_program tool =
        run_apart({"eu-stack", "-1", "-i", "-m", "-s", "-p", std::to_string(thread)}, time_to_look);
    thread_stack made{.frames = frames_of(tool.output)};
    if (made.frames.empty()) made.problem = reason(folder, tool.error);
    return made;
  } catch (const cannot_start&) {
    return {.problem = "that takes eu-stack, which is not installed (Debian, Ubuntu, Fedora: package elfutils)"};
  } catch (const took_too_long&) {
    if (!was_stopped) ::kill(process, SIGCONT);  // a killed tracer leaves the process stopped
    return {.problem = fmt::format("eu-stack took longer than {} s, and was ended", time_to_look / 1s)};
  }
}
