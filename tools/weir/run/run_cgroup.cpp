// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_cgroup.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

// Without zeros, which stand for processes that can't be seen from here: a signal to 0 would go to
// the group of this process.
std::vector<pid_t> numbers_in(const std::string& file) {
  std::ifstream in(file);
  std::vector<pid_t> made;
  for (pid_t each = 0; in >> each;) {
    if (each > 0) made.push_back(each);
  }
  return made;
}

bool is_empty(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  return in && !(in >> word);
}

// proc(5): /proc/[pid]/cgroup has a line 0::PATH. /proc/[pid]/mountinfo has the root and the mount
// point of each mount, and the type of its file system behind " - ". Returns an empty string if the
// folder is not visible here.
std::string own_folder() {
  std::ifstream about("/proc/self/cgroup");
  std::string line;
  while (std::getline(about, line) && !line.starts_with("0::/")) continue;
  if (!line.starts_with("0::/")) return {};
  const std::string path = line.substr(3);
  std::ifstream mounts("/proc/self/mountinfo");
  while (std::getline(mounts, line)) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos || !line.substr(dash).starts_with(" - cgroup2 ")) continue;
    std::istringstream words(line);
    std::string number;
    std::string parent;
    std::string device;
    std::string root;
    std::string place;
    words >> number >> parent >> device >> root >> place;
    const bool below = root != "/" && path.starts_with(root);
    const std::string folder = place + (below ? path.substr(root.size()) : path);
    const std::vector<pid_t> here = numbers_in(folder + "/cgroup.procs");
    if (std::ranges::find(here, ::getpid()) != here.end()) return folder;
  }
  return {};
}

// The rights of the folder above, or its type, may forbid what the rights of the file allow.
bool can_be_entered(int entrance) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::write(entrance, "0", 1) == 1 ? 0 : 1);
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
  return ended > 0 && status == 0;
}

// Kills the processes in the folder and in the folders below it, one by one. A process that forks
// meanwhile is found by the next call.
void kill_each(const std::filesystem::path& folder) {
  for (const pid_t each : numbers_in(folder / "cgroup.procs")) ::kill(each, SIGKILL);
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator(folder, none)) {
    if (each.is_directory(none)) kill_each(each.path());
  }
}

// Removes the folder and the folders below it.
bool removed(const std::filesystem::path& folder) {
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator(folder, none)) {
    if (each.is_directory(none)) removed(each.path());
  }
  return ::rmdir(folder.c_str()) == 0 || errno == ENOENT;
}

}  // namespace

run_cgroup::run_cgroup(const std::string& name) {
  const std::string own = own_folder();
  if (own.empty() || !is_empty(own + "/cgroup.subtree_control")) return;
  folder_ = own + "/" + name;
  if (::mkdir(folder_.c_str(), 0755) != 0) return;
  // Linux before 5.14 can't kill all processes of a cgroup at once.
  if (::access((folder_ + "/cgroup.kill").c_str(), W_OK) == 0)
    entrance_ = descriptor(::open((folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (entrance_ && !can_be_entered(*entrance_)) entrance_.close();
  if (!entrance_) ::rmdir(folder_.c_str());
}

std::vector<pid_t> run_cgroup::processes() const {
  return entrance_ ? numbers_in(folder_ + "/cgroup.procs") : std::vector<pid_t>();
}

void run_cgroup::kill() const {
  const descriptor all(::open((folder_ + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
  if (!all || ::write(*all, "1", 1) != 1) kill_each(folder_);
}

bool run_cgroup::remove() const { return removed(folder_); }

std::string run_cgroup::what_is_left() const {
  std::string left;
  for (const pid_t each : processes()) left += " " + std::to_string(each);
  return folder_ + (left.empty() ? ": can't be removed; remove it with rmdir" : ": processes can't be killed:" + left);
}
