// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/control_group.hpp"
#include "doctor/finding.hpp"
#include "support/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace {

using weir::support::descriptor;

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(bytes); }

// A line of /proc/meminfo, in bytes.
double memory_line(const std::string& name) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    double kilobytes = 0;
    if (words >> key >> kilobytes && key == name + ":") return kilobytes * 1024;
  }
  return 0;
}

// Makes memory and lets another process open it, as groups on one machine do. Returns what fails;
// empty: nothing.
std::string sharing_fails() {
  const descriptor memory(::memfd_create("weir doctor", MFD_CLOEXEC));
  if (!memory) return std::string("memory can't be made: ") + std::strerror(errno);
  const std::string path = fmt::format("/proc/{}/fd/{}", ::getpid(), *memory);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::open(path.c_str(), O_RDWR | O_CLOEXEC) >= 0 ? 0 : errno & 0x7f);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0) return std::string("no process can be started: ") + std::strerror(errno);
  if (status == 0) return {};
  return std::string("a process can't open that of another: ") + std::strerror(WEXITSTATUS(status));
}

}  // namespace

std::string size_text(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 && unit > 0 && bytes != static_cast<int>(bytes) ? 1 : 0,
                     units[unit]);
}

finding memory_found() {
  const double all = memory_line("MemTotal"), available = memory_line("MemAvailable");
  const auto limit = own_limits().memory;
  finding made{.topic = "memory",
               .text = fmt::format("{}, {} available", size_text(all), size_text(available)),
               .consequence = {}};
  made.facts = {{"bytes", whole(all)}, {"available", whole(available)}};
  if (limit && *limit < all) {
    made.is = offer::part;
    made.text += fmt::format("; the control group allows {}", size_text(*limit));
    made.consequence = "A process that takes more is killed; extsort -m sets its limit";
    made.facts["limit"] = whole(*limit);
  }
  return made;
}

finding shared_memory_found() {
  finding made{.topic = "shared memory", .text = "works", .consequence = {}};
  const std::string problem = sharing_fails();
  made.facts["works"] = problem.empty();
  if (!problem.empty()) {
    made.is = offer::none;
    made.text = problem;
    made.consequence = "Without it, groups on one machine need \"transport\": \"tcp\" in their configuration";
  }
  struct statvfs room {};
  const bool is_there = ::statvfs("/dev/shm", &room) == 0;
  const double size = is_there ? static_cast<double>(room.f_blocks) * static_cast<double>(room.f_frsize) : 0;
  const double free = is_there ? static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize) : 0;
  const bool is_writable = is_there && ::access("/dev/shm", W_OK) == 0;
  made.text += !is_there      ? "; there is no /dev/shm"
               : !is_writable ? "; /dev/shm can't be written"
                              : fmt::format("; /dev/shm has {} of {} free", size_text(free), size_text(size));
  made.facts["dev_shm"] = whole(size);
  made.facts["dev_shm_free"] = whole(is_writable ? free : 0);
  constexpr double little = 64.0 * 1024 * 1024;  // the usual size in a container, too little for some ranks
  if (problem.empty() && (!is_writable || free <= little)) {
    made.is = offer::part;
    made.consequence =
        "Without room in /dev/shm, ranks of MPI on one machine fail or are slow; a container gets more by --shm-size";
  }
  return made;
}
