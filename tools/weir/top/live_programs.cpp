// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/live_programs.hpp"

#include "weir/detail/run/live_view.hpp"

#include "common/files.hpp"
#include "common/process.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace {

namespace fs = std::filesystem;

using namespace std::chrono_literals;

constexpr std::string_view ending = ".sock";
// A process looks for call files three times a second while it runs a network.
constexpr auto time_to_hear = 2000ms;
constexpr auto between_looks = 20ms;

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Returns the `live_view_folder` of the process, which may belong to another user.
fs::path folder_of(const fs::path& process) {
  const std::string runtime = variable_of(process, "XDG_RUNTIME_DIR");
  if (runtime.starts_with('/')) return fs::path(runtime) / "weir";
  struct stat its {};
  return ::stat(process.c_str(), &its) == 0 ? "/tmp/weir-" + std::to_string(its.st_uid) : std::string();
}

// Returns the sockets at which the process may listen.
std::vector<std::string> sockets_of(const std::string& pid) {
  const std::string name = pid + std::string(ending);
  std::vector<std::string> found = sockets_in(weir::detail::live_view_folder());
  std::erase_if(found, [&](const std::string& each) { return fs::path(each).filename() != name; });
  const fs::path process = "/proc/" + pid;
  const std::string asked = variable_of(process, "WEIR_TOP");
  if (asked.empty()) return found;
  std::error_code none;
  fs::path place = asked == "1" ? folder_of(process) : fs::path(asked);
  if (place.is_relative()) place = fs::read_symlink(process / "cwd", none) / place;
  found.push_back(fs::is_directory(place, none) ? place / name : place);
  return found;
}

// An empty file that asks a process to listen. The destructor removes the file if the process has
// not.
class call {
 public:
  call(const fs::path& folder, const std::string& pid) : path_(folder / (pid + ".call")) {
    struct stat its {};
    if (::stat(("/proc/" + pid).c_str(), &its) == 0 && its.st_uid == ::geteuid()) ::mkdir(folder.c_str(), S_IRWXU);
    const descriptor made(
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!made && errno != EEXIST) throw std::runtime_error(path_.native() + " can't be made: " + std::strerror(errno));
  }
  call(const call&) = delete;
  call& operator=(const call&) = delete;
  ~call() { ::unlink(path_.c_str()); }

 private:
  const fs::path path_;
};

// @param why set to the reason why no socket could be reached; unchanged if there is no socket
std::unique_ptr<live_connection> connected_to_any(const std::vector<std::string>& sockets, std::string& why) {
  std::error_code none;
  for (const std::string& socket : sockets) {
    if (!fs::exists(socket, none)) continue;
    try {
      return std::make_unique<live_connection>(socket);
    } catch (const not_reached& problem) {
      why = problem.what();
    }
  }
  return nullptr;
}

std::unique_ptr<live_connection> connect_to_process(const std::string& pid) {
  std::error_code none;
  const fs::path process = "/proc/" + pid;
  if (!fs::exists(process, none)) throw std::runtime_error("there is no process " + pid + "; check the process id");
  std::string why;
  auto reached = connected_to_any(sockets_of(pid), why);
  if (reached == nullptr && why.empty()) {
    const fs::path folder = folder_of(process);
    const std::string socket = folder / (pid + std::string(ending));
    const call asks(folder, pid);
    for (auto left = time_to_hear; reached == nullptr && left.count() > 0; left -= between_looks) {
      std::this_thread::sleep_for(between_looks);
      reached = connected_to_any({socket}, why);
    }
    if (why.empty()) why = "it runs no network of weir now, is stopped, or belongs to another user";
  }
  if (reached != nullptr) return reached;
  throw std::runtime_error("process " + pid + " can't be watched: " + why);
}

std::unique_ptr<live_connection> connect_to_the_only_one() {
  const std::string folder = weir::detail::live_view_folder();
  std::unique_ptr<live_connection> found;
  std::vector<std::string> pids;
  for (const std::string& socket : sockets_in(folder)) {
    try {
      found = std::make_unique<live_connection>(socket);
      pids.push_back(fs::path(socket).stem());
    } catch (const not_reached&) {
      continue;  // a program that was killed has left the socket behind
    }
  }
  if (pids.empty()) {
    throw std::runtime_error("no program can be watched: none listens in " + folder +
                             "; say which, weir top PID, or start it as weir top -- program");
  }
  if (pids.size() == 1) return found;
  std::string list;
  for (const std::string& pid : pids) {
    std::string name;
    std::getline(std::ifstream("/proc/" + pid + "/comm"), name);
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", pid, weir::support::quoted_name(name));
  }
  throw std::runtime_error(fmt::format("{} programs can be watched: {}; say which: weir top PID", pids.size(), list));
}

}  // namespace

std::vector<std::string> sockets_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, problem), end;
       !problem && at != end; at.increment(problem)) {
    if (at.depth() > 0) at.disable_recursion_pending();
    const fs::path& path = at->path();
    if (path.extension() == ending && is_number(path.stem().native())) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::unique_ptr<live_connection> connect_to(const std::string& who) {
  if (who.empty()) return connect_to_the_only_one();
  if (is_number(who)) return connect_to_process(who);
  return std::make_unique<live_connection>(who);
}
