// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace weir::detail {

/// Starts a thread that runs `body`. @throws std::runtime_error if the system gives none
template <class F>
std::thread start_thread(F body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& problem) {
    throw std::runtime_error(std::string("can't start a thread: ") + problem.code().message());
  }
}

}  // namespace weir::detail
