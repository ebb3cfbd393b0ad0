// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/events.hpp"

#include <asio/executor_work_guard.hpp>
#include <pthread.h>

#include <csignal>
#include <thread>

namespace weir::io {

asio::io_context& events() {
  static asio::io_context& context = *[] {
    auto* made = new asio::io_context(1);  // never destroyed: threads may outlive main
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    try {
      std::thread([made] {
        const auto work = asio::make_work_guard(*made);
        made->run();
      }).detach();
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      delete made;
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  }();
  return context;
}

}  // namespace weir::io
