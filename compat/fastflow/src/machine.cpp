// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/processors.hpp"
#include "weir/run/fork_join.hpp"
#include "weir/run/run.hpp"

#include <ff/mapper.hpp>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

ssize_t ff_numCores() { return static_cast<ssize_t>(weir::available_cores()); }

ssize_t ff_realNumCores() {
  return std::min(static_cast<ssize_t>(weir::detail::size_of_machine().cores), ff_numCores());
}

ssize_t ff_numSockets() { return static_cast<ssize_t>(weir::detail::size_of_machine().packages); }

unsigned long ff_getCpuFreq() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("cpu MHz")) {
      constexpr double hertz = 1e6;
      return static_cast<unsigned long>(hertz * std::strtod(line.c_str() + line.find(':') + 1, nullptr));
    }
  }
  return 0;
}

ssize_t ff_getMyCore() { return ::sched_getcpu(); }

std::size_t ff_getThreadID() { return static_cast<std::size_t>(::gettid()); }

ssize_t ff_mapThreadToCpu(int cpu, int /*priority*/) {
  static_cast<void>(weir::concurrency());  // starts the pool's threads, which would inherit the pin
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(cpu), &only);
  return ::sched_setaffinity(::gettid(), sizeof only, &only) == 0 ? 0 : -1;
}

ssize_t ff_setPriority(ssize_t priority) {
  return ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), static_cast<int>(priority)) == 0 ? 0 : -1;
}

namespace ff {

threadMapper* threadMapper::instance() {
  static threadMapper* const one = new threadMapper;
  return one;
}

threadMapper::threadMapper() {
  for (ssize_t i = 0; i != ff_numCores(); ++i) cpus_.push_back(i);
}

void threadMapper::setMappingList(const char* list) {
  if (list == nullptr) return;
  std::vector<ssize_t> cpus;
  for (const char* at = list; *at != '\0';) {
    char* end = nullptr;
    const long cpu = std::strtol(at, &end, 10);
    if (end == at) {
      ++at;
      continue;
    }
    cpus.push_back(cpu);
    at = end;
  }
  if (cpus.empty()) return;
  const std::lock_guard lock(mutex_);
  cpus_ = std::move(cpus);
  next_ = 0;
}

ssize_t threadMapper::getCoreId() {
  const std::lock_guard lock(mutex_);
  return cpus_[next_++ % cpus_.size()];
}

ssize_t threadMapper::getCoreId(unsigned int thread) {
  const std::lock_guard lock(mutex_);
  return cpus_[thread % cpus_.size()];
}

}  // namespace ff
