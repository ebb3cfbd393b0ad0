// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The parts that benchmarks of several processes share: processes, shared memory, hosts
/// (scripts/cluster.sh), and bare TCP.
namespace weir_bench {

[[noreturn]] inline void give_up(const char* what) {
  std::fprintf(stderr, "%s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

/// Resident memory of this process in KiB.
inline std::int64_t resident_kib_now() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  file >> all >> resident;
  return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

/// A value that processes forked later share with this one. They write different parts of it, or
/// atomics.
template <class T>
class shared_value {
 public:
  shared_value() : at_(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (at_ == MAP_FAILED) give_up("mmap");
    ::new (at_) T{};
  }
  shared_value(const shared_value&) = delete;
  shared_value& operator=(const shared_value&) = delete;
  ~shared_value() { ::munmap(at_, sizeof(T)); }

  T& operator*() const noexcept { return *static_cast<T*>(at_); }
  T* operator->() const noexcept { return static_cast<T*>(at_); }

 private:
  void* at_;
};

/// Runs `act` in a new process, which ends with this one. Must be called while this process has no
/// other threads.
template <class Act>
pid_t start_process(Act&& act) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) give_up("fork");
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) std::_Exit(1);
  act();
  std::fflush(nullptr);
  std::_Exit(0);
}

/// Waits for the processes, and calls `ended(position, text)` for each; the text says how the
/// process failed, and is empty on success.
/// @return number of processes that failed
template <class Ended>
int wait_for_processes(const std::vector<pid_t>& processes, Ended&& ended) {
  int failures = 0;
  for (std::size_t left = processes.size(); left != 0;) {
    int status = 0;
    const pid_t who = ::wait(&status);
    if (who < 0) give_up("wait");
    for (std::size_t i = 0; i != processes.size(); ++i) {
      if (processes[i] != who) continue;
      --left;
      failures += status != 0;
      ended(i, status == 0           ? std::string()
               : WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                     : "ended with exit code " + std::to_string(WEXITSTATUS(status)));
    }
  }
  return failures;
}

/// The same for processes that need not know each other's end: ends the program with 1 if one
/// fails.
inline void wait_for_processes(const std::vector<pid_t>& processes) {
  const int failures = wait_for_processes(processes, [&](std::size_t i, const std::string& how) {
    if (how.empty()) return;
    std::fprintf(stderr, "process %zu %s\n", i, how.c_str());
    std::exit(1);  // the other processes end with this one
  });
  if (failures != 0) std::exit(1);
}

/// CPU nanoseconds of this process and of the children it has waited for.
inline std::int64_t cpu_ns_with_children() {
  std::int64_t sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime}) sum += t.tv_sec * 1'000'000'000 + t.tv_usec * 1000;
  }
  return sum;
}

/// Moves this process to host number `host` of scripts/cluster.sh, counted from 1; 0: it stays
/// where it is. The process must have one thread.
inline void enter_host(std::int64_t host) {
  if (host == 0) return;
  const std::string where = "/var/run/netns/weir-h" + std::to_string(host);
  const int space = ::open(where.c_str(), O_RDONLY | O_CLOEXEC);
  if (space < 0 || ::setns(space, CLONE_NEWNET) != 0) {
    give_up((where + ": make hosts with scripts/cluster.sh up, as root").c_str());
  }
  ::close(space);
}

/// Calls `act()` on that host, for sockets that are made there. The process must have one thread.
template <class Act>
auto on_host(std::int64_t host, Act&& act) {
  const int here = ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  if (here < 0) give_up("/proc/self/ns/net");
  enter_host(host);
  auto made = act();
  if (host != 0 && ::setns(here, CLONE_NEWNET) != 0) give_up("setns");
  ::close(here);
  return made;
}

/// Returns the address of that host (network byte order); 0: the loopback address.
inline std::uint32_t address_of_host(std::int64_t host) {
  return htonl(host == 0 ? INADDR_LOOPBACK : (10U << 24 | 213U << 16 | static_cast<std::uint32_t>(host)));
}

namespace detail {
inline sockaddr* generic(sockaddr_in& in) { return reinterpret_cast<sockaddr*>(&in); }
}  // namespace detail

/// A listening socket of a process, and its address.
struct listener {
  int socket;
  std::int64_t host;
  std::uint16_t port;
};

/// Listens at any port of that host. The socket is handed on to the process that runs there.
inline listener listen_on(std::int64_t host) {
  return on_host(host, [&] {
    const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = address_of_host(host);
    socklen_t length = sizeof at;
    if (::bind(listening, detail::generic(at), sizeof at) != 0 || ::listen(listening, 64) != 0 ||
        ::getsockname(listening, detail::generic(at), &length) != 0) {
      give_up("listen");
    }
    return listener{listening, host, ntohs(at.sin_port)};
  });
}

inline int accept_at(const listener& at) {
  const int one = ::accept(at.socket, nullptr, nullptr);
  if (one < 0) give_up("accept");
  const int on = 1;
  ::setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return one;
}

/// Connects from the host of this process.
inline int connect_to(const listener& where) {
  const int to = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = address_of_host(where.host);
  at.sin_port = htons(where.port);
  if (::connect(to, detail::generic(at), sizeof at) != 0) give_up("connect");
  return to;
}

inline void write_all(int to, const void* from, std::size_t count) {
  for (const char* at = static_cast<const char*>(from); count != 0;) {
    const ssize_t wrote = ::write(to, at, count);
    if (wrote <= 0) give_up("write");
    at += wrote;
    count -= static_cast<std::size_t>(wrote);
  }
}

/// @return false if the other side has closed before the first byte
inline bool read_all(int from, void* to, std::size_t count) {
  char* at = static_cast<char*>(to);
  for (std::size_t left = count; left != 0;) {
    const ssize_t got = ::read(from, at, left);
    if (got == 0 && left == count) return false;
    if (got <= 0) give_up("read");
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace weir_bench
