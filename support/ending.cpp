// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ending.hpp"

#include "output.hpp"

#include <pthread.h>

#include <csignal>

namespace weir::support {
namespace {

bool was_ignored = false;  // written before there are other threads

}  // namespace

void survive_failing_writes() noexcept {
  was_ignored = std::signal(SIGPIPE, SIG_IGN) == SIG_IGN;
  std::signal(SIGXFSZ, SIG_IGN);
}

int ended_by(const std::exception& error, std::string_view program, int failure) {
  if (!was_ignored && is_caused_by<output_closed>(error)) {
    sigset_t it;
    sigemptyset(&it);
    sigaddset(&it, SIGPIPE);
    std::signal(SIGPIPE, SIG_DFL);
    ::pthread_sigmask(SIG_UNBLOCK, &it, nullptr);
    std::raise(SIGPIPE);
  }
  complain(program, cause_of(error));
  return failure;
}

}  // namespace weir::support
