// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <mutex>

namespace weir::detail {

class native_atomics::mutex : public std::mutex {};

class native_atomics::lock {
 public:
  explicit lock(mutex& what) : held_(what) {}

 private:
  const std::lock_guard<std::mutex> held_;
};

}  // namespace weir::detail
