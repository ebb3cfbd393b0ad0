// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/descriptor.hpp"
#include "io/node_waker.hpp"

#include <asio/posix/stream_descriptor.hpp>

#include <atomic>
#include <memory>
#include <optional>

namespace weir::io {

enum class direction { in, out };

/// Rings a node's waker when a pipe, a terminal or a socket can be read or written. It does not
/// change the descriptor's flags, because they are shared with other processes. One thread at a
/// time.
class watch {
 public:
  /// @return empty if the descriptor is always ready, such as that of a regular file
  static std::optional<watch> of(int number, direction which, std::shared_ptr<node_waker> waker);

  /// Returns whether it can be read or written without waiting. If not, the waker will ring when it
  /// can.
  bool ready();

 private:
  struct shared {
    std::shared_ptr<node_waker> waker;
    std::atomic<bool> armed{false};
  };
  watch(int number, direction which, descriptor group, std::shared_ptr<node_waker> waker);

  int number_;
  direction which_;
  asio::posix::stream_descriptor group_;
  std::shared_ptr<shared> shared_;
};

}  // namespace weir::io
