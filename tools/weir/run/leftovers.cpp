// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/leftovers.hpp"

#include <weir/cluster/coordinator.hpp>

#include "common/process.hpp"
#include "run/child_process.hpp"
#include "run/tell.hpp"
#include "support/environment.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto asked_for = 1s;
constexpr auto given_up_after = 5s;  // by then only processes that hang in the kernel are left
constexpr auto look_again = 5ms;

bool has_mark(pid_t id, const std::string& mark) {
  std::ifstream environment("/proc/" + std::to_string(id) + "/environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(environment), {}};
  for (std::size_t at = 0; at < all.size(); at = std::min(all.find('\0', at), all.size()) + 1) {
    const std::string_view each(all.c_str() + at);
    if (each.starts_with(run_variable) && each.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

std::vector<pid_t> those_with(const std::string& mark) {
  std::vector<pid_t> made;
  for (const auto& [id, parent] : all_processes()) {
    if (id != ::getpid() && has_mark(id, mark)) made.push_back(id);
  }
  return made;
}

// Waits until `alive` tells that the parent has died without a word, and then kills what is left.
[[noreturn]] void guard(int alive, const std::string& mark, run_cgroup& cgroup) {
  ::setsid();
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "weir-guard");
  // The guard closes its output, which otherwise would stay open after this process has ended.
  ::dup2(alive, STDIN_FILENO);
  ::close_range(STDIN_FILENO + 1, ~0U, 0);
  char word = 0;
  ssize_t got = 0;
  while ((got = ::read(STDIN_FILENO, &word, 1)) < 0 && errno == EINTR) continue;
  if (got > 0) ::_exit(0);
  const clock::time_point until = clock::now() + given_up_after;
  // A process that is just being started appears a moment later.
  for (int looks_without = 0; looks_without != 3 && clock::now() < until; std::this_thread::sleep_for(look_again)) {
    if (cgroup) cgroup.kill();
    const std::vector<pid_t> left = those_with(mark);
    for (const pid_t each : left) ::kill(each, SIGKILL);
    looks_without = left.empty() && (!cgroup || cgroup.remove()) ? looks_without + 1 : 0;
  }
  ::_exit(0);
}

}  // namespace

leftovers::leftovers()
    : mark_(weir::new_cluster_secret().substr(0, 32)), cgroup_("weir-" + mark_.substr(0, 16)), alive_(-1) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pipe_ends ends;
  const descriptor other_end(ends.to_read);
  alive_ = descriptor(ends.to_write);
  guard_ = ::fork();
  if (guard_ < 0) throw std::runtime_error(std::string("can't make a process: ") + std::strerror(errno));
  if (guard_ == 0) guard(*other_end, mark_, cgroup_);
}

leftovers::~leftovers() {
  end(0ms);
  if (cgroup_) {
    bool removed = false;
    for (const clock::time_point until = clock::now() + asked_for; clock::now() < until;) {
      cgroup_.kill();
      removed = cgroup_.remove();
      if (removed) break;
      std::this_thread::sleep_for(look_again);
    }
    if (!removed) tell_problem(cgroup_.what_is_left());
  }
  static_cast<void>(!::write(*alive_, "x", 1));
  alive_.close();
  ::waitpid(guard_, nullptr, 0);
}

void leftovers::end(std::chrono::milliseconds patience) {
  const clock::time_point began = clock::now() + patience;
  bool asked = false;
  for (;;) {
    if (all_descendants_) reap([](pid_t) { return false; });  // otherwise other code still waits for some of them
    std::vector<pid_t> left = descendants_of(::getpid());
    const std::vector<pid_t> within = cgroup_.processes();
    std::erase_if(left, [&](pid_t each) {
      if (each == guard_) return true;
      return !all_descendants_ && !has_mark(each, mark_) && std::ranges::find(within, each) == within.end();
    });
    const auto time = clock::now() - began;
    if (left.empty() || time > given_up_after) break;
    if (time > asked_for || (time >= 0s && !asked)) {
      for (const pid_t each : left) {
        ::kill(each, time > asked_for ? SIGKILL : SIGTERM);
        ::kill(each, SIGCONT);  // a stopped process would not receive the signal
      }
      asked = true;
    }
    std::this_thread::sleep_for(look_again);
  }
}

void leftovers::reap(const std::function<bool(pid_t)>& is_known) const {
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return;
    if (ended.si_pid == guard_ || is_known(ended.si_pid)) return;
    ::waitpid(ended.si_pid, nullptr, 0);
  }
}

std::pair<std::string, std::string> leftovers::variable() const {
  const char* const outer = weir::support::variable(run_variable);
  return {run_variable, outer == nullptr ? mark_ : std::string(outer) + "," + mark_};
}
