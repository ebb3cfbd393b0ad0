// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/events.hpp"

#include "graph/per_process.hpp"

#include <asio/executor_work_guard.hpp>
#include <pthread.h>

#include <csignal>
#include <memory>
#include <thread>

namespace weir::io {
namespace {

constinit detail::one_per_process<asio::io_context> of_process;

std::unique_ptr<asio::io_context> started() {
  auto made = std::make_unique<asio::io_context>(1);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
  try {
    std::thread([in = made.get()] {
      const auto work = asio::make_work_guard(*in);
      in->run();
    }).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

}  // namespace

asio::io_context& events() { return of_process.get(started); }

}  // namespace weir::io
